// A frame like the one before needs no memory of the heap, from the input to the draw list.
#include "tests/engine/game_folder.h"
#include "tests/support/failing_memory.h"

#include <catch2/catch.hpp>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
    "ecs.component('Moving', { { 'x', 'f32' } })\n"
    "ecs.event('Landed', { { 'x', 'f32' } })\n"
    "ecs.resource('Score', { { 'points', 'u32' } })\n";

constexpr char kMain[] =
    "local ecs = require 'ecs'\n"
    "local C = ecs.components\n"
    "input.action('fire', { keys = { 'space' } })\n"
    "input.action('left', { keys = { 'a' }, pad = { 'left_trigger' } })\n"
    "local Dot = ecs.prefab('Dot', { C.Position { x = 5, y = 7 }, C.Moving { x = 0.5 },"
    " C['gfx:Shape'] { width = 4, height = 4 } })\n"
    "for i = 1, 200 do ecs.world:spawn(Dot) end\n"
    "ecs.system('move', { query = { write = { C.Position }, read = { C.Moving } }, run = function(chunk)\n"
    "  local p, m = chunk.Position, chunk.Moving\n"
    "  for i = 1, chunk.count do p.x[i] = p.x[i] + m.x[i] end\n"
    "end })\n"
    "ecs.system('send', { access = { write = { C.Landed } }, run = function(_, ctx)\n"
    "  if input.down('fire') then ctx:send(C.Landed, { x = 1 }) end\n"
    "end })\n"
    "ecs.system('receive', { access = { read = { C.Landed }, write = { C.Score } }, run = function(_, ctx)\n"
    "  local score = ctx:resource(C.Score)\n"
    "  score.points = score.points + ctx:events(C.Landed).count\n"
    "end })\n"
    "function draw()\n"
    "  for i = 1, 50 do gfx.rectangle('fill', i, i, 3, 3) end\n"
    "  gfx.circle('line', 20, 20, 5)\n"
    "  gfx.print('a text', 10, 10)\n"
    "end\n";

}  // namespace

TEST_CASE(
    "a frame like the one before makes no request for memory, with input, events, entities and draw()") {
    GameFolder game{kMain, kSchema};
    const auto engine = game.play();
    FrameInput frame;
    frame.exact_steps = 1;
    frame.raw = key(InputCode::key_space);
    for (int i = 0; i < 120; ++i) engine->step(frame);
    REQUIRE(game.log == "");
    {
        const RefusedMemory none(RefusedMemory::kNever);
        for (int i = 0; i < 60; ++i) engine->step(frame);
    }
    CHECK(RefusedMemory::requests() == 0);
    CHECK(game.log == "");
    CHECK(engine->draw_list().item_count() > 250);
}
