// The baseline of iteration, compiled with the same flags as everything else.
#include "bench/support/plain_move.h"

#include "bench/support/big_array.h"

#include <memory>

namespace perigee::bench {

void move_plain(Position* __restrict position, const Velocity* __restrict velocity, std::size_t n, float dt) {
    for (std::size_t i = 0; i < n; ++i) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
    }
}

Sample plain_move(std::size_t n) {
    auto position = std::make_shared<BigArray<Position>>(n);
    auto velocity = std::make_shared<BigArray<Velocity>>(n);
    for (std::size_t i = 0; i < n; ++i) {
        (*position)[i] = Position{};
        (*velocity)[i] = Velocity{1, 2};
    }
    return [=](const Effort& effort) {
        const float dt = opaque(0.01f);
        return time_loop(effort, n, [&] { move_plain(position->data(), velocity->data(), n, dt); });
    };
}

}  // namespace perigee::bench
