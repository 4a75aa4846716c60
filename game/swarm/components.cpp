// The only mapping of members to fields.
#include "game/swarm/components.h"

#include "ecs/world/world.h"
#include "game/swarm/error_codes.h"

#include <fmt/format.h>

#include <cmath>
#include <initializer_list>

namespace perigee::swarm {
namespace {

Result<void> first_error(std::initializer_list<Result<ComponentId>> results) {
    for (const Result<ComponentId>& result : results) {
        if (!result) return result.error();
    }
    return {};
}

Result<void> bind_creatures(World& world) {
    return first_error({
        world.bind<Position>("Position", field("x", &Position::x), field("y", &Position::y)),
        world.bind<Velocity>("Velocity", field("x", &Velocity::x), field("y", &Velocity::y)),
        world.bind<Body>("Body", field("radius", &Body::radius)),
        world.bind<Flock>("Flock", field("speed", &Flock::speed), field("turn", &Flock::turn),
                          field("separation", &Flock::separation), field("alignment", &Flock::alignment),
                          field("range", &Flock::range), field("heading_x", &Flock::heading_x),
                          field("heading_y", &Flock::heading_y), field("mode", &Flock::mode),
                          field("phase", &Flock::phase)),
        world.bind<Health>("Health", field("current", &Health::current), field("max", &Health::max),
                           field("pending", &Health::pending)),
        world.bind<Enemy>("Enemy", field("bite", &Enemy::bite), field("flash", &Enemy::flash),
                          field("mass", &Enemy::mass), field("score", &Enemy::score),
                          field("kind", &Enemy::kind)),
        world.bind<Strike>("Strike", field("struck", &Strike::struck), field("damage", &Strike::damage),
                           field("radius", &Strike::radius), field("push", &Strike::push),
                           field("period", &Strike::period), field("hits", &Strike::hits),
                           field("pierce", &Strike::pierce), field("next_struck", &Strike::next_struck)),
    });
}

Result<void> bind_resources(World& world) {
    return first_error({
        world.bind<Clock>("Clock", field("time", &Clock::time), field("step", &Clock::step),
                          field("running", &Clock::running)),
        world.bind<Hero>("Hero", field("entity", &Hero::entity), field("x", &Hero::x), field("y", &Hero::y),
                         field("radius", &Hero::radius)),
        world.bind<Arena>("Arena", field("left", &Arena::left), field("top", &Arena::top),
                          field("right", &Arena::right), field("bottom", &Arena::bottom)),
        world.bind<Senses>("Senses", field("entity", &Senses::entity), field("x", &Senses::x),
                           field("y", &Senses::y), field("distance", &Senses::distance),
                           field("bite", &Senses::bite), field("bite_sum", &Senses::bite_sum),
                           field("bite_x", &Senses::bite_x), field("bite_y", &Senses::bite_y),
                           field("enemies", &Senses::enemies), field("touching", &Senses::touching),
                           field("count", &Senses::count)),
    });
}

}  // namespace

Result<void> bind_components(World& world) {
    if (Result<void> creatures = bind_creatures(world); !creatures) return creatures;
    return bind_resources(world);
}

Result<void> check_arena(const Arena& arena) {
    const bool is_finite = std::isfinite(arena.left) && std::isfinite(arena.top) &&
                           std::isfinite(arena.right) && std::isfinite(arena.bottom);
    if (is_finite && arena.left < arena.right && arena.top < arena.bottom) return {};
    return Error{fmt::format(swarm_errors::kArena, arena.left, arena.top, arena.right, arena.bottom)};
}

}  // namespace perigee::swarm
