// The layouts in C++ against the schema of the real game, and against schemas that differ.
#include "game/swarm/components.h"

#include "ecs/world/world.h"
#include "engine/session/game_session.h"
#include "tests/game/swarm/bot.h"
#include "tests/game/swarm/swarm_world.h"

#include <catch2/catch.hpp>

#include <limits>

namespace perigee::swarm {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("the game's schema has the layouts that the native systems read") {
    std::string messages;
    const auto engine = start_swarm(1, {}, [&](const LogEntry& entry) {
        if (entry.level != LogLevel::info) messages += std::string(entry.text) + '\n';
    });
    INFO(messages);
    CHECK(engine->has_loaded());
    CHECK(engine->error_count() == 0);
    CHECK(engine->session().world().resource<Arena>().right > 0);
}

TEST_CASE("a component with another layout is refused, and both layouts are shown") {
    World world;
    struct Wrong {
        double x = 0, y = 0;
    };
    world.declare<Wrong>("Position", field("x", &Wrong::x), field("y", &Wrong::y)).value();
    const Result<void> bound = bind_components(world);
    REQUIRE_FALSE(bound);
    CHECK_THAT(bound.error().message, Contains("Position") && Contains("f64") && Contains("f32"));
}

TEST_CASE("an error names the component that a game lacks") {
    World world;
    declare_creatures(world);
    const Result<void> bound = bind_components(world);
    REQUIRE_FALSE(bound);
    CHECK_THAT(bound.error().message, Contains("Clock"));
}

TEST_CASE("an empty arena is an error that shows its numbers") {
    CHECK(check_arena({-1, -1, 1, 1}));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    for (const Arena arena :
         {Arena{1, 0, 1, 5}, Arena{0, 5, 1, 4}, Arena{nan, 0, 1, 1}, Arena{0, 0, 1, infinity}}) {
        const Result<void> usable = check_arena(arena);
        REQUIRE_FALSE(usable);
        CHECK_THAT(usable.error().message, Contains("resource 'Arena': expected finite numbers"));
    }
}

}  // namespace
}  // namespace perigee::swarm
