// Worlds with something of everything that a file can contain, for tests of saved worlds.
//
//     World world(tiny_chunks());
//     declare_saved_game(world);
//     fill_saved_game(world);
#pragma once

#include "ecs/commands/command_buffer.h"
#include "ecs/events/system_events.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/relations/hierarchy.h"
#include "ecs/relations/names.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "tests/support/counting_system.h"
#include "tests/support/kind_components.h"

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace perigee {

struct Label {
    TextHandle text;
};
struct Likes {
    Entity target;
};
/// A row of a blob.
struct Point {
    float x = 0, y = 0;
    TextHandle name;
};
struct Curve {
    BlobHandle points;
};
/// A resource.
struct Score {
    std::int64_t points = 0;
    TextHandle best;
};
/// An event.
struct Shot {
    std::int32_t power = 0;
};

inline void declare_saved_game(World& world) {
    declare_test_components(world);
    declare_kind_components(world);
    world.declare<Label>("Label", field("text", &Label::text)).value();
    world.declare<Likes>("Likes", {.index = true}, field("target", &Likes::target)).value();
    world
        .declare<Point>("Point", ComponentKind::blob, field("x", &Point::x), field("y", &Point::y),
                        field("name", &Point::name))
        .value();
    world.declare<Curve>("Curve", field("points", &Curve::points)).value();
    world
        .declare<Score>("Score", ComponentKind::resource, field("points", &Score::points),
                        field("best", &Score::best))
        .value();
    world.declare<Shot>("Shot", ComponentKind::event, field("power", &Shot::power)).value();
    declare_names(world).value();
    declare_hierarchy(world).value();
}

/// All kinds but objects; free ids, entities that await cleanup, events of two ticks.
inline void fill_saved_game(World& world) {
    const auto text = [&](const std::string& content) { return world.texts().intern(content).value(); };
    std::vector<Entity> made;
    for (int i = 0; i < 12; ++i) {
        const auto number = static_cast<float>(i);
        const Entity entity = world.spawn(Position{number, 0}, Team{1, 2}, Shield{3}, Voice{i}, Squad{i % 2});
        world.add(entity, Label{text("label " + std::to_string(i))});
        world.add(entity, world.id<Waypoint>());
        BufferView<Waypoint> path = world.buffer<Waypoint>(entity);
        for (int k = 0; k < i; ++k) path.push({static_cast<float>(k), number});
        world.add(entity, Bounds{number, 2});
        world.add(entity, world.id<Brain>());
        world.add(entity, Likes{made.empty() ? Entity{} : made[made.size() / 2]});
        world.set_enabled(entity, world.id<Shield>(), i % 3 != 0);
        std::vector<Point> points;
        for (int k = 0; k < i; ++k)
            points.push_back({static_cast<float>(k), 1, text("point " + std::to_string(k))});
        const auto type = world.registry().find("Point").value();
        world.add(entity, Curve{world.blobs().build<Point>(type, points).value()});
        set_name(world, entity, "entity " + std::to_string(i)).value();
        if (i > 4) set_parent(world, entity, made[static_cast<std::size_t>(i) / 2]).value();
        made.push_back(entity);
        world.advance_change_version();
    }
    world.destroy(made[4]);
    for (int i = 0; i < 5; ++i) made.push_back(world.spawn(Health{i, 9}));
    world.destroy(made[13]);
    world.destroy(made[15]);
    const Score score{42, text("Ann")};
    std::memcpy(world.resources().data(world.registry().find("Score").value()), &score, sizeof score);
    for (std::int32_t i = 0; i < 3; ++i) {
        const Shot shot{i};
        const ComponentId type = world.registry().find("Shot").value();
        world.events().make_room(type, 1);
        world.events().deliver(type, reinterpret_cast<const std::byte*>(&shot), 1);
        if (i == 1) world.events().begin_tick();
    }
}

/// Systems whose results depend on all that the state of a schedule contains.
struct ScheduledGame {
    ScheduledGame() : schedule(world, 7) {
        declare_test_components(world);
        world.declare<Shot>("Shot", ComponentKind::event, field("power", &Shot::power)).value();
        SystemDesc spawn;
        spawn.name = "spawn";
        spawn.access.write = {world.id<Shot>()};
        spawn.query.terms = {{world.id<Wide>(), Access::read, true}};
        spawn.run = [](SystemContext& context) -> Result<void> {
            const std::int64_t count = context.random.integer(0, 3);
            for (std::int64_t i = 0; i < count; ++i) {
                static_cast<void>(
                    context.commands.spawn(Position{static_cast<float>(context.random.unit()), 0}));
                context.events.send(Shot{static_cast<std::int32_t>(i)});
            }
            return {};
        };
        add(std::move(spawn));
        SystemDesc age;
        age.name = "age";
        age.every = 0.1;
        age.after = {"spawn"};
        age.access.read = {world.id<Shot>()};
        age.query.terms = {{world.id<Position>(), Access::write, false}};
        age.run = [](SystemContext& context) -> Result<void> {
            const auto shots = static_cast<float>(context.events.read<Shot>().size());
            context.world.each_chunk(*context.query, [&](ChunkView& chunk) {
                for (Position& position : chunk.column<Position>(0)) position.y += shots;
            });
            return {};
        };
        add(std::move(age));
        add(count_changed_rows(world));
    }

    void add(SystemDesc desc) { static_cast<void>(schedule.add(std::move(desc)).value()); }

    std::uint64_t step() {
        schedule.run_step(TickTime{1.0 / 60, tick, static_cast<double>(tick) / 60, 1}).value();
        ++tick;
        return world_hash(world);
    }

    World world;
    Schedule schedule;
    std::uint64_t tick = 0;
};

}  // namespace perigee
