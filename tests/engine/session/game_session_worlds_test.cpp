// Side worlds in a session: hash, picture, rewinding, files, reload, replays.
#include "engine/session/game_session.h"
#include "engine/session/rewind.h"
#include "scripting/mods/side_world.h"
#include "tests/engine/game_folder.h"

#include <memory>
#include <string>
#include <vector>

using namespace perigee;
using namespace perigee::test;
using Catch::Matchers::Contains;

namespace {

constexpr char kSchema[] = R"(
local ecs = require "ecs"
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
)";
// Lends a ball each 20 steps; the side world exists from step 5 to step 80, and again from 100 on.
constexpr char kMain[] = R"(
local ecs, gfx = require "ecs", require "gfx"
local C, world = ecs.components, ecs.world
local balls = ecs.query { read = { C.Position } }
world:spawn(C.Position { x = 1 })
ecs.system("play", { exclusive = true, run = function(_, ctx)
  local tick = ctx.tick
  if tick < 5 or tick >= 80 and tick < 100 then return end
  local side = ecs.side_world("side", "side.lua")
  if tick == 79 then return side:destroy() end
  if tick % 20 == 0 and tick < 60 then side:send({ tick = tick }, world:entities(balls)) end
  side:step()
  local message, back = side:receive()
  if message then world:get(back[1], C.Position).y = message.sum end
end })
ecs.system("draw", { group = "presentation", run = function()
  local side = ecs.side_world("side", "side.lua")
  gfx.set_color "red"
  if side then side:draw(100, 50, 0.5) end
  gfx.circle("fill", 1, 2, 3)
end })
)";
constexpr char kSide[] = R"(
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components
local all = ecs.query { read = { C.Position } }
ecs.resource("Count", { { "steps", "u32" }, { "sum", "f64" } })
ecs.system("grow", { every = 0.1, run = function(_, ctx)
  ctx.commands:spawn(C.Position { x = ctx.random:unit() })
end })
ecs.system("move", { query = { write = { C.Position } }, run = function(chunk, ctx)
  for i = 1, chunk.count do chunk.Position.x[i] = chunk.Position.x[i] + ctx.random:range(-1, 1) end
end })
ecs.system("door", { exclusive = true, access = { write = { C.Count } }, run = function(_, ctx)
  local count = ctx:resource(C.Count)
  count.steps = count.steps + 1
  while true do
    local message, entities = ecs.outside:receive()
    if message == nil then break end
    ecs.outside:send({ sum = count.steps }, entities)
  end
end })
ecs.system("draw", { group = "presentation", run = function() gfx.circle("fill", 20, 40, 6, "green") end })
)";

struct Stage {
    explicit Stage(std::uint64_t seed = 7) : game{kMain, kSchema}, rewind{std::size_t{64} << 20} {
        game.write("side.lua", kSide);
        const EngineConfig config = game.config();
        GameSessionConfig of_session{static_cast<const GameConfig&>(config)};
        of_session.seed = seed;
        auto started = GameSession::start(std::move(of_session));
        REQUIRE(started);
        session = std::move(started).value();
        INFO(game.log);
        REQUIRE(session->error_count() == 0);
        REQUIRE(rewind.follow(*session));
    }
    std::vector<std::uint64_t> run_until(std::uint64_t tick) {
        std::vector<std::uint64_t> hashes(session->tick(), 0);
        hashes.push_back(session->hash());
        while (session->tick() < tick) {
            session->step(InputCollector().take_step(session->actions()));
            INFO(game.log);
            REQUIRE(session->error_count() == 0);
            REQUIRE(rewind.keep());
            hashes.push_back(session->hash());
        }
        return hashes;
    }
    std::size_t sides() { return session->scripts().side_worlds().all().size(); }

    GameFolder game;
    std::unique_ptr<GameSession> session;
    Rewind rewind;
};

}  // namespace

TEST_CASE("a session with side worlds is the same in each run") {
    Stage one, two, other(8);
    const auto hashes = one.run_until(130);
    CHECK(hashes == two.run_until(130));
    CHECK(hashes != other.run_until(130));
    CHECK(one.session->not_replayable().empty());
}

TEST_CASE("side worlds go back in time with the world, also those that were destroyed, and forth again") {
    Stage stage;
    const auto hashes = stage.run_until(130);
    CHECK(stage.sides() == 1);
    for (const std::uint64_t wanted : {90U, 40U, 0U, 125U, 3U, 79U, 60U, 102U}) {
        REQUIRE(stage.rewind.go_to(wanted));
        CHECK(stage.session->hash() == hashes[wanted]);
        CHECK(stage.sides() == ((wanted > 5 && wanted < 80) || wanted > 100 ? 1 : 0));
    }
    for (const std::uint64_t from : {70U, 2U}) {  // the same future, by the way over the end of one
        REQUIRE(stage.rewind.go_to(from));
        const auto again = stage.run_until(130);
        for (std::uint64_t tick = from; tick <= 130; ++tick) CHECK(again[tick] == hashes[tick]);
    }
}

TEST_CASE("no step is kept of a session that ended with side worlds") {
    Stage stage;
    stage.run_until(30);
    stage.session.reset();
    Stage next;
    next.run_until(10);
}

TEST_CASE("a world is neither saved nor loaded while a side world exists") {
    Stage stage;
    const auto file = stage.game.file("slot.world");
    REQUIRE(stage.session->save_world(file));
    stage.run_until(10);
    const char* const why = "the side world 'side' exists, and a file has one world";
    CHECK_THAT(stage.session->save_world(file).error().message, Contains(why));
    CHECK_THAT(stage.session->load_world(file).error().message, Contains(why));
    CHECK_THAT(stage.session->write_world().error().message, Contains(why));
    CHECK_THAT(stage.session->read_world("x").error().message, Contains(why));
    stage.run_until(90);
    CHECK(stage.session->save_world(file));
    CHECK(stage.session->load_world(file));
}

TEST_CASE("the picture of a side world is placed in that of the game") {
    Stage stage;
    DrawList list;
    stage.run_until(10);
    stage.session->present(1, "", list);
    const std::string with = list.dump(stage.session->images());
    INFO(with);
    CHECK_THAT(with, Contains("circle at 110,70 radius 3 #"));
    CHECK_THAT(with, Contains("circle at 1,2 radius 3 #"));
    stage.run_until(90);
    stage.session->present(1, "", list);
    CHECK_THAT(list.dump(stage.session->images()), !Contains("circle at 110,70"));
}

TEST_CASE("a saved file of a side world takes effect while the game runs") {
    Stage stage;
    stage.run_until(30);
    std::string changed = kSide;
    changed.replace(changed.find("20, 40, 6"), 9, "60, 80, 6");
    stage.game.write("side.lua", changed);
    const std::uint64_t hash = stage.session->hash();
    stage.session->reload({stage.game.path() / "side.lua"});
    INFO(stage.game.log);
    CHECK(stage.session->error_count() == 0);
    CHECK(stage.session->hash() == hash);
    DrawList list;
    stage.session->present(1, "", list);
    CHECK_THAT(list.dump(stage.session->images()), Contains("circle at 130,90 radius 3 #"));
    stage.game.write("side.lua", "oops(");
    stage.session->reload({stage.game.path() / "side.lua"});
    CHECK(stage.session->error_count() != 0);
    CHECK_THAT(stage.session->errors_as_text(), Contains("side.lua"));
    CHECK(stage.sides() == 1);
}
