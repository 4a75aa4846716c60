// Puts the three systems into the schedule; their objects live as long as its functions do.
#include "game/swarm/swarm.h"

#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "game/swarm/components.h"
#include "game/swarm/flock.h"
#include "game/swarm/motion.h"
#include "game/swarm/strike.h"

#include <memory>
#include <string>
#include <vector>

namespace perigee::swarm {
namespace {

template <typename System>
Result<void> add(World& world, Schedule& schedule, std::string name, std::vector<std::string> after,
                 AccessDesc access) {
    auto system = std::make_shared<System>(world);
    SystemDesc desc;
    desc.name = std::move(name);
    desc.after = std::move(after);
    desc.access = std::move(access);
    desc.run = [system](SystemContext& context) { return system->run(context); };
    const Result<SystemId> added = schedule.add(std::move(desc));
    if (!added) return added.error();
    return {};
}

}  // namespace

Result<void> add_systems(World& world, Schedule& schedule) {
    if (Result<void> bound = bind_components(world); !bound) return bound;
    const auto clock = world.id<Clock>(), hero = world.id<Hero>(), arena = world.id<Arena>(),
               senses = world.id<Senses>(), position = world.id<Position>(), velocity = world.id<Velocity>(),
               body = world.id<Body>(), flock = world.id<Flock>(), health = world.id<Health>(),
               enemy = world.id<Enemy>(), strike = world.id<Strike>();

    Result<void> added =
        add<FlockSystem>(world, schedule, "flock", {},
                         {.read = {clock, hero, arena, position, body, flock}, .write = {velocity}});
    if (!added) return added;
    added = add<MotionSystem>(world, schedule, "motion", {"flock"},
                              {.read = {clock, arena, velocity, body}, .write = {position, hero}});
    if (!added) return added;
    return add<StrikeSystem>(
        world, schedule, "strike", {"motion"},
        {.read = {clock, hero, arena, position, body, enemy}, .write = {velocity, health, strike, senses}});
}

}  // namespace perigee::swarm
