// poll -> step -> play -> draw -> present.
#include "game/program/run_loop.h"

#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/audio/audio.h"
#include "engine/mods/mod_manifest.h"
#include "engine/modules/app_requests.h"
#include "engine/sdl/draw/figures.h"
#include "engine/sdl/draw/screenshot.h"
#include "engine/session/game_session.h"
#include "engine/tools/console.h"
#include "game/program/error_codes.h"
#include "game/program/stop_signal.h"

#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

namespace perigee {

namespace {

// Measures frames; the game never sees this clock.
class FrameTimer {
public:
    std::uint64_t start_frame() {
        const Clock::time_point now = Clock::now();
        frame_ = nanoseconds(start_, now);
        start_ = now;
        return frame_;
    }
    std::uint64_t frame_nanoseconds() const noexcept { return frame_; }
    std::uint64_t since_start() const { return nanoseconds(start_, Clock::now()); }

private:
    using Clock = std::chrono::steady_clock;
    static std::uint64_t nanoseconds(Clock::time_point from, Clock::time_point to) {
        return static_cast<std::uint64_t>(std::chrono::nanoseconds(to - from).count());
    }
    Clock::time_point start_ = Clock::now();
    std::uint64_t frame_ = 0;
};

// A game without focus pauses, and resumes with the focus, unless the player paused it.
void follow_focus(const HostRequests& host, Engine& engine, bool& paused_by_focus) {
    if (host.lost_focus && !engine.is_paused()) {
        paused_by_focus = true;
        engine.set_paused(true);
    } else if (host.gained_focus && paused_by_focus) {
        paused_by_focus = false;
        engine.set_paused(false);
    }
}

// Data of the game for the back end besides graphics and sound.
class BackendFollower {
public:
    explicit BackendFollower(Engine& engine)
        : session_(engine.session_number()), assets_(engine.session().asset_number()) {}

    void follow(Engine& engine, Backend& backend) {
        const std::uint32_t assets = engine.session().asset_number();
        const bool has_new_assets = std::exchange(assets_, assets) != assets;
        const bool is_new_session =
            std::exchange(session_, engine.session_number()) != engine.session_number();
        if (is_new_session || has_new_assets) {
            const ModManifest& game = engine.manifest();
            backend.reload(engine.session().app().title().value_or(game.title), {game.width, game.height});
            // The cursor is visible again until this session hides it.
            if (is_new_session) backend.obey({.shows_cursor = true});
        }
        AppRequests& app = engine.session().app();
        if (const WindowWishes wishes = app.take_wishes(); !wishes.is_empty()) backend.obey(wishes);
        app.note_fullscreen(backend.is_fullscreen());
        if (std::exchange(is_paused_, engine.is_paused()) != engine.is_paused())
            backend.set_sound_paused(engine.is_paused());
    }

private:
    std::uint32_t session_;
    std::uint32_t assets_;
    bool is_paused_ = false;
};

void keep_screenshot(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::filesystem::path file = new_screenshot_file(kScreenshotFolder, engine.manifest().id);
    const Result<void> saved = backend.save_screenshot(file);
    const std::string text =
        saved ? fmt::format(game_errors::kScreenshotSaved, file.string()) : saved.error().message;
    log({saved ? LogLevel::info : LogLevel::error, "perigee", text});
}

void copy_errors(const Engine& engine, Backend& backend, const LogSink& log) {
    const std::string errors = engine.errors_as_text();
    if (errors.empty()) return;
    backend.clipboard().write(errors);
    log({LogLevel::info, "perigee", game_errors::kErrorsCopied});
}

// Without the times at its end.
FrameFigures figures_of(Engine& engine, const Backend& backend, const FrameTimer& timer) {
    return {.frame_nanoseconds = timer.frame_nanoseconds(),
            .entity_count = engine.session().world().entity_count(),
            .item_count = engine.picture().items().size(),
            .call_count = backend.call_count(),
            .tick = engine.tick(),
            .error_count = engine.error_count()};
}

void draw_figures(Figures& figures, const Engine& engine, Backend& backend) {
    backend.draw(figures.picture(static_cast<float>(engine.manifest().height)), engine.images(),
                 engine.assets());
}

void draw_console(Console& console, const Engine& engine, Backend& backend) {
    const ModManifest& game = engine.manifest();
    backend.draw(console.picture(static_cast<float>(game.width), static_cast<float>(game.height)),
                 engine.images(), engine.assets());
}

}  // namespace

void draw_picture(const Engine& engine, Backend& backend) {
    backend.begin_picture(engine.picture().background);
    backend.draw(engine.picture(), engine.images(), engine.assets());
}

void run_loop(Engine& engine, Backend& backend, const LoopDesc& desc, const LogSink& log) {
    FrameTimer timer;
    Figures figures;
    figures.is_shown = desc.shows_figures;
    Console console;
    bool paused_by_focus = false;
    BackendFollower follower{engine};

    for (std::uint64_t frame = 0; frame < desc.frame_limit; ++frame) {
        if (stop_signal() != 0 || (desc.ends_with_replay && engine.is_replay_finished())) break;

        FrameInput input;
        input.elapsed_nanoseconds = timer.start_frame();
        if (desc.is_headless) input.exact_steps = 1;
        const HostRequests host = backend.poll(input.raw);
        if (host.quit) break;
        input.restart = host.restart;
        input.toggle_pause = host.toggle_pause;
        figures.is_shown ^= host.toggle_figures;
        if (host.copy_errors) copy_errors(engine, backend, log);
        console.feed(input.raw, engine.session(), backend.clipboard());
        if (console.wants_quit()) break;
        follow_focus(host, engine, paused_by_focus);

        engine.step(input);

        follower.follow(engine, backend);
        backend.play(engine.audio(), engine.assets());
        if (desc.draws_every_frame) {
            draw_picture(engine, backend);
            FrameFigures frame_figures = figures_of(engine, backend, timer);
            if (host.screenshot) keep_screenshot(engine, backend, log);
            if (figures.is_shown) draw_figures(figures, engine, backend);
            if (console.is_open()) draw_console(console, engine, backend);
            backend.flush();
            frame_figures.work_nanoseconds = timer.since_start();
            backend.present();
            frame_figures.show_nanoseconds = timer.since_start() - frame_figures.work_nanoseconds;
            figures.add(frame_figures);
        }
        for (const std::string& report : backend.take_reports()) log({LogLevel::warning, "perigee", report});
        if (engine.wants_quit()) break;
    }
}

}  // namespace perigee
