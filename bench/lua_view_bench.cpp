// Scripts over chunks: the usual loop, and the least that a loop can do with a column of each type, against
// the same loop over raw FFI pointers, in C++, and over Lua tables.
//
// Invariant: both sides do the same arithmetic on as many rows; raw pointers go over the same chunks.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/lua_game.h"
#include "bench/support/plain_lua.h"
#include "bench/support/plain_move.h"
#include "ecs/world/bulk.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

namespace perigee::bench {
namespace {

constexpr const char* kRaw = "the same loop over raw FFI pointers, no checks";

struct Loop {
    std::string schema;         ///< what schema.lua declares: two components, named in `first` and `second`
    std::string first, second;  ///< the first is written
    std::string locals;         ///< of the script, from `chunk` and `ctx`
    std::string body;           ///< of the script, with a row `i`
    std::string raw_type;       ///< of what both pointers point to
    std::string raw_body;       ///< with pointers `a` and `b`, and the same `i`
};

const Loop& move_loop() {
    static const Loop loop{R"(
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
ecs.component("Velocity", { { "x", "f32", 1 }, { "y", "f32", 2 } }))",
                           "Position",
                           "Velocity",
                           "local pos, vel, dt = chunk.Position, chunk.Velocity, ctx.dt",
                           "pos.x[i] = pos.x[i] + vel.x[i] * dt\npos.y[i] = pos.y[i] + vel.y[i] * dt",
                           "struct { float x, y; }",
                           "a[i].x = a[i].x + b[i].x * dt\na[i].y = a[i].y + b[i].y * dt"};
    return loop;
}

Loop column_loop(std::string_view type, std::string_view machine, std::string_view body) {
    return {
        fmt::format(
            "ecs.component('A', {{ {{ 'value', '{0}' }} }})\necs.component('B', {{ {{ 'value', '{0}' }} }})",
            type),
        "A",
        "B",
        "local a, b, sum = chunk.A.value, chunk.B.value, 0",
        std::string(body),
        std::string(machine),
        std::string(body)};
}

std::shared_ptr<LuaGame> populated_game(const Loop& loop, std::size_t n, bool counts_fuel) {
    const std::string schema = "local ecs = require 'ecs'\n" + loop.schema;
    const std::string main = fmt::format(R"(
local ecs = require "ecs"
local C = ecs.components
ecs.system("loop", {{
  query = {{ write = {{ C.{} }}, read = {{ C.{} }} }},
  run = function(chunk, ctx)
    {}
    for i = 1, chunk.count do
      {}
    end
  end,
}})
)",
                                         loop.first, loop.second, loop.locals, loop.body);
    auto game = std::make_shared<LuaGame>(counts_fuel,
                                          MemorySource::Files{{"schema.lua", schema}, {"main.lua", main}});
    const World& world = game->world();
    const std::vector<ComponentId> both{world.registry().require(loop.first).value(),
                                        world.registry().require(loop.second).value()};
    spawn_many(game->world(), *game->world().archetype(both).value(), n);
    return game;
}

Sample script(const Loop& loop, std::size_t n, bool counts_fuel = true) {
    auto game = populated_game(loop, n, counts_fuel);
    return [=](const Effort& effort) { return time_loop(effort, n, [&] { game->step(); }); };
}

// What a script with raw pointers would write: no checks, no system.
Sample raw(const Loop& loop, std::size_t n) {
    auto game = populated_game(loop, n, false);
    auto lua = std::make_shared<PlainLua>(fmt::format(R"(
        local ffi = require("ffi")
        local pointer = ffi.typeof("{} *")
        local chunks = {{}}
        function add_chunk(first, second, count)
          chunks[#chunks + 1] = {{ ffi.cast(pointer, first), ffi.cast(pointer, second), count }}
        end
        local function loop(a, b, count, dt)
          local sum = 0
          for i = 0, count - 1 do
            {}
          end
        end
        function work(dt)
          for i = 1, #chunks do
            local chunk = chunks[i]
            loop(chunk[1], chunk[2], chunk[3], dt)
          end
        end)",
                                                      loop.raw_type, loop.raw_body));
    World& world = game->world();
    QueryDesc desc;
    desc.terms = {{world.registry().require(loop.first).value(), Access::write},
                  {world.registry().require(loop.second).value(), Access::read}};
    world.each_chunk(*world.query(desc).value(), [&](const ChunkView& chunk) { lua->add_chunk(chunk); });
    return
        [=, keeps_chunks = game](const Effort& effort) { return time_loop(effort, n, [&] { lua->work(); }); };
}

