// Placement: how a DrawMatrix reaches the items that are drawn under it.
//
// Invariant: a matrix that only moves, turns and scales evenly changes the numbers of the items, so that a
// thousand sprites with a matrix each are still one run. Any other matrix becomes the state of the items
// (draw_state.h), which costs a run for each change. Not here: where matrices come from (painter.h).
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/draw/draw_state.h"

#include <cstdint>

namespace perigee {

class Placement {
public:
    Placement() noexcept = default;
    explicit Placement(const DrawMatrix& matrix) noexcept;

    /// Moves, turns and scales the item. Does nothing if the matrix is the state of the items.
    void apply(DrawItem& item) const noexcept {
        if (!is_identity_ && is_applied_) move(item);
    }

    /// For the items after apply().
    const DrawMatrix& state_matrix() const noexcept { return state_matrix_; }
    const DrawMatrix& matrix() const noexcept { return matrix_; }
    bool is_identity() const noexcept { return is_identity_; }
    /// Whether it scales some directions more than others.
    bool is_uneven() const noexcept { return is_uneven_; }
    /// The factor by which it scales lengths, averaged over all directions.
    float scale() const noexcept { return scale_; }

private:
    void move(DrawItem& item) const noexcept;

    DrawMatrix matrix_;
    DrawMatrix state_matrix_;
    float scale_ = 1.0F;
    std::uint16_t angle_ = 0;
    bool is_identity_ = true;
    bool is_uneven_ = false;
    bool is_applied_ = true;  ///< to the numbers of the items
};

}  // namespace perigee
