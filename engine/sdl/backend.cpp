// The parts, in the order in which they depend on each other.
#include "engine/sdl/backend.h"

#include "engine/assets/decoder.h"
#include "engine/sdl/audio/audio_player.h"
#include "engine/sdl/draw/renderer.h"
#include "engine/sdl/draw/screenshot.h"
#include "engine/sdl/gl/gl_renderer.h"
#include "engine/sdl/glyphs/font_file.h"
#include "engine/sdl/window/error_codes.h"
#include "engine/sdl/window/gamepads.h"
#include "engine/sdl/window/sdl_clipboard.h"
#include "engine/sdl/window/window.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

struct Backend::Parts {
    explicit Parts(const std::filesystem::path& program) : decoder(DecoderConfig{.program = program}) {}
    Decoder decoder;
    Subsystem events{SDL_INIT_EVENTS};
    ScreenDesc screen{{}};
    PixelSize last_size;
    /// Of the window; one that is minimised keeps its size.
    PixelSize pixel_size() noexcept {
        const PixelSize size = window ? window->pixel_size() : screen.logical;
        if (size.width > 0 && size.height > 0) last_size = size;
        return last_size;
    }
    SdlClipboard clipboard;

    WindowDesc window_desc;
    Result<void> open_window(const Desc& desc);
    Result<void> reopen();
    void make_gl();
    /// Draws without OpenGL from now on. `error`: why.
    Result<void> leave_gl(const std::string& error);
    std::unique_ptr<Window> window;  // null: Drawing::none
    std::unique_ptr<DrawTarget> target;
    gl::GlRenderer* gl = nullptr;  // `target`, if it is one
    std::vector<std::string> reports;
    std::optional<Gamepads> gamepads;
    bool opens_audio = false;  // later: the first picture need not wait for the device
    bool has_shown = false;
    bool is_sound_paused = false;
    void open_audio();
    bool finds_sounds(const AssetStore& assets);
    std::size_t searched_assets = 0;  // for sounds, from the first handle on
    std::optional<AudioPlayer> audio;
};

namespace {

WindowDrawing window_drawing(Backend::Drawing drawing) noexcept {
    if (drawing == Backend::Drawing::gl) return WindowDrawing::gl;
    return drawing == Backend::Drawing::software ? WindowDrawing::software : WindowDrawing::automatic;
}

}  // namespace

void Backend::Parts::make_gl() {
    target.reset();
    std::unique_ptr<gl::GlRenderer> made = gl::GlRenderer::create(*window, default_font_file(), decoder);
    gl = made.get();
    target = std::move(made);
}

Result<void> Backend::Parts::reopen() {
    window.reset();
    Result<std::unique_ptr<Window>> opened = Window::open(window_desc);
    if (!opened) return opened.error();
    window = std::move(opened).value();
    return {};
}

Result<void> Backend::Parts::leave_gl(const std::string& error) {
    reports.push_back(fmt::format(sdl_errors::kNoGl, error));
    gl = nullptr;
    target.reset();
    window_desc.drawing = WindowDrawing::software;
    if (Result<void> opened = reopen(); !opened) return opened;
    target = std::make_unique<Renderer>(window->renderer(), default_font_file(), decoder);
    return {};
}

namespace {

// A screen of pixel art is small: its window shows a whole multiple of it.
PixelSize first_window_size(const Backend::Desc& desc) {
    if (desc.window.width > 0 && desc.window.height > 0) return desc.window;
    if (!desc.is_pixel_art || desc.display == Backend::Display::hidden) return desc.logical;
    constexpr PixelSize kUsual{1280, 720};
    const int multiple = std::max(1, std::min(kUsual.width / std::max(desc.logical.width, 1),
                                              kUsual.height / std::max(desc.logical.height, 1)));
    return {desc.logical.width * multiple, desc.logical.height * multiple};
}

}  // namespace

Result<void> Backend::Parts::open_window(const Desc& desc) {
    window_desc = {.title = desc.title,
                   .size = first_window_size(desc),
                   .is_hidden = desc.display == Display::hidden,
                   .is_fullscreen = desc.display == Display::fullscreen,
                   .drawing = window_drawing(desc.drawing)};
    if (Result<void> opened = reopen(); !opened) return opened;
    if (!window->has_gl()) {
        target = std::make_unique<Renderer>(window->renderer(), default_font_file(), decoder);
        return {};
    }
    make_gl();
    // Who asked for OpenGL learns at once whether it works.
    return desc.drawing == Drawing::gl ? gl->make_shaders() : Result<void>{};
}

Backend::Backend(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
Backend::~Backend() = default;

bool Backend::has_display() { return Window::has_display(); }

Result<std::unique_ptr<Backend>> Backend::open(const Desc& desc) {
    auto parts = std::make_unique<Parts>(desc.decoder);
    const bool is_hidden = desc.display == Display::hidden;
    parts->screen = {desc.logical, desc.fit, desc.is_pixel_art};
    if (desc.has_assets && (desc.drawing != Drawing::none || !is_hidden)) parts->decoder.start();
    if (desc.drawing != Drawing::none) {
        if (Result<void> opened = parts->open_window(desc); !opened) return opened.error();
    }
    // Without a visible window there is no input and no sound.
    if (!is_hidden) {
        parts->gamepads.emplace();
        parts->opens_audio = !desc.is_muted;
        SDL_StartTextInput();
    }
    return std::unique_ptr<Backend>{new Backend(std::move(parts))};
}

HostRequests Backend::poll(RawInput& raw) {
    HostRequests host;
    PointerSpace space;
    if (parts_->window)
        space = {layout_of(parts_->screen, parts_->pixel_size()).box, parts_->window->pixel_density()};
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) {
        translate_event(event, space, raw, host);
        if (parts_->gamepads) parts_->gamepads->handle(event, raw);
    }
    if (host.toggle_fullscreen && parts_->window) parts_->window->toggle_fullscreen();
    return host;
}

