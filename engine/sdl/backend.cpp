// The parts, in the order in which they depend on each other.
#include "engine/sdl/backend.h"

#include "engine/assets/decoder.h"
#include "engine/sdl/audio/audio_player.h"
#include "engine/sdl/draw/font_file.h"
#include "engine/sdl/draw/renderer.h"
#include "engine/sdl/draw/screenshot.h"
#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/gamepads.h"
#include "engine/sdl/window/sdl_clipboard.h"
#include "engine/sdl/window/window.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

namespace perigee {

struct Backend::Parts {
    explicit Parts(const std::filesystem::path& program) : decoder(DecoderConfig{.program = program}) {}
    Decoder decoder;
    Subsystem events{SDL_INIT_EVENTS};
    PixelSize logical;
    SdlClipboard clipboard;
    std::unique_ptr<Window> window;  // null: Drawing::none
    std::optional<Renderer> renderer;
    std::optional<Gamepads> gamepads;
    std::optional<AudioPlayer> audio;
};

Backend::Backend(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Backend::~Backend() = default;

bool Backend::has_display() { return Window::has_display(); }

Result<std::unique_ptr<Backend>> Backend::open(const Desc& desc) {
    auto parts = std::make_unique<Parts>(desc.decoder);
    const bool is_hidden = desc.display == Display::hidden;
    parts->logical = desc.logical;
    if (desc.drawing != Drawing::none || !is_hidden) parts->decoder.start();  // it starts up meanwhile
    if (desc.drawing != Drawing::none) {
        Result<std::unique_ptr<Window>> window = Window::open({
            .title = desc.title,
            .size = desc.logical,
            .is_hidden = is_hidden,
            .is_fullscreen = desc.display == Display::fullscreen,
            .is_software = desc.drawing == Drawing::software,
        });
        if (!window) return window.error();
        parts->window = std::move(window).value();
        parts->renderer.emplace(parts->window->renderer(), default_font_file(), parts->decoder);
    }
    // Without a visible window there is no input and no sound.
    if (!is_hidden) {
        parts->gamepads.emplace();
        if (!desc.is_muted) parts->audio.emplace(parts->decoder);
        SDL_StartTextInput();
    }
    return std::unique_ptr<Backend>{new Backend(std::move(parts))};
}

HostRequests Backend::poll(RawInput& raw) {
    HostRequests host;
    PointerSpace space;
    if (parts_->window)
        space = {letterbox_of(parts_->logical, parts_->window->pixel_size()),
                 parts_->window->pixel_density()};
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        translate_event(event, space, raw, host);
        if (parts_->gamepads) parts_->gamepads->handle(event, raw);
    }
    if (host.toggle_fullscreen && parts_->window) parts_->window->toggle_fullscreen();
    return host;
}

void Backend::begin_frame(std::uint32_t background) {
    if (parts_->renderer) parts_->renderer->begin_frame(parts_->logical, background);
}

void Backend::draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    if (parts_->renderer) parts_->renderer->draw(list, images, assets);
}

std::size_t Backend::call_count() const noexcept {
    return parts_->renderer ? parts_->renderer->call_count() : 0;
}

Result<void> Backend::save_screenshot(const std::filesystem::path& file) {
    if (!parts_->window)
        return Error{fmt::format(sdl_errors::kCannotSavePicture, file.string(), sdl_errors::kNothingDrawn)};
    return perigee::save_screenshot(parts_->window->renderer(), file);
}

void Backend::flush() {
    if (parts_->window) SDL_RenderFlush(&parts_->window->renderer());
}

void Backend::present() {
    if (parts_->window) parts_->window->present();
}

void Backend::play(const AudioQueue& queue, const AssetStore& assets) {
    if (parts_->audio) parts_->audio->play(queue, assets);
}

void Backend::set_sound_paused(bool is_paused) noexcept {
    if (parts_->audio) parts_->audio->set_paused(is_paused);
}

void Backend::reload(const std::string& title, PixelSize logical) {
    parts_->logical = logical;
    if (parts_->window) parts_->window->set_title(title);
    if (parts_->renderer) parts_->renderer->reload();
    if (parts_->audio) parts_->audio->reload();
}

void Backend::apply(const WindowRequest& request) {
    if (!parts_->window) return;
    Window& window = *parts_->window;
    if (request.title) window.set_title(*request.title);
    if (request.is_fullscreen) window.set_fullscreen(*request.is_fullscreen);
    if (request.toggles_fullscreen) window.toggle_fullscreen();
    if (request.size) window.set_size({request.size->width, request.size->height});
    if (request.shows_cursor) SDL_ShowCursor(*request.shows_cursor ? SDL_ENABLE : SDL_DISABLE);
}

bool Backend::is_fullscreen() const noexcept { return parts_->window && parts_->window->is_fullscreen(); }

Clipboard& Backend::clipboard() noexcept { return parts_->clipboard; }

std::vector<std::string> Backend::take_reports() {
    std::vector<std::string> reports;
    const auto take = [&reports](auto& part) {
        if (!part) return;
        for (std::string& report : part->take_reports()) reports.push_back(std::move(report));
    };
    take(parts_->renderer);
    take(parts_->audio);
    return reports;
}

}  // namespace perigee
