// Each finding provoked, none in shipped games, and random misspellings in shipped games found.
#include "game/commands/check.h"

#include "ecs/base/random.h"
#include "tests/game/program.h"
#include "tests/support/markdown.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <map>
#include <regex>

using namespace perigee;
using Catch::Matchers::Contains;
using test::bytes_of;
using test::quoted;
using test::run_program;

namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;

constexpr char kSchema[] = R"(local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Body", { { "velocity", "vec2" }, { "slots", ecs.array("f32", 3) }, { "turn", "quat" }, { "place", "mat4" } })
ecs.component("Frozen", { kind = "tag" })
ecs.component("Shield", { kind = "enableable", { "power", "f32" } })
ecs.component("Team", { kind = "shared", { "id", "u8" } })
ecs.component("Path", { kind = "buffer", { "x", "f32" } })
ecs.component("Bounds", { kind = "chunk", { "low", "f32" } })
ecs.component("Brain", { kind = "object" })
ecs.resource("Wave", { { "number", "u16" } })
ecs.event("Damage", { { "amount", "f32" } })
)";

constexpr char kHead[] = R"(local ecs = require "ecs"
local C = ecs.components
local P = ecs.prefab("P", { C.Position, C.Body, C.Team { id = 1 }, C.Path, C.Shield })
)";

std::string text_of(const std::vector<CheckFinding>& findings, const fs::path& folder) {
    std::string text;
    for (const CheckFinding& finding : findings) {
        const char* const kWords[] = {"", "warning: ", "note: "};
        text += fs::path(finding.file).lexically_relative(folder).string() + ":" +
                std::to_string(finding.line) + ": " + kWords[static_cast<int>(finding.severity)] +
                finding.message + "\n";
    }
    return text;
}

std::string check_files(const Files& files) {
    const test::TemporaryFolder folder;
    for (const auto& [name, text] : files) folder.write(name, text);
    CheckOptions options;
    options.game = folder.path();
    const Result<std::vector<CheckFinding>> found = find_mistakes(options);
    REQUIRE(found.ok());
    return text_of(found.value(), folder.path());
}

// main.lua begins in line 4.
std::string check_main(const std::string& main) {
    return check_files({{"schema.lua", kSchema}, {"main.lua", kHead + main}});
}

// A system's run function, in line 5.
std::string check_run(const std::string& line, const std::string& declared) {
    return check_main("ecs.system(\"s\", { " + declared + ", run = function(chunk, ctx)\n" + line +
                      "\nend })\n");
}

constexpr char kAll[] =
    "query = { write = { C.Position, C.Path }, read = { C.Body, C.Team, C.Shield } }, "
    "access = { read = { C.Wave, C.Damage } }";

const std::vector<fs::path>& shipped() {
    static const fs::path kScripts = fs::path(PERIGEE_SOURCE_DIR) / "scripts";
    static const std::vector<fs::path> kGames = {kScripts / "examples/breakout", kScripts / "examples/mods",
                                                 kScripts / "examples/sand",     kScripts / "examples/sketch",
                                                 kScripts / "examples/stars",    kScripts / "games/nova",
                                                 kScripts / "games/swarm"};
    return kGames;
}

std::vector<CheckFinding> mistakes_of(const fs::path& game) {
    CheckOptions options;
    options.game = game;
    std::vector<CheckFinding> found = find_mistakes(options).value();
    std::erase_if(found, [](const CheckFinding& finding) { return finding.severity == Severity::note; });
    return found;
}

}  // namespace

TEST_CASE("unknown names are found wherever a component is looked up, with a suggestion") {
    CHECK_THAT(check_main("local p = C.Positoin"),
               Contains("main.lua:4: unknown component 'Positoin'; did you mean "
                        "'Position'?"));
    CHECK_THAT(check_main("local function f()\n  return C.Positoin\nend"),
               Contains("main.lua:5: unknown component 'Positoin'"));
    CHECK_THAT(
        check_run("chunk.Positoin.x[1] = 2", kAll),
        Contains("main.lua:5: system 's': chunk: 'Positoin' is not in its query; did you mean 'Position'?"));
    CHECK_THAT(
        check_run("local f = chunk.Bounds", kAll),
        Contains("main.lua:5: system 's': chunk: 'Bounds' is not in its query; declare it under query.read"));
    CHECK_THAT(check_run("local f = chunk[C.Frozen]", kAll), Contains("chunk: 'Frozen' is not in its query"));
    CHECK_THAT(check_run("ctx.comands:destroy(1)", kAll),
               Contains("ctx has no entry 'comands'; did you mean 'commands'?"));
    CHECK_THAT(check_run("ctx:tryget(1, C.Position)", kAll), Contains("ctx has no entry 'tryget'"));
    CHECK_THAT(check_run("ctx.commands:destory(1)", kAll),
               Contains("ctx.commands has no entry 'destory'; did you mean 'destroy'?"));
}

