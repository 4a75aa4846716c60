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

std::unique_ptr<Subsystem> start_video(bool is_hidden) {
    // Over the environment: a hidden window never opens a visible one. Only for this start.
    if (is_hidden) SDL_SetHintWithPriority(SDL_HINT_VIDEODRIVER, "dummy", SDL_HINT_OVERRIDE);
    auto video = std::make_unique<Subsystem>(SDL_INIT_VIDEO);
    if (is_hidden) SDL_ResetHint(SDL_HINT_VIDEODRIVER);
    return video;
}

// As large as requested, or as fits on the display.
PixelSize fitting_size(PixelSize wanted) {
    SDL_Rect bounds{};
    if (SDL_GetDisplayUsableBounds(0, &bounds) != 0 || bounds.w <= 0 || bounds.h <= 0) return wanted;
    const Letterbox box = letterbox_of(wanted, {bounds.w, bounds.h});
    return box.scale < 1.0F ? PixelSize{box.width, box.height} : wanted;
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

}  // namespace

bool Window::has_display() {
    const Subsystem video{SDL_INIT_VIDEO};
    return video && !is_blind_driver(SDL_GetCurrentVideoDriver());
}

Window::Window(bool is_hidden) : is_hidden_(is_hidden), video_(start_video(is_hidden)) {}

Result<std::unique_ptr<Window>> Window::open(const WindowDesc& desc) {
    std::unique_ptr<Window> window{new Window(desc.is_hidden)};
    if (!*window->video_) return Error{fmt::format(sdl_errors::kNoWindow, SDL_GetError())};

    std::uint32_t flags = SDL_WINDOW_RESIZABLE | SDL_WINDOW_ALLOW_HIGHDPI;
    if (desc.is_hidden) flags = SDL_WINDOW_HIDDEN;
    if (desc.is_fullscreen && !desc.is_hidden) flags |= SDL_WINDOW_FULLSCREEN_DESKTOP;
    const PixelSize size = desc.is_hidden ? desc.size : fitting_size(desc.size);
    window->window_.reset(SDL_CreateWindow(desc.title.c_str(), SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                           size.width, size.height, flags));
    if (!window->window_) return Error{fmt::format(sdl_errors::kNoWindow, SDL_GetError())};
    SDL_SetWindowMinimumSize(window->window_.get(), std::min(size.width, 320), std::min(size.height, 180));

    window->renderer_ = create_renderer(window->window_.get(), desc.is_hidden, desc.is_software);
    if (!window->renderer_) return Error{fmt::format(sdl_errors::kNoWindow, SDL_GetError())};
    return window;
}

PixelSize Window::pixel_size() const noexcept {
    PixelSize size;
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
    SDL_RenderPresent(renderer_.get());
    // A display does not slow down the frames of a window that it does not show.
    const bool is_unseen =
        (SDL_GetWindowFlags(window_.get()) & (SDL_WINDOW_MINIMIZED | SDL_WINDOW_HIDDEN)) != 0;
    if (!is_hidden_ && is_unseen) SDL_Delay(kUnseenFrameMilliseconds);
}

}  // namespace perigee
