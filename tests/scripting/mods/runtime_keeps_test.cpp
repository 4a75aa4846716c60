// Which functions are said to keep nothing of their chunk (scripts/runtime/systems/keeps.lua): none that
// does.
#include "ecs/base/random.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

namespace perigee {
namespace {

// Random functions that copy, look at, store, pass on, iterate and close over their first argument and its
// fields, and what may be that or something of their own.
class RandomFunction {
public:
    explicit RandomFunction(Random& random) : random_(random) {}

    std::string text() {
        std::string text = "function(a, b) local l1, l2, l3 = nil, b, b\n";
        block(text, static_cast<int>(random_.next() % 4));
        return text + "end";
    }

private:
    std::string pick(std::initializer_list<const char*> of) { return of.begin()[random_.next() % of.size()]; }
    std::string local() { return pick({"l1", "l2", "l3"}); }
    std::string value() {
        if (random_.next() % 3 == 0) return "(" + local() + pick({" or ", " and "}) + local() + ")";
        return pick({"a",      "a.x",       "a.y",   "a['x']",    "a[key]", "a.n",
                     "b",      "5",         "l1",    "l2",        "l3",     "(l1 and l1.x)",
                     "not l2", "l3 == nil", "#sink", "a.x.value", "a.runs", "a.changed",
                     "id",     "own"});
    }
    std::string part() { return pick({"a", "a", "a.x", "a[key]", "l1", "l2", "l3"}); }
    // The argument, what leads to it, or in its place what is the function's own.
    std::string either(const char* of_argument, const char* own) {
        const std::string condition = pick({"b", "not b", "a.n == 5", "a.n == 6", "key", "up"});
        switch (random_.next() % 3) {
            case 0:
                return std::string("local m = ") + own + " if " + condition + " then m = " + of_argument +
                       " end";
            case 1:
                return std::string("local m = ") + of_argument + " if " + condition + " then m = " + own +
                       " end";
            default:
                return "local m = " + condition + " and " + of_argument + " or " + own;
        }
    }
    std::string iterator() {
        return pick({"next, ", "next, own, ", "own_iterator, ", "own_iterator, own, ", "a.runs, ", "l1, ",
                     "l2, l3, "}) +
               value();
    }
    void block(std::string& text, int depth) {
        for (std::uint64_t i = 0; i < 1 + random_.next() % 4; ++i) statement(text, depth);
    }
    void statement(std::string& text, int depth) {
        const std::uint64_t what = random_.next() % (depth > 0 ? 29 : 19);
        if (what < 8) {
            text += local() + " = " + value();
        } else if (what == 8) {
            text += pick({"up = ", "sink[1] = ", "sink.k = ", "sink[#sink + 1] = ", "global = "}) + value();
        } else if (what == 9) {
            text += pick({"sink[2] = { ", "sink[2] = { 1, k = "}) + value() + " }";
        } else if (what == 10) {
            text += pick({"id(", "id(1, ", "sink[3] = id(", "pcall(id, "}) + value() + ")";
        } else if (what == 11) {
            text += "sink[4] = function() return " + local() + " end";
        } else if (what == 12) {
            text += "do return " + value() + " end";
        } else if (what == 13) {
            const std::string key = "[" + value() + " or 7]";
            switch (random_.next() % 4) {
                case 0:
                    text += "marks" + key + " = true";
                    break;
                case 1:
                    text += local() + " = marks" + key;
                    break;
                default:
                    text += local() + " = marks" + pick({" + ", " .. ", " < ", " ^ "}) + value();
            }
        } else if (what == 14) {
            text += "do " + either("a.runs", "id") + " m(" + part() + ") end";
        } else if (what == 15) {
            text += "do " + either("a", "own") +
                    pick({" m:runs()", " m.runs(a)", " id(m.x)", " m:changed(b)", " m.changed(a, l1)",
                          " sink[5] = m:changed(l2)", " l1 = a.changed(m, id)"}) +
                    " end";
        } else if (what == 16) {
            text += "do local m, s, z = a:runs() " + local() + " = m if " + value() +
                    " then m = " + pick({"own_iterator", "next", "s"}) + " end for k in m, s, z do " + kTurn +
                    " end end";
        } else if (what == 17) {
            text += pick({"for k in next, ", "for k in next, own, ", "for k, v in next, 1, "}) + part() +
                    " do " + kTurn + " end";
        } else if (what == 18) {
            text += local() + pick({" = a.runs", " = a.changed", " = id", " = own"});
        } else if (what < 21) {
            text += "if " + value() + " then ";
            block(text, depth - 1);
            text += " else ";
            block(text, depth - 1);
            text += " end";
        } else if (what < 23) {
            text += "for i = 1, 2 do ";
            block(text, depth - 1);
            text += " end";
        } else if (what < 25) {
            text += "for k in " + iterator() + " do " + kTurn;
            block(text, depth - 1);
            text += " end";
        } else if (what < 27) {
            text += "for first, last in " +
                    pick({"a:runs()", "a.runs(a)", "own:runs()", "(b and a or own):runs()"}) + " do " + kTurn;
            block(text, depth - 1);
            text += " end";
        } else {
            text += "while " + local() + " do " + local() + " = nil ";
            block(text, depth - 1);
            text += " break end";
        }
        text += "\n";
    }

