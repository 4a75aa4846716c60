// Memory runs out during recording and playback. A command that cannot be recorded has no effect, and each
// command of a playback is complete or has no effect, as the report says.
#include "ecs/commands/command_buffer.h"
#include "ecs/prefab/make_prefab.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/ecs/check_world.h"
#include "tests/support/failing_memory.h"
#include "tests/support/kind_components.h"

#include <catch2/catch.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <vector>

namespace perigee {
namespace {

// Entities 0 … 19 have Position and Health, from 10 on also Team; 18 and 19 have a cleanup component.
struct Stage {
    World world{tiny_chunks(3)};
    CommandBuffer commands{world};
    PrefabId prefab;
    Query* frozen = nullptr;
    Query* teams = nullptr;
    Query* wide = nullptr;
    ComponentId path;
    std::vector<Entity> entities;
    std::vector<Entity> made;  ///< recorded; has room for all

    Stage() {
        declare_test_components(world);
        declare_kind_components(world);
        Schema schema;
        schema.name = "Path";
        schema.kind = ComponentKind::buffer;
        schema.buffer_capacity = 2;
        schema.fields.resize(1);
        schema.fields[0].name = "value";
        path = world.declare(schema).value();
        Prefab special;
        special.name = "special";
        special.components.push_back({world.id<Wide>(), {}});
        special.components.push_back({world.id<Layer>(), {}});
        prefab = add_prefab(world, special).value();
        made.reserve(50);
        for (int i = 0; i < 20; ++i) {
            entities.push_back(world.spawn(Position{1, 2}, Health{}));
            if (i >= 10) REQUIRE(world.add(entities.back(), Team{3, 0}));
            if (i >= 18) REQUIRE(world.add(entities.back(), Voice{3}));
        }
        QueryDesc desc;
        desc.terms = {QueryTerm{world.id<Team>()}};
        teams = world.query(desc).value();
        desc.terms = {QueryTerm{world.id<Wide>()}};
        wide = world.query(desc).value();
        desc.terms = {QueryTerm{world.id<Frozen>()}};
        frozen = world.query(desc).value();
        for (int i = 0; i < 7; ++i) REQUIRE(world.add(world.spawn(), Frozen{}));
    }
    std::size_t count(const Query& query) const { return query.entity_count(); }
};

/// One command. `record` throws std::bad_alloc or returns false when memory runs out.
struct Order {
    const char* name;
    std::function<bool(Stage&)> record;
    std::function<bool(const Stage&)> is_done;
};

const std::byte* bytes_of(const auto& value) { return reinterpret_cast<const std::byte*>(&value); }

template <typename T> Order adding(std::size_t number, T value) {
    return {"add",
            [=](Stage& stage) {
                stage.commands.add(stage.entities[number], stage.world.id<T>(), &value);
                return true;
            },
            [=](const Stage& stage) { return stage.world.has<T>(stage.entities[number]); }};
}

template <typename T> Order removing(std::size_t number) {
    return {"remove",
            [=](Stage& stage) {
                stage.commands.remove(stage.entities[number], stage.world.id<T>());
                return true;
            },
            [=](const Stage& stage) { return !stage.world.has<T>(stage.entities[number]); }};
}

template <typename T> Order setting(std::size_t number, T value) {
    return {"set",
            [=](Stage& stage) {
                stage.commands.set(stage.entities[number], stage.world.id<T>(), &value);
                return true;
            },
            [=](const Stage& stage) { return *stage.world.get<T>(stage.entities[number]) == value; }};
}

Order destroying(std::size_t number) {
    return {"destroy",
            [=](Stage& stage) {
                stage.commands.destroy(stage.entities[number]);
                return true;
            },
            [=](const Stage& stage) { return !stage.world.is_alive(stage.entities[number]); }};
}

// The n-th entity that the commands create.
Order making(const char* name, std::size_t number, std::function<Entity(Stage&)> record) {
    return {name,
            [=](Stage& stage) {
                const Entity entity = record(stage);
                if (entity) stage.made.push_back(entity);
                return static_cast<bool>(entity);
            },
            [=](const Stage& stage) { return stage.world.is_alive(stage.made.at(number)); }};
}

Order adding_to_made(std::size_t number, const Team& team) {
    return {"add to new",
            [=](Stage& stage) {
                stage.commands.add(stage.made.at(number), stage.world.id<Team>(), &team);
                return true;
            },
            [=](const Stage& stage) { return stage.world.has<Team>(stage.made.at(number)); }};
}

Order filling(std::size_t number) {
    return {"add_buffer",
            [=](Stage& stage) {
                return static_cast<bool>(stage.commands.add_buffer(stage.entities[number], stage.path));
            },
            [=](const Stage& stage) { return stage.world.has(stage.entities[number], stage.path); }};
}

std::vector<Order> orders() {
    std::vector<Order> list;
    for (std::size_t i = 0; i < 4; ++i) {
        list.push_back(making("spawn", i, [](Stage& stage) { return stage.commands.spawn(); }));
        list.push_back(adding_to_made(i, Team{static_cast<std::uint8_t>(40 + i / 2), 0}));
    }
    for (std::size_t i = 4; i < 8; ++i) {
        list.push_back(
            making("spawn prefab", i, [](Stage& stage) { return stage.commands.spawn(stage.prefab); }));
    }
    list.push_back(making("clone", 8, [](Stage& stage) { return stage.commands.clone(stage.entities[17]); }));
    for (std::size_t i = 0; i < 5; ++i) list.push_back(adding(i, Velocity{1, 1}));
    list.push_back(adding(5, Shield{}));
    list.push_back(adding(6, Team{77, 0}));
    list.push_back(adding(7, Armed{}));
    for (std::size_t i = 0; i < 4; ++i) list.push_back(removing<Position>(i));
    list.push_back(removing<Team>(10));
    list.push_back(setting(11, Team{78, 0}));
    list.push_back(setting(4, Position{8, 9}));
    list.push_back({"change",
                    [](Stage& stage) {
                        const Layer layer{5};
                        const ComponentValue add[] = {{stage.world.id<Layer>(), bytes_of(layer)}};
                        const ComponentId remove[] = {stage.world.id<Health>()};
                        stage.commands.change(stage.entities[12], add, remove);
                        return true;
                    },
                    [](const Stage& stage) {
                        const bool is_done = stage.world.has<Layer>(stage.entities[12]);
                        CHECK(stage.world.has<Health>(stage.entities[12]) != is_done);
                        return is_done;
                    }});
    list.push_back(filling(8));
    list.push_back(destroying(9));
    list.push_back(destroying(18));
    list.push_back({"spawn_many",
                    [](Stage& stage) {
                        const auto initialize = [a = std::array<int, 9>{}](ChunkView&, std::uint32_t,
                                                                           std::uint32_t) {
                            return a[0] == 0;
                        };
                        stage.commands.spawn_many(stage.prefab, 1, initialize);
                        return true;
                    },
                    [](const Stage& stage) {
                        std::size_t others = 0;
                        for (std::size_t i = 4; i < 8; ++i) others += stage.world.is_alive(stage.made[i]);
                        return stage.count(*stage.wide) == others + 1;
                    }});
    list.push_back({"destroy_all",
                    [](Stage& stage) {
                        stage.commands.destroy_all(*stage.frozen);
                        return true;
                    },
                    [](const Stage& stage) { return stage.count(*stage.frozen) == 0; }});
    list.push_back({"add_all",
                    [](Stage& stage) {
                        stage.commands.add_all(*stage.teams, stage.world.id<Poisoned>(), nullptr);
                        return true;
                    },
                    [](const Stage& stage) {
                        for (const Entity entity : stage.teams->entities()) {
                            if (!stage.world.has<Poisoned>(entity)) return false;
                        }
                        return true;
                    }});
    return list;
}

TEST_CASE("a command that runs out of memory while being recorded has no effect and can be recorded again") {
    const std::vector<Order> list = orders();
    for (std::size_t refused = 0; refused < list.size(); ++refused) {
        for (std::uint64_t first = 0;; ++first) {
            INFO(list[refused].name << ", request " << first);
            Stage stage;
            for (std::size_t i = 0; i < refused; ++i) REQUIRE(list[i].record(stage));
            const std::uint32_t used = stage.world.entities().used_count();
            bool is_recorded = false;
            {
                const RefusedMemory memory(first, 1);
                try {
                    is_recorded = list[refused].record(stage);
                } catch (const std::bad_alloc&) {
                    is_recorded = false;
                }
            }
            if (!RefusedMemory::was_refused()) break;
            CHECK_FALSE(is_recorded);
            CHECK(stage.commands.command_count() == refused);
            CHECK(stage.world.entities().used_count() == used);
            CHECK(list[refused].record(stage));
            CHECK(stage.commands.command_count() == refused + 1);
            stage.commands.drop();
            check_world(stage.world, 0);
        }
    }
}

TEST_CASE("the playback report counts the commands that ran out of memory") {
    const std::vector<Order> list = orders();
    const std::uint64_t count = GENERATE(std::uint64_t{1}, RefusedMemory::kNever);
    for (std::uint64_t first = 0;; ++first) {
        INFO("request " << first);
        Stage stage;
        for (const Order& order : list) REQUIRE(order.record(stage));
        PlaybackReport report;
        {
            const RefusedMemory memory(first, count);
            report = stage.commands.play_back();
        }
        const std::array<const Query*, 3> queries{stage.frozen, stage.teams, stage.wide};
        check_world(stage.world, 0, queries);
        CHECK(stage.commands.is_empty());
        CHECK(report.applied + report.dropped + report.failed + report.failed_batches == list.size());
        std::size_t done = 0;
        for (const Order& order : list) done += order.is_done(stage) ? 1 : 0;
        CHECK(report.applied == done);
        if (!RefusedMemory::was_refused()) {
            CHECK(report.applied == list.size());
            break;
        }
    }
}

}  // namespace
}  // namespace perigee
