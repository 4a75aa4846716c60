// Positions one step ago, so that a frame between two steps can interpolate.
//
// Invariant: an entity is drawn only between two positions that it really had. A new entity (another
// generation in the slot), or one that moved farther than kMaxStepDistance (a teleport), is drawn at its
// current position. The frame lags up to one step behind the simulation, since nothing is extrapolated.
#pragma once

#include "ecs/base/entity.h"

#include <cstdint>
#include <vector>

namespace perigee {

class PreviousPositions {
public:
    /// px per step and axis; at 60 steps a second nothing that moves on a screen is faster.
    static constexpr float kMaxStepDistance = 128.0F;

    struct Point {
        float x = 0.0F;
        float y = 0.0F;
    };

    /// Makes room for entities below this index, so that remember() need not check.
    void reserve(std::uint32_t index_count) {
        if (entries_.size() < index_count) entries_.resize(index_count);
    }

    /// Expects: entity.index() below what was reserved.
    void remember(Entity entity, float x, float y) noexcept {
        entries_[entity.index()] = {x, y, entity.generation()};
    }

    /// The position between the remembered one and x, y; alpha 0 = remembered, 1 = now.
    Point between(Entity entity, float x, float y, float alpha) const noexcept {
        if (entity.index() >= entries_.size()) return {x, y};
        const Entry& before = entries_[entity.index()];
        const float dx = x - before.x;
        const float dy = y - before.y;
        const bool is_same = before.generation == entity.generation();
        const bool is_near = dx < kMaxStepDistance && dx > -kMaxStepDistance && dy < kMaxStepDistance &&
                             dy > -kMaxStepDistance;
        if (!is_same || !is_near) return {x, y};
        // From the current position back, so that alpha 1 gives exactly that position.
        const float back = 1.0F - alpha;
        return {x - dx * back, y - dy * back};
    }

    void clear() noexcept { entries_.clear(); }

private:
    struct Entry {
        float x = 0.0F;
        float y = 0.0F;
        std::uint32_t generation = 0;  // 0 is never alive
    };
    std::vector<Entry> entries_;  // by entity index
};

}  // namespace perigee
