// The walk is in doubles and in cells. Its end is rounded to the floats that particles have, and tested with
// them.
#include "engine/particles/particle_collisions.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace perigee {

namespace {

// Between a particle and the cell that it hit, in cells. Larger than what rounding to float changes in the
// largest grid.
constexpr double kSkin = 1.0 / 1024.0;

struct Walk {
    std::array<double, 2> at;     // in cells
    std::array<double, 2> ahead;  // how far it still goes
    std::array<std::int32_t, 2> cell;
};

// The part of what is ahead after which it is in the next cell of the axis; 2: it is not reached.
double until_next(const Walk& walk, std::size_t axis) noexcept {
    const double ahead = walk.ahead[axis];
    if (ahead == 0.0) return 2.0;
    const double border = walk.cell[axis] + (ahead > 0.0 ? 1.0 : 0.0);
    return std::max((border - walk.at[axis]) / ahead, 0.0);
}

void advance(Walk& walk, double part) noexcept {
    for (std::size_t axis = 0; axis < 2; ++axis) {
        walk.at[axis] += walk.ahead[axis] * part;
        walk.ahead[axis] *= 1.0 - part;
    }
}

}  // namespace

bool ParticleWalls::move(ParticleWay& way) const noexcept {
    Walk walk{
        {in_cells_x(way.x), in_cells_y(way.y)},
        {static_cast<double>(way.dx) * cells_per_pixel_, static_cast<double>(way.dy) * cells_per_pixel_},
        {}};
    const double longest = std::max(std::fabs(walk.ahead[0]), std::fabs(walk.ahead[1]));
    if (longest > kMaxCells)
        for (double& ahead : walk.ahead) ahead *= kMaxCells / longest;
    const std::array<double, 2> sides{columns_, rows_};
    const auto passes = [&](std::size_t axis) {  // false for NaN
        const double to = walk.at[axis] + walk.ahead[axis];
        return std::max(walk.at[axis], to) >= 0.0 && std::min(walk.at[axis], to) <= sides[axis];
    };
    if (!passes(0) || !passes(1)) {
        way.x += static_cast<float>(walk.ahead[0] * preset_.cell);
        way.y += static_cast<float>(walk.ahead[1] * preset_.cell);
        return false;
    }
    for (std::size_t axis = 0; axis < 2; ++axis)
        walk.cell[axis] = static_cast<std::int32_t>(std::floor(walk.at[axis]));
    const bool begins_inside = is_solid_at(way.x, way.y);
    const std::array<float*, 2> speeds{&way.vx, &way.vy};
    bool is_inside = begins_inside;
    int hits = 0;
    // Each axis has at most kMaxCells borders ahead, and half of them again on the way back.
    for (int borders = 0; borders < 4 * kMaxCells; ++borders) {
        const double parts[] = {until_next(walk, 0), until_next(walk, 1)};
        const std::size_t axis = parts[1] < parts[0] ? 1 : 0;
        const std::size_t other = 1 - axis;
        if (parts[axis] >= 1.0) {
            advance(walk, 1.0);
            break;
        }
        const bool is_rising = walk.ahead[axis] > 0.0;
        const double border = walk.cell[axis] + (is_rising ? 1.0 : 0.0);
        auto next = walk.cell;
        next[axis] += is_rising ? 1 : -1;
        advance(walk, parts[axis]);
        if (is_inside || !is_solid(next[0], next[1])) {
            walk.at[axis] = border;
            walk.cell = next;
            is_inside = is_inside && is_solid(next[0], next[1]);
            continue;
        }
        ++hits;
        walk.at[axis] = border + (is_rising ? -kSkin : kSkin);
        if (preset_.response != HitResponse::bounce) break;
        walk.ahead[axis] *= -preset_.bounce;
        walk.ahead[other] *= 1.0F - preset_.friction;
        *speeds[axis] *= -preset_.bounce;
        *speeds[other] *= 1.0F - preset_.friction;
        if (hits == kMaxHits) break;
    }
    const float x = preset_.x + static_cast<float>(walk.at[0]) * preset_.cell;
    const float y = preset_.y + static_cast<float>(walk.at[1]) * preset_.cell;
    // Far from 0 floats are farther apart than the skin is wide: there it stays where it was.
    if (!begins_inside && is_solid_at(x, y)) {
        if (hits == 0) {
            way.vx *= -preset_.bounce;
            way.vy *= -preset_.bounce;
        }
        return true;
    }
    way.x = x;
    way.y = y;
    return hits != 0;
}

// Two loops, since vector code has no table.
void ParticleWalls::find_hits(std::size_t count, const float* from_x, const float* from_y, const float* to_x,
                              const float* to_y, std::int32_t* may_hit) const noexcept {
    constexpr std::size_t kPart = 256;
    std::array<std::int32_t, kPart> columns, rows;
    const ParticleWalls walls = *this;
    for (std::size_t first = 0; first < count; first += kPart) {
        const std::size_t part = std::min(kPart, count - first);
        for (std::size_t i = 0; i < part; ++i) {
            const std::size_t at = first + i;
            const std::int32_t column = cell_of(walls.in_cells_x(to_x[at]), walls.columns_);
            const std::int32_t row = cell_of(walls.in_cells_y(to_y[at]), walls.rows_);
            const std::int32_t dx = column - cell_of(walls.in_cells_x(from_x[at]), walls.columns_);
            const std::int32_t dy = row - cell_of(walls.in_cells_y(from_y[at]), walls.rows_);
            columns[i] = column;
            rows[i] = row;
            // To a neighbour above, below or beside it there is no other way.
            may_hit[at] = std::abs(dx) + std::abs(dy) > 1 ? 1 : 0;
        }
        for (std::size_t i = 0; i < part; ++i)
            may_hit[first + i] |= walls.is_solid(columns[i] - 1, rows[i] - 1) ? 1 : 0;
    }
}

}  // namespace perigee
