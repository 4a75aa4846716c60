// How a game starts, the effects of an error, and the contents of its frame.
#include "engine/session/game_session.h"

#include "ecs/query/typed_query.h"
#include "ecs/world/world.h"
#include "engine/mods/mod_manifest.h"
#include "engine/plugin/native_systems.h"
#include "tests/engine/game_folder.h"

#include <new>
#include <stdexcept>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr char kSchema[] =
    "local ecs = require 'ecs'\n"
    "ecs.component('Position', { { 'x', 'f32' }, { 'y', 'f32' } })\n"
    "ecs.component('Velocity', { { 'x', 'f32' }, { 'y', 'f32' } })\n";

constexpr char kMain[] =
    "local ecs = require 'ecs'\n"
    "local C = ecs.components\n"
    "ecs.system('move', { query = { write = { C.Position }, read = { C.Velocity } },\n"
    "  run = function(chunk, ctx)\n"
    "    local p, v = chunk.Position, chunk.Velocity\n"
    "    for i = 1, chunk.count do p.x[i] = p.x[i] + v.x[i] * ctx.dt p.y[i] = p.y[i] + v.y[i] * ctx.dt end\n"
    "  end })\n"
    "local Ball = ecs.prefab('Ball', { C.Position { x = 100, y = 50 }, C.Velocity { x = 60 },\n"
    "  gfx.Sprite { image = 'assets/ball.png', layer = 2 } })\n"
    "ecs.world:spawn(Ball)\n";

struct Position {
    float x = 0, y = 0;
};

}  // namespace

TEST_CASE("sprites of a Lua game are drawn where its systems moved them") {
    GameFolder game{kMain, kSchema};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    INFO(game.log);
    CHECK(engine->has_loaded());
    run(*engine, 60);
    CHECK(picture(*engine) ==
          "camera 640,360 zoom 1\n"
          "world 2 sprite at 160,50 size 8x8 assets/ball.png [0,0 8x8] origin 0.5,0.5 #ffffffff\n");
}

TEST_CASE("a frame between two steps shows sprites between their positions") {
    GameFolder game{kMain, kSchema};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    run(*engine, 10);
    FrameInput half;
    half.elapsed_nanoseconds = 1'000'000'000 / 120 + 1'000'000'000 / 60 + 1;  // one and a half steps
    engine->step(half);
    CHECK(engine->tick() == 11);
    CHECK(engine->draw_list().items()[0].x == Approx(110.5).margin(0.01));
}

TEST_CASE("the camera resource moves the picture") {
    GameFolder game{std::string{kMain} +
                        "ecs.system('look', { access = { write = { gfx.Camera } }, run = function(_, ctx)\n"
                        "  local camera = ctx:resource(gfx.Camera)\n"
                        "  camera.x, camera.y, camera.zoom = 100, 50, 4\n"
                        "end })\n"
                        "function update() local x, y = gfx.to_world(640, 360) print(x, y) end",
                    kSchema};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(contains(picture(*engine), "camera 100,50 zoom 4\n"));
    CHECK(contains(game.log, "100\t50"));
}

TEST_CASE("a native system uses the components that the game declared") {
    GameFolder game{kMain, kSchema};
    game.write("mod.json", R"({"native": ["gravity"], "id": "balls", "width": 320, "height": 180})");
    NativeSystems native;
    native.add("gravity", [](World& world, Schedule& schedule) -> Result<void> {
        const auto id = world.bind<Position>("Position", field("x", &Position::x), field("y", &Position::y));
        if (!id) return id.error();
        SystemDesc desc;
        desc.name = "gravity";
        desc.query.terms = {{id.value(), Access::write}};
        desc.run = [](SystemContext& context) -> Result<void> {
            context.world.query<Position>().each([](Position& position) { position.y += 1; });
            return {};
        };
        const auto added = schedule.add(std::move(desc));
        if (!added) return added.error();
        return {};
    });
    EngineConfig config = game.config();
    config.native = &native;
    const auto engine = game.play(config);
    INFO(game.log);
    REQUIRE(engine->has_loaded());
    CHECK(engine->manifest().width == 320);
    run(*engine, 5);
    engine->session().world().each<const Position>([](const Position& position) { CHECK(position.y == 55); });
}

