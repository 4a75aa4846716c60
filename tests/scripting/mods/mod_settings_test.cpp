// Settings that change while a mod runs.
#include "scripting/mods/mod_settings.h"

#include "tests/scripting/script_world.h"

using namespace perigee;

TEST_CASE("a mod sees changed settings from then on") {
    ScriptWorld game;
    REQUIRE(game.load("", "settings = require 'settings'") == "");
    set_settings(*game.runtime, "game", {{"power", 3.0}, {"night", true}, {"name", std::string("Ada")}});
    CHECK(game.run("assert(settings.power == 3 and settings.night == true and settings.name == 'Ada')") ==
          "");
    set_settings(*game.runtime, "game", {{"power", 4.0}});
    CHECK(game.run("assert(settings.power == 4)") == "");
    CHECK(game.run("return settings.night").find("declares no setting 'night'") != std::string::npos);
    set_settings(*game.runtime, "nobody", {});
}
