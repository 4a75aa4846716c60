// Trails: where entities with gfx:Trail were in the last steps, and the ribbon behind them.
//
// Invariant: it is a picture: it depends on the positions after each step, and no system reads it. A new
// entity, or one that moved farther than PreviousPositions::kMaxStepDistance in a step, begins a new trail.
// Each ribbon is a mesh of the draw list. In a steady state nothing is allocated.
#pragma once

#include "ecs/base/entity.h"
#include "engine/extract/internal/extract_frame.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace perigee {

class Query;
struct Trail;

class Trails {
public:
    static constexpr std::size_t kMaxLength = 64;  ///< steps

    /// After a step: remembers where the entities are. `query`: terms 0 Position, 1 gfx:Trail.
    void step(World& world, const PositionColumn& position, const Query& query);
    void draw(const internal::ExtractFrame& frame, const Query& query);
    void clear() noexcept;

private:
    using Point = PreviousPositions::Point;
    struct History {
        Entity entity;
        std::uint64_t last_step = 0;
        std::size_t count = 0;
        std::array<Point, kMaxLength + 1> points;  // the newest first
    };
    // A point of the ribbon's middle, and where on the ribbon it is: 0 at the entity, 1 at the end.
    struct Knot {
        float x = 0.0F, y = 0.0F, part = 0.0F;
    };

    History& history_of(Entity entity);
    std::size_t lay_knots(const internal::ExtractFrame& frame, const History& history, std::size_t length);
    void add_ribbon(const Trail& trail, std::size_t knot_count);

    std::vector<History> histories_;
    std::vector<std::uint32_t> slots_;  ///< 1 + index into histories_, by entity index; 0: none
    std::vector<std::uint32_t> free_;
    std::array<Knot, kMaxLength + 2> knots_;
    std::vector<MeshPoint> mesh_;
    std::uint64_t steps_ = 0;
};

}  // namespace perigee
