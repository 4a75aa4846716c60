// A world with a component of every kind, all of them on one entity: for tests of typed functions.
#pragma once

#include "ecs/storage/buffer.h"
#include "ecs/world/world.h"
#include "tests/support/kind_components.h"
#include "tests/support/test_events.h"

#include <cstdint>
#include <span>

namespace perigee {

/// Resource.
struct Wave {
    std::int32_t number = 3;
};
/// Row of a blob.
struct Key {
    float at = 0, value = 0;
};
/// Not bound to anything, with the layout of Position.
struct Stranger {
    float x = 0, y = 0;
};

/// The entity has a neighbour in its chunk, which changes to the entity must not affect.
struct TypedStage {
    World world{tiny_chunks(4)};
    Entity entity, neighbour, bare;

    TypedStage() {
        declare_test_components(world);
        declare_kind_components(world);
        declare_test_events(world);
        world.declare_resource<Wave>("Wave", field("number", &Wave::number)).value();
        world.declare<Key>("Key", ComponentKind::blob, field("at", &Key::at), field("value", &Key::value))
            .value();
        entity = full();
        neighbour = full();
        bare = world.spawn(Wide{});
    }
    Entity full() {
        const Entity made = world.spawn(Position{1, 2}, Frozen{}, Team{3, 4}, Voice{5}, Squad{6}, Shield{7},
                                        Visible{}, Bounds{8, 9}, Brain{});
        world.add<Waypoint>(made);
        for (int i = 0; i < 5; ++i) world.buffer<Waypoint>(made).push({static_cast<float>(i), 1});
        return made;
    }
    bool is_neighbour_whole() {
        const std::span<const Waypoint> path = world.elements<Waypoint>(neighbour);
        return path.size() == 5 && path[4] == Waypoint{4, 1} &&
               *world.get<Position>(neighbour) == Position{1, 2} &&
               *world.get<Team>(neighbour) == Team{3, 4} && *world.get<Voice>(neighbour) == Voice{5} &&
               *world.get<Shield>(neighbour) == Shield{7};
    }
};

}  // namespace perigee
