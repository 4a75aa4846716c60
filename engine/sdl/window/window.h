// Window: one SDL window and its SDL_Renderer, with or without a display.
//
// Invariant: while a Window exists, its renderer can be drawn to; a missing display is an error of open(),
// never later. A hidden window uses SDL's dummy driver and the software renderer: the same calls, no screen.
// It does not read events (see backend.h) and draws nothing itself (see Renderer).
#pragma once

#include "ecs/base/result.h"
#include "engine/sdl/window/internal/sdl_handle.h"
#include "engine/sdl/window/letterbox.h"

#include <memory>
#include <string>

namespace perigee {

struct WindowDesc {
    std::string title = "perigee";
    PixelSize size{1280, 720};
    bool is_hidden = false;  ///< no display is needed
    bool is_fullscreen = false;
    bool is_software = false;  ///< use the software renderer even if there is a faster one
};

class Window {
public:
    /// True if SDL finds a display to open windows on. Cost: starts and ends SDL's video.
    static bool has_display();

    /// Errors: no display, no renderer. The message is SDL's.
    static Result<std::unique_ptr<Window>> open(const WindowDesc& desc);

    SDL_Renderer& renderer() const noexcept { return *renderer_; }
    /// The size of the drawing area in pixels, which is larger than the window's size on a high-density
    /// display.
    PixelSize pixel_size() const noexcept;
    /// Pixels per unit of mouse coordinates.
    float pixel_density() const noexcept;

    void set_title(const std::string& title) noexcept;
    void toggle_fullscreen() noexcept { set_fullscreen(!is_fullscreen()); }
    void set_fullscreen(bool is_fullscreen) noexcept;
    bool is_fullscreen() const noexcept;
    /// Sets the windowed size, at most what fits on the display. A hidden window keeps its size.
    void set_size(PixelSize size) noexcept;

    /// Shows the frame. Waits for the display if possible, and for a fixed time if the window is not visible.
    void present() noexcept;

private:
    explicit Window(bool is_hidden);

    bool is_hidden_ = false;
    std::unique_ptr<Subsystem> video_;
    WindowHandle window_;
    RendererHandle renderer_;
};

}  // namespace perigee
