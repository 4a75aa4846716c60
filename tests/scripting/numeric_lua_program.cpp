// The whole of a program: what it begins with, its functions, and the calls that make them hot.
#include "tests/scripting/numeric_lua.h"

#include <utility>

namespace perigee {

namespace {

// What every program begins with.
constexpr const char* kPrelude = R"(
local floor, abs, min, max, sqrt, random = math.floor, math.abs, math.min, math.max, math.sqrt, math.random
local band, bor, bxor, lshift, rshift, tobit = bit.band, bit.bor, bit.bxor, bit.lshift, bit.rshift, bit.tobit
local select, pcall, error, tostring, tonumber, type, unpack = select, pcall, error, tostring, tonumber, type, unpack
local insert, remove, concat, sub, byte, rep, format = table.insert, table.remove, table.concat, string.sub, string.byte,
  string.rep, string.format
local wrap, yield, setmetatable, ipairs, pairs, next = coroutine.wrap, coroutine.yield, setmetatable, ipairs, pairs, next

local results, kept = {}, {}
local function short(s) return #s > 60 and sub(s, 1, 20) .. #s or s end
local function small(n) return n == n and n > -1e9 and n < 1e9 and floor(n) % 1000 or 7 end
local function keep(n, value) kept[small(n) % 16 + 1] = value end

local Vector = {}
Vector.__index = Vector
local function vector(x, y) return setmetatable({ x = x, y = y }, Vector) end
function Vector.__add(a, b)
  if type(a) == "number" then return vector(a + b.x, b.y) end
  if type(b) == "number" then return vector(a.x, a.y + b) end
  return vector(a.x + b.x, a.y + b.y)
end
function Vector.__sub(a, b) return vector(a.x - b.x, a.y - b.y) end
function Vector.__mul(a, b) return type(b) == "number" and vector(a.x * b, a.y * b) or a.x * b.x + a.y * b.y end
function Vector.__unm(a) return vector(-a.x, -a.y) end
function Vector.__eq(a, b) return a.x == b.x and a.y == b.y end
function Vector.__lt(a, b) return a.x < b.x end
function Vector.__le(a, b) return a.x <= b.x end
function Vector.__call(a, n, ...) return a.x + n, select("#", ...), ... end
function Vector.__concat(a, b)
  if type(a) == "table" then a = "<" .. a.x .. ">" end
  if type(b) == "table" then b = "<" .. b.y .. ">" end
  return short(a .. "|" .. b)
end
function Vector.length(a) return sqrt(a.x * a.x + a.y * a.y) end
local Several = { __concat = function(...) return short(select("#", ...) .. tostring(type((...))) .. type((select(2, ...)))) end,
  __index = function(t, k) return type(k) == "number" and k * 2 or #k end,
  __newindex = function(t, k, v) rawset(t, k, v) end }
local function several() return setmetatable({}, Several) end
)";

}  // namespace

void NumericLua::vararg_function(int number_of) {
    line("local function v" + std::to_string(number_of) + "(" + any_of({"...", "a, ...", "a, b, ..."}) + ")");
    // Parameters that are not there are those of the chunk: nil.
    switch (below(9)) {
        case 0:
            line("  local n = 0");
            line(
                "  for i = 1, select('#', ...) do local v = select(i, ...) n = n + (tonumber(v) or 1) * i "
                "end");
            line("  return n, ...");
            break;
        case 1:
            line("  local v = ...");
            line("  return tonumber(v) or 3, select('#', ...)");
            break;
        case 2:
            line("  local x, y, z = ...");
            line("  return (tonumber(x) or 1) - (tonumber(z) or 2), y");
            break;
        case 3:
            line("  local list = { ... }");
            line("  local n = 0");
            line("  for i = 1, 4 do n = n + (tonumber(list[i]) or 1) end");
            line("  return n, list[3] == nil and list[1] or nil");
            break;
        case 4:
            line("  local n = 0");
            line(
                "  for i = 1, 4 do local v = ... if v then n = n + i end local _, w = ... n = n + "
                "(tonumber(w) or 0) end");
            line("  return n, (...)");
            break;
        case 5:
            line("  if select('#', ...) > 2 then return select('#', ...), select(2, ...) end");
            line("  return 0, ...");
            break;
        case 6:
            line("  return (function(...) return select('#', ...), ... end)(1, ...)");
            break;
        case 7:
            line("  local n = select('#', unpack(large, 1, " + std::to_string(60 + below(120)) + "))");
            line("  local m = select(" + std::to_string(1 + below(60)) + ", unpack(large, 1, 90))");
            line("  return n + m, ...");
            break;
        default:
            if (number_of > 0)
                line("  return v" + std::to_string(number_of - 1) + "(2, ...)");
            else
                line("  return 1, ...");
            break;
    }
    line("end");
}

void NumericLua::function(int number_of) {
    line("local function f" + std::to_string(number_of) + "(n1, n2, s1)");
    ++indent_;
    if (one_in(4)) {
        // Calls itself, with results that are used, or as its last act.
        line("if n1 > 0 and n1 < 12 then " +
             any_of({"local x = fSELF(n1 - 1, n2 + 1, s1) return x + 1, s1", "return fSELF(n1 - 2, n2, s1)",
                     "local x, y = fSELF(n1 - 1, n2, s1) n2 = x s1 = y"}) +
             " end");
        const std::string self = "fSELF";
        for (std::size_t at = out_.find(self); at != std::string::npos; at = out_.find(self))
            out_.replace(at, self.size(), "f" + std::to_string(number_of));
    }
    line("local n3, n4, s2, t1, t2 = n1 % 7, u1, 'x', { 1, 2, 3, n1 }, { n2 }");
    line(
        "local p1, p2, o1, o2 = { x = n1, y = 2, [1] = 3 }, { x = 5, y = n2, [1] = n1 }, vector(n1, 1), "
        "vector(2, n2)");
    loop(3);
    statement(2);
    if (one_in(2)) loop(3);
    line(
        "results[#results + 1] = { n1, n2, n3, n4, s1, s2, p1.x, p2.y, o1.x, o2.y, #t1, #t2, t1[2], t2[1] }");
    line("return " + number(1) + ", s1");
    --indent_;
    line("end");
}

std::string NumericLua::program() {
    out_ = kPrelude;
    line("local u1, u2, calls, large = " + constant() + ", 0, 0, {}");
    line("for i = 1, 200 do large[i] = i end");
    line(
        "local function add3(a, b, c, d) return (tonumber(a) or 1) + (tonumber(b) or 0), tonumber(c) or 2, "
        "tonumber(d) or 3 end");
    line("local a, b");
    const int count = 2 + static_cast<int>(below(4));
    for (int i = 0; i < count; ++i) {
        vararg_function(vararg_functions_);
        ++vararg_functions_;
        function(functions_);
        ++functions_;
    }
    for (int i = 0; i < functions_; ++i) {
        const std::string name = "f" + std::to_string(i);
        line("for round = 1, " + std::to_string(6 + below(24)) + " do");
        line("  calls = 0");
        line("  local ok, n, s = pcall(" + name + ", " +
             any_of({"round", "round % 5", "-round", "round * 0.5", "round * 2^30"}) + ", " + constant() +
             ", tostring(round))");
        line("  results[#results + 1] = { ok, n, s, u1, u2, calls }");
        line("end");
    }
    line("program_results = results");
    return std::move(out_);
}

}  // namespace perigee
