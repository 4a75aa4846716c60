// What `perigee mods bisect` prints, and its search, which must agree with a naive model.
#include "game/commands/bisect.h"

#include "tests/game/program.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <bit>
#include <random>
#include <set>
#include <string>

using namespace perigee;
using Catch::Matchers::Contains;
using test::ProgramRun;
using test::run_program;

namespace {

// All that a mod needs, itself included, at any remove.
std::set<std::size_t> needed_by(const std::vector<ModToTry>& mods, std::size_t mod) {
    std::set<std::size_t> needed{mod};
    for (const std::size_t need : mods[mod].needs) needed.merge(needed_by(mods, need));
    return needed;
}

const std::string kSlowMod =
    "local S = require('ecs').import('game').components.Speed\n"
    "require('ecs').system('slow', { query = { write = { S } }, run = function(chunk)\n"
    "  for i = 1, chunk.count do chunk.Speed.v[i] = 1 end\nend })";

// Its world depends on when the garbage collector runs.
const std::string kRandomMod =
    "local S = require('ecs').import('game').components.Speed\n"
    "local weak, tick = setmetatable({}, { __mode = 'v' }), 0\n"
    "require('ecs').system('weak', { query = { write = { S } }, run = function(chunk)\n"
    "  tick = tick + 1\n  weak[tick] = { tick }\n"
    "  local sum, n = 0, 0\n"
    "  for k = 1, 2000 do local t = { k, k + 1 } sum = sum + t[2] end\n"
    "  for k = 1, tick do if weak[k] then n = n + 1 end end\n"
    "  for i = 1, chunk.count do chunk.Speed.v[i] = n end\nend })";

// A game with six mods that do nothing; 'delta' needs 'beta'.
class Game {
public:
    Game() {
        folder_.write("game/mod.json", R"({ "id": "game" })");
        folder_.write("game/schema.lua", "require('ecs').component('Speed', { { 'v', 'f32', 5 } })");
        folder_.write("game/main.lua", "local ecs = require 'ecs' ecs.world:spawn(ecs.components.Speed)");
        for (const char* mod : {"alpha", "beta", "gamma", "delta", "eta", "theta"}) write(mod, "");
        folder_.write("game/mods/delta/mod.json", R"({ "id": "delta", "depends": { "beta": "*" } })");
        write_test("game",
                   "t.it('keeps its speed', function() local game = t.game() game:step(3)\n"
                   "t.equal(game:get(game:find('Speed')[1], 'Speed').v, 5) end)");
    }
    void write(const std::string& mod, const std::string& text) {
        folder_.write("game/mods/" + mod + "/main.lua", text);
    }
    void write_test(const std::string& mod, const std::string& text) {
        const std::string place = mod == "game" ? "game/" : "game/mods/" + mod + "/";
        folder_.write(place + "tests/a.lua", "local t = require 'test'\n" + text);
    }
    std::string path() const { return test::quoted(folder_.path() / "game"); }
    std::string recording() const { return test::quoted(folder_.path() / "a.recording"); }
    ProgramRun bisect(const std::string& options = "") const {
        return run_program("mods bisect " + path() + " " + options);
    }

private:
    test::TemporaryFolder folder_;
};

}  // namespace

TEST_CASE("the search finds the last mod that a failure needs, in as many runs as a binary search") {
    std::mt19937 random{5};
    const auto below = [&random](std::size_t end) { return random() % end; };
    for (int round = 0; round < 400; ++round) {
        std::vector<ModToTry> mods(1 + below(40));
        for (std::size_t i = 0; i < mods.size(); ++i) {
            mods[i].id = "mod" + std::to_string(i);
            for (std::size_t k = below(3); k > 0 && i > 0; --k) mods[i].needs.push_back(below(i));
        }
        std::optional<std::size_t> always;
        if (below(2) == 0) always = below(mods.size());
        const std::set<std::size_t> kept = always ? needed_by(mods, *always) : std::set<std::size_t>{};
        std::set<std::size_t> reasons;
        for (std::size_t k = 1 + below(2); k > 0; --k) reasons.insert(below(mods.size()));

        std::size_t runs = 0;
        const auto fails = [&](const std::vector<std::string>& left_out) -> Result<bool> {
            ++runs;
            const auto is_there = [&](std::size_t mod) {
                return std::ranges::find(left_out, mods[mod].id) == left_out.end();
            };
            for (std::size_t i = 0; i < mods.size(); ++i)
                for (const std::size_t need : mods[i].needs) REQUIRE((!is_there(i) || is_there(need)));
            if (always) REQUIRE(is_there(*always));
            return std::ranges::all_of(reasons, is_there);
        };
        const std::optional<FoundMod> found = find_failing_mod(mods, always, fails).value();
        std::erase_if(reasons, [&](std::size_t mod) { return kept.contains(mod); });
        CAPTURE(round, mods.size());
        if (reasons.empty()) {
            CHECK_FALSE(found.has_value());
            continue;
        }
        REQUIRE(found.has_value());
        // A mod may fail earlier than the last reason only as something that the reason is needed for.
        CHECK(found->mod == *reasons.rbegin());
        const std::set<std::size_t> own = needed_by(mods, found->mod);
        CHECK(found->is_alone ==
              std::ranges::all_of(reasons, [&](std::size_t mod) { return own.contains(mod); }));
        CHECK(found->runs == runs);
        CHECK(runs <= static_cast<std::size_t>(std::bit_width(mods.size() - kept.size())) + 2);
    }
}

