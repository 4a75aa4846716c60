// Window: one SDL window that OpenGL or an SDL_Renderer draws into, with or without a display.
//
// Invariant: while a Window exists, it can be drawn to; a missing display is an error of open(), never later.
// A hidden window uses a driver of SDL without a display: "dummy" with the software renderer, or "offscreen"
// with OpenGL. It does not read events (see backend.h) and draws nothing itself (see DrawTarget).
#pragma once

#include "ecs/base/result.h"
#include "engine/sdl/window/internal/sdl_handle.h"
#include "engine/sdl/window/letterbox.h"

#include <memory>
#include <string>

namespace perigee {

/// What draws into a window. automatic: OpenGL if there is 3.3 core or ES 3.0, else an SDL_Renderer; the
/// software renderer if the window is hidden.
enum class WindowDrawing { automatic, gl, software };

struct WindowDesc {
    std::string title = "perigee";
    PixelSize size{1280, 720};
    bool is_hidden = false;  ///< no display is needed
    bool is_fullscreen = false;
    WindowDrawing drawing = WindowDrawing::automatic;
};

class Window {
public:
    /// True if SDL finds a display to open windows on. Cost: starts SDL's video; the next window
    /// then need not.
    static bool has_display();

    /// Errors: no display, no renderer, no OpenGL although it is required. The message is SDL's.
    static Result<std::unique_ptr<Window>> open(const WindowDesc& desc);

    /// Whether OpenGL draws into it. Its context is current on the thread that opened the window.
    bool has_gl() const noexcept { return context_ != nullptr; }
    /// Makes its context the current one of this thread. Expects: has_gl().
    void make_current() const noexcept;
    /// Makes a new context after the old one was lost, with everything in it. False: there is none.
    /// Expects: has_gl().
    bool renew_gl() noexcept;
    /// Expects: not has_gl().
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
    Window(bool is_hidden, const char* hidden_driver);
    bool open_with_gl(const WindowDesc& desc, PixelSize size);
    bool open_with_renderer(const WindowDesc& desc, PixelSize size);

    bool is_hidden_ = false;
    std::unique_ptr<Subsystem> video_;
    WindowHandle window_;
    RendererHandle renderer_;
    GlContextHandle context_;
};

}  // namespace perigee
