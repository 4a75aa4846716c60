// One step of particles among walls.
//
// Invariant: all move first, as they do without walls, by vector code; then those that may have hit something
// move again, one by one. Not here: the way of one (particle_collisions.h).
#pragma once

#include "engine/particles/internal/moving_particles.h"
#include "engine/particles/particle_collisions.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee::internal {

/// Columns of a pool. from_x and from_y: where it was one step ago; moves: 1, or 0 if it has stopped.
struct WalledColumns : MovingColumns {
    float *from_x, *from_y, *moves;
    const std::uint32_t* owners;
};

struct WalledStep : MovingStep {
    std::span<const ParticleOwnerStep> owners{};  ///< by owner; empty for particles of the world
};

/// Returns how many are dead.
std::size_t move_among_walls(std::size_t count, const WalledColumns& columns, const WalledStep& step,
                             const ParticleWalls& walls) noexcept;

}  // namespace perigee::internal