TEST_CASE("all errors are reported together, in declarations and functions") {
    const std::string found =
        check_main(R"(ecs.system("a", { query = { read = { C.Positoin } }, run = function(chunk)
  local x = chunk.Position.z
end })
ecs.system("b", { grup = "simulation", run = function() end })
ecs.system("c", { query = { read = { C.Body } }, run = 3 })
local late = C.Shild
ecs.on(C.Position, {}, function() end)
)");
    CHECK_THAT(found, Contains("main.lua:4: unknown component 'Positoin'"));
    CHECK_THAT(found, Contains("main.lua:5: system 'a': component 'Position': unknown field 'z'"));
    CHECK_THAT(found, Contains("main.lua:7: system 'b': unknown key 'grup'; did you mean 'group'?"));
    CHECK_THAT(found, Contains("main.lua:8: system 'c': expected a function 'run', got 3"));
    CHECK_THAT(found, Contains("main.lua:9: unknown component 'Shild'; did you mean 'Shield'?"));
    CHECK_THAT(found, Contains("main.lua:10: ecs.on: 'Position' is a component, not an event"));
}

TEST_CASE("fields are known through columns, rows, aliases and functions of the file") {
    const auto finds = [](const std::string& line, const std::string& message) {
        INFO(line);
        CHECK_THAT(check_run(line, kAll), Contains("main.lua:5: system 's': " + message));
    };
    finds("local a = chunk.Position.z[1]", "component 'Position': unknown field 'z'");
    finds("local p = chunk.Position  p.z[1] = 2", "component 'Position': unknown field 'z'");
    finds("local p, b = chunk.Position, chunk[C.Body]  local v = b.velocity.q[1]",
          "component 'Body', field 'velocity': unknown field 'q'");
    finds("local b = chunk.Body  local w = b.turn.w[1] + b.place.wx[1] + b.turn.xx[1]",
          "component 'Body', field 'turn': unknown field 'xx'");
    finds("local v = chunk.Body.place.x[1]", "component 'Body', field 'place': unknown field 'x'");
    finds("local row = chunk.Position[1]  row.w = 2", "component 'Position': unknown field 'w'");
    finds("local d = ctx:events(C.Damage)  local x = d.amout[1]",
          "event 'Damage': unknown field 'amout'; did you mean 'amount'?");
    finds("local w = ctx:resource(C.Wave)  local n = w.numer", "resource 'Wave': unknown field 'numer'");
    finds("local b = chunk.Path[1]  local k = b.y[1]", "component 'Path': unknown field 'y'");
    finds("local b = chunk.Path[1]  b:psuh { x = 1 }",
          "component 'Path' has no entry 'psuh'; did you mean 'push'?");
    CHECK_THAT(check_run("ctx.commands:spawn(C.Position { z = 1 })", kAll),
               Contains("main.lua:5: component 'Position': unknown field 'z'"));
    CHECK_THAT(check_main(R"(local function far(pos, i) pos.zz[i] = 1 end
ecs.system("s", { query = { write = { C.Position } }, run = function(chunk) far(chunk.Position, 1) end }))"),
               Contains("main.lua:4: system 's': component 'Position': unknown field 'zz'"));
}