TEST_CASE("a native system that runs out of memory marks the run as not replayable") {
    for (const bool is_memory : {true, false}) {
        GameFolder game{kMain, kSchema};
        game.write("mod.json", R"({"native": ["greedy"], "id": "balls"})");
        game.write("assets/ball.png", png_head(8, 8));
        NativeSystems native;
        native.add("greedy", [is_memory](World& world, Schedule& schedule) -> Result<void> {
            SystemDesc desc;
            desc.name = "greedy";
            desc.access.read = {*world.registry().find("Position")};
            desc.run = [is_memory](SystemContext& context) -> Result<void> {
                if (context.time.tick != 3) return {};
                if (is_memory) throw std::bad_alloc();
                throw std::runtime_error("another reason");
            };
            const auto added = schedule.add(std::move(desc));
            if (!added) return added.error();
            return {};
        });
        EngineConfig config = game.config();
        config.native = &native;
        config.record_file = game.file("run.log");
        const auto engine = game.play(config);
        run(*engine, 3);
        CHECK(engine->session().not_replayable().empty());
        run(*engine, 3);
        CHECK(engine->error_count() == 1);
        CHECK(engine->session().not_replayable() ==
              (is_memory ? "the memory that system 'greedy' did not get" : ""));
        CHECK(contains(game.log,
                       "the memory that system 'greedy' did not get changed what happened in step 4: "
                       "a replay of this run may differ") == is_memory);
    }
}

TEST_CASE("a sprite at a position that is not finite is reported once, with its entity") {
    GameFolder game{
        std::string{kMain} +
            "ecs.system('lose', { query = { write = { ecs.components.Position } }, run = function(chunk, "
            "ctx)\n"
            "  if ctx.tick >= 2 then chunk.Position.x[1] = 0 / 0 end\n"
            "end })\n",
        kSchema};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    run(*engine, 2);
    const std::string warning = "cannot be drawn: the position or size is not finite";
    CHECK(!contains(game.log, warning));
    CHECK(contains(picture(*engine), "sprite at"));
    run(*engine, 5);
    INFO(game.log);
    CHECK(contains(game.log, "1 entity " + warning + ", for example of entity "));
    CHECK(game.log.find(warning) == game.log.rfind(warning));
    CHECK(!contains(picture(*engine), "sprite at"));
}

TEST_CASE("unknown and incompatible native systems are load errors, and the game still starts") {
    GameFolder game{"function draw() gfx.circle('fill', 1, 1, 1) end"};
    game.write("mod.json", R"({"native": ["swarm"]})");
    const auto engine = game.play();
    CHECK_FALSE(engine->has_loaded());
    CHECK(contains(game.log, "mod.json: 'native': this program has no systems 'swarm'"));
    run(*engine, 2);
    CHECK(contains(picture(*engine), "this program has no systems 'swarm'"));
}

TEST_CASE("an error suspends its system and is shown on the screen and in the log, and the game continues") {
    GameFolder game{std::string{kMain} +
                        "ecs.system('bad', { run = function(_, ctx)\n"
                        "  if ctx.tick == 3 then error('boom') end\n"
                        "end })\n",
                    kSchema};
    game.write("assets/ball.png", png_head(8, 8));
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(engine->error_count() == 0);
    run(*engine, 57);
    CHECK(engine->error_count() == 1);
    const std::string seen = picture(*engine);
    CHECK(contains(seen, "sprite at 160,50"));
    CHECK(contains(seen, "main.lua:12  system 'bad' is suspended"));
    CHECK(contains(seen, "\"boom"));
    CHECK(contains(game.log, "main.lua:12: system 'bad': boom"));
}

