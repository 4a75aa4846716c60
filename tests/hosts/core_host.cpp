// A host of the core alone: components and a system in C++, beside its own headers with the same names.
#include "ecs/world/world.h"
#include "engine/engine.h"
#include "perigee/ecs/schedule/schedule.h"
#include "perigee/ecs/schedule/typed_system.h"
#include "perigee/ecs/world/world.h"

#include <cstdio>

struct Position {
    float x = 0, y = 0;
};
struct Velocity {
    float x = 0, y = 0;
};

void move(Position& position, const Velocity& velocity) {
    position.x += velocity.x;
    position.y += velocity.y;
}

int main() {
    perigee::World world;
    perigee::Schedule schedule(world);
    world
        .declare<Position>("Position", {}, perigee::field("x", &Position::x),
                           perigee::field("y", &Position::y))
        .value();
    world
        .declare<Velocity>("Velocity", {}, perigee::field("x", &Velocity::x),
                           perigee::field("y", &Velocity::y))
        .value();
    schedule.add(perigee::system<Position, const Velocity>(world, "move").each<move>()).value();

    const perigee::Entity entity = world.spawn(Position{1, 2}, Velocity{10, 20});
    for (perigee::TickTime time; time.tick < 3; ++time.tick) schedule.run_group("simulation", time).value();
    const Position* at = world.get<Position>(entity);
    std::printf("core: %g %g, own headers: %d %d\n", static_cast<double>(at->x), static_cast<double>(at->y),
                host::World{}.continents, host::Engine{}.cylinders);
    return at->x == 31 && at->y == 62 ? 0 : 1;
}
