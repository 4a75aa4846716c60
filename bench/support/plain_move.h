// position += velocity * dt over plain 64-byte aligned arrays: the baseline of iteration.
#pragma once

#include "bench/support/bench_world.h"
#include "bench/support/harness.h"

#include <cstddef>

namespace perigee::bench {

/// Out of line, so that each use is the same compiled loop.
void move_plain(Position* __restrict position, const Velocity* __restrict velocity, std::size_t n, float dt);

/// A sample of it over n entities in huge pages.
Sample plain_move(std::size_t n);

}  // namespace perigee::bench