TEST_CASE("calls are followed into functions of other files, of tables, and of what those call") {
    const std::string move = R"(local ecs = require "ecs"
local C = ecs.components
local deep = require "lib.deep"
local M = {}
function M.move(chunk, ctx)
  for i = 1, chunk.count do chunk.Position.zz[i] = 1 end
  ctx:resource(C.Wave).number = 2
end
function M:turn(chunk) chunk.Body.velocity.x[1] = 1 end
function M.further(rows) deep.set(rows) end
return M
)";
    const std::string deep = "return { set = function(rows) rows.q[1] = 2 end, other = 5 }";
    const auto check = [&](const std::string& main) {
        return check_files({{"schema.lua", kSchema},
                            {"lib/move.lua", move},
                            {"lib/deep.lua", deep},
                            {"lib/spin.lua", "return function(chunk) chunk.Bdy.velocity.x[1] = 1 end"},
                            {"main.lua", kHead + main}});
    };
    const std::string declared =
        ", { query = { write = { C.Position }, read = { C.Body } }, "
        "access = { read = { C.Wave } }, run = function(chunk, ctx) ";
    const std::string found = check(
        "local lib, spin = require 'lib.move', require 'lib.spin'\n"
        "local function helper(c) lib.further(c.Position) end\n"
        "ecs.system('a'" +
        declared + "lib.move(chunk, ctx) end })\n" + "ecs.system('b'" + declared +
        "spin(chunk) lib:turn(chunk) end })\n" + "ecs.system('c'" + declared + "helper(chunk) end })\n" +
        "ecs.system('d'" + declared + "lib.missing(chunk) print(lib.other) end })");
    CHECK_THAT(found, Contains("lib/move.lua:6: system 'a': component 'Position': unknown field 'zz'"));
    CHECK_THAT(found, Contains("lib/move.lua:7: system 'a': resource 'Wave', field 'number' is read-only"));
    CHECK_THAT(found, Contains("lib/spin.lua:1: system 'b': chunk: 'Bdy' is not in its query; did you mean"));
    CHECK_THAT(found,
               Contains("lib/move.lua:9: system 'b': component 'Body', field 'velocity.x' is read-only"));
    CHECK_THAT(found, Contains("lib/deep.lua:1: system 'c': component 'Position': unknown field 'q'"));
    CHECK_THAT(found, !Contains("system 'd': c"));

    // A variable that may hold another function by then is not judged.
    const auto is_silent = [&](const std::string& main) {
        INFO(main);
        CHECK_THAT(check(main), !Contains("unknown field") && !Contains("not in its query"));
    };
    is_silent(
        "local f = require 'lib.spin'\nif os then f = nil end\nf = f or print\n"
        "ecs.system('a'" +
        declared + "f(chunk) end })");
    is_silent(
        "local lib = require 'lib.move'\nlib.move = function() end\n"
        "ecs.system('a'" +
        declared + "lib.move(chunk, ctx) end })");
    is_silent(
        "local t = { go = require 'lib.spin' }\nlocal u = { go = 1 }\n"
        "ecs.system('a'" +
        declared + "t.go(chunk) end })");
    is_silent(
        "local lib = setmetatable({}, { __index = require 'lib.move' })\n"
        "ecs.system('a'" +
        declared + "lib.move(chunk, ctx) end })");
    // A cycle of calls ends.
    CHECK_THAT(check("local a, b\nfunction a(c) b(c) end\nfunction b(c) c.Position.zz[1] = 1 a(c) end\n"
                     "ecs.system('a'" +
                     declared + "a(chunk) end })"),
               Contains("main.lua:6: system 'a': component 'Position': unknown field 'zz'"));
}

TEST_CASE("calls of undeclared services are found") {
    const std::string serves =
        "local ecs = require 'ecs'\n"
        "ecs.service('forecast', function() return 1 end)\n"
        "ecs.service('past', function() return 1 end)";
    const std::string calls =
        "local ecs = require 'ecs'\nlocal a = ecs.import('a')\nlocal past = a.services.past\n"
        "ecs.system('s', { access = { services = { 'a:forecast' } }, run = function()\n"
        "local now = a.services.forecast()\nlocal then_ = past()\nend })";
    const std::string found = check_files({{"schema.lua", kSchema},
                                           {"mod.json", R"({"id": "game"})"},
                                           {"main.lua", kHead},
                                           {"mods/a/main.lua", serves},
                                           {"mods/b/main.lua", calls},
                                           {"mods/b/mod.json", R"({"depends": {"a": "*"}})"}});
    CHECK_THAT(found,
               Contains("mods/b/main.lua:6: system 'b:s': service 'a:past' is not declared; add access"));
    CHECK_THAT(found, !Contains("forecast"));
}

