// Options of a declaration that its kind does not have: each is reported with its line.
#include "scripting/mods/runtime.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace perigee {
namespace {

struct Option {
    std::string_view word, value, message;
    std::vector<std::string_view> refused;
};

const std::vector<std::string_view> kKinds = {"component",      "tag",   "shared",     "cleanup",
                                              "shared_cleanup", "chunk", "enableable", "buffer",
                                              "object",         "blob",  "event",      "resource"};

// Each kind in its own line, with the option or without.
std::string declarations(std::string_view option) {
    std::string text = "local ecs = require 'ecs'  ecs.component('Base', { { 'x', 'f32' } })\n";
    for (const std::string_view kind : kKinds) {
        const bool has_fields = kind != "tag" && kind != "object";
        text += "ecs.component('" + std::string(kind) + "', { kind = '" + std::string(kind) + "', " +
                (has_fields ? "{ 'x', 'f32' }, " : "") + std::string(option) + " })\n";
    }
    return text;
}

TEST_CASE("[S4] options are accepted only for the kinds of components that have them") {
    const Option options[] = {
        {"requires", "{ 'Base' }", "'requires' is for components of entities", {"blob", "event", "resource"}},
        {"owner", "'someone'", "'owner'", {"tag", "blob"}},
        {"capacity",
         "4",
         "'capacity' is for buffers",
         {"component", "tag", "shared", "cleanup", "shared_cleanup", "chunk", "enableable", "object", "blob",
          "event", "resource"}},
        {"version", "2", "has no fields whose layout could have a 'version'", {"tag", "object"}},
        {"hash",
         "function(v) return 1 end",
         "'hash' is for objects",
         {"component", "tag", "shared", "cleanup", "shared_cleanup", "chunk", "enableable", "buffer", "blob",
          "event", "resource"}},
        {"migrate", "{}", "'migrate' is for values that are kept", {"tag", "object", "event"}},
    };
    for (const Option& option : options) {
        ScriptWorld game;
        const std::string errors =
            game.load(declarations(std::string(option.word) + " = " + std::string(option.value)), "");
        for (std::size_t i = 0; i < kKinds.size(); ++i) {
            INFO(option.word << " on " << kKinds[i] << "\n" << errors);
            const std::string place = "game/schema.lua:" + std::to_string(i + 2) + ": ";
            const bool is_refused =
                std::find(option.refused.begin(), option.refused.end(), kKinds[i]) != option.refused.end();
            const std::size_t at = errors.find(place);
            CHECK((at != std::string::npos) == is_refused);
            if (!is_refused || at == std::string::npos) continue;
            CHECK_THAT(errors.substr(at, errors.find('\n', at) - at),
                       Catch::Contains(std::string(option.message)) &&
                           Catch::Contains("'" + std::string(kKinds[i]) + "'"));
        }
    }
    ScriptWorld game;
    CHECK(game.load(declarations(""), "") == "");
}

TEST_CASE("[S4] a version, its migrations and a doc are checked when they are declared") {
    ScriptWorld game;
    const std::string errors = game.load(R"(local ecs = require "ecs"
ecs.component("A", { version = 0, { "x", "f32" } })
ecs.component("B", { version = 1.5, { "x", "f32" } })
ecs.component("C", { version = 3, migrate = 5, { "x", "f32" } })
ecs.component("D", { version = 3, migrate = { [3] = print }, { "x", "f32" } })
ecs.component("E", { version = 3, migrate = { [1] = "x" }, { "x", "f32" } })
ecs.component("F", { version = 3, migrate = { [1] = print, [2] = print }, { "x", "f32" } })
ecs.component("G", { doc = 5, { "x", "f32" } })
ecs.component("H", { version = 2 })
ecs.blob("I", { requires = { "F" }, { "x", "f32" } })
ecs.blob("J", { owner = "me", { "x", "f32" } })
ecs.event("K", { owner = "me", version = 2 })
)",
                                         "");
    INFO(errors);
    for (const char* expected : {
             ":2: component 'A': expected a whole number from 1 for 'version', got 0",
             ":3: component 'B': expected a whole number from 1 for 'version', got 1.5",
             ":4: component 'C': expected a function for each older version for 'migrate', got 5",
             ":5: component 'D': 'migrate' is from versions before 3, got 3",
             ":6: component 'E': expected a function(old) for 'migrate' from 1, got",
             ":8: component 'G': expected a text for 'doc', got 5",
             ":9: component 'H': a tag has no fields whose layout could have a 'version'",
             ":10: blob 'I': 'requires' is for components of entities; no entity has a blob",
             ":11: blob 'J': a blob never changes, so it has no 'owner'",
         }) {
        CHECK_THAT(errors, Catch::Contains(expected));
    }
    CHECK_THAT(errors, !Catch::Contains(":7:") && !Catch::Contains(":12:"));
}

}  // namespace
}  // namespace perigee
