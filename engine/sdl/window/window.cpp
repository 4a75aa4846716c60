// Choosing a driver and a renderer, and falling back to the software one.
#include "engine/sdl/window/window.h"

#include "engine/sdl/window/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace perigee {

namespace {

constexpr std::uint32_t kUnseenFrameMilliseconds = 16;

// Drivers without a display. SDL uses them if requested in the environment.
bool is_blind_driver(const char* name) {
    const std::string_view driver = name != nullptr ? name : "";
    return driver.empty() || driver == "dummy" || driver == "offscreen" || driver == "evdev";
}

std::unique_ptr<Subsystem> start_video(bool is_hidden, const char* hidden_driver) {
    // Over the environment: a hidden window never opens a visible one. Only for this start.
    if (is_hidden) SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, hidden_driver, SDL_HINT_OVERRIDE);
    auto video = std::make_unique<Subsystem>(SDL_INIT_VIDEO);
    if (is_hidden) SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    return video;
}

// As large as requested, or as fits on the display.
PixelSize fitting_size(PixelSize wanted) {
    SDL_Rect bounds{};
    if (SDL_GetDisplayUsableBounds(0, &bounds) != 0 || bounds.w <= 0 || bounds.h <= 0) return wanted;
    const Letterbox box = letterbox_of(wanted, {bounds.w, bounds.h});
    return box.scale() < 1.0F ? PixelSize{box.width, box.height} : wanted;
}

struct GlVersion {
    int profile, major, minor;
};
constexpr GlVersion kGlVersions[] = {{SDL_GL_CONTEXT_PROFILE_CORE, 3, 3}, {SDL_GL_CONTEXT_PROFILE_ES, 3, 0}};

void ask_for(const GlVersion& version) {
    SDL_GL_ResetAttributes();
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_PROFILE_MASK, version.profile);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MAJOR_VERSION, version.major);
    SDL_GL_SetAttribute(SDL_GL_CONTEXT_MINOR_VERSION, version.minor);
    SDL_GL_SetAttribute(SDL_GL_DOUBLEBUFFER, 1);
    SDL_GL_SetAttribute(SDL_GL_STENCIL_SIZE, 8);
    SDL_GL_SetAttribute(SDL_GL_DEPTH_SIZE, 0);
}

std::uint32_t flags_of(const WindowDesc& desc) {
    if (desc.is_hidden) return SDL_WINDOW_HIDDEN;
    std::uint32_t flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (desc.is_fullscreen) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    return flags;
}

WindowHandle create_window(const WindowDesc& desc, PixelSize size, std::uint32_t more_flags) {
    return WindowHandle{SDL_CreateWindow(desc.title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                         size.width, size.height, flags_of(desc) | more_flags)};
}

RendererHandle create_renderer(SDL_Window* window, bool is_hidden, bool is_software) {
    const std::uint32_t wait = is_hidden ? 0U : static_cast<std::uint32_t>(SDL_RENDERER_PRESENTVSYNC);
    RendererHandle renderer;
    // Draws lines as lines; the default converts them to points first.
    SDL_SetHint(SDL_HINT_RENDER_LINE_METHOD, "2");
    if (!is_hidden && !is_software)
        renderer.reset(SDL_CreateRenderer(window, -1, SDL_RENDERER_ACCELERATED | wait));
    if (!renderer) renderer.reset(SDL_CreateRenderer(window, -1, SDL_RENDERER_SOFTWARE | wait));
    return renderer;
}

// The connection to the display that has_display made, for the window that mostly follows: making another one
// costs a tenth of a start.
std::unique_ptr<Subsystem>& asked_video() {
    static std::unique_ptr<Subsystem> video;
    return video;
}

}  // namespace

bool Window::has_display() {
    asked_video() = std::make_unique<Subsystem>(SDL_INIT_VIDEO);
    const bool has = *asked_video() && !is_blind_driver(SDL_GetCurrentVideoDriver());
    if (!has) asked_video().reset();
    return has;
}

Window::Window(bool is_hidden, const char* hidden_driver) : is_hidden_(is_hidden) {
    if (is_hidden) asked_video().reset();
    video_ = start_video(is_hidden, hidden_driver);
    asked_video().reset();
}