TEST_CASE("undeclared accesses of a system are found") {
    const auto finds = [](const std::string& line, const std::string& message) {
        INFO(line);
        CHECK_THAT(check_run(line, kAll), Contains("main.lua:5: system 's': " + message));
    };
    const std::string undeclared = " is not declared; add it to access.read or access.write of the system";
    finds("local b = ctx:try_get(1, C.Bounds)", "component 'Bounds'" + undeclared);
    finds("ctx:set_object(1, C.Brain, 1)", "component 'Brain'" + undeclared);
    finds("chunk.Body.velocity.x[1] = 2", "component 'Body', field 'velocity.x' is read-only here");
    finds("local b = chunk.Body  b.slots[2][1] = 2", "component 'Body', field 'slots' is read-only here");
    finds("local s = chunk.Shield  s.enabled[1] = true",
          "component 'Shield', field 'enabled' is read-only here");
    finds("chunk.Team.id = 2",
          "component 'Team', field 'id' is shared by all rows of the chunk; use ctx.commands:set(entity, "
          "C.Team");
    finds("ctx:resource(C.Wave).number = 2", "resource 'Wave', field 'number' is read-only here");
    finds("ctx:events(C.Damage).amount[1] = 2", "event 'Damage', field 'amount' is read-only: a sent event");
    finds("ctx:send(C.Damage)", "event 'Damage' is read-only here; declare the component under 'write'");
    finds("ctx:resource(C.Position)", "ctx:resource: 'Position' is not a resource; use ctx:try_get");
    finds("ctx:try_get(1, C.Wave)", "ctx:try_get: 'Wave' is a resource; use ctx:resource");
    finds("ctx:try_get(1, C.Damage)", "ctx:try_get: 'Damage' is an event; read it with ctx:events");
    finds("ctx:events(C.Position)", "ctx:events: 'Position' is not an event");
    CHECK_THAT(
        check_run("ctx.commands:destroy(1)", "group = \"presentation\""),
        Contains("main.lua:5: system 's': a presentation system sees a finished world and has no commands"));
    CHECK_THAT(check_run("for i = 1, chunk.count do end", "query = { read = { C.Body }, runs = true }"),
               Contains("main.lua:5: system 's': chunk.count: this system asked for runs"));
}

TEST_CASE("a system that can never run is found") {
    CHECK_THAT(
        check_main("ecs.system('s', { query = { read = { C.Body }, without = { C.Body } }, run = print })"),
        Contains("main.lua:4: system 's': it can never run: its query requires 'Body' and excludes 'Body' "
                 "under 'without'"));
    CHECK_THAT(check_main("ecs.system('s', { query = { read = { C.Body }, any = { C.Frozen }, "
                          "without = { C.Frozen } }, run = print })"),
               Contains("its query excludes everything that 'any' lists"));
    const std::string asks = "ecs.system('s', { query = { read = { C.Frozen } }, run = function() end })\n";
    CHECK_THAT(check_main(asks),
               Contains("main.lua:4: warning: system 's': it never runs: nothing has component "
                        "'Frozen'; no prefab, spawn or add names it"));
    CHECK(check_main(asks + "local function freeze(world, e) world:add(e, C.Frozen) end").empty());
    CHECK(check_main(asks + "local function of(name) return C[name] end").empty());
    CHECK(check_main(asks + "local all = { C.Frozen }").empty());
    CHECK(check_main(asks +
                     "ecs.system('t', { run = function(_, ctx) ctx.commands:remove(1, C.Frozen) end })") !=
          "");
}

TEST_CASE("declared and unused access is a note") {
    const std::string found = check_main(R"(ecs.system("s", {
  query = { write = { C.Position } }, access = { read = { C.Wave }, write = { C.Damage } },
  run = function(chunk, ctx) local x = chunk.Position.x[1] end })
ecs.system("t", { query = { write = { C.Position } }, run = function(chunk) elsewhere(chunk) end })
ecs.system("u", { access = { write = { C.Position } }, run = function(_, ctx) ctx:start_job "move" end })
elsewhere = print)");
    CHECK(found ==
          "main.lua:4: note: system 's': it declares 'Position' under write and never writes it; under read, "
          "other systems could run in parallel\n"
          "main.lua:4: note: system 's': it declares access to 'Damage' and does not use it\n"
          "main.lua:4: note: system 's': it declares access to 'Wave' and does not use it\n");
}

