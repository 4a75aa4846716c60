// What one mod may draw in a picture with gfx.*, so that no mod takes the frame of all others in the
// renderer, whose time no fuel sees.
//
// Invariant: what an item costs follows from its numbers, the camera and the logical size alone; it is taken
// before the item is added, and refused for good in this picture once there is not enough left. Not here:
// sprites of entities, which belong to the world; the renderer has a limit for the picture as a whole.
#pragma once

#include "engine/draw_item.h"

#include <array>
#include <cstddef>

namespace perigee {

/// What drawing an item takes. Pixels are those of the picture that back ends look at: of a line that is
/// wider than a pixel, also some beside it.
struct DrawCost {
    double vertices = 0;
    double pixels = 0;
};

/// What the cost depends on besides the item.
struct DrawSurface {
    float zoom = 1;   ///< of the camera; items of the screen have none
    float width = 0;  ///< logical
    float height = 0;
};

/// `text_length`: bytes of a text, 0 for other items. Numbers that are not finite cost nothing: they draw
/// nothing.
DrawCost draw_cost(const DrawItem& item, const DrawSurface& surface, std::size_t text_length) noexcept;

/// In pictures full of pixels, in vertices, and in sizes of text.
struct DrawAllowance {
    double vertices = 4e6;
    double screens = 200;
    std::size_t font_sizes = 64;
};

/// For mods beside the game.
inline constexpr DrawAllowance kDrawAllowanceOfMod{.vertices = 200e3, .screens = 8, .font_sizes = 16};

/// Pixels. A back end that looks at the whole box around what it draws cuts slanting lines into pieces of at
/// most this length.
inline constexpr float kLinePiece = 24.0F;

class DrawBudget {
public:
    explicit DrawBudget(DrawAllowance allowance = {}) noexcept : allowance_(allowance) {}

    void begin_frame() noexcept;
    /// False when there is not enough left; nothing of the item may be drawn then.
    bool take(const DrawItem& item, const DrawSurface& surface, std::size_t text_length) noexcept;

    const DrawAllowance& allowance() const noexcept { return allowance_; }

private:
    static constexpr std::size_t kMaxFontSizes = 64;

    bool takes_size(float size) noexcept;

    DrawAllowance allowance_;
    DrawCost taken_;
    std::array<float, kMaxFontSizes> sizes_{};
    std::size_t size_count_ = 0;
    bool is_used_up_ = false;
};

}  // namespace perigee