Result<std::unique_ptr<Window>> Window::open(const WindowDesc& desc) {
    const bool must_have_gl = desc.drawing == WindowDrawing::gl;
    std::unique_ptr<Window> window{new Window(desc.is_hidden, must_have_gl ? "offscreen" : "dummy")};
    if (!*window->video_) return Error{fmt::format(sdl_errors::kNoWindow, SDL_GetError())};

    const PixelSize size = desc.is_hidden ? desc.size : fitting_size(desc.size);
    const bool may_have_gl = desc.drawing == WindowDrawing::automatic && !desc.is_hidden;
    const bool is_open = (must_have_gl || may_have_gl) && window->open_with_gl(desc, size);
    if (!is_open && (must_have_gl || !window->open_with_renderer(desc, size)))
        return Error{fmt::format(sdl_errors::kNoWindow, SDL_GetError())};
    SDL_SetWindowMinimumSize(window->window_.get(), std::min(size.width, 320), std::min(size.height, 180));
    return window;
}

bool Window::open_with_gl(const WindowDesc& desc, PixelSize size) {
    for (const GlVersion& version : kGlVersions) {
        ask_for(version);
        window_ = create_window(desc, size, SDL_WINDOW_OPENGL);
        if (window_) context_.reset(SDL_GL_CreateContext(window_.get()));
        if (context_) break;
        window_.reset();
    }
    if (!context_) return false;
    // Late frames tear instead of waiting for the next refresh, where the driver can do it.
    if (is_hidden_)
        SDL_GL_SetSwapInterval(0);
    else if (SDL_GL_SetSwapInterval(-1) != 0)
        SDL_GL_SetSwapInterval(1);
    return true;
}

bool Window::open_with_renderer(const WindowDesc& desc, PixelSize size) {
    SDL_GL_ResetAttributes();
    window_ = create_window(desc, size, 0);
    if (!window_) return false;
    renderer_ = create_renderer(window_.get(), desc.is_hidden, desc.drawing == WindowDrawing::software);
    return renderer_ != nullptr;
}

void Window::make_current() const noexcept {
    if (SDL_GL_GetCurrentContext() != context_.get()) SDL_GL_MakeCurrent(window_.get(), context_.get());
}

bool Window::renew_gl() noexcept {
    context_.reset();
    context_.reset(SDL_GL_CreateContext(window_.get()));
    return context_ != nullptr;
}

PixelSize Window::pixel_size() const noexcept {
    PixelSize size;
    if (context_)
        SDL_GL_GetDrawableSize(window_.get(), &size.width, &size.height);
    else
        SDL_GetRendererOutputSize(renderer_.get(), &size.width, &size.height);
    return size;
}

float Window::pixel_density() const noexcept {
    int points = 0;
    SDL_GetWindowSize(window_.get(), &points, nullptr);
    return points > 0 ? static_cast<float>(pixel_size().width) / static_cast<float>(points) : 1.0F;
}

void Window::set_title(const std::string& title) noexcept {
    SDL_SetWindowTitle(window_.get(), title.c_str());
}

bool Window::is_fullscreen() const noexcept {
    return (SDL_GetWindowFlags(window_.get()) & SDL_WINDOW_FULLSCREEN_DESKTOP) != 0;
}

void Window::set_fullscreen(bool is_fullscreen) noexcept {
    if (is_hidden_ || is_fullscreen == this->is_fullscreen()) return;
    SDL_SetWindowFullscreen(window_.get(), is_fullscreen ? SDL_WINDOW_FULLSCREEN_DESKTOP : 0);
}

void Window::set_size(PixelSize size) noexcept {
    if (is_hidden_) return;
    const PixelSize fitting = fitting_size(size);
    SDL_SetWindowMinimumSize(window_.get(), std::min(fitting.width, 320), std::min(fitting.height, 180));
    SDL_SetWindowSize(window_.get(), fitting.width, fitting.height);
    SDL_SetWindowPosition(window_.get(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED);
}

void Window::present() noexcept {
    if (context_)
        SDL_GL_SwapWindow(window_.get());
    else
        SDL_RenderPresent(renderer_.get());
    // A display does not slow down the frames of a window that it does not show.
    const bool is_unseen =
        (SDL_GetWindowFlags(window_.get()) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
    if (!is_hidden_ && is_unseen) SDL_Delay(kUnseenFrameMilliseconds);
}

}  // namespace perigee