TEST_CASE("a look-up of sources uses its relation, and needs access to it") {
    const std::string relation = "ecs.component('Likes', { { 'target', 'entity' }, index = true })\n";
    const std::string system =
        "ecs.system('s', { query = { read = { C.Position } }, access = { %s },\n"
        "  run = function(chunk, ctx) ctx:sources(chunk.entities[1], C.Likes) end })";
    const auto with = [&](const std::string& access) {
        std::string code = relation + system;
        return check_main(code.replace(code.find("%s"), 2, access));
    };
    CHECK_THAT(with("read = { C.Likes }"), !Contains("does not use"));
    CHECK_THAT(with(""), Contains("Likes"));
}

TEST_CASE("code that is correct, or may be, is not reported") {
    CHECK(check_main(R"(
local health = C.Shield
local function fill(chunk, first, last) for i = first, last do chunk.Position.x[i] = i end end
ecs.system("s", {
  query = { write = { C.Position, C.Path, C.Shield }, read = { C.Body, C.Team } },
  access = { write = { C.Wave, C.Damage } },
  run = function(chunk, ctx)
    local pos, other = chunk.Position, chunk.Body
    if ctx.tick > 3 then pos = other end
    pos.anything[1] = 2                               -- it is not known which one  
    chunk[health].enabled[1], chunk[health].power[1] = true, 2
    chunk.Position[1], pos = { x = 1 }, nil
    for i = 1, chunk.count do
      local path, C = chunk.Path[i], { Nothing = 1 }
      path:push { x = C.Nothing + chunk.Team.id }
      path.x[1], path[2] = chunk.Body.slots[2][i], { x = #path }
    end
    ctx:resource(C.Wave).number = ctx:entity_count()
    local out = ctx:send_many(C.Damage, 3)
    out.amount[1] = other.velocity.x[1] and ctx.random:unit() or 2
    ctx.commands:spawn_many(P, 3, fill)
    goto done
    ::done::
  end,
})
ecs.on_removed(C.Shield, { access = { read = { C.Wave } } }, function(batch, ctx)
  for i = 1, batch.count do print(batch.Shield.power[i], ctx:resource(C.Wave).number) end
end)
)") == "");
}

TEST_CASE("every call of ctx and its commands in the docs is known") {
    const std::string docs = test::lua_api_pages();
    std::string calls;
    for (const char* pattern : {R"(\bctx:[a-z_]+\()", R"(\bcommands:[a-z_]+\()"}) {
        const std::regex call{pattern};
        for (std::sregex_iterator at{docs.begin(), docs.end(), call}, end; at != end; ++at) {
            const std::string word = at->str();
            calls += (word.starts_with("ctx") ? "" : "ctx.") + word + ")\n";
        }
    }
    CHECK(calls.size() > 500);
    CHECK_THAT(check_run(calls, kAll), !Contains("has no entry"));
    CHECK_THAT(check_run(calls + "ctx:nothing()", kAll), Contains("ctx has no entry 'nothing'"));
}

TEST_CASE("the ten common errors in docs/modding.md give the messages shown there") {
    const std::string page = bytes_of(PERIGEE_SOURCE_DIR "/docs/modding.md");
    const std::regex row{R"(\n\| `([^`]+)` \| `([^`]+)` \|)"};
    const std::string table = page.substr(page.find("## Ten common mistakes"));
    int rows = 0;
    for (std::sregex_iterator at{table.begin(), table.end(), row}, end; at != end; ++at) {
        INFO((*at)[1]);
        CHECK_THAT(check_run((*at)[1], kAll), Contains(": " + std::string((*at)[2]) + "\n"));
        ++rows;
    }
    CHECK(rows == 10);
}

TEST_CASE("no declared function is called") {
    CHECK(check_main(R"(local function no() error "was called" end
ecs.system("s", { run = no, run_if = no, on_create = no, on_start = no, on_stop = no, on_destroy = no })
ecs.on(C.Damage, {}, no)
ecs.service("answer", no)
function update() error "was called" end)") == "");
}

TEST_CASE("every file is checked, even if nothing requires it") {
    CHECK(check_files({{"main.lua", "function update() end"},
                       {"lib/unused.lua", "local x = = 3"},
                       {"tests/a.lua", "return return"},
                       {".perigee/stubs/game.lua", "= ="},
                       {"mods/far/main.lua", "\n\nif"}}) ==
          "lib/unused.lua:1: unexpected symbol near '='\n"
          "mods/far/main.lua:3: unexpected symbol near '<eof>'\n"
          "tests/a.lua:1: unexpected symbol near 'return'\n");
}

TEST_CASE("errors in mod.json have a line") {
    CHECK_THAT(check_files({{"main.lua", ""}, {"mod.json", "{\n \"id\": \"a\",\n \"colour\": 3\n}"}}),
               Contains("mod.json:3: unknown key 'colour'"));
    CHECK(
        check_files({{"main.lua", "function update() end"}, {"mod.json", "{\n \"native\": [\"swarms\"]\n}"}})
            .starts_with("mod.json:2: 'native': this program has no systems 'swarms'"));
    const Files files = {{"main.lua", "function update() end"},
                         {"mods/a/main.lua", ""},
                         {"mods/a/mod.json", "{\n \"version\": \"x\"\n}"},
                         {"mods/b/main.lua", ""},
                         {"mods/b/mod.json", "{\n\n \"depends\": { \"nothing\": \"*\" } }"}};
    const std::string found = check_files(files);
    CHECK_THAT(found, Contains("mods/a/mod.json:2: 'version'"));
    CHECK_THAT(found, Contains("mods/b/mod.json:"));
    CHECK_THAT(found, Contains("nothing"));
}

TEST_CASE("errors in schemas, the order and files have a position") {
    CHECK_THAT(check_files({{"schema.lua", "require('ecs').component('A', {\n { 'x', 'f23' } })"},
                            {"main.lua", "function update() end"}}),
               Contains("schema.lua:1: component 'A'"));
    CHECK_THAT(check_main("ecs.system('a', { after = 'nowhere', run = function() end })"),
               Contains("main.lua:4: ") && Contains("nowhere"));
    CHECK_THAT(check_main("\necs.system('a', { after = 'b', run = function() end })\n"
                          "ecs.system('b', { after = 'a', run = function() end })"),
               Contains("main.lua:") && Contains("a -> b"));
    CHECK_THAT(check_main("require('gfx').image('assets/no.png', 1, 1)") + check_main("error 'x'"),
               Contains("main.lua:4: x"));
}

TEST_CASE("conflicts between mods are found") {
    const std::string head =
        "local ecs = require 'ecs' local game = ecs.import('game')\nlocal C = game.components\n";
    Files files = {{"schema.lua", kSchema},
                   {"mod.json", R"({"id": "game"})"},
                   {"main.lua", std::string(kHead) + "ecs.system('move', { run = function() end })"},
                   {"mods/a/main.lua", head + "ecs.replace_system('game:move', { run = function() end })\n"
                                              "ecs.patch_prefab('game:P', { { C.Position, x = 1 } })"},
                   {"mods/b/main.lua", head + "ecs.replace_system('game:move', { run = function() end })"},
                   {"mods/c/main.lua", head + "\necs.patch_prefab('game:P', { C.Position { x = 2 } })"}};
    const std::string found = check_files(files);
    CHECK_THAT(found, Contains("system 'move' was already replaced by mod 'a'"));
    CHECK_THAT(found, Contains("mods/c/main.lua:4: warning: prefab 'game:P': mod 'a' changes the same part "
                               "(main.lua:4), and mod 'c', which loads later, overrides it"));
    files["mods/c/mod.json"] = R"({"optional": {"a": "*"}})";
    CHECK_THAT(check_files(files), !Contains("changes the same"));
    files["mods/c/main.lua"] = head + "ecs.patch_prefab('game:P', { without = { C.Position } })";
    files.erase("mods/c/mod.json");
    CHECK_THAT(check_files(files), Contains("mods/c/main.lua:3: warning: prefab 'game:P': mod 'a'"));
    files["mods/c/main.lua"] = head + "ecs.patch_prefab('game:P', { { C.Position, y = 1 } })";
    CHECK_THAT(check_files(files), !Contains("changes the same"));
    files["mods/c/main.lua"] =
        head + "local x = game.components.Bodi\nlocal function f() return game.resources.Wav end";
    const std::string names = check_files(files);
    CHECK_THAT(names,
               Contains("mods/c/main.lua:3: ") && Contains("'Bodi'") && Contains("did you mean 'Body'?"));
    CHECK_THAT(names, Contains("mods/c/main.lua:4: mod 'game' has no resource 'Wav'; did you mean 'Wave'?"));
}

TEST_CASE("two mods that write the same component without an order are reported in a note") {
    const std::string write =
        "local ecs = require 'ecs' local C = ecs.import('game').components\n"
        "ecs.system('w', { query = { write = { C.Body } }, run = function(chunk)\n"
        "  chunk[C.Body].velocity.x[1] = 1 end })";
    CHECK(check_files({{"schema.lua", kSchema},
                       {"mod.json", R"({"id": "game"})"},
                       {"main.lua", std::string(kHead) + "function update() end"},
                       {"mods/a/main.lua", write},
                       {"mods/b/main.lua", write}}) ==
          "mods/b/main.lua:2: note: 'a:w' and 'b:w' both write 'Body' and only their names order them; use "
          "before or after\n");
}

TEST_CASE("shipped games and those of perigee new have no errors") {
    for (const fs::path& game : shipped()) {
        INFO(game);
        CHECK(text_of(mistakes_of(game), game) == "");
    }
    const test::TemporaryFolder folder;
    REQUIRE(run_program("new " + quoted(folder.path() / "fresh")).status == 0);
    REQUIRE(run_program("new --mod " + quoted(folder.path() / "fresh/mods/extra")).status == 0);
    CHECK(text_of(mistakes_of(folder.path() / "fresh"), folder.path()) == "");
}

TEST_CASE("the program prints a line for each error and ends with status 1") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua",
                 "local C = require('ecs').components\nfunction update() return C.Nothing end");
    folder.write("more/extra/main.lua", "local x = ");
    const std::string game = quoted(folder.path() / "game");
    const test::ProgramRun run = run_program("check " + game);
    CHECK(run.status == 1);
    CHECK(run.out == (folder.path() / "game/main.lua").string() +
                         ":2: unknown component 'Nothing'\n1 error, 0 warnings, 0 notes\n");
    CHECK(run.err == "");
    CHECK_THAT(run_program("check " + game + " --mods " + quoted(folder.path() / "more")).out,
               Contains("more/extra/main.lua:1: unexpected symbol"));
    folder.write("game/main.lua", "function update() end");
    CHECK(run_program("check " + game).status == 0);
    CHECK(run_program("check /nowhere").status == 1);
}

// One more letter in a name that a system uses, in copies of shipped games.
TEST_CASE("misspelt names in shipped systems are found") {
    Random random(5);
    int found = 0, made = 0;
    std::string missed;  // calls of a ctx that came from another file
    for (const fs::path& game : shipped()) {
        std::vector<std::pair<fs::path, std::ptrdiff_t>> places;  // file, offset behind the name
        const std::regex use{R"((\bC\.|\bchunk\.|\bctx:|\bctx\.commands:)([A-Za-z_]+))"};
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(game)) {
            if (entry.path().extension() != ".lua") continue;
            const std::string text = bytes_of(entry.path());
            for (std::sregex_iterator at{text.begin(), text.end(), use}, end; at != end; ++at) {
                const std::string name = (*at)[2];
                if (name == "count" || name == "entity") continue;
                const std::string before = text.substr(0, static_cast<std::size_t>(at->position()));
                const std::size_t line = before.rfind('\n');
                if (before.find("--", line == before.npos ? 0 : line) != before.npos) continue;  // a comment
                places.emplace_back(entry.path().lexically_relative(game), at->position() + at->length());
            }
        }
        if (places.empty()) continue;
        const test::TemporaryFolder folder;
        const fs::path copy = folder.path() / "game";
        fs::copy(game, copy, fs::copy_options::recursive);
        for (int i = 0; i < 12; ++i) {
            const auto& [file, offset] = places[random.next() % places.size()];
            const std::string text = bytes_of(game / file);
            std::string slipped = text;
            slipped.insert(static_cast<std::size_t>(offset), "q");
            folder.write(("game" / file).string(), slipped);
            const bool is_found = !mistakes_of(copy).empty();
            found += is_found ? 1 : 0;
            ++made;
            if (!is_found) missed += (game / file).string() + " at " + std::to_string(offset) + "\n";
            folder.write(("game" / file).string(), text);
        }
    }
    INFO(missed);
    CHECK(made >= 36);
    CHECK(found * 10 >= made * 9);
}
