// What C++ lends to Lua: exactly these rows, for exactly this time.
#include "scripting/views/view.h"

#include "ecs/world/world_config.h"
#include "tests/scripting/edited_files.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace perigee {
namespace {

// Memory whose first and last byte are next to pages that fault.
class GuardedPages {
public:
    explicit GuardedPages(std::size_t pages)
        : page_(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))), pages_(pages) {
        all_ = static_cast<std::byte*>(
            mmap(nullptr, (pages + 2) * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
        REQUIRE(mprotect(begin(), pages * page_, PROT_READ | PROT_WRITE) == 0);
    }
    ~GuardedPages() { munmap(all_, (pages_ + 2) * page_); }
    GuardedPages(const GuardedPages&) = delete;
    GuardedPages& operator=(const GuardedPages&) = delete;

    std::byte* begin() const { return all_ + page_; }
    std::byte* end() const { return begin() + pages_ * page_; }

private:
    std::size_t page_;
    std::size_t pages_;
    std::byte* all_;
};

// What C++ and the state of the mod share.
StateMemory& shared_memory(ScriptWorld& game) {
    ScriptState& state = *game.runtime->state("game");
    state.push_runtime("layout", "cell");
    void* memory = nullptr;
    std::memcpy(&memory, lua_topointer(state.lua(), -1), sizeof memory);  // a cdata that holds a pointer
    lua_pop(state.lua(), 1);
    return *static_cast<StateMemory*>(memory);
}

// Makes `view`, as it is lent now, the global `column` of the mod, as a column of component Numbers.
void publish(ScriptWorld& game, ColumnView& view) {
    ScriptState& state = *game.runtime->state("game");
    lua_State* lua = state.lua();
    state.push_environment();
    state.push_runtime("view", "columns");
    state.push_runtime("component", "by_id");
    lua_pushinteger(lua, game.world.registry().find("Numbers")->index);
    REQUIRE_FALSE(state.call(1, 1));
    lua_pushboolean(lua, 1);
    lua_pushlightuserdata(lua, &view);
    REQUIRE_FALSE(state.call(3, 1));
    lua_pushlightuserdata(lua, reinterpret_cast<void*>(view.epoch));
    REQUIRE_FALSE(state.call(1, 1));
    lua_setfield(lua, -2, "column");
    lua_pushnumber(lua, view.count);
    lua_setfield(lua, -2, "rows");
    lua_pop(lua, 1);
}

TEST_CASE("sets of views with different numbers are armed at the same time, each with its count of rows") {
    World world;
    struct Value {
        float x;
    };
    const ComponentId value = world.declare<Value>("Value", field("x", &Value::x)).value();
    for (int i = 0; i < 5; ++i) world.spawn(Value{static_cast<float>(i)});
    const std::vector<ComponentId> terms{value};
    StateMemory state;
    ViewSet first(terms, state), second(terms, state, 1), third(terms, state, 8);
    Query* query = world.query({{{value, Access::write}}, {}, {}}).value();
    world.each_chunk(*query, [&](ChunkView& chunk) {
        first.arm(chunk, 0, 5, 7);
        second.arm(chunk, 1, 3, 8);
        third.arm(chunk, 4, 5, 9);
        CHECK((state.lent_rows == 5 && state.lent_rows_of[0] == 2 && state.lent_rows_of[7] == 1));
        CHECK(second.data()[1].address == first.data()[1].address + sizeof(Value));
        second.disarm();
        CHECK((state.lent_rows == 5 && state.lent_rows_of[0] == 0 && state.lent_rows_of[7] == 1));
        // Without a visit of a query, nothing is known about changes.
        CHECK(first.changed(value.index) == ViewSet::Changed::not_visited);
        first.disarm();
        third.disarm();
    });
}

TEST_CASE("no index reaches outside a column between guard pages") {
    const GuardedPages pages(2);
    ScriptWorld game;
    REQUIRE(game.load_script("data/guard_pages_idle.lua") == "");
    const std::size_t row = game.world.registry().info(*game.world.registry().find("Numbers")).schema.size;
    ColumnView view;
    view.count = static_cast<std::int32_t>(8192 / row);
    const bool at_end = GENERATE(false, true);
    std::byte* start = at_end ? pages.end() - static_cast<std::size_t>(view.count) * row : pages.begin();
    view.address = reinterpret_cast<std::uint64_t>(start);
    view.epoch = 1;
    view.self = reinterpret_cast<std::uint64_t>(&view);
    publish(game, view);
    shared_memory(game).lent_rows = static_cast<std::uint64_t>(view.count);
    const std::optional<ScriptError> error = game.runtime->state("game")->run_file("data/guard_pages.lua");
    INFO((error ? error->text() + "\n" + error->traceback : ""));
    CHECK_FALSE(error);
}

TEST_CASE("a view that was disarmed gives errors, also to code that was compiled while it was armed") {
    ScriptWorld game;
    REQUIRE(game.load_script("data/guard_pages_idle.lua") == "");
    ColumnView view;
    view.self = reinterpret_cast<std::uint64_t>(&view);
    StateMemory& memory = shared_memory(game);
    REQUIRE(game.run("function sum() local s, x = 0, column.f32 for i = 1, 64 do s = s + x[i] x[i] = i end "
                     "return s end") == "");
    for (int cycle = 0; cycle < 200; ++cycle) {
        const GuardedPages pages(1);  // gone, with its memory, at the end of each cycle
        view.address = reinterpret_cast<std::uint64_t>(pages.begin());
        view.count = 64;
        view.epoch = static_cast<std::uint64_t>(cycle) + 2;
        memory.lent_rows = 64;
        REQUIRE(game.run("kept = column") == "");
        publish(game, view);
        REQUIRE(game.run("for i = 1, 5 do sum() end") == "");
        // What was kept of the cycle before does not show what the same view is lent for now.
        REQUIRE(
            game.run("local lent = column column = kept assert(not kept or not pcall(sum)) column = lent") ==
            "");
        view.address = 0;
        view.count = 0;
        view.epoch = 0;
        memory.lent_rows = 0;
        REQUIRE(game.run("assert(not pcall(sum))") == "");
        memory.lent_rows = 64;  // another system runs, whose chunk has as many rows
        REQUIRE(game.run("assert(not pcall(sum))") == "");
    }
    REQUIRE(game.run("assert(not pcall(sum))") == "");
}

TEST_CASE("a set of views lends a range of rows and takes it back") {
    World world;
    struct Value {
        float x;
    };
    const ComponentId value = world.declare<Value>("Value", field("x", &Value::x)).value();
    Schema tag;
    tag.name = "Tag";
    tag.kind = ComponentKind::tag;
    const ComponentId tag_id = world.declare(tag).value();
    for (int i = 0; i < 5; ++i) world.spawn(Value{static_cast<float>(i)});

    const std::vector<ComponentId> terms{value, tag_id};
    StateMemory state;
    ViewSet views(terms, state);
    Query* query = world.query({{{value, Access::write}, {tag_id, Access::read, true}}, {}, {}}).value();
    world.each_chunk(*query, [&](ChunkView& chunk) {
        views.arm(chunk, 2, 4, 7);
        CHECK(views.data()[1].count == 2);
        CHECK(state.lent_rows == 2);
        CHECK(views.data()[1].epoch == 7);
        float second = 0;
        std::memcpy(&second, reinterpret_cast<const void*>(views.data()[1].address), sizeof second);
        CHECK(second == 2.0F);
        CHECK(views.data()[0].count == 2);
        CHECK(views.data()[2].address == 0);  // the tag is not there
        views.disarm();
        CHECK(state.lent_rows == 0);
        for (int i = 0; i < 3; ++i) {
            CHECK(views.data()[i].address == 0);
            CHECK(views.data()[i].count == 0);
            CHECK(views.data()[i].epoch == 0);
            CHECK(views.data()[i].self == reinterpret_cast<std::uint64_t>(&views.data()[i]));
        }
    });
}

TEST_CASE("keeping a chunk or a batch is an error at every later use [N1]") {
    WorldConfig small;
    small.shape = {.unit_bytes = 4096, .max_rows = 4};
    ScriptWorld game(small);
    REQUIRE(game.load_script("data/kept_views.lua") == "");
    for (int step = 0; step < 12; ++step) {
        REQUIRE(game.step() == "");
        REQUIRE(game.run("between_steps()") == "");
    }
    CHECK(game.run("assert(finished)") == "");
}

TEST_CASE("a kept column does not show the next visited chunk [N1]") {
    ScriptWorld game;
    REQUIRE(game.load("local ecs = require 'ecs' ecs.component('Pos', { { 'x', 'f32' } }) "
                      "ecs.component('Tag', { kind = 'tag' })",
                      R"(
        local ecs = require "ecs"
        local C, columns, chunks = ecs.components, {}, {}
        ecs.world:spawn(C.Pos { x = 1 })
        ecs.world:spawn(C.Pos { x = 2 }, C.Tag)
        ecs.system("gather", { query = { read = { C.Pos } }, run = function(chunk)
          columns[chunk.index], chunks[chunk.index] = chunk.Pos.x, chunk
          if chunk.index == 2 then
            assert(columns[2][1] == 2)
            local ok, message = pcall(function() return columns[1][1] end)
            assert(not ok and message:find("component 'Pos', field 'x': this column is no longer lent; columns end " ..
              "with the visit to their chunk", 1, true), message)
            ok, message = pcall(function() return chunks[1].Pos end)
            assert(not ok and message:find("this chunk is used after its visit; chunks, their rows and their columns " ..
              "end with it, so keep copies of the values, or entities", 1, true), message)
            checked = true
          end
        end })
    )") == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(checked)") == "");
}

