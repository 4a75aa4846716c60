// Foreign bytes that scripts read as numbers: no bits forge a value of another type, interpreted and
// compiled.
#include "tests/scripting/script_world.h"

namespace perigee {
namespace {

constexpr const char* kViews = R"(
    local ecs = require "ecs"
    ecs.component("Words", { kind = "buffer", { "low", "u32" }, { "high", "u32" } })
    ecs.component("Pair", { kind = "buffer", { "low", "f32" }, { "high", "f32" } })
    ecs.component("Wide", { kind = "buffer", { "value", "f64" } })
    ecs.component("Bytes", { kind = "buffer", { "b", ecs.array("u8", 8) } }))";

TEST_CASE("[H1] bits that scripts write as integers read as numbers through floats") {
    ScriptWorld game;
    REQUIRE(game.load(kViews, R"(
        local ecs = require "ecs"
        local C, world = ecs.components, ecs.world
        local e = world:spawn(C.Words { { low = 0, high = 0 } })
        local words = world:buffer(e, C.Words)
        local wide, pair = words:as(C.Wide), words:as(C.Pair)
        local highs = { 0xFFFA0000, 0xFFF90000, 0xFFFFFFFF, 0xFFF80001, 0x7FFA0000, 0x7FF00000, 0xFFF00000, 0x7F800001,
          0xFF800001, 0xFFC80000, 0x7FFFFFFF, 0xFFFC1234, 0, 0x3FF00000 }
        for n = 1, 300 do
          for k = 1, #highs do
            words.high[1], words.low[1] = highs[k], 0x41414141
            local a, b, c, d, e = wide.value[1], wide[1].value, pair.high[1], pair[1].high, pair.low[1]
            assert(type(a) == "number" and type(b) == "number" and type(c) == "number" and type(d) == "number")
            assert(type(-a) == "number" and type(-c) == "number" and type(-d) == "number")
            assert(a == b or a ~= a and b ~= b)
            assert(e > 12 and e < 13 and words.high[1] == highs[k])
          end
        end)") == "");
}

TEST_CASE("[H1] bits assembled byte by byte read as numbers too, also in compiled loops") {
    ScriptWorld game;
    REQUIRE(game.load(kViews, R"(
        local ecs = require "ecs"
        local C, world = ecs.components, ecs.world
        local e = world:spawn(C.Wide { { value = 1 } })
        local wide = world:buffer(e, C.Wide)
        local bytes, words, pair = wide:as(C.Bytes), wide:as(C.Words), wide:as(C.Pair)
        local seen = 0
        for n = 1, 2000 do
          wide.value[1] = n
          assert(wide.value[1] == n)
          -- An integer of the same place is read first, so that compiled code has one at hand.
          seen = seen + words.high[1] % 2
          bytes.b[8][1], bytes.b[7][1], bytes.b[1][1] = 0xFF, 0xFA, n % 256
          local value, high = wide.value[1], pair.high[1]
          assert(type(value) == "number" and value ~= value and type(-value) == "number")
          assert(type(high) == "number" and high ~= high)
          assert(math.floor(words.high[1] / 65536) == 0xFFFA and words.low[1] % 256 == n % 256)
        end)") == "");
}

TEST_CASE("one view of a buffer reads what another wrote, compiled too") {
    ScriptWorld game;
    REQUIRE(game.load(kViews, R"(
        local ecs = require "ecs"
        local C, world = ecs.components, ecs.world
        local e = world:spawn(C.Words { { low = 0, high = 0 } })
        local words, again = world:buffer(e, C.Words), world:buffer(e, C.Words)
        local wide, bytes, pair = words:as(C.Wide), words:as(C.Bytes), again:as(C.Pair)
        for n = 1, 3000 do
          words.low[1] = n
          assert(again.low[1] == n and bytes.b[1][1] == n % 256)
          bytes.b[2][1] = n % 7
          assert(words.low[1] == n % 256 + n % 7 * 256 + math.floor(n / 65536) * 65536)
          wide.value[1] = n + 0.5
          assert(wide.value[1] == n + 0.5 and words.low[1] == 0 and again.high[1] >= 0x3FF00000)
          pair.high[1] = n
          assert(pair.high[1] == n and wide.value[1] ~= n + 0.5)
          words.high[1], words.low[1] = 0x7FF80000, n  -- NaN, then a number at once
          assert(wide.value[1] ~= wide.value[1])
          wide.value[1] = n
          assert(wide.value[1] == n)
        end)") == "");
}

TEST_CASE("every NaN that a script puts into a buffer has the same bits") {
    ScriptWorld game;
    REQUIRE(game.load(kViews, R"(
        local ecs = require "ecs"
        local C, world = ecs.components, ecs.world
        local e = world:spawn(C.Wide { { value = 0 / 0 }, { value = 1 } })
        local wide = world:buffer(e, C.Wide)
        local words = wide:as(C.Words)
        local zero, endless = 0, math.huge
        for n = 1, 300 do
          local nan = n % 3 == 0 and zero / zero or n % 3 == 1 and -(zero / zero) or endless - endless
          wide.value[2] = nan
          assert(words.high[2] == words.high[1] and words.low[2] == words.low[1])
          wide[2].value = -nan
          assert(words.high[2] == words.high[1] and words.low[2] == 0)
          wide[2] = { value = nan }
          assert(words.high[2] == words.high[1])
        end)") == "");
}

}  // namespace
}  // namespace perigee
