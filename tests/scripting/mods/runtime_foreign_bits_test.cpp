// Any bits in any float that native code can write: scripts read a number, and the number that the bits
// spell. Worlds with few rows are interpreted, the others compile their loops.
#include "ecs/events/event_writer.h"
#include "ecs/events/system_events.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/schema/blob_store.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/bulk.h"
#include "ecs/world/prefab.h"
#include "tests/scripting/foreign_bits.h"
#include "tests/scripting/script_world.h"

#include <lua.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace perigee {
namespace {

constexpr const char* kKinds = R"(
ecs.component("Row", fields())
ecs.component("Switch", fields("enableable"))
ecs.component("Held", fields("cleanup"))
ecs.component("Team", fields("shared"))
ecs.component("Bounds", fields("chunk"))
ecs.component("List", fields("buffer"))
ecs.resource("Score", fields())
ecs.event("Ping", fields())
)";

constexpr const char* kReaders = R"(
local function visit(name, handle, kind)
  ecs.system("read_" .. name, { query = { read = { handle }, runs = kind == "enableable" }, run = function(chunk, ctx)
    local columns = chunk[name]
    if kind == "enableable" then
      for i in chunk:rows() do check_row(columns[i]) check_narrow(columns.narrow[i], columns.narrow_bits[i]) end
    elseif kind == "one" then
      check_row(columns)
    elseif kind == "buffer" then
      for i = 1, chunk.count do
        local list = columns[i]
        check_columns(list, list.count)
      end
    else
      check_columns(columns, chunk.count)
    end
    for i = 1, kind == nil and chunk.count or 0 do check_row(ctx:try_get(chunk.entity[i], handle)) end
  end })
end
visit("Row", C.Row) visit("Held", C.Held) visit("Switch", C.Switch, "enableable") visit("Team", C.Team, "one")
visit("Bounds", C.Bounds, "one") visit("List", C.List, "buffer")
ecs.system("rewrite", { query = { write = { C.Row } }, after = { "read_Row" }, run = function(chunk)
  check_columns(chunk.Row, chunk.count)
  for i = 1, chunk.count do chunk.Row.narrow[i], chunk.Row.wide[i] = chunk.Row.narrow[i], chunk.Row.wide[i] end
end })
ecs.system("sorted", { query = { write = { C.Row }, order_by = { C.Row, "low" } }, after = { "rewrite" },
  run = function(chunk) check_columns(chunk.Row, chunk.count) end })
ecs.system("triples", { query = { read = { C.Triple, C.TripleBits } }, run = function(chunk)
  local t, b = chunk.Triple, chunk.TripleBits
  for i = 1, chunk.count do
    check_narrow(t.x[i], b.x[i]) check_narrow(t.y[i], b.y[i]) check_narrow(t.z[i], b.z[i])
  end
end })
ecs.system("score", { access = { read = { C.Score } }, run = function(_, ctx) check_row(ctx:resource(C.Score)) end })
ecs.on(C.Ping, {}, function(events) check_columns(events, events.count) end)
ecs.on_changed(C.Row, {}, function(batch)
  for i = 1, batch.count do check_row(batch.Row[i]) end
end)
function read_outside(e)
  check_row(ecs.world:get(e, C.Row))
  check_row(ecs.world:resource(C.Score))
  check_columns(ecs.world:buffer(e, C.List), 1)
  for _, entry in ipairs(ecs.world:shared_values(C.Team)) do check_row(entry.value) end
end
)";

struct ForeignWorld : ScriptWorld {
    explicit ForeignWorld(std::uint64_t seed, std::uint32_t rows_of_chunk)
        : ScriptWorld({.shape = {.unit_bytes = 16384, .max_rows = rows_of_chunk}}), bits(seed) {
        REQUIRE(load(std::string(kForeignFields) + kKinds, std::string(kForeignChecks) + kReaders) == "");
    }
    ComponentId id(std::string_view name) const { return *world.registry().find(name); }

