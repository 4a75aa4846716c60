// Arbitrary bits in every float that a plugin can write: scripts read exactly that number.
#include "engine/plugin/plugin.h"
#include "tests/scripting/foreign_bits.h"
#include "tests/scripting/script_world.h"

#include <catch2/catch.hpp>

namespace perigee {
namespace {

TEST_CASE("[H1] scripts read the numbers of any bits that a plugin writes into floats") {
    ScriptWorld game({.shape = {.unit_bytes = 8192, .max_rows = 40}});
    REQUIRE(game.load(std::string(kForeignFields) + R"(
ecs.component("Row", fields())
ecs.component("List", fields("buffer"))
ecs.resource("Score", fields())
ecs.event("Ping", fields()))",
                      std::string(kForeignChecks) + R"(
for i = 1, 100 do ecs.world:spawn(C.Row, C.List {}) end
ecs.system("read", { query = { read = { C.Row }, optional = { C.List } }, access = { read = { C.Score } },
  run = function(chunk, ctx)
    check_columns(chunk.Row, chunk.count)
    for i = 1, chunk.count do check_row(ctx:try_get(chunk.entity[i], C.Row)) end
    check_row(ctx:resource(C.Score))
    if chunk.List then check_columns(chunk.List[1], chunk.List[1].count) end
  end })
ecs.on(C.Ping, {}, function(events) check_columns(events, events.count) end)
)") == "");
    const Result<std::unique_ptr<Plugin>> plugin =
        Plugin::load(PERIGEE_BINARY_DIR "/plugins/plugin_foreign_bits.so", game.world, game.schedule, {});
    REQUIRE(plugin.ok());
    for (int i = 0; i < 20; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("assert(checked > 20 * 100 * 5 and nans > 4000, checked .. ' ' .. nans)") == "");
    CHECK_FALSE(game.schedule.status(*game.schedule.find("foreign:fill")).is_suspended);
}

}  // namespace
}  // namespace perigee