ScreenSize Backend::screen_size() const noexcept {
    const PixelSize size = layout_of(parts_->screen, parts_->pixel_size()).logical;
    return {static_cast<std::uint16_t>(size.width), static_cast<std::uint16_t>(size.height)};
}

void Backend::begin_frame(std::uint32_t background, ScreenSize screen) {
    Parts& parts = *parts_;
    if (parts.gl != nullptr && parts.gl->is_lost()) {
        parts.gl = nullptr;
        parts.target.reset();
        if (parts.window->renew_gl()) {
            parts.make_gl();
            parts.reports.emplace_back(sdl_errors::kLostGl);
        }
    }
    if (parts.gl != nullptr && !parts.gl->shader_error().empty()) {
        const std::string error = fmt::format(sdl_errors::kNoShader, parts.gl->shader_error());
        if (const Result<void> left = parts.leave_gl(error); !left)
            parts.reports.push_back(left.error().message);
    }
    if (!parts.target) return;
    const bool is_own = screen.is_empty() || screen == screen_size();
    const ScreenDesc foreign{{screen.width, screen.height}, ScreenFit::letterbox, parts.screen.is_pixel_art};
    parts.target->begin_frame(is_own ? parts.screen : foreign, background);
}

void Backend::draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets) {
    if (parts_->target) parts_->target->draw_surfaces(surfaces, images, assets);
}

void Backend::draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    if (parts_->target) parts_->target->draw(list, images, assets);
}

void Backend::end_picture() {
    if (parts_->target) parts_->target->end_picture();
}

std::size_t Backend::call_count() const noexcept { return parts_->target ? parts_->target->call_count() : 0; }

std::size_t Backend::uploaded_bytes() const noexcept {
    return parts_->target ? parts_->target->uploaded_bytes() : 0;
}

Result<void> Backend::save_screenshot(const std::filesystem::path& file) {
    if (!parts_->target)
        return Error{fmt::format(sdl_errors::kCannotSavePicture, file.string(), sdl_errors::kNothingDrawn)};
    end_picture();
    return perigee::save_screenshot(parts_->target->read_picture(), file);
}

void Backend::save_pictures(SurfaceTable& surfaces) {
    const std::vector<std::filesystem::path> files = surfaces.take_picture_files();
    if (files.empty() || !parts_->target) return;
    end_picture();
    const Result<Picture> picture = parts_->target->read_picture();
    for (const std::filesystem::path& file : files)
        if (const Result<void> saved = save_frame(picture, file); !saved)
            parts_->reports.push_back(saved.error().message);
}

void Backend::flush() {
    if (parts_->target) parts_->target->flush();
}

void Backend::present() {
    end_picture();
    if (parts_->window) parts_->window->present();
    parts_->has_shown = true;
}

void Backend::Parts::open_audio() {
    if (!std::exchange(opens_audio, false)) return;
    audio.emplace(decoder);
    audio->set_paused(is_sound_paused);
}

// A device costs a thread that wakes 43 times a second, so a game without files of sounds has none.
bool Backend::Parts::finds_sounds(const AssetStore& assets) {
    while (opens_audio && searched_assets < assets.handle_count()) {
        const std::string_view path = assets[static_cast<AssetHandle>(++searched_assets)].path;
        if (path.ends_with(".ogg") || path.ends_with(".wav")) return true;
    }
    return false;
}

void Backend::open_everything() {
    parts_->decoder.start();
    parts_->open_audio();
}

void Backend::play(const AudioQueue& queue, const AssetStore& assets) {
    const bool is_heard = !queue.sounds().empty() || queue.music().music != 0;
    if (is_heard || (parts_->has_shown && parts_->finds_sounds(assets))) parts_->open_audio();
    if (parts_->audio) parts_->audio->play(queue, assets);
}

void Backend::set_sound_paused(bool is_paused) noexcept {
    parts_->is_sound_paused = is_paused;
    if (parts_->audio) parts_->audio->set_paused(is_paused);
}

void Backend::reload(const std::string& title, const ScreenDesc& screen) {
    parts_->screen = screen;
    if (parts_->window) parts_->window->set_title(title);
    if (parts_->target) parts_->target->reload();
    if (parts_->audio) parts_->audio->reload();
    parts_->searched_assets = 0;
}

void Backend::apply(const WindowRequest& request) {
    if (request.fit) parts_->screen.fit = *request.fit;
    if (request.is_pixel_art) parts_->screen.is_pixel_art = *request.is_pixel_art;
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

Decoder& Backend::decoder() noexcept { return parts_->decoder; }

std::vector<std::string> Backend::take_reports() {
    std::vector<std::string> reports = std::exchange(parts_->reports, {});
    const auto take = [&reports](auto& part) {
        if (!part) return;
        for (std::string& report : part->take_reports()) reports.push_back(std::move(report));
    };
    take(parts_->target);
    take(parts_->audio);
    return reports;
}

}  // namespace perigee