    // An entity with all kinds, its values given as bytes.
    Entity spawn() {
        const Entity entity = world.spawn();
        for (const char* name : {"Row", "Switch", "Held", "Team", "Bounds"}) {
            const ForeignRow row = bits.row();
            REQUIRE(world.add(entity, id(name), &row));
        }
        REQUIRE(world.add(entity, id("List")));
        push(entity);
        const TripleRow triple = bits.triple();
        REQUIRE(world.add(entity, id("Triple"), &triple));
        REQUIRE(world.add(entity, id("TripleBits"), &triple));
        return entity;
    }
    void push(Entity entity) {
        const ForeignRow row = bits.row();
        REQUIRE(world.buffer(entity, id("List")).push(&row));
    }

    // What a native system does to the columns that it declared.
    void add_native_writer() {
        SystemDesc desc;
        desc.name = "native";
        desc.before = {"read_Row", "read_Held", "read_Switch", "triples"};
        for (const char* name : {"Row", "Held", "Switch", "Bounds", "Triple", "TripleBits"})
            desc.query.terms.push_back({id(name), Access::write});
        desc.access.write = {id("Score"), id("Ping")};
        desc.query.include_disabled = true;
        desc.run = [this](SystemContext& context) -> Result<void> {
            context.world.each_chunk(*context.query, [this](ChunkView& chunk) { fill(chunk); });
            ForeignRow row = bits.row();
            std::memcpy(context.world.resources().data(id("Score")), &row, sizeof row);
            for (int i = 0; i < 40; ++i) {
                row = bits.row();
                context.events.send(id("Ping"), &row);
            }
            return {};
        };
        REQUIRE(schedule.add(std::move(desc)).ok());
    }
    void fill(const ChunkView& chunk) {
        // One struct for many components, so it is bound to none of them.
        const auto rows = [&]<typename T>(std::size_t term, const T*) {
            return std::span(reinterpret_cast<T*>(chunk.column_data(term)), chunk.row_count());
        };
        for (std::size_t term = 0; term < 3; ++term)
            for (ForeignRow& row : rows(term, static_cast<ForeignRow*>(nullptr))) row = bits.row();
        *reinterpret_cast<ForeignRow*>(chunk.chunk_value_data(3)) = bits.row();
        const TripleRow* const triple = nullptr;
        for (std::size_t i = 0; i < chunk.row_count(); ++i)
            rows(4, triple)[i] = rows(5, triple)[i] = bits.triple();
    }
    // How many values scripts looked at; all of them were numbers.
    double checked() {
        REQUIRE(run("print(checked, nans)") == "");
        return std::stod(log.back());
    }

    ForeignBits bits;
};

void interpret(ScriptWorld& game) {
    lua_State* const lua = game.runtime->state("game")->lua();
    REQUIRE(luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF) == 1);
}

TEST_CASE("[H1] scripts read any bits that native code writes into floats as numbers") {
    const std::uint32_t rows_of_chunk = GENERATE(3, 200);
    ForeignWorld game(rows_of_chunk, rows_of_chunk);
    if (rows_of_chunk == 3) interpret(game);
    std::vector<Entity> entities;
    for (int i = 0; i < 400; ++i) entities.push_back(game.spawn());
    game.add_native_writer();
    double before = 0;
    for (int step = 0; step < 6; ++step) {
        REQUIRE(game.step() == "");
        const double after = game.checked();
        CHECK(after > before + 400 * 12);
        before = after;
    }
}