// What a script without the engine would write.
Sample tables(const char* make, const char* body, std::size_t n) {
    auto lua = std::make_shared<PlainLua>(fmt::format(R"(
        local count = {}
        {}
        function work(dt)
          for i = 1, count do
            {}
          end
        end)",
                                                      n, make, body));
    return [=](const Effort& effort) { return time_loop(effort, n, [&] { lua->work(); }); };
}

Sample arrays_of_numbers(std::size_t n) {
    return tables(R"(
        local px, py, vx, vy = {}, {}, {}, {}
        for i = 1, count do px[i], py[i], vx[i], vy[i] = 0.5, 0.5, 1.5, 2.5 end)",
                  "px[i] = px[i] + vx[i] * dt\npy[i] = py[i] + vy[i] * dt", n);
}

Sample table_per_component(std::size_t n) {
    return tables(R"(
        local position, velocity = {}, {}
        for i = 1, count do position[i], velocity[i] = { x = 0.5, y = 0.5 }, { x = 1.5, y = 2.5 } end)",
                  "local p, v = position[i], velocity[i]\np.x = p.x + v.x * dt\np.y = p.y + v.y * dt", n);
}

struct Column {
    const char* type;
    const char* machine;
    const char* what;
    const char* body;
};

constexpr const char* kAdd = "a[i] = a[i] + b[i]";
constexpr const char* kCopy = "a[i] = b[i]";
constexpr const char* kCompare = "if a[i] > b[i] then sum = sum + 1 end";
constexpr Column kColumns[] = {
    {"f32", "float", "a += b", kAdd},
    {"f64", "double", "a += b", kAdd},
    {"i8", "int8_t", "a += b", kAdd},
    {"u8", "uint8_t", "a += b", kAdd},
    {"i16", "int16_t", "a += b", kAdd},
    {"u16", "uint16_t", "a += b", kAdd},
    {"i32", "int32_t", "a += b", kAdd},
    {"u32", "uint32_t", "a += b", kAdd},
    {"bool", "bool", "flip", "a[i] = not a[i]"},
    {"i64", "int64_t", "a = b", kCopy},
    {"u64", "uint64_t", "a = b", kCopy},
    {"i64", "int64_t", "a > b", kCompare},
    {"u64", "uint64_t", "a > b", kCompare},
};

}  // namespace

std::vector<Case> lua_view_cases() {
    constexpr const char* kMove = "Lua system over chunk views";
    constexpr std::size_t kMany = 100'000;
    std::vector<Case> cases;
    const auto add = [&](std::string row, std::size_t n, const char* baseline, const auto& ours,
                         const auto& other) {
        cases.push_back(Case{std::move(row), n, "lua", baseline, [=] { return Sides{ours(), other()}; }});
    };
    const auto moved = [](std::size_t n, bool counts_fuel = true) {
        return [=] { return script(move_loop(), n, counts_fuel); };
    };
    const std::size_t sizes[] = {10'000, 100'000, 1'000'000};
    for (const std::size_t n : sizes) add(kMove, n, kRaw, moved(n), [n] { return raw(move_loop(), n); });
    for (const std::size_t n : sizes) {
        add(kMove, n, "C++ loop over plain 64-byte aligned arrays", moved(n), [n] { return plain_move(n); });
    }
    for (const std::size_t n : sizes) {
        add(std::string(kMove) + ", fuel not counted", n, kRaw, moved(n, false),
            [n] { return raw(move_loop(), n); });
    }
    for (const std::size_t n : sizes) {
        add(kMove, n, "plain Lua, arrays of numbers", moved(n), [n] { return arrays_of_numbers(n); });
    }
    add(kMove, kMany, "plain Lua, a table per component", moved(kMany),
        [] { return table_per_component(kMany); });
    for (const Column& column : kColumns) {
        const Loop loop = column_loop(column.type, column.machine, column.body);
        add(
            fmt::format("Lua column of {}, {}", column.type, column.what), kMany, kRaw,
            [=] { return script(loop, kMany); }, [=] { return raw(loop, kMany); });
    }
    return cases;
}

}  // namespace perigee::bench
