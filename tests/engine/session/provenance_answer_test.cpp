// Answers word by word, and each error of a question.
#include "engine/session/provenance_answer.h"

#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] = R"(
local ecs = require "ecs"
ecs.component("Health", { { "current", "i32" }, { "max", "i32" } })
ecs.component("Look", {
  { "mood", ecs.enum { "calm", "angry" } }, { "title", "text" }, { "target", "entity" } })
ecs.component("Path", { { "x", "f32" }, kind = "buffer" })
ecs.component("Marked", { kind = "tag" })
ecs.resource("Match", { { "coins", "u32" } })
ecs.event("Hit", { { "damage", "i32" } })
)";

constexpr char kMain[] = R"(
local ecs = require "ecs"
local C = ecs.components
local boss = ecs.world:spawn(C.Health { current = 30, max = 30 }, C.Look { title = "boss" })
ecs.world:set_name(boss, "boss")
ecs.system("bite", { query = { write = { C.Health } }, run_if = function(ctx) return ctx.tick % 3 == 1 end,
  run = function(chunk)
    for i = 1, chunk.count do chunk.Health.current[i] = chunk.Health.current[i] - 5 end
  end })
ecs.system("react", {
  after = "bite", query = { write = { C.Look }, read = { C.Health } }, run = function(chunk)
  for i = 1, chunk.count do
    if chunk.Health.current[i] < 25 then
      chunk.Look.mood[i] = "angry"
      chunk.Look.target[i] = chunk.entity[i]
    end
  end
end })
ecs.system("count", { access = { write = { C.Match } }, run = function(_, ctx)
  ctx:resource(C.Match).coins = ctx.tick
end })
ecs.system("waves", { run = function(_, ctx)
  if ctx.tick == 4 then ctx.commands:spawn(C.Health { current = 7 }, C.Marked) end
  if ctx.tick == 8 then ctx.commands:add(boss, C.Marked) end
end })
ecs.system("guard", { run = function(_, ctx)
  if ctx.tick == 6 then ctx.commands:enable_system("guard", false) end
end, on_stop = function(ctx) ctx.commands:add(boss, C.Path) end })
)";

struct Stage {
    explicit Stage(int steps) : game{kMain, kSchema} {
        EngineConfig config = game.config();
        config.provenance = WatchedValues{};
        engine = GameFolder::play(config);
        INFO(game.log);
        REQUIRE(engine->has_loaded());
        run(*engine, steps);
        REQUIRE(engine->error_count() == 0);
    }
    Result<std::string> ask(const std::string& entity, const std::string& values, std::size_t last = 10) {
        return answer_to({entity, values, last}, *engine->provenance(), engine->session());
    }
    std::string error(const std::string& entity, const std::string& values) {
        const Result<std::string> answer = ask(entity, values);
        return answer ? "no error: " + answer.value() : answer.error().message;
    }
    /// The first entity with this component.
    Entity with(std::string_view component) {
        World& world = engine->session().world();
        const ComponentId id = *world.registry().find(component);
        for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
            const Archetype& archetype = world.archetypes().at(i);
            if (archetype.has(id) && archetype.chunk_count() > 0)
                return Archetype::entities(archetype.chunks()[0])[0];
        }
        return {};
    }

    GameFolder game;
    std::unique_ptr<Engine> engine;
};

}  // namespace

TEST_CASE("an answer shows the value, and each write with step, system, place, before and after") {
    Stage stage(9);
    CHECK(stage.ask("0:1", "Health.current").value() ==
          "Health.current of entity 0:1 'boss' is 15 after step 9.\n"
          "The newest writes since the game began, of each field at most 8:\n"
          "\n"
          "  step  before  after  by      where\n"
          "     2      30     25  'bite'  game/main.lua:7\n"
          "     5      25     20  'bite'  game/main.lua:7\n"
          "     8      20     15  'bite'  game/main.lua:7\n");
    const std::string two = stage.ask("0:1", "Health.current", 2).value();
    CHECK_FALSE(contains(two, "     2      30"));
    CHECK(contains(two, "     5      25"));
    const std::string look = stage.ask("0:1", "Look").value();
    CHECK(contains(
        look,
        "Look of entity 0:1 'boss' is {mood = \"angry\", title = \"boss\", target = 0:1} after step 9."));
    CHECK(contains(look, "'react'  game/main.lua:11"));
    CHECK(contains(look, "target"));
    CHECK(contains(stage.ask("", "Match.coins").value(), "Match.coins is 8 after step 9."));
    CHECK(contains(stage.ask("", "Match.coins").value(), "     9       7      8  'count'"));
    CHECK(contains(stage.ask("0:1", "Marked").value(), "Marked of entity 0:1 'boss' is there after step 9."));
    CHECK(contains(stage.ask("0:1", "Marked").value(), "commands of 'waves', added"));
    CHECK(contains(stage.ask("0:1", "Path.length").value(),
                   "0  a callback of 'guard', added  game/main.lua:26"));
    CHECK(contains(stage.ask("0:1", "Health.max").value(), "Nothing has written it since the game began."));
    // All components, by their names.
    const std::string all = stage.ask("0:1", "").value();
    CHECK(contains(all, "entity 0:1 'boss', after step 9."));
    CHECK(contains(all, "Health.current"));
    CHECK(contains(all, "Look.mood"));
}