TEST_CASE("[H1] rows written outside systems in any way read as numbers") {
    ForeignWorld game(77, 50);
    std::vector<Entity> entities;
    for (int i = 0; i < 120; ++i) entities.push_back(game.spawn());
    REQUIRE(game.step() == "");
    const ComponentId row_id = game.id("Row");
    const Query& query = *game.world.query({{{row_id, Access::read}}, {}, {}}).value();
    CommandBuffer commands(game.world);
    Prefab described;
    described.name = "foreign";
    const ForeignRow prefab_row = game.bits.row();
    described.components = {{row_id, std::vector<std::byte>(sizeof prefab_row)}};
    std::memcpy(described.components[0].value.data(), &prefab_row, sizeof prefab_row);
    const PrefabId prefab = add_prefab(game.world, std::move(described)).value();
    const std::vector<std::function<void(Entity, const ForeignRow&)>> ways = {
        [&](Entity e, const ForeignRow& row) { REQUIRE(game.world.set(e, row_id, &row)); },
        [&](Entity e, const ForeignRow& row) { std::memcpy(game.world.edit(e, row_id), &row, sizeof row); },
        [&](Entity e, const ForeignRow& row) {
            const std::array<ComponentValue, 1> values{{{row_id, reinterpret_cast<const std::byte*>(&row)}}};
            REQUIRE(game.world.remove(e, row_id));
            REQUIRE(game.world.change(e, values, {}));
        },
        [&](Entity, const ForeignRow& row) { REQUIRE(set_all(game.world, query, row_id, &row) > 0); },
        [&](Entity e, const ForeignRow& row) {
            commands.set(e, row_id, &row);
            commands.play_back();
        },
        [&](Entity, const ForeignRow& row) {
            commands.add(commands.spawn(), row_id, &row);
            commands.play_back();
        },
        [&](Entity, const ForeignRow& row) {
            commands.set_all(query, row_id, &row);
            commands.play_back();
        },
        [&](Entity, const ForeignRow&) { REQUIRE(game.world.spawn(prefab)); },
        [&](Entity e, const ForeignRow&) { REQUIRE(game.world.clone(e)); },
        [&](Entity e, const ForeignRow& row) { REQUIRE(game.world.set(e, game.id("Team"), &row)); },
        [&](Entity e, const ForeignRow& row) {
            std::memcpy(game.world.edit(e, game.id("Bounds")), &row, sizeof row);
        },
        [&](Entity e, const ForeignRow&) { game.push(e); },
        [&](Entity, const ForeignRow& row) {
            EventWriter events(game.world);
            events.send(game.id("Ping"), &row);
            REQUIRE_FALSE(events.deliver());
        },
    };
    for (int turn = 0; turn < 40; ++turn) {
        for (const auto& write : ways) {
            const Entity entity = entities[static_cast<std::size_t>(turn) * 3 % entities.size()];
            write(entity, game.bits.row());
            REQUIRE(game.step() == "");
            REQUIRE(game.run("read_outside(" + std::to_string(entity.bits) + ")") == "");
        }
    }
}

TEST_CASE("[H1] new rows that an initialiser fills, and the rows of blobs, read as numbers") {
    ScriptWorld game;
    ForeignBits bits(5);
    const std::string kinds = R"(
ecs.component("Row", fields())
ecs.blob("Curve", fields())
ecs.component("Line", { { "curve", 'blob(Curve)' } })
)";
    REQUIRE(game.load(kForeignFields + kinds, std::string(kForeignChecks) + R"(
local rock = ecs.prefab("Rock", { C.Row })
ecs.system("make", { run = function(_, ctx)
  ctx.commands:spawn_many(rock, 50, function(chunk) check_columns(chunk.Row, chunk.count) end)
end })
ecs.system("lines", { query = { read = { C.Line } }, run = function(chunk)
  for i = 1, chunk.count do check_columns(chunk.Line.curve[i], chunk.Line.curve[i].count) end
end })
)") == "");
    World& world = game.world;
    const ComponentId row_id = *world.registry().find("Row"), line = *world.registry().find("Line");
    for (int turn = 0; turn < 30; ++turn) {
        Prefab described;
        described.name = "p" + std::to_string(turn);
        const ForeignRow row = bits.row();
        described.components = {{row_id, std::vector<std::byte>(sizeof row)}};
        std::memcpy(described.components[0].value.data(), &row, sizeof row);
        world.prefabs().swap_contents(*world.prefabs().find("Rock"),
                                      add_prefab(world, std::move(described)).value());
        std::array<ForeignRow, 20> rows;
        for (ForeignRow& each : rows) each = bits.row();
        const ComponentId curve = *world.registry().find("Curve");
        const BlobHandle blob = world.blobs().build(curve, std::as_bytes(std::span(rows))).value();
        const Entity entity = world.spawn();
        REQUIRE(world.add(entity, line, &blob));
        REQUIRE(game.step() == "");
    }
    CHECK(game.run("assert(checked > 30 * 50 * 4 + 30 * 20 * 4 and nans > 1000)") == "");
}

