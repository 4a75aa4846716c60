// The numbers of the engine say what changed since the last frame.
#include "game/loop/window_follower.h"

#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/modules/app_requests.h"
#include "engine/sdl/backend.h"
#include "engine/session/game_session.h"

#include <utility>

namespace perigee {

WindowFollower::WindowFollower(Engine& engine)
    : session_(engine.session_number()), assets_(engine.session().asset_version()) {}

void WindowFollower::follow(Engine& engine, Backend& backend) {
    const std::uint32_t assets = engine.session().asset_version();
    const bool has_new_assets = std::exchange(assets_, assets) != assets;
    const bool is_new_session = std::exchange(session_, engine.session_number()) != engine.session_number();
    AppRequests& app = engine.session().app();
    if (is_new_session || has_new_assets) {
        const ModManifest& game = engine.manifest();
        const ScreenDesc screen{{game.width, game.height},
                                app.fit().value_or(game.fit),
                                app.is_pixel_art().value_or(game.is_pixel_art)};
        backend.reload(app.title().value_or(game.title), screen);
        // The cursor is visible again until this session hides it.
        if (is_new_session) backend.apply({.shows_cursor = true});
    }
    if (const WindowRequest request = app.take_window_request(); !request.is_empty()) backend.apply(request);
    app.report_fullscreen(backend.is_fullscreen());
    if (std::exchange(is_paused_, engine.is_paused()) != engine.is_paused())
        backend.set_sound_paused(engine.is_paused());
}

}  // namespace perigee
