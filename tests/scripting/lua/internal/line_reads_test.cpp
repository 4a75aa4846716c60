// Lines as people type them, and whether they may change the game.
#include "scripting/lua/internal/line_reads.h"

#include <catch2/catch.hpp>

#include <string>

namespace perigee::internal {
namespace {

TEST_CASE("lines that only read do not count as changes [N9]") {
    for (const std::string line : {"world:entity_count()",
                                   "ecs.world:entity_count()",
                                   "1 + 1",
                                   "\"text\"",
                                   "C.Position",
                                   "speed",
                                   "world:get(5, C.Health)",
                                   "world:get(5, C.Health).current",
                                   "world:find(\"ship/turret\")",
                                   "player.x * 2",
                                   "C.Health { current = 4 }",
                                   "ecs.components.Health { current = 4 }",
                                   "print(world:children(3)[1])",
                                   "for i = 1, 3 do print(i) end",
                                   "for _, e in ipairs(world:children(3)) do print(world:name(e)) end",
                                   "local e = world:find('a') print(e)",
                                   "if world:is_alive(4) then print 'alive' end",
                                   "{ x = 1, y = 2 }",
                                   "math.floor(2.5)",
                                   "string.rep('x', 3)",
                                   "('x'):rep(3)",
                                   "(\"%d\"):format(4)",
                                   "a == b",
                                   "#enemies",
                                   "not world:has(4, C.Frozen)",
                                   "tostring(world:stats().entities)",
                                   "C.Position { x = 1 }.x",
                                   "-- nothing"}) {
        INFO(line);
        CHECK(only_reads(line));
    }
}

TEST_CASE("lines that assign, or call functions that may store something, count as changes [N9]") {
    for (const std::string line : {"world:spawn(C.Position)",
                                   "ecs.world:destroy(5)",
                                   "speed = 5",
                                   "player.x = 5",
                                   "a, b = 1, 2",
                                   "world:get(5, C.Health).current = 4",
                                   "world:resource(C.Wave).number = 2",
                                   "spawn_wave()",
                                   "helpers.reset()",
                                   "world:get(5, C.Bag).slots[1] = 2",
                                   "math.random()",
                                   "function f() end",
                                   "local f = function() end",
                                   "world:set(5, C.Health { current = 4 })",
                                   "input.action('a', {})",
                                   "player:hurt(3)",
                                   "require 'main'",
                                   "load('x = 1')()",
                                   "table.insert(list, 1)",
                                   "rawset(t, 1, 2)",
                                   "print(spawn_wave())",
                                   "audio.play 'a.wav'",
                                   "string.gsub('x', 'x', spawn)",
                                   "world:add(5, C.Frozen)",
                                   "world:send(C.Hit)",
                                   "t[1]()",
                                   "f{}",
                                   "(f)()",
                                   "local x = 1 y = 2",
                                   "for i = 1, 3 do x = i end",
                                   "local t = { x = 1 } t.x = 2",
                                   "C.X.y = 1"}) {
        INFO(line);
        CHECK_FALSE(only_reads(line));
    }
}

}  // namespace
}  // namespace perigee::internal
