// Commands under sort keys, compared with the same commands recorded in the order of their keys.
#include "ecs/commands/command_buffer.h"
#include "ecs/world/world.h"
#include "tests/support/broken_contract.h"
#include "tests/support/test_components.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <optional>
#include <random>
#include <utility>
#include <vector>

namespace perigee {
namespace {

struct Recorded {
    std::optional<std::uint64_t> key;  // none: before the first key
    std::uint32_t kind = 0;
    std::size_t entity = 0;
    float value = 0;
};

struct Sorted {
    Sorted() : world(tiny_chunks()), commands(world) {
        declare_test_components(world);
        for (int i = 0; i < 6; ++i) entities.push_back(world.spawn(Health{100, 100}));
    }
    void record(const Recorded& one) {
        const Entity entity = entities[one.entity];
        switch (one.kind) {
            case 0:
                return commands.add(entity, Position{one.value, 0});
            case 1:
                return commands.remove<Position>(entity);
            case 2:
                return commands.set(entity, Position{one.value, 1});
            case 3:
                return commands.destroy(entity);
            default: {
                const Entity made = commands.spawn(Position{one.value, 2});
                if (one.kind == 5) commands.add(made, Velocity{one.value, 0});
                return;
            }
        }
    }
    // Of the first entities, and of the new ones in any order: their ids follow the order of recording.
    std::vector<std::pair<float, float>> result() {
        std::vector<std::pair<float, float>> all;
        for (const Entity entity : entities) {
            const Position* const position = world.get<Position>(entity);
            all.emplace_back(position != nullptr ? position->x : world.is_alive(entity) ? -1 : -2, -1);
        }
        const auto first_new = static_cast<std::ptrdiff_t>(all.size());
        world.query<const Position>().each([&](Entity entity, const Position& position) {
            if (position.y == 2) all.emplace_back(position.x, world.has<Velocity>(entity) ? 1.0F : 0.0F);
        });
        std::sort(all.begin() + first_new, all.end());
        return all;
    }

    World world;
    CommandBuffer commands;
    std::vector<Entity> entities;
};

TEST_CASE("[C1] commands under sort keys take effect as if they were recorded in the order of the keys") {
    for (std::uint32_t seed = 0; seed < 400; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        std::vector<Recorded> list;
        std::optional<std::uint64_t> key;
        for (std::uint32_t i = 0, count = random() % 40; i < count; ++i) {
            if (random() % 3 == 0) key = random() % 5;
            list.push_back(
                {key, static_cast<std::uint32_t>(random() % 6), random() % 6, static_cast<float>(i)});
        }
        Sorted sorted, plain;
        std::optional<std::uint64_t> before;
        for (const Recorded& one : list) {
            if (one.key != before) sorted.commands.sort_key(*one.key);
            before = one.key;
            sorted.record(one);
        }
        if (seed % 2 == 0) sorted.commands.finish_sorting();  // otherwise playback does it
        std::stable_sort(list.begin(), list.end(),
                         [](const Recorded& a, const Recorded& b) { return a.key < b.key; });
        for (const Recorded& one : list) plain.record(one);
        const PlaybackReport report = sorted.commands.play_back();
        CHECK(report == plain.commands.play_back());
        CHECK(sorted.result() == plain.result());
        sorted.record({{}, 4, 0, 1});  // keys end with the playback
        CHECK(sorted.commands.play_back().dropped == 0);
    }
}

TEST_CASE("[C1] dropped commands under sort keys give their ids back") {
    Sorted s;
    s.commands.sort_key(2);
    const Entity first = s.commands.spawn(Position{1, 0});
    s.commands.sort_key(1);
    s.commands.spawn(Position{2, 0});
    s.commands.drop();
    const Entity again = s.commands.spawn();
    CHECK(again.index() == first.index());
    CHECK(s.commands.play_back().applied == 1);
    CHECK(s.world.is_alive(again));
}

TEST_CASE("[C1] a command on an entity that a higher key spawns is dropped and counted") {
    Sorted s;
    s.commands.sort_key(2);
    const Entity made = s.commands.spawn(Position{1, 0});
    s.commands.sort_key(1);
    s.commands.add(made, Velocity{1, 1});
    CHECK(s.commands.play_back().dropped == 1);
    CHECK_FALSE(s.world.has<Velocity>(made));
    CHECK(s.world.has<Position>(made));
}

}  // namespace
}  // namespace perigee
