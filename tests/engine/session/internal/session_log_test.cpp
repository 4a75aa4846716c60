// Which entries reach the log, the card, or both.
#include "engine/session/internal/session_log.h"

#include "engine/mods/mod_manifest.h"
#include "scripting/base/script_error.h"

#include <catch2/catch.hpp>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

struct Said {
    Said() { game.id = "swarm"; }
    ModManifest game;
    std::string lines;
    SessionLog log{[this](const LogEntry& entry) { lines += line_of(entry); }, game};

    static std::string line_of(const LogEntry& entry) {
        return std::string(entry.mod) + ": " + std::string(entry.text) + "\n";
    }
};

}  // namespace

TEST_CASE("an error without a position is in the log with its title, and on the card") {
    Said said;
    said.log.report("storms was left out", "it needs base");
    CHECK(said.lines == "swarm: storms was left out: it needs base\n");
    CHECK_THAT(said.log.card().text(), Contains("it needs base"));
    CHECK(said.log.card().error_count() == 1);
}

TEST_CASE("the log has a script's error once, and a traceback only if it says more than the position") {
    Said said;
    ScriptError error;
    error.mod = "storms";
    error.message = "no value";
    error.traceback = "storms/main.lua:1\n";
    said.log.show(error);
    CHECK(said.lines.empty());
    error.traceback = "storms/main.lua:1\nstorms/main.lua:9\n";
    said.log.show(error);
    CHECK(said.lines == "swarm: storms/main.lua:1\nstorms/main.lua:9\n");
    CHECK(said.log.card().error_count() == 2);
}

TEST_CASE("an error of a mod leaves the card when the mod is reloaded") {
    Said said;
    said.log.report_mod("storms", "its mod.json is wrong");
    CHECK(said.lines == "swarm: its mod.json is wrong\n");
    said.log.card().forget("storms");
    CHECK(said.log.card().is_empty());
}

TEST_CASE("a notice is not an error") {
    Said said;
    said.log.notice(std::vector<std::string>{"a.png is missing", "b.png is missing"});
    CHECK(said.lines == "swarm: a.png is missing\nswarm: b.png is missing\n");
    CHECK(said.log.card().error_count() == 0);
    CHECK_FALSE(said.log.card().is_empty());
}
