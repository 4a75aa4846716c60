// Scripts that change entities one by one, against the same calls in C++. Scripts over chunks are in
// lua_view_bench.cpp.
#include "bench/support/bench_world.h"
#include "bench/support/harness.h"
#include "bench/support/lua_game.h"
#include "ecs/commands/command_buffer.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace perigee::bench {
namespace {

constexpr std::size_t kEntities = 100'000;
constexpr const char* kDirect = "the same calls in C++, one world";

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

Sample in_lua(const char* before, const char* work, bool is_shuffled = false) {
    auto game = std::make_shared<LuaGame>();
    game->run(is_shuffled ? "spawn_all(100000) shuffle_all()" : "spawn_all(100000)");
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
    void shuffle() {
        std::uint64_t state = 1;
        for (std::size_t i = entities.size(); i > 1; --i) {
            state = state * 48271 % 2147483647;
            std::swap(entities[i - 1], entities[state % i]);
        }
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

template <typename Before, typename Work> Sample in_cpp(Before before, Work work, bool is_shuffled = false) {
    auto direct = std::make_shared<Direct>();
    if (is_shuffled) direct->shuffle();
    return in_turn(direct, before, work);
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
    add(
        "Lua get one value, in random order", kEntities, kDirect,
        [] { return in_lua("", "get_all()", true); }, [=] { return in_cpp(nothing, &Direct::get, true); });
    add(
        "Lua set one value, in random order", kEntities, kDirect,
        [] { return in_lua("", "set_all()", true); }, [=] { return in_cpp(nothing, &Direct::set, true); });
    add("Lua deferred add, record and play back", kEntities, kDirect, lua_add_by_command,
        [] { return in_cpp(&Direct::remove, &Direct::add_by_command); });
    return cases;
}

}  // namespace perigee::bench