TEST_CASE("an error of a try ends the search") {
    const std::vector<ModToTry> mods = {{"a", {}}, {"b", {}}, {"c", {}}};
    for (std::size_t at = 0; at < 3; ++at) {
        std::size_t runs = 0;
        const auto fails = [&](const std::vector<std::string>& left_out) -> Result<bool> {
            if (runs++ == at) return Error{"broken"};
            return left_out.empty() || left_out.size() == 1;
        };
        const Result<std::optional<FoundMod>> found = find_failing_mod(mods, {}, fails);
        REQUIRE_FALSE(found.ok());
        CHECK(found.error().message == "broken");
    }
}

TEST_CASE("the mod that makes a test fail is found, with its dependants left out") {
    Game game;
    ProgramRun run = game.bisect();
    CHECK(run.out == "no test fails\n");
    CHECK(run.status == 1);

    game.write("beta", kSlowMod);
    run = game.bisect();
    CHECK(run.out ==
          "'beta': with it, the test 'game tests/a.lua: keeps its speed' fails (found in 5 runs)\n");
    CHECK(run.status == 0);
    // The message can be tried.
    CHECK(run_program("test " + game.path() + " --without beta").status == 0);
    CHECK(run_program("test " + game.path() + " --without alpha --without gamma").status == 1);
    CHECK(game.bisect("--filter wings").status == 1);
    CHECK_THAT(game.bisect("--filter wings").err, Contains("has no test whose name contains 'wings'"));

    // Two that only fail together.
    const auto mod = [](const std::string& line) {
        return "local S = require('ecs').import('game').components.Speed\n"
               "require('ecs').system('s', { query = { write = { S } }, run = function(chunk)\n"
               "  for i = 1, chunk.count do " +
               line + " end\nend })";
    };
    game.write("beta", mod("chunk.Speed.v[i] = math.max(chunk.Speed.v[i], 6)"));
    game.write("theta", mod("if chunk.Speed.v[i] == 6 then chunk.Speed.v[i] = 7 end"));
    game.write_test("game",
                    "t.it('is never 7', function() local game = t.game() game:step(3)\n"
                    "t.equal(game:get(game:find('Speed')[1], 'Speed').v == 7, false) end)");
    CHECK_THAT(game.bisect().out, Contains("'theta': with it and mods that load before it, the test"));
}

TEST_CASE("a failure that no mod causes is reported as such") {
    Game game;
    game.write_test("game", "t.it('adds', function() t.equal(1 + 1, 3) end)");
    ProgramRun run = game.bisect();
    CHECK(run.out == "the test 'game tests/a.lua: adds' fails without mods, too\n");
    CHECK(run.status == 1);
    game.write_test("game", "");
    game.write_test("delta", "t.it('adds', function() t.equal(1 + 1, 3) end)");
    run = game.bisect();
    CHECK(run.out ==
          "the test 'delta tests/a.lua: adds' fails with only 'delta' and the mods that it needs\n");
    game.write_test("delta", "");
    run = game.bisect();
    CHECK_THAT(run.err, Contains("has no tests; tests are in files tests/*.lua"));
    CHECK(run.status == 1);

    const test::TemporaryFolder bare;
    bare.write("main.lua", "");
    CHECK_THAT(run_program("mods bisect " + test::quoted(bare.path())).err, Contains("' has no mods"));
    CHECK_THAT(run_program("mods bisect /nowhere").err, Contains("/nowhere"));
    CHECK_THAT(run_program("test " + game.path() + " --without alpa").err,
               Contains("there is no mod 'alpa' to leave out; did you mean 'alpha'?"));
}

TEST_CASE("the mod that makes two runs of a recording differ is found") {
    Game game;
    const std::string record = "run " + game.path() + " --headless --frames 150 --record " + game.recording();
    REQUIRE(run_program(record).status == 0);
    const std::string options = "--replay " + game.recording();
    ProgramRun run = game.bisect(options);
    CHECK(run.out == "the runs agree\n");
    CHECK(run.status == 1);

    game.write("gamma", "require('ecs').world:spawn()");
    run = game.bisect(options);
    CHECK_THAT(run.err,
               Contains("replay: diverged: ") && Contains("; two runs agree with each other, so a file "
                                                          "has changed since the recording"));
    CHECK(run.status == 1);

    game.write("gamma", kRandomMod);
    run = game.bisect(options);
    CHECK_THAT(run.out, Contains("'gamma': with it, two runs of '") && Contains("' differ after step "));
    CHECK(run.status == 0);
    CHECK_THAT(game.bisect("--replay /nowhere").err, Contains("/nowhere"));
}