constexpr const char* kAllTypes = R"(local ecs = require "ecs"
function all(kind)
  return { kind = kind, { "truth", "bool" }, { "a", "i8" }, { "b", "u8" }, { "c", "i16" }, { "d", "u16" }, { "e", "i32" },
    { "f", "u32" }, { "g", "i64" }, { "h", "u64" }, { "i", "f32" }, { "j", "f64" }, { "place", "vec2" }, { "list",
    ecs.array("f32", 3) }, { "mode", ecs.enum { "one", "two" } }, { "marks", ecs.flags { "x", "y" } }, { "short",
    ecs.string(7) }, { "who", "entity" }, { "file", "asset" }, { "said", "text" }, { "curve", "blob" }, { "tint", "color" },
    { "inner", ecs.struct { { "k", "f64" }, { "l", "f32" } } } }
end
ecs.component("All", all())
ecs.component("Shown", all("enableable"))
ecs.component("Same", all("shared"))
ecs.component("Once", all("chunk"))
ecs.component("Many", all("buffer"))
ecs.event("Said", all())
ecs.resource("Kept", all())
)";

constexpr const char* kReadAll = R"(local ecs = require "ecs"
local C = ecs.components
seen = 0
local number, text = { number = true }, { string = true }
local may_be = { truth = { boolean = true }, mode = { string = true, ["nil"] = true }, short = text, said = text,
  who = { number = true, ["nil"] = true }, file = { string = true, ["nil"] = true }, curve = { ["nil"] = true, cdata = true } }
local names = { "truth", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "mode", "marks", "short", "who", "file", "said",
  "curve", "tint" }
local function look(name, ok, value)
  seen = seen + 1
  if not ok then
    if type(value) ~= "string" or value:find "attempt to" then error(name .. ": " .. tostring(value)) end
    return
  end
  local kind = type(value)
  if not (may_be[name] or number)[kind] then error(name .. ": a " .. kind .. " came out") end
  if kind == "number" and (type(-value) ~= "number" or value ~= value and value == value) then error(name) end
end
local function field(row, name) return row[name] end
local function element(row, name, i) return row[name][i] end
function read_row(row)
  for _, name in ipairs(names) do look(name, pcall(field, row, name)) end
  look("x", pcall(element, row, "place", "x")) look("y", pcall(element, row, "place", "y"))
  look("k", pcall(element, row, "inner", "k")) look("l", pcall(element, row, "inner", "l"))
  for i = 1, 3 do look("list", pcall(element, row, "list", i)) end
end
local function read_columns(columns, count)
  for _, name in ipairs(names) do
    local column = columns[name]
    for i = 1, count do look(name, pcall(field, column, i)) end
  end
  local x, k, third = columns.place.x, columns.inner.k, columns.list[3]
  for i = 1, count do look("x", true, x[i]) look("k", true, k[i]) look("list", true, third[i]) end
  for i = 1, count do read_row(columns[i]) end
end
ecs.system("all", { query = { read = { C.All, C.Shown, C.Same, C.Once, C.Many } }, access = { read = { C.Kept } },
  run = function(chunk, ctx)
    read_columns(chunk.All, chunk.count)
    read_columns(chunk.Shown, chunk.count)
    read_row(chunk.Same) read_row(chunk.Once) read_row(ctx:resource(C.Kept))
    for i = 1, chunk.count do
      read_columns(chunk.Many[i], chunk.Many[i].count)
      read_row(ctx:try_get(chunk.entity[i], C.All))
    end
  end })
