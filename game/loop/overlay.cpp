// From below: the figures, the bar, the console.
#include "game/loop/overlay.h"

#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/sdl/backend.h"
#include "engine/session/game_session.h"
#include "game/loop/frame_timer.h"

namespace perigee {

void Overlay::feed(const HostRequests& host, RawInput& input, Engine& engine, Backend& backend,
                   const LogSink& log) {
    stats_card_.is_shown ^= host.toggle_stats;
    console_.use(engine.provenance());
    console_.feed(input, engine.session(), backend.clipboard());
    rewind_bar_.feed(host.toggle_rewind, input, engine, log);
}

void Overlay::draw(const Engine& engine, Backend& backend) {
    const ScreenSize screen = engine.screen_size();
    const auto width = static_cast<float>(screen.width);
    const auto height = static_cast<float>(screen.height);
    if (stats_card_.is_shown) backend.draw(stats_card_.draw_list(height), engine.images(), engine.assets());
    if (rewind_bar_.is_open())
        backend.draw(rewind_bar_.draw_list(engine, width, height), engine.images(), engine.assets());
    if (console_.is_open()) backend.draw(console_.draw_list(width, height), engine.images(), engine.assets());
}

FrameStats frame_stats(Engine& engine, const Backend& backend, const FrameTimer& timer) {
    return {.frame_nanoseconds = timer.frame_nanoseconds(),
            .stages = engine.frame_times(),
            .entity_count = engine.session().world().entity_count(),
            .item_count = engine.draw_list().item_count(),
            .call_count = backend.call_count(),
            .uploaded_bytes = backend.uploaded_bytes(),
            .tick = engine.tick(),
            .error_count = engine.error_count()};
}

}  // namespace perigee
