// A world with the types of the swarm but without its Lua: for tests of one native system at a time.
// components_test.cpp checks that the game's own schema has the same layouts.
#pragma once

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "game/swarm/components.h"

#include <string_view>

namespace perigee::swarm {

inline void declare_creatures(World& world) {
    world.declare<Position>("Position", field("x", &Position::x), field("y", &Position::y)).value();
    world.declare<Velocity>("Velocity", field("x", &Velocity::x), field("y", &Velocity::y)).value();
    world.declare<Body>("Body", field("radius", &Body::radius)).value();
    world
        .declare<Flock>("Flock", field("speed", &Flock::speed), field("turn", &Flock::turn),
                        field("separation", &Flock::separation), field("alignment", &Flock::alignment),
                        field("range", &Flock::range), field("heading_x", &Flock::heading_x),
                        field("heading_y", &Flock::heading_y), field("mode", &Flock::mode),
                        field("phase", &Flock::phase))
        .value();
    world
        .declare<Health>("Health", field("current", &Health::current), field("max", &Health::max),
                         field("pending", &Health::pending))
        .value();
    world
        .declare<Enemy>("Enemy", field("bite", &Enemy::bite), field("flash", &Enemy::flash),
                        field("mass", &Enemy::mass), field("score", &Enemy::score),
                        field("kind", &Enemy::kind))
        .value();
    world
        .declare<Strike>("Strike", field("struck", &Strike::struck), field("damage", &Strike::damage),
                         field("radius", &Strike::radius), field("push", &Strike::push),
                         field("period", &Strike::period), field("hits", &Strike::hits),
                         field("pierce", &Strike::pierce), field("next_struck", &Strike::next_struck))
        .value();
}

inline void declare_resources(World& world) {
    world
        .declare_resource<Clock>("Clock", field("time", &Clock::time), field("step", &Clock::step),
                                 field("running", &Clock::running))
        .value();
    world
        .declare_resource<Hero>("Hero", field("entity", &Hero::entity), field("x", &Hero::x),
                                field("y", &Hero::y), field("radius", &Hero::radius))
        .value();
    world
        .declare_resource<Arena>("Arena", field("left", &Arena::left), field("top", &Arena::top),
                                 field("right", &Arena::right), field("bottom", &Arena::bottom))
        .value();
    world
        .declare_resource<Senses>("Senses", field("entity", &Senses::entity), field("x", &Senses::x),
                                  field("y", &Senses::y), field("distance", &Senses::distance),
                                  field("bite", &Senses::bite), field("bite_sum", &Senses::bite_sum),
                                  field("bite_x", &Senses::bite_x), field("bite_y", &Senses::bite_y),
                                  field("enemies", &Senses::enemies), field("touching", &Senses::touching),
                                  field("count", &Senses::count))
        .value();
}

/// A world whose clock runs, with an arena of 1000 x 1000 px around the origin, and one system under test.
template <typename System> struct SwarmWorld {
    SwarmWorld() {
        declare_creatures(world);
        declare_resources(world);
        world.resource<Clock>().running = true;
        world.resource<Arena>() = {-500, -500, 500, 500};
        world.resource<Hero>().radius = 7;
        SystemDesc desc;
        desc.name = "under test";
        auto system = std::make_shared<System>(world);
        desc.run = [system](SystemContext& context) { return system->run(context); };
        schedule.add(std::move(desc)).value();
    }

    /// One step; false when the system failed.
    bool step() {
        ++world.resource<Clock>().step;
        schedule.run_group(kSimulation, TickTime{}).value();
        return !schedule.status(*schedule.find("under test")).is_suspended;
    }

    Entity enemy(float x, float y, float radius = 8, Flock flock = {.speed = 60, .turn = 60}) {
        return world.spawn(Position{x, y}, Velocity{}, Body{radius}, flock, Health{100, 100, 0},
                           Enemy{.bite = 5});
    }

    World world;
    Schedule schedule{world, 1};
};

}  // namespace perigee::swarm