TEST_CASE("an answer says with what an entity was spawned and how it ended") {
    Stage stage(6);
    World& world = stage.engine->session().world();
    const Entity marked = stage.with("Marked");
    const std::string index = std::to_string(marked.index());
    const std::string spawned = stage.ask(index, "Health.current").value();
    INFO(spawned);
    CHECK(contains(stage.ask(index, "Health").value(),
                   "commands of 'waves', spawned  game/main.lua:22  {current = 7, max = 0}\n"));
    CHECK(contains(spawned, "7  commands of 'waves', spawned"));
    CHECK(world.destroy(marked));
    const Entity next = world.spawn();
    REQUIRE(next.index() == marked.index());
    run(*stage.engine, 1);
    const std::string gone = stage.ask(index + ":1", "Health.current").value();
    INFO(gone);
    CHECK(contains(gone, ": the entity is gone after step 7."));
    CHECK(contains(gone, " 6       7         no system, destroyed  "));
    CHECK(contains(gone, "  between systems, or before the step"));
    CHECK(contains(stage.ask(index, "").value(), "Earlier entities of this index: " + index + ":1."));
    CHECK(contains(stage.ask(index, "Health").value(), ": it has no Health after step 7."));
}

TEST_CASE("a small number is an index, and the answer names the entity that scripts mean by it") {
    Stage stage(6);
    const std::string said = "0:1 is the entity that has the number 1 in scripts";
    CHECK(contains(stage.ask("1", "").value(), "\n" + said + ".\n"));
    CHECK_FALSE(contains(stage.ask("0:1", "").value(), said));
    CHECK_FALSE(contains(stage.error("2", ""), "in scripts"));
}

TEST_CASE("a question that has no answer says why") {
    Stage stage(1);
    CHECK(stage.error("0:1", "Helath") ==
          "why: there is no component or resource 'Helath'; did you mean 'Health'?");
    CHECK(stage.error("0:1", "Nope.coins") ==
          "why: there is no component or resource 'Nope'; 'Match' has a field 'coins'");
    CHECK(stage.error("0:1", "Nope.v") ==
          "why: there is no component or resource 'Nope'; there are gfx:Sprite, gfx:Shape, "
          "gfx:Animation, gfx:Emitter, gfx:Text, gfx:Trail, gfx:View, gfx:Follow …");
    CHECK(stage.error("0:1", "Health.curent") ==
          "why: component 'Health' has no field 'curent'; did you mean 'current'?");
    CHECK(stage.error("0:1", "Match.coins") == "why: 'Match' is a resource and belongs to no entity");
    CHECK(stage.error("", "Health") == "why: 'Health' is a component: name the entity too");
    CHECK(stage.error("0:1", "Hit") ==
          "why: 'Hit' is of kind event; only components and resources keep values");
    CHECK(stage.error("999", "Health") == "why: there was no entity 999 up to step 1");
    CHECK(watched_by({}).error().message == "why: name an entity, or a resource: Match.coins");
    for (const char* const entity :
         {"boss", "1:", "1:x", "-1", "1:2:3", "1:99999999", "99999999999999999999"})
        CHECK(contains(watched_by({entity, "", 10}).error().message,
                       "is not an entity; expected 1234, 1234:2"));
    const WatchedValues named = watched_by({"12:3", "A.b", 1}).value();
    CHECK((named.index == 12U && named.generation == 3U && named.component == "A"));
    const WatchedValues scripts = watched_by({std::to_string(entity_from_parts(12, 3).bits), "A", 1}).value();
    CHECK((scripts.index == 12U && scripts.generation == 3U));
}