    // Loops may be over functions that never end them.
    static constexpr const char* kTurn = "turns = turns + 1 if turns > 30 then break end ";
    Random& random_;
};

TEST_CASE("a function that is said to keep nothing keeps nothing") {
    Random random(GENERATE(1U, 2U, 3U));
    std::string main = R"(
        local key, up, sink, seen, mark = "x", nil, {}, nil, nil
        local function mark_other(_, k) mark = k end
        local marks = setmetatable({}, { __newindex = mark_other, __index = mark_other, __add = mark_other,
          __concat = mark_other, __lt = mark_other, __pow = mark_other })
        local turns = 0
        local function note(...)
          for i = 1, select("#", ...) do seen[#seen + 1] = (select(i, ...)) end
        end
        local function id(...) note(...) return ... end
        local function own_iterator(state, last) note(state, last) if not last then return 1 end end
        local next = own_iterator
        local own = { x = {}, runs = function(...) note(...) return own_iterator, ... end,
          changed = function(...) note(...) return ... end }
        -- As those of a chunk: what others are called with is an error.
        local is_argument = {}
        local function next_run(self, first)
          if not is_argument[self] or type(first) ~= "number" then error("wrong") end
          if first < 2 then return first + 1, first + 1 end
        end
        local function runs(self)
          if not is_argument[self] then error("wrong") end
          return next_run, self, 0
        end
        local function changed(self)
          if not is_argument[self] then error("wrong") end
          return true
        end
        local functions = {}
)";
    for (int i = 0; i < 300; ++i)
        main += "functions[#functions + 1] = " + RandomFunction(random).text() + "\n";
    main += R"(
        local function is_part(v, a) return v == a or v == a.x or v == a.y end
        local function was_kept(a, ...)
          for i = 1, select("#", ...) do
            if is_part((select(i, ...)), a) then return true end
          end
          if is_part(up, a) or is_part(global, a) or is_part(mark, a) then return true end
          for _, v in pairs(sink) do
            if is_part(v, a) then return true end
            if type(v) == "function" then
              local ok, got = pcall(v)
              if ok and is_part(got, a) then return true end
            end
            if type(v) == "table" then
              for _, w in pairs(v) do if is_part(w, a) then return true end end
            end
          end
          for _, v in pairs(seen) do if is_part(v, a) then return true end end
          return false
        end
        local function keeps_when_called(f, b)
          local a = { x = { value = {} }, y = {}, n = 5, runs = runs, changed = changed }
          is_argument = { [a] = true }
          up, sink, seen, global, mark, turns = nil, {}, {}, nil, nil, 0
          local results = { pcall(f, a, b) }
          results[1] = nil
          return was_kept(a, unpack(results, 1, 3))
        end
        function check(keeps)
          local keeping, free = 0, 0
          for i, f in ipairs(functions) do
            local keeps_nothing = not keeps(f)
            for _, b in ipairs { false, {}, own } do
              assert(not keeps_nothing or not keeps_when_called(f, b), "function " .. i .. " keeps what it gets")
            end
            if keeps_nothing then free = free + 1 else keeping = keeping + 1 end
            -- What has been compiled has other instructions.
            for _ = 1, 100 do keeps_when_called(f, {}) end
            if not keeps(f) then
              assert(keeps_nothing and not keeps_when_called(f, {}), "compiled function " .. i)
            end
          end
          assert(keeping > 30 and free > 10, keeping .. " " .. free)
        end
)";
    ScriptWorld game;
    game.limits.seconds_per_run = 20;  // however busy the machine is
    REQUIRE(game.load("", main) == "");
    ScriptState& state = *game.runtime->state("game");
    state.push_environment();
    lua_getfield(state.lua(), -1, "check");
    state.push_runtime("keeps", "first_argument");
    const std::optional<ScriptError> error = state.call(1, 0);
    INFO(main);
    INFO((error ? error->text() : ""));
    CHECK_FALSE(error);
}

TEST_CASE("systems that use their chunk in the usual ways keep nothing of it") {
    ScriptWorld game;
    REQUIRE(game.load("", R"(
        local C, sum, list = {}, 0, {}
        keep_nothing = {
          function(chunk, ctx)
            local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt
            for i = 1, chunk.count do pos.x[i] = pos.x[i] + vel.x[i] * dt end
          end,
          function(chunk) for i = 1, chunk.count do sum = sum + chunk.Position.x[i] list[i] = chunk.entity[i] end end,
          function(chunk, ctx)
            local x, entity = chunk[C.Position].x, chunk.entity
            for i = 1, chunk.count do if x[i] > 5 then ctx.commands:destroy(entity[i]) end end
          end,
          function(chunk)
            local shield = chunk.Shield
            for first, last in chunk:runs() do
              for i = first, last do shield.power[i] = 1 end
            end
            for row in chunk:rows() do shield.power[row] = math.max(shield.power[row], 2) end
          end,
          function(chunk)
            if chunk.Health then
              local team = chunk.Team.id
              for i = 1, chunk.count do list[#list + 1] = { team, chunk.Health.current[i], chunk.Path[i].count } end
            end
          end,
          function(chunk)
            local pos = chunk.Position or chunk.Velocity
            if sum > 5 then pos = chunk.Velocity end
            for i = 1, chunk.count do pos.x[i] = 0 end
            for key, value in pairs(list) do sum = sum + value end
            for key in next, list do list[key] = nil end
          end,
          function(chunk)
            local r, c = chunk.runs, chunk
            for first, last in r(c) do
              repeat sum = sum + 1 until sum > last or not c.Health
              while sum > 7 do sum = sum - 1 if sum == first then break end end
            end
          end,
          function(chunk, ctx)
            if not chunk:changed(C.Position) and not chunk:changed() then return end
            local x, was_moved = chunk.Position.x, chunk:changed(C.Velocity)
            for i = 1, chunk.count do x[i] = was_moved and 1 or x[i] end
            list[1], sum = was_moved, was_moved
          end,
          function() end,
          function(_, ctx) return ctx end,
          function(chunk) list[1] = { math.max(chunk.count, 1) } return math.max(1, math.max(2)) end,
        }
        keep = {
          function(chunk) list[1] = chunk end,
          function(chunk) list[chunk.index] = chunk.Position end,
          function(chunk) return chunk.Position end,
          function(chunk) local pos = chunk.Position list[1] = function() return pos.x[1] end end,
          function(chunk) sum(chunk) end,
          function(chunk) sum(1, chunk.Position) end,
          function(chunk) C.chunk = chunk end,
          function(chunk) for _, x in sum, chunk do list[1] = x end end,
          function(...) list[1] = ... end,
          function(chunk) list[1] = { chunk.entity } end,
          function(chunk) list[1] = chunk:runs() end,
          function(chunk) list[1] = chunk.changed end,
          function(chunk) chunk:changed(chunk) end,
          function(chunk) chunk:changed(C, chunk.Position) end,
          function(chunk) chunk.changed(list, chunk) end,
          function(chunk) if chunk == list[1] then sum = 1 end end,
          function(chunk) if chunk ~= 1 then sum = 1 end end,
          function(chunk) if chunk < list then sum = 1 end end,
          function(chunk) return list + chunk end,
          function(chunk) return 1 - chunk end,
          function(chunk) return -chunk.Position end,
          function(chunk) return list .. "" .. chunk end,
          function(chunk) return list[chunk] end,
          function(chunk) return list[chunk.Position] end,
          function(chunk) list[chunk] = 1 end,
          function(chunk) sum = chunk end,
          function(chunk) made_here = chunk end,
          function(chunk) return chunk end,
          function(chunk) return 1, chunk, 2 end,
          function(chunk) return chunk, sum() end,
          function(chunk) return sum(chunk) end,
          function(chunk) return sum(chunk, sum()) end,
          function(chunk) sum(chunk, sum()) end,
          function(chunk) list[1] = { 1, chunk, sum() } end,
          function(chunk) list[1] = { chunk:runs() } end,
          function(chunk) return chunk:rows() end,
          function(chunk) sum(chunk:rows()) end,
          function(chunk) chunk.runs(list, chunk) end,
          function(chunk) local f, s = chunk:runs() f(s, 0) end,
          function(chunk) pcall(sum, chunk) end,
          function(chunk) coroutine.wrap(sum)(chunk) end,
          function(chunk) coroutine.yield(chunk) end,
          function(chunk) error(chunk) end,
          function(chunk) ("x"):gsub(".", chunk) end,
          function(chunk) ("x"):gsub(".", function() sum(chunk) end) end,
          function(chunk) do local pos = chunk.Position list[1] = function() return pos end end end,
          function(chunk)
            local n, last = 0, nil
            ::again::
            n, list[1], last = n + 1, last, chunk
            if n < 2 then goto again end
          end,
          function(chunk) for i = 1, chunk do end end,
          function(chunk, ...) list[1] = ... end,
          function(chunk) for i = 1, 2 do list[1] = last last = chunk end end,
          function(chunk) local c for i = 1, 2 do list[1] = c c = chunk.Position end end,
          print,
        }
        with_count = function(chunk) list[1] = chunk.count end
        function check(keeps)
          assert(not keeps(with_count) and keeps(with_count, true))  -- with runs, it can only be a component
          for i, f in ipairs(keep_nothing) do assert(not keeps(f), "keep_nothing " .. i) end
          for i, f in ipairs(keep) do assert(keeps(f), "keep " .. i) end
        end
    )") == "");
    ScriptState& state = *game.runtime->state("game");
    state.push_environment();
    lua_getfield(state.lua(), -1, "check");
    state.push_runtime("keeps", "first_argument");
    const std::optional<ScriptError> error = state.call(1, 0);
    INFO((error ? error->text() : ""));
    CHECK_FALSE(error);
}

// At the visit to the first chunk `body` keeps something, which `use` uses at the visit to the second.
std::string kept_program(const std::string& body, const std::string& use, const std::string& error) {
    return R"(
        local ecs = require "ecs"
        local C, visit, kept = ecs.components, 0, nil
        ecs.world:spawn(C.Pos { x = 1 })
        ecs.world:spawn(C.Pos { x = 2 }, C.Tag)
        local function stash(...)
          for i = 1, select("#", ...) do
            local what = select(i, ...)
            if what ~= nil and type(what) ~= "table" and type(what) ~= "number" then kept = kept or what end
          end
          if visit == 2 then
            local ok, message = pcall(function() return )" +
           use + R"( end)
            assert(not ok and message:find(")" +
           error + R"(", 1, true), message)
            checked = true
          end
        end
        local next, own = stash, { runs = stash, rows = stash }
        ecs.system("keep", { query = { read = { C.Pos } }, run = function(chunk)
          visit = visit + 1
          )" +
           body + R"(
        end })
    )";
}

void check_kept(const std::string& main) {
    ScriptWorld game;
    INFO(main);
    REQUIRE(game.load("local ecs = require 'ecs' ecs.component('Pos', { { 'x', 'f32' } }) "
                      "ecs.component('Tag', { kind = 'tag' })",
                      main) == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(checked)") == "");
}

TEST_CASE("a chunk that any instruction keeps is an error at the next visit [N1]") {
    const std::string body = GENERATE(
        as<std::string>(), "for k in next, chunk do end", "for k in next, own, chunk do end",
        "local pairs = function(...) return next, ... end for k in pairs(chunk) do end",
        "for k, v in stash, chunk do end", "local m = stash if visit == 99 then m = chunk.runs end m(chunk)",
        "local m = chunk.runs if visit < 99 then m = stash end m(chunk)",
        "local m = visit == 99 and chunk.rows or stash m(chunk)",
        "local m = stash if visit == 99 then m = chunk.runs end for k in m, chunk do end",
        "local x = own if visit == 99 then x = chunk end x.runs(chunk)",
        "local x = visit == 99 and chunk or own x.rows(chunk)",
        "local f, s = chunk:runs() if visit < 99 then f = stash end for k in f, s do end",
        "local m = chunk.runs for i = 1, 2 do if i == 2 then m(chunk) end m = stash end",
        "local m, n = chunk.runs, 0 ::again:: if n == 1 then m(chunk) end m, n = stash, n + 1 "
        "if n < 2 then goto again end",
        "local m = chunk.runs while m do if m == stash then m(chunk) break end m = stash end",
        "pcall(stash, chunk)", "coroutine.wrap(stash)(chunk)", "('x'):gsub('.', function() stash(chunk) end)",
        "return stash(chunk)", "setmetatable({}, { __newindex = stash })[chunk] = 1");
    check_kept(kept_program(body, "kept.Pos.x[1]", "this chunk is used after its visit"));
}

TEST_CASE("a column that any instruction keeps is an error at the next visit [N1]") {
    const std::string body =
        GENERATE(as<std::string>(), "for k in next, chunk.Pos do end", "for k in next, own, chunk.Pos do end",
                 "local pos = own if visit < 99 then pos = chunk.Pos end for k in next, pos do end",
                 "local m = stash if visit == 99 then m = chunk.runs end m(chunk.Pos)",
                 "local x = own if visit == 99 then x = chunk end x.runs(chunk.Pos)",
                 "local pos = visit == 99 or chunk.Pos stash(pos)");
    check_kept(kept_program(body, "kept.x[1]",
                            "this column is no longer lent; columns end with the visit to their chunk"));
}

TEST_CASE("a component named count and the number of rows are distinct, where chunks have runs [N1]") {
    ScriptWorld game;
    REQUIRE(game.load("local ecs = require 'ecs' ecs.component('count', { { 'x', 'f32' } }) "
                      "ecs.component('Tag', { kind = 'tag' })",
                      R"(
        local ecs = require "ecs"
        local C, kept = ecs.components, {}
        ecs.world:spawn(C.count { x = 1 })
        ecs.world:spawn(C.count { x = 2 }, C.Tag)
        ecs.system("keep", { query = { read = { C.count }, runs = true }, run = function(chunk)
          kept[#kept + 1] = chunk.count
          if #kept == 2 then
            local ok, message = pcall(function() return kept[1].x[1] end)
            assert(not ok and message:find("this column is no longer lent", 1, true), message)
            checked = true
          end
        end })
    )") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(checked)") == "");
}

}  // namespace
}  // namespace perigee
