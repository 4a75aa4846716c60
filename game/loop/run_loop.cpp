// poll -> step -> play -> draw -> present.
#include "game/loop/run_loop.h"

#include "engine/audio/audio.h"
#include "engine/base/stopwatch.h"
#include "engine/engine.h"
#include "engine/sdl/backend.h"
#include "engine/surfaces/surface_table.h"
#include "game/loop/focus_pause.h"
#include "game/loop/frame_timer.h"
#include "game/loop/overlay.h"
#include "game/loop/player_keys.h"
#include "game/loop/window_follower.h"
#include "game/program/stop_signal.h"

#include <string>

namespace perigee {

namespace {

void draw_frame(Engine& engine, Backend& backend, Overlay& overlay, const FrameTimer& timer,
                bool keeps_screenshot, const LogSink& log) {
    Stopwatch watch;
    draw_picture(engine, backend);
    FrameStats stats = frame_stats(engine, backend, timer);
    if (keeps_screenshot) keep_screenshot(engine, backend, log);
    overlay.draw(engine, backend);
    backend.flush();
    stats.submit_nanoseconds = watch.restart();
    backend.present();
    stats.show_nanoseconds = watch.elapsed();
    overlay.add(stats);
}

}  // namespace

void draw_picture(Engine& engine, Backend& backend) {
    backend.begin_frame(engine.draw_list().background, engine.screen_size());
    backend.draw_surfaces(engine.surfaces(), engine.images(), engine.assets());
    backend.draw(engine.draw_list(), engine.images(), engine.assets());
    backend.end_picture();
    backend.save_pictures(engine.surfaces());
}

void run_loop(Engine& engine, Backend& backend, const LoopDesc& desc, const LogSink& log) {
    FrameTimer timer;
    Overlay overlay{desc.shows_figures};
    FocusPause focus;
    WindowFollower window{engine};

    for (std::uint64_t frame = 0; frame < desc.frame_limit; ++frame) {
        if (stop_signal() != 0 || (desc.ends_with_replay && engine.is_replay_finished())) break;

        FrameInput input;
        input.elapsed_nanoseconds = timer.start_frame();
        if (desc.is_headless) input.exact_steps = 1;
        const HostRequests host = backend.poll(input.raw);
        if (host.quit) break;
        input.screen = backend.screen_size();
        input.restart = host.restart;
        input.toggle_pause = host.toggle_pause;
        if (host.copy_errors) copy_errors(engine, backend, log);
        if (host.save_world) keep_world(engine, desc.world_file, log);
        if (host.load_world) bring_back_world(engine, desc.world_file, log);
        overlay.feed(host, input.raw, engine, backend, log);
        input.single_step = overlay.rewind_bar().wants_step();
        input.hides_note = overlay.rewind_bar().is_open();
        if (overlay.wants_quit()) break;
        focus.follow(host, engine);

        engine.step(input);

        window.follow(engine, backend);
        backend.play(engine.audio(), engine.assets());
        if (desc.drawn == DrawnFrames::all)
            draw_frame(engine, backend, overlay, timer, host.screenshot, log);
        else if (desc.drawn == DrawnFrames::asked_for &&
                 (engine.surfaces().has_canvases() || engine.surfaces().has_picture_files()))
            draw_picture(engine, backend);
        for (const std::string& report : backend.take_reports()) log({LogLevel::warning, "perigee", report});
        if (engine.wants_quit()) break;
    }
}

}  // namespace perigee
