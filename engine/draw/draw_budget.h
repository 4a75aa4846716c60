// Limits what one mod may draw per frame with gfx.*, so that no mod uses up the frame time in the renderer,
// which fuel does not measure.
//
// Invariant: the cost of an item depends only on its numbers, the camera and the logical size. It is charged
// before the item is added; once the budget is exceeded, everything else in this frame is refused. Not here:
// sprites of entities, which belong to the world; the renderer has a limit for the whole frame.
#pragma once

#include "engine/draw/draw_item.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace perigee {

/// The cost of drawing an item. Pixels are those that back ends process: for a line wider than a pixel, also
/// some next to it.
struct DrawCost {
    double vertices = 0;
    double pixels = 0;
};

/// Corners of a circle or an arc, however large, in the meshes of a back end.
inline constexpr int kMaxCircleCorners = 256;

/// Parameters of the cost besides the item.
struct DrawSurface {
    float zoom = 1;   ///< of the camera; items of the screen have none
    float width = 0;  ///< logical
    float height = 0;
};

/// `parts`: bytes of a text; how often a sprite shows its image (ImageTable::parts_of), 0 for once. Items
/// with numbers that are not finite draw nothing and cost nothing.
DrawCost draw_cost(const DrawItem& item, const DrawSurface& surface, std::size_t parts) noexcept;

/// Limits in full screens of pixels, in vertices, and in text sizes.
struct DrawAllowance {
    double vertices = 4e6;
    double screens = 200;
    std::size_t font_sizes = 64;
};

/// For mods, not for the game.
inline constexpr DrawAllowance kDrawAllowanceOfMod{.vertices = 200e3, .screens = 8, .font_sizes = 16};

class DrawBudget {
public:
    explicit DrawBudget(DrawAllowance allowance = {}) noexcept : allowance_(allowance) {}

    void begin_frame() noexcept;
    /// How many of the items may be drawn: all of them, or those before the one that exceeds the budget.
    /// `parts`: as of draw_cost, of each. `glyphs`: of texts, what besides the size needs other glyphs: the
    /// font and the outline.
    std::size_t take(std::span<const DrawItem> items, const DrawSurface& surface, std::size_t parts,
                     std::uint32_t glyphs = 0) noexcept;
    /// False when the budget is exceeded; then the item must not be drawn at all.
    bool take(const DrawItem& item, const DrawSurface& surface, std::size_t parts,
              std::uint32_t glyphs = 0) noexcept {
        return take({&item, 1}, surface, parts, glyphs) == 1;
    }

    /// The same for a mesh: the number of its points, and the area of its triangles at zoom 1, each as large
    /// as the screen at most.
    bool take_triangles(std::size_t points, double area, const DrawSurface& surface) noexcept;

    /// Counted since begin_frame.
    bool is_used_up() const noexcept { return is_used_up_; }
    const DrawAllowance& allowance() const noexcept { return allowance_; }

    enum class Limit : std::uint8_t { vertices, pixels, text_sizes };
    /// The limit that the frame exceeded last.
    Limit exceeded() const noexcept { return exceeded_; }

private:
    static constexpr std::size_t kMaxFontSizes = 64;

    bool takes_size(float pixels, std::uint32_t glyphs) noexcept;
    bool is_within(const DrawCost& taken, double screen) noexcept;

    DrawAllowance allowance_;
    DrawCost taken_;
    struct Size {
        float size = 0.0F;
        std::uint32_t glyphs = 0;
        friend bool operator==(const Size&, const Size&) = default;
    };
    std::array<Size, kMaxFontSizes> sizes_{};
    std::size_t size_count_ = 0;
    Limit exceeded_ = Limit::vertices;
    bool is_used_up_ = false;
};

}  // namespace perigee
