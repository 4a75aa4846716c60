// Collisions of particles with the solid cells of a grid: what a preset says about them, and the way of one
// particle in one step.
//
// Invariant: a particle that begins a step in a free cell ends it in a free cell, at any speed: it visits
// the cells on its way one by one, and goes no farther than kMaxCells among them in a step. One that begins
// in a solid cell moves freely until it is out. What is outside of the grid is free. Not here: the loop over
// particles (particle_pool.h), and whose pixels they are.
//
// Source of the walk: J. Amanatides and A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, 1987.
#pragma once

#include "engine/draw/color.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace perigee {

/// What a particle does when it reaches a solid cell.
enum class HitResponse : std::uint8_t { bounce, stop, die };
inline constexpr std::array<std::string_view, 3> kHitResponseNames{"bounce", "stop", "die"};

/// The part of a preset.
struct ParticleCollisions {
    static constexpr float kMinCell = 1.0F, kMaxCell = 16384.0F;
    static constexpr float kFarthest = 1e6F;

    std::uint32_t grid = 0;    ///< id of pixels; 0: there are no collisions
    std::uint64_t serial = 0;  ///< of these pixels, since a later surface may have the id
    float cell = 16.0F;        ///< px: the side of the square in the world that a pixel stands for
    float x = 0.0F, y = 0.0F;  ///< of the left upper corner of the first cell
    float bounce = 0.5F;       ///< the part of its speed towards the cell with which a particle comes back
    float friction = 0.0F;     ///< the part of its speed along the cell that it loses
    HitResponse response = HitResponse::bounce;
};

/// The pixels of a grid: those whose opacity is not 0 are solid. Shape: height rows of width pixels.
/// Lifetime: of a step.
struct CollisionGrid {
    std::span<const PackedColor> pixels;
    std::int32_t width = 0;
    std::int32_t height = 0;
};

/// Returns an empty grid for pixels that are gone.
using FindCollisionGrid = std::function<CollisionGrid(const ParticleCollisions&)>;

/// A particle in one step, in the world.
struct ParticleWay {
    float x = 0.0F, y = 0.0F;    ///< at first; after the step, where it is
    float dx = 0.0F, dy = 0.0F;  ///< px, how far it moves without walls
    float vx = 0.0F, vy = 0.0F;  ///< px a second; a bounce changes them
};

/// An owner of local particles in the step that ends. Owner 0 stays at 0, 0.
struct ParticleOwnerStep {
    float from_x = 0.0F, from_y = 0.0F;
    float x = 0.0F, y = 0.0F;
};

class ParticleWalls {
public:
    static constexpr int kMaxCells = 64;  ///< along each axis
    static constexpr int kMaxHits = 4;    ///< in a step; after them a particle waits for the next one

    ParticleWalls(const ParticleCollisions& preset, const CollisionGrid& grid) noexcept
        : grid_(grid),
          preset_(preset),
          cells_per_pixel_(1.0F / preset.cell),
          columns_(static_cast<float>(grid.width)),
          rows_(static_cast<float>(grid.height)) {}

    HitResponse response() const noexcept { return preset_.response; }
    bool is_solid_at(float x, float y) const noexcept {
        return is_solid(cell_of(in_cells_x(x), columns_) - 1, cell_of(in_cells_y(y), rows_) - 1);
    }

    /// Moves it. True if it reached a solid cell: at least once for bounces; else it is there now.
    bool move(ParticleWay& way) const noexcept;

    /// For particles that move straight from one place to another: 1 for each that may be stopped by a solid
    /// cell, 0 for those that move() would not stop. Expects: room for `count` answers.
    void find_hits(std::size_t count, const float* from_x, const float* from_y, const float* to_x,
                   const float* to_y, std::int32_t* may_hit) const noexcept;

private:
    // Cells count from 1 here: what is before the grid is in cell 0, and so is NaN.
    static std::int32_t cell_of(float at, float count) noexcept {
        const float low = at > -1.0F ? at : -1.0F;
        return static_cast<std::int32_t>((low < count ? low : count) + 1.0F);
    }
    float in_cells_x(float x) const noexcept { return (x - preset_.x) * cells_per_pixel_; }
    float in_cells_y(float y) const noexcept { return (y - preset_.y) * cells_per_pixel_; }
    bool is_solid(std::int32_t column, std::int32_t row) const noexcept {
        if (column < 0 || row < 0 || column >= grid_.width || row >= grid_.height) return false;
        const auto at = static_cast<std::size_t>(row) * static_cast<std::size_t>(grid_.width);
        return grid_.pixels[at + static_cast<std::size_t>(column)] >> 24U != 0;
    }

    CollisionGrid grid_;
    ParticleCollisions preset_;
    float cells_per_pixel_;
    float columns_, rows_;  // of the grid
};

}  // namespace perigee
