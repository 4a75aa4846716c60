// The mods of a runtime, and how they share the time to load.
#include "scripting/mods/internal/loaded_mods.h"

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"

#include <catch2/catch.hpp>

namespace perigee::internal {
namespace {

struct Mods {
    World world;
    Schedule schedule{world};
    ScriptRuntime runtime{world, schedule};
    LoadedMods mods{LimitsOfAllMods{.lua_memory = 1 << 20, .load_seconds = 8}};
    ScriptMod& game = mods.add(runtime, "game");
};

}  // namespace

TEST_CASE("the first mod is the root of those that follow") {
    Mods all;
    ScriptMod& storms = all.mods.add(all.runtime, "storms");
    CHECK(all.game.is_root());
    CHECK_FALSE(storms.is_root());
    CHECK(storms.root == "game");
    CHECK(&all.mods.root() == &all.game);
    CHECK(all.mods.all().size() == 2);
}

TEST_CASE("a failed mod is found, but not loaded") {
    Mods all;
    CHECK(all.mods.has_loaded("game"));
    all.game.has_failed = true;
    CHECK(all.mods.find("game") == &all.game);
    CHECK_FALSE(all.mods.has_loaded("game"));
    CHECK(all.mods.find("storms") == nullptr);
    CHECK_FALSE(all.mods.has_loaded("storms"));
}

TEST_CASE("the time to load is shared by all mods but the root") {
    Mods all;
    all.mods.expect_more(1);
    ScriptMod& storms = all.mods.add(all.runtime, "storms");
    all.mods.charge_load(all.game, 100);
    CHECK(all.mods.load_seconds_left(all.game) == all.game.limits.seconds_per_load);
    CHECK(all.mods.load_seconds_left(storms) == Approx(8));
    all.mods.charge_load(storms, 3);
    CHECK(all.mods.load_seconds_left(storms) == Approx(5));
    CHECK(all.mods.load_time().used() == 3'000'000);
}

TEST_CASE("the time that a mod used still counts after the limits are divided again") {
    Mods all;
    all.mods.expect_more(1);
    ScriptMod& storms = all.mods.add(all.runtime, "storms");
    all.mods.charge_load(storms, 3);
    all.mods.expect_more(1);
    ScriptMod& rain = all.mods.add(all.runtime, "rain");
    CHECK(all.mods.load_time().used() == 3'000'000);
    CHECK(all.mods.load_seconds_left(storms) == Approx(3));  // its part is 2 s; 3 s are left in common
    CHECK(all.mods.load_seconds_left(rain) == Approx(5));
}

}  // namespace perigee::internal