ecs.on(C.Said, {}, function(events) read_columns(events, events.count) end)
function read_outside(e) read_row(ecs.world:get(e, C.All)) read_row(ecs.world:resource(C.Kept)) end
)";

TEST_CASE("[H1] random bytes in every type of field read as a value of its type or as an error") {
    const int count = GENERATE(3, 120);
    ScriptWorld game;
    REQUIRE(game.load(kAllTypes, kReadAll) == "");
    if (count == 3) interpret(game);
    World& world = game.world;
    const auto id = [&](std::string_view name) { return *world.registry().find(name); };
    const std::size_t bytes = world.registry().info(id("All")).schema.size;
    Random random(static_cast<std::uint64_t>(count));
    std::vector<std::byte> row(bytes);
    const auto any = [&] {
        for (std::byte& byte : row) byte = static_cast<std::byte>(random.next());
        if (random.next() % 2 == 0) std::fill_n(row.begin() + bytes / 4, bytes / 2, std::byte{0xFF});
        return row.data();
    };
    std::vector<Entity> entities;
    for (int i = 0; i < count; ++i) {
        entities.push_back(world.spawn());
        for (const char* name : {"All", "Shown", "Once"}) REQUIRE(world.add(entities[i], id(name), any()));
        REQUIRE(world.add(entities[i], id("Many")));
        REQUIRE(world.add(entities[i], id("Same")));
    }
    for (int step = 0; step < 5; ++step) {
        EventWriter events(world);
        for (const Entity entity : entities) {
            REQUIRE(world.set(entity, id("All"), any()));
            std::memcpy(world.edit(entity, id("Shown")), any(), bytes);
            REQUIRE(world.buffer(entity, id("Many")).push(any()));
            events.send(id("Said"), any());
        }
        REQUIRE(world.set(entities[0], id("Same"), any()));
        std::memcpy(world.resources().data(id("Kept")), any(), bytes);
        REQUIRE_FALSE(events.deliver());
        REQUIRE(game.step() == "");
        REQUIRE(game.run("read_outside(" + std::to_string(entities[1].bits) + ")") == "");
    }
    CHECK(game.run("assert(seen > " + std::to_string(count * 5 * 150) + ", seen)") == "");
}

TEST_CASE("columns are checked only after native writes, and values written by scripts stay as they are") {
    ScriptWorld game;
    REQUIRE(game.load(R"(local ecs = require "ecs"
ecs.component("Row", { { "x", "f32" } }))",
                      R"(local ecs = require "ecs"
local C = ecs.components
for i = 1, 10 do ecs.world:spawn(C.Row { x = i }) end
ecs.system("write", { query = { write = { C.Row } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Row.x[i] = 0 / 0 end
end }))") == "");
    REQUIRE(game.step() == "");
    const ComponentId row = *game.world.registry().find("Row");
    Query& query = *game.world.query({{{row, Access::read}}, {}, {}}).value();
    const QueryMatch& match = query.matches()[0];
    Archetype& archetype = *match.archetype;
    CHECK(archetype.is_canonical(0, match.terms[0].version_slot));
    // A byte pattern that no script writes, stored behind the world's back: if it stays, nothing checked it.
    auto* const bits = reinterpret_cast<std::uint32_t*>(archetype.chunks()[0].data + match.terms[0].offset);
    REQUIRE(game.step() == "");
    CHECK(archetype.is_canonical(0, match.terms[0].version_slot));
    CHECK((bits[0] & 0x7FFFFFFF) == 0x7FC00000);
    game.world.advance_change_version();
    *reinterpret_cast<std::uint32_t*>(game.world.edit(query.entities()[0], row)) = 0xFFFFFFFF;
    CHECK_FALSE(archetype.is_canonical(0, match.terms[0].version_slot));
}

}  // namespace
}  // namespace perigee