TEST_CASE("a chunk kept by the code before a reload is an error for the code after it [N1]") {
    ScriptWorld game;
    EditedFiles file;
    file["schema.lua"] =
        "local ecs = require 'ecs' ecs.component('Position', { { 'x', 'f32' } }) "
        "ecs.component('Store', { kind = 'object' })";
    file["main.lua"] = R"(
        local ecs = require "ecs"
        local C = ecs.components
        ecs.world:spawn(C.Position { x = 5 }, C.Store)
        ecs.system("keep", {
          query = { write = { C.Position, C.Store } },
          run = function(chunk)
            local kept = chunk.Store[1]
            if kept then
              assert(not pcall(function() return kept.chunk.count end))
              assert(not pcall(function() return kept.column[1] end))
              assert(not pcall(function() kept.column[1] = 6 end))
              assert(not pcall(function() return kept.row.x end))
              found = VERSION
            end
            chunk.Store[1] = { chunk = chunk, column = chunk.Position.x, row = chunk.Position[1] }
            assert(chunk.Store[1].column[1] == 5 and chunk.Store[1].chunk.count >= 1)
          end,
        })
    )";
    const std::string text = file["main.lua"];
    const auto version = [&](const char* number) {
        file["main.lua"] = text;
        file["main.lua"].replace(file["main.lua"].find("VERSION"), 7, number);
    };
    version("1");
    ModConfig config;
    config.name = "game";
    config.files = &file;
    REQUIRE(game.runtime->load(std::move(config)).empty());
    REQUIRE(game.step() == "");
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(found == 1)") == "");
    version("2");
    REQUIRE(game.runtime->reload("game").errors.empty());
    REQUIRE(game.step() == "");
    CHECK(game.run("assert(found == 2)") == "");
}

}  // namespace
}  // namespace perigee
