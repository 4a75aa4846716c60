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
        {"root",
         "true",
         "'root' is for blobs",
         {"component", "tag", "shared", "cleanup", "shared_cleanup", "chunk", "enableable", "buffer",
          "object", "event", "resource"}},
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

TEST_CASE("[K8] lists and 'root' of blobs are checked when they are declared") {
    ScriptWorld game;
    const std::string errors = game.load(R"lua(local ecs = require "ecs"
ecs.blob("A", { root = true, { "x", "list(list(f32))" } })
ecs.blob("B", { root = true, { "x", ecs.array("list(f32)", 3) } })
ecs.blob("C", { root = true, { "x", "list(f32)", 5 } })
ecs.blob("D", { root = true, { "x", "list(flot)" } })
ecs.blob("E", { root = true, { "x", ecs.list { { "y", "f32" } } } })
ecs.blob("F", { root = true, { "x", "list(blob(G))" } })
ecs.blob("H", { root = 1, { "x", "f32" } })
ecs.blob("I", { root = true, { "x", "list" } })
ecs.component("J", { { "x", "list(f32)" } })
ecs.blob("Fine", { root = true, { "x", "list(blob(Fine))" }, { "y", "list(string(8))" } })
)lua",
                                         "");
    for (const char* message :
         {"schema.lua:2: blob 'A', field 'x': a list of lists is not available; put the inner one into a "
          "struct",
          "schema.lua:3: blob 'B', field 'x': an array of lists is not available; put the list into a struct",
          "schema.lua:4: blob 'C', field 'x': a list has no default; it is empty",
          "schema.lua:5: blob 'D', field 'x': unknown type 'flot'",
          "schema.lua:6: blob 'E', field 'x': a list of structs is ecs.list(ecs.struct { … })",
          "schema.lua:7: blob 'F.x', field 'value': no blob type 'G' is declared before it",
          "schema.lua:8: blob 'H': expected true or false for 'root', got 1",
          "schema.lua:9: blob 'I', field 'x': type 'list' needs parameters: ecs.list(\"f32\")",
          "schema.lua:10: component 'J', field 'x': lists are for blobs, and this is of kind component"})
        CHECK_THAT(errors, Catch::Contains(message));
    CHECK(errors.find("Fine") == std::string::npos);
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
