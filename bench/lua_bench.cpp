// Scripts: the system over chunk views against the same loop over raw FFI pointers and in C++, and single
// entities from Lua against the same calls in C++.
#include "bench/bench_world.h"
#include "bench/harness.h"
#include "bench/lua_game.h"
#include "bench/plain_move.h"
#include "ecs/command_buffer.h"

#include <lua.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kEntities = 100'000;
constexpr const char* kDirect = "the same calls in C++, one world";

// ---- the system over chunks ----

Sample lua_move(std::size_t n, bool counts_fuel = true) {
    auto game = std::make_shared<LuaGame>(counts_fuel);
    World& world = game->world();
    const std::vector<ComponentId> both{world.registry().require("Position").value(),
                                        world.registry().require("Velocity").value()};
    world.spawn_many(*world.archetype(both).value(), n);
    return [=](const Effort& effort) { return time_loop(effort, n, [&] { game->step(); }); };
}

// The loop that a script with raw pointers would write: no checks, no system, no world.
class RawLua {
public:
    explicit RawLua(std::size_t n) : world_(make_world()), lua_(luaL_newstate()) {
        luaL_openlibs(lua_);
        run(R"(
            local ffi = require("ffi")
            local pair = ffi.typeof("struct { float x, y; } *")
            local chunks = {}
            function add_chunk(position, velocity, count)
              chunks[#chunks + 1] = { ffi.cast(pair, position), ffi.cast(pair, velocity), count }
            end
            local function move(pos, vel, count, dt)
              for i = 0, count - 1 do
                pos[i].x = pos[i].x + vel[i].x * dt
                pos[i].y = pos[i].y + vel[i].y * dt
              end
            end
            function move_all(dt)
              for i = 1, #chunks do
                local chunk = chunks[i]
                move(chunk[1], chunk[2], chunk[3], dt)
              end
            end)");
        world_->spawn_many(world_->archetype<Position, Velocity>(), n);
        const auto query = world_->query<Position, Velocity>();
        world_->each_chunk(query.query(), [this](const ChunkView& chunk) {
            lua_getglobal(lua_, "add_chunk");
            lua_pushlightuserdata(lua_, chunk.column_data(0));
            lua_pushlightuserdata(lua_, chunk.column_data(1));
            lua_pushinteger(lua_, chunk.row_count());
            call(3);
        });
    }
    ~RawLua() { lua_close(lua_); }
    RawLua(const RawLua&) = delete;
    RawLua& operator=(const RawLua&) = delete;

    void move() {
        lua_getglobal(lua_, "move_all");
        lua_pushnumber(lua_, 1.0 / 60);
        call(1);
    }

private:
    void run(const char* code) {
        if (luaL_loadstring(lua_, code) != 0) fail();
        call(0);
    }
    void call(int arguments) {
        if (lua_pcall(lua_, arguments, 0, 0) != 0) fail();
    }
    [[noreturn]] void fail() {
        std::fprintf(stderr, "bench: %s\n", lua_tostring(lua_, -1));
        std::abort();
    }

    std::unique_ptr<World> world_;
    lua_State* lua_;
};

Sample raw_move(std::size_t n) {
    auto raw = std::make_shared<RawLua>(n);
    return [=](const Effort& effort) { return time_loop(effort, n, [&] { raw->move(); }); };
}

// ---- single entities ----

// Untimed `before`, then timed `work`, on a state that lives as long as the row.
template <typename State, typename Before, typename Work>
Sample in_turn(std::shared_ptr<State> state, Before before, Work work) {
    return [=](const Effort& effort) {
        return time_once(
            effort, kEntities,
            [&] {
                std::invoke(before, *state);
                return state.get();
            },
            [&](State* ready) { std::invoke(work, *ready); });
    };
}

Sample in_lua(const char* before, const char* work) {
    auto game = std::make_shared<LuaGame>();
    game->run("spawn_all(100000)");
    return in_turn(
        game, [before](LuaGame& ready) { ready.run(before); }, [work](LuaGame& ready) { ready.run(work); });
}

struct Direct {
    std::unique_ptr<World> world = make_world();
    Archetype* two = &world->archetype<Position, Velocity>();
    ComponentId mass = world->id<Mass>();
    std::vector<Entity> entities = std::vector<Entity>(kEntities);
    CommandBuffer commands{*world};

    Direct() { spawn(); }
    void spawn() {
        for (Entity& entity : entities) entity = world->spawn(*two);
    }
    void destroy() {
        for (const Entity entity : entities) world->destroy(entity);
    }
    void add() {
        for (const Entity entity : entities) world->add(entity, mass);
    }
    void remove() {
        for (const Entity entity : entities) world->remove(entity, mass);
    }
    void get() {
        float sum = 0;
        for (const Entity entity : entities) sum += world->get<Position>(entity)->x;
        keep(sum);
    }
    void set() {
        float value = 0;
        for (const Entity entity : entities) world->edit<Position>(entity)->x = value += 1;
    }
    void add_by_command() {
        for (const Entity entity : entities) commands.add(entity, mass);
        commands.play_back();
    }
};

template <typename Before, typename Work> Sample in_cpp(Before before, Work work) {
    return in_turn(std::make_shared<Direct>(), before, work);
}

Sample lua_add_by_command() {
    auto game = std::make_shared<LuaGame>();
    game->run("spawn_all(100000)");
    return in_turn(
        game, [](LuaGame& ready) { ready.run("remove_all()"); },
        [](LuaGame& ready) { ready.step(kInitialization); });
}

}  // namespace

std::vector<Case> lua_cases() {
    std::vector<Case> cases;
    const auto add = [&](const char* row, std::size_t n, const char* baseline, auto ours, auto other) {
        cases.push_back(Case{row, n, "lua", baseline, [=] { return Sides{ours(), other()}; }});
    };
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add(
            "Lua system over chunk views", n, "the same loop over raw FFI pointers, no checks",
            [n] { return lua_move(n); }, [n] { return raw_move(n); });
    }
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add(
            "Lua system over chunk views", n, "C++ loop over plain 64-byte aligned arrays",
            [n] { return lua_move(n); }, [n] { return plain_move(n); });
    }
    for (const std::size_t n : {10'000u, 100'000u, 1'000'000u}) {
        add(
            "Lua system over chunk views, fuel not counted", n,
            "the same loop over raw FFI pointers, no checks", [n] { return lua_move(n, false); },
            [n] { return raw_move(n); });
    }
    const auto direct = [&](const char* row, const char* before, const char* work, auto cpp_before,
                            auto cpp_work) {
        add(
            row, kEntities, kDirect, [=] { return in_lua(before, work); },
            [=] { return in_cpp(cpp_before, cpp_work); });
    };
    const auto nothing = [](Direct&) {};
    direct("Lua spawn", "destroy_all()", "spawn_all(100000)", &Direct::destroy, &Direct::spawn);
    direct("Lua destroy", "spawn_all(100000)", "destroy_all()", &Direct::spawn, &Direct::destroy);
    direct("Lua add one component", "remove_all()", "add_all()", &Direct::remove, &Direct::add);
    direct("Lua remove one component", "add_all()", "remove_all()", &Direct::add, &Direct::remove);
    direct("Lua get one value", "", "get_all()", nothing, &Direct::get);
    direct("Lua set one value", "", "set_all()", nothing, &Direct::set);
    add("Lua deferred add, record and play back", kEntities, kDirect, lua_add_by_command,
        [] { return in_cpp(&Direct::remove, &Direct::add_by_command); });
    return cases;
}

}  // namespace perigee::bench
