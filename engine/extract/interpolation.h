// Positions one step ago, so that a frame between two steps can interpolate.
//
// Invariant: an entity is drawn only between two positions that it really had. A new entity (another
// generation in the slot), or one that moved farther than kMaxStepDistance (a teleport), is drawn at its
// current position. The frame lags up to one step behind the simulation, since nothing is extrapolated.
//
// Positions of a chunk whose rows were the same one step before lie side by side, in the order of the rows:
// they are copied as a whole, and read without looking at the entities.
#pragma once

#include "ecs/base/entity.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
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
        entries_[entity.index()] = {{x, y}, entity.generation()};
    }

    /// Where to write the positions of all rows of a chunk; empty: each is remembered on its own. `chunk`: a
    /// small number that no other chunk has at the same time. `are_same`: it has had these rows since the
    /// last call for it. Expects: to be called for each chunk whose rows changed.
    std::span<Point> remember_rows(std::uint32_t chunk, std::span<const Entity> entities, bool are_same);
    /// The positions of all rows of a chunk; empty if they were not remembered as a whole. Expects: it has
    /// had these rows since then.
    std::span<const Point> rows(std::uint32_t chunk, std::size_t row_count) const noexcept {
        const bool are_there = chunk < rows_.size() && rows_[chunk].entities.size() == row_count;
        return are_there ? std::span<const Point>{rows_[chunk].points} : std::span<const Point>{};
    }

    /// The position between the remembered one and x, y; alpha 0 = remembered, 1 = now.
    Point between(Entity entity, float x, float y, float alpha) const noexcept {
        if (entity.index() >= entries_.size()) return {x, y};
        const Entry& entry = entries_[entity.index()];
        if (entry.generation == entity.generation()) return between(entry.at, {x, y}, alpha);
        const Point* const in_rows =
            entry.generation == (entity.generation() | kIsInRows) ? in_rows_of(entry, entity) : nullptr;
        return in_rows != nullptr ? between(*in_rows, {x, y}, alpha) : Point{x, y};
    }
    [[gnu::always_inline]] static Point between(Point before, Point now, float alpha) noexcept {
        const float dx = now.x - before.x;
        const float dy = now.y - before.y;
        // Without branches: a loop over rows is then made of instructions for four numbers.
        const bool is_near = (dx < kMaxStepDistance) & (dx > -kMaxStepDistance) & (dy < kMaxStepDistance) &
                             (dy > -kMaxStepDistance);
        // From the current position back, so that alpha 1 gives exactly that position.
        const float back = 1.0F - alpha;
        const Point moved{now.x - dx * back, now.y - dy * back};
        return {is_near ? moved.x : now.x, is_near ? moved.y : now.y};
    }

    void clear() noexcept {
        entries_.clear();
        rows_.clear();
    }

private:
    static constexpr std::uint32_t kIsInRows = 1U << 31U;
    static_assert(Entity::kMaxGeneration < kIsInRows);
    struct Entry {
        Point at;                      // with kIsInRows: the bits of a chunk's number and of a row
        std::uint32_t generation = 0;  // 0 is never alive
    };
    // Of a chunk.
    struct Rows {
        std::vector<Entity> entities;  // empty: the entries have their positions
        std::vector<Point> points;
    };
    const Point* in_rows_of(const Entry& entry, Entity entity) const noexcept {
        const Rows& rows = rows_[std::bit_cast<std::uint32_t>(entry.at.x)];
        const auto row = std::bit_cast<std::uint32_t>(entry.at.y);
        return row < rows.entities.size() && rows.entities[row] == entity ? &rows.points[row] : nullptr;
    }

    std::vector<Entry> entries_;  // by entity index
    std::vector<Rows> rows_;      // by number of the chunk
};

}  // namespace perigee
