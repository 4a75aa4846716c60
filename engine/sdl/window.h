// Window: one SDL window and the SDL_Renderer that paints it; with or without a display.
//
// Invariant: while a Window lives, its renderer can be drawn to; a lost or absent display shows at open(),
// never later. A hidden window uses SDL's dummy driver and the software renderer: the same calls, no screen.
// It does not read events (see EventPump) and draws nothing itself (see Renderer).
#pragma once

#include "ecs/result.h"
#include "engine/sdl/internal/sdl_handle.h"
#include "engine/sdl/letterbox.h"

#include <memory>
#include <string>

namespace perigee {

struct WindowDesc {
    std::string title = "perigee";
    PixelSize size{1280, 720};
    bool is_hidden = false;  ///< no display is needed
    bool is_fullscreen = false;
    bool is_software = false;  ///< the software renderer also where there is a faster one
};

class Window {
public:
    /// True if SDL finds a display to open windows on. Cost: starts and ends SDL's video.
    static bool has_display();

    /// Errors: no display, no renderer. The message is SDL's.
    static Result<std::unique_ptr<Window>> open(const WindowDesc& desc);

    SDL_Renderer& renderer() const noexcept { return *renderer_; }
    /// The size of the picture in pixels, which on a high-density display is more than the window's size.
    PixelSize pixel_size() const noexcept;
    /// Pixels per unit of mouse coordinates.
    float pixel_density() const noexcept;

    void set_title(const std::string& title) noexcept;
    void toggle_fullscreen() noexcept { set_fullscreen(!is_fullscreen()); }
    void set_fullscreen(bool is_fullscreen) noexcept;
    bool is_fullscreen() const noexcept;
    /// Of the window when it is not full screen, at most what the display has room for. A hidden one keeps
    /// its own.
    void set_size(PixelSize size) noexcept;

    /// Shows the picture. Waits for the display if it can, and for a while if nobody can see the window.
    void present() noexcept;

private:
    explicit Window(bool is_hidden);

    bool is_hidden_ = false;
    std::unique_ptr<Subsystem> video_;
    WindowHandle window_;
    RendererHandle renderer_;
};

}  // namespace perigee
