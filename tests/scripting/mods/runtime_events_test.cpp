// Events and reactions written in Lua, including those of hostile scripts.
#include "ecs/events/event_writer.h"
#include "ecs/world/world_config.h"
#include "tests/scripting/script_world.h"

namespace perigee {
namespace {

using Catch::Matchers::Contains;

constexpr const char* kSchema = R"(local ecs = require "ecs"
ecs.event("Hit", { { "target", "entity" }, { "amount", "f32" } })
ecs.component("Health", { { "current", "f32", 10 } })
)";

WorldConfig small_queues() {
    WorldConfig config;
    config.max_event_bytes = 1000 * 16;
    return config;
}

TEST_CASE("scripts send, read and react to events") {
    WorldConfig config;
    config.shape = {.unit_bytes = 4096, .max_rows = 4};
    ScriptWorld game(config);
    REQUIRE(game.load_script("systems/events.lua") == "");
    CHECK_THAT(game.step(), Contains("this system fails, and nothing of it happens"));
    for (int i = 0; i < 4; ++i) REQUIRE(game.step() == "");
    REQUIRE(game.run("assert(finished, 'the script did not get to its end')") == "");
}

TEST_CASE("scripts react to changes of components") { run_world_script("systems/observers.lua", 6); }

TEST_CASE("loops over events compile and give the same results") {
    run_world_script("systems/events_compiled.lua", 80);
}

TEST_CASE("a script that sends events without end is stopped by the limit, and the game goes on") {
    ScriptWorld game(small_queues());
    REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
ecs.system("flood", { access = { write = { C.Hit } }, run = function(_, ctx)
  while true do ctx:send(C.Hit, { amount = 1 }) end
end })
ecs.system("swallow", { access = { write = { C.Hit } }, run = function(_, ctx)
  for _ = 1, 2000 do pcall(ctx.send, ctx, C.Hit) end
end })
local count = 0
ecs.on(C.Hit, {}, function(events) count = count + events.count end)
ecs.system("good", { access = { write = { C.Hit } }, run = function(_, ctx) ctx:send(C.Hit) end })
function counted() return count end
)") == "");
    const std::string errors = game.step();
    CHECK_THAT(errors, Contains("too many events 'Hit': 1000 of them may wait at a time, which fill 15 KiB"));
    CHECK_THAT(errors, Contains("main.lua:4"));
    CHECK(game.schedule.status(*game.schedule.find("flood")).is_suspended);
    CHECK(game.schedule.status(*game.schedule.find("swallow")).is_suspended);
    CHECK(game.step() == "");
    CHECK(game.run("assert(counted() == 2)") == "");
}

TEST_CASE("a reaction that triggers itself for ever is stopped and named") {
    ScriptWorld game;
    std::string failure;
    game.schedule.on_error([&](const SystemStatus& status) { failure += status.error; });
    REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
runs = 0
ecs.on(C.Hit, { access = { write = { C.Hit } } }, function(events, ctx)
  runs = runs + 1
  ctx:send(C.Hit)
end)
ecs.world:send(C.Hit, { amount = 1 })
)") == "");
    game.step();
    CHECK_THAT(failure, Contains("after 32 rounds there is still something for 'on Hit'"));
    CHECK(game.run("assert(runs == 32)") == "");
    game.step();
    CHECK(game.run("assert(runs == 32)") == "");
}

TEST_CASE("an event is at most as large as a row") {
    ScriptWorld game;
    const std::string errors = game.load(R"(local ecs = require "ecs"
ecs.event("Huge", { { "bytes", ecs.array(ecs.array and "f64" or "f64", 256) }, { "more", ecs.string(70000) } })
ecs.event("Large", { { "a", ecs.array("f64", 256) }, { "b", ecs.array("f64", 256) }, { "c", ecs.array("f64", 256) },
  { "d", ecs.array("f64", 256) }, { "e", ecs.array("f64", 256) } })
)",
                                         "");
    CHECK_THAT(errors, Contains("schema.lua:2"));
    CHECK_THAT(errors, Contains("event 'Large': "));
    CHECK_THAT(errors, Contains("8192"));
}

TEST_CASE("a batch kept in a coroutine or a closure shows nothing later, compiled or not") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
local kept, sum, failures = nil, 0, 0
local reader = coroutine.wrap(function(events)
  while true do
    local ok = pcall(function() for i = 1, 40 do sum = sum + events.amount[i] end end)
    if not ok then failures = failures + 1 end
    coroutine.yield()
  end
end)
ecs.system("send", { access = { write = { C.Hit } }, run = function(_, ctx)
  local out = ctx:send_many(C.Hit, 40)
  for i = 1, 40 do out.amount[i] = 1 end
end })
ecs.on(C.Hit, {}, function(events)
  kept = kept or events
  reader(events)
end)
ecs.system("stale", { group = "presentation", run = function(_, ctx)
  if kept then
    assert(not pcall(function() return #kept end))
    reader()
    for _ = 1, 100 do assert(not pcall(function() return kept.amount[1] end)) end
  end
end })
function check() return sum, failures end
)") == "");
    for (int i = 0; i < 100; ++i) REQUIRE(game.step() == "");
    CHECK(game.run("local sum, failures = check() assert(sum == 40 and failures == 199, sum .. ' ' .. "
                   "failures)") == "");
}

TEST_CASE("C++ and scripts share events, and a mod reads those of another mod") {
    ScriptWorld game;
    REQUIRE(game.load(kSchema, R"(local ecs = require "ecs"
local C = ecs.components
total = 0
ecs.on(C.Hit, {}, function(events) for i = 1, events.count do total = total + events.amount[i] end end)
)") == "");
    REQUIRE(game.load(R"(local ecs = require "ecs"
ecs.event("Cheer", { { "loud", "u8" } })
)",
                      R"(local ecs = require "ecs"
local C = ecs.components
ecs.on(C.Hit, { access = { write = { C.Cheer } } }, function(events, ctx) ctx:send(C.Cheer, { loud = events.amount[1] }) end)
ecs.on(C["fans:Cheer"], {}, function(events) heard = events.loud[1] end)
)",
                      "fans") == "");
    struct Hit {
        Entity target;
        float amount = 0;
    };
    game.world.bind<Hit>("Hit", field("target", &Hit::target), field("amount", &Hit::amount)).value();
    EventWriter writer(game.world);
    writer.send(Hit{Entity{}, 3});
    writer.deliver();
    CHECK(game.step() == "");
    CHECK(game.run("assert(total == 3)") == "");
    CHECK(game.text_of(game.runtime->run("fans", "assert(heard == 3)")) == "");
    CHECK(game.schedule.find("fans:on Hit").has_value());
    CHECK(game.schedule.find("on Hit").has_value());
}

}  // namespace
}  // namespace perigee