TEST_CASE("an error is logged once, with a traceback if several calls led to it") {
    GameFolder game{
        "local function deep() error('boom') end\n"
        "function update() deep() end\n"
        "function draw() error('bang') end\n"};
    const auto engine = game.play();
    run(*engine, 2);
    CHECK(game.log ==
          "game/main.lua:1: system 'update': boom\n"
          "game/main.lua:1: in function 'deep'\n"
          "game/main.lua:2: in function 'update'\n"
          "game/main.lua:3: system 'draw': bang\n");
}

TEST_CASE("a game without systems, functions and entities is reported") {
    GameFolder game{"function Update() end"};  // names are case-sensitive
    const auto engine = game.play();
    run(*engine, 1);
    CHECK(contains(game.log, "no system and no function update(dt) or draw(), so nothing will happen"));
    CHECK(contains(picture(*engine), "nothing will happen"));

    // Sprites, emitters and the like move and show themselves.
    GameFolder still{"require('ecs').world:spawn(gfx.Shape {})"};
    run(*still.play(), 1);
    CHECK(still.log.empty());
    CHECK(engine->error_count() == 0);
}

TEST_CASE("an error of a C++ system is shown once, with its name") {
    GameFolder game{"", kSchema};
    game.write("mod.json", R"({"native": ["bad"]})");
    NativeSystems native;
    native.add("bad", [](World&, Schedule& schedule) -> Result<void> {
        SystemDesc desc;
        desc.name = "bad";
        desc.run = [](SystemContext&) -> Result<void> { return Error{"out of luck"}; };
        REQUIRE(schedule.add(std::move(desc)));
        return {};
    });
    EngineConfig config = game.config();
    config.native = &native;
    const auto engine = game.play(config);
    run(*engine, 5);
    CHECK(engine->error_count() == 1);
    CHECK(contains(picture(*engine), "system 'bad' is suspended"));
    CHECK(contains(picture(*engine), "out of luck"));
}

TEST_CASE("a game that fails to load shows why and waits") {
    for (const char* main : {"x = = 1", "error('no')", "require('nothing')"}) {
        GameFolder game{main};
        const auto engine = game.play();
        CHECK_FALSE(engine->has_loaded());
        run(*engine, 2);
        CHECK(engine->error_count() >= 1);
        CHECK(engine->draw_list().items().size() >= 3);
    }
}

TEST_CASE("all errors of a schema file are shown together") {
    GameFolder game{"",
                    "local ecs = require 'ecs'\necs.component('A', { { 'x', 'f23' } })\necs.component('B', { "
                    "{ 'y', 'i33' } })"};
    const auto engine = game.play();
    CHECK_FALSE(engine->has_loaded());
    CHECK(contains(game.log, "f23"));
    CHECK(contains(game.log, "i33"));
}

TEST_CASE("a main.lua that is missing or a directory is an error with a clear message") {
    GameFolder game{""};
    std::filesystem::remove(game.path() / "main.lua");
    CHECK_FALSE(game.play()->has_loaded());
    CHECK(contains(game.log, "does not exist"));
    game.log.clear();
    std::filesystem::create_directory(game.path() / "main.lua");
    CHECK_FALSE(game.play()->has_loaded());
    CHECK(contains(game.log, "is a directory"));
}

TEST_CASE("a cyclic order of systems is a load error") {
    GameFolder game{
        "local ecs = require 'ecs'\n"
        "ecs.system('a', { after = 'b', run = function() end })\n"
        "ecs.system('b', { after = 'a', run = function() end })\n"};
    CHECK_FALSE(game.play()->has_loaded());
    CHECK(contains(game.log, "a -> b -> a"));
}

TEST_CASE("a Position that cannot place a sprite is reported") {
    GameFolder game{"", "require('ecs').component('Position', { { 'x', 'f64' }, { 'y', 'f64' } })"};
    CHECK(game.play()->error_count() == 1);
    CHECK(contains(game.log, "component 'Position': sprites need f32 fields x and y, so none is drawn"));
}
