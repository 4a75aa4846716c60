// When a game pauses by itself, and when it resumes.
#include "game/loop/focus_pause.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

struct Game {
    Game() {
        EngineConfig config;
        config.game = PERIGEE_SOURCE_DIR "/tests/game/movers";
        config.workers = 1;
        engine = Engine::create(std::move(config)).value();
    }
    void lose() {
        HostRequests host;
        host.lost_focus = true;
        focus.follow(host, *engine);
    }
    void gain() {
        HostRequests host;
        host.gained_focus = true;
        focus.follow(host, *engine);
    }
    std::unique_ptr<Engine> engine;
    FocusPause focus;
};

}  // namespace

TEST_CASE("a game pauses without the focus, and resumes with it") {
    Game game;
    game.lose();
    CHECK(game.engine->is_paused());
    game.gain();
    CHECK_FALSE(game.engine->is_paused());
}

TEST_CASE("a game that the player paused stays paused when the focus returns") {
    Game game;
    game.engine->set_paused(true);
    game.lose();
    game.gain();
    CHECK(game.engine->is_paused());
}
