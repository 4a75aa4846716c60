// In blocks, so that what is between the loops stays in the cache.
#include "engine/particles/internal/walled_particles.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace perigee::internal {

namespace {

// The world places of a block, before and after the step. Particles of the world have them in their columns.
struct BlockPlaces {
    const float *from_x, *from_y, *x, *y;
};

template <bool kHasCurve>
std::size_t move_walled(std::size_t count, float* __restrict x, float* __restrict y, float* __restrict vx,
                        float* __restrict vy, float* __restrict age, float* __restrict from_x,
                        float* __restrict from_y, const float* __restrict moves, const float* __restrict pace,
                        const float* __restrict factors, float dt, float kept, float ax, float ay) noexcept {
    std::int32_t dead = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const float speed_x = (vx[i] * kept + ax) * moves[i];
        const float speed_y = (vy[i] * kept + ay) * moves[i];
        vx[i] = speed_x;
        vy[i] = speed_y;
        from_x[i] = x[i];
        from_y[i] = y[i];
        if constexpr (kHasCurve)
            move_one(x[i], y[i], speed_x * factors[i], speed_y * factors[i], dt);
        else
            move_one(x[i], y[i], speed_x, speed_y, dt);
        dead += age_one(age[i], pace[i], dt);
    }
    return static_cast<std::size_t>(dead);
}

struct LocalBlock {
    std::array<float, kParticleBlock> from_x, from_y, x, y;

    BlockPlaces places() const noexcept { return {from_x.data(), from_y.data(), x.data(), y.data()}; }

    void fill(std::size_t count, const WalledColumns& c, std::span<const ParticleOwnerStep> owners) noexcept {
        for (std::size_t i = 0; i < count; ++i) {
            const ParticleOwnerStep& owner = owners[c.owners[i]];
            if (c.moves[i] == 0.0F) {  // it stays where it is in the world
                c.x[i] -= owner.x - owner.from_x;
                c.y[i] -= owner.y - owner.from_y;
            }
            from_x[i] = c.from_x[i] + owner.from_x;
            from_y[i] = c.from_y[i] + owner.from_y;
            x[i] = c.x[i] + owner.x;
            y[i] = c.y[i] + owner.y;
        }
    }
};

// For the speed of an owner, which a curve does not multiply. It is never near 0: what hardly moves by itself
// does not become too fast by the speed of its owner.
float divisor_of(float factor) noexcept {
    constexpr float kSmallest = 1.0F / 16.0F;
    return std::fabs(factor) > kSmallest ? factor : std::copysign(kSmallest, factor);
}

// Moves a particle that may have hit something from where it was. `factor`: of the curve. True if it died by
// that.
bool move_again(std::size_t i, float factor, const WalledColumns& c, const WalledStep& step,
                const ParticleWalls& walls, const BlockPlaces& at) noexcept {
    const ParticleOwnerStep owner = step.owners.empty() ? ParticleOwnerStep{} : step.owners[c.owners[i]];
    const float seconds = step.dt * divisor_of(factor);
    const float owner_vx = (owner.x - owner.from_x) / seconds;
    const float owner_vy = (owner.y - owner.from_y) / seconds;
    ParticleWay way{at.from_x[i],           at.from_y[i],       at.x[i] - at.from_x[i],
                    at.y[i] - at.from_y[i], c.vx[i] + owner_vx, c.vy[i] + owner_vy};
    const bool has_hit = walls.move(way);
    c.x[i] = way.x - owner.x;
    c.y[i] = way.y - owner.y;
    if (!has_hit) return false;
    c.vx[i] = way.vx - owner_vx;
    c.vy[i] = way.vy - owner_vy;
    if (walls.response() == HitResponse::bounce) return false;
    c.vx[i] = c.vy[i] = c.moves[i] = 0.0F;
    if (walls.response() != HitResponse::die || c.age[i] >= 1.0F) return false;
    c.age[i] = 1.0F;
    return true;
}

WalledColumns from_on(const WalledColumns& c, std::size_t first) noexcept {
    return {{c.x + first, c.y + first, c.vx + first, c.vy + first, c.age + first, c.pace + first},
            c.from_x + first,
            c.from_y + first,
            c.moves + first,
            c.owners + first};
}

}  // namespace

std::size_t move_among_walls(std::size_t count, const WalledColumns& columns, const WalledStep& step,
                             const ParticleWalls& walls) noexcept {
    std::array<std::int32_t, kParticleBlock> may_hit;
    std::array<float, kParticleBlock> factors;
    factors.fill(1.0F);
    const auto move = step.curve != nullptr ? move_walled<true> : move_walled<false>;
    LocalBlock local;
    std::size_t dead = 0;
    for (std::size_t first = 0; first < count; first += kParticleBlock) {
        const std::size_t part = std::min(kParticleBlock, count - first);
        const WalledColumns c = from_on(columns, first);
        if (step.curve != nullptr) read_curve(part, *step.curve, c.age, c.pace, step.dt, factors.data());
        dead += move(part, c.x, c.y, c.vx, c.vy, c.age, c.from_x, c.from_y, c.moves, c.pace, factors.data(),
                     step.dt, step.kept, step.ax, step.ay);
        BlockPlaces at{c.from_x, c.from_y, c.x, c.y};
        if (!step.owners.empty()) {
            local.fill(part, c, step.owners);
            at = local.places();
        }
        walls.find_hits(part, at.from_x, at.from_y, at.x, at.y, may_hit.data());
        for (std::size_t i = 0; i < part; ++i)
            if (may_hit[i] != 0) dead += move_again(i, factors[i], c, step, walls, at) ? 1U : 0U;
    }
    return dead;
}

}  // namespace perigee::internal
