// Mesh: draw items as triangles in window pixels, ready to submit in one call.
//
// Invariant: every index refers to a vertex of the mesh, and each three form a triangle. Axis-aligned
// rectangles and sprites have their edges on whole pixels, rounded the same everywhere, so neighbours neither
// gap nor overlap and every back end paints the same pixels. It knows no texture and no window; text_setter.h
// adds texts.
#pragma once

#include "engine/assets/image_table.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/draw_list.h"
#include "engine/sdl/window/letterbox.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace perigee {

/// window pixel = item coordinate * scale + (x, y).
struct ViewTransform {
    float scale = 1.0F;
    float x = 0.0F;
    float y = 0.0F;
};

/// For items that ignore the camera.
ViewTransform screen_transform(const Letterbox& box) noexcept;
/// For items of the world, as DrawCamera defines it.
ViewTransform world_transform(const Letterbox& box, PixelSize logical, const DrawCamera& camera) noexcept;

struct MeshVertex {
    float x = 0.0F;  ///< window pixels
    float y = 0.0F;
    std::uint32_t color = 0xFFFF'FFFF;  ///< r, g, b, a in memory order
    float u = 0.0F;                     ///< 0 .. 1 of the texture
    float v = 0.0F;
};
static_assert(sizeof(MeshVertex) == 20);

/// A rectangle of a texture, 0 .. 1.
struct TextureBox {
    float left = 0.0F;
    float top = 0.0F;
    float right = 1.0F;
    float bottom = 1.0F;
};

/// The visible part of a line, in window pixels.
struct WindowLine {
    float x0 = 0.0F;
    float y0 = 0.0F;
    float x1 = 0.0F;
    float y1 = 0.0F;
    float width = 1.0F;  ///< at least one pixel
};

/// Expects: the item is a line. None if no part is visible.
std::optional<WindowLine> line_in_window(const DrawItem& item, const ViewTransform& view);

class Mesh {
public:
    static constexpr float kWhole = 1e9F;  ///< a longest_piece that splits no line

    /// Clears the triangles and keeps the memory.
    void clear() noexcept;

    /// An item of any kind but text. An outline is inside its shape, and no line is thinner than a pixel. A
    /// slanted line is split into pieces of at most `longest_piece` window pixels, because SDL's software
    /// renderer processes the whole bounding box of each triangle.
    void add_shape(const DrawItem& item, const ViewTransform& view, float longest_piece = kWhole);
    void add_sprite(const DrawItem& item, const ImageTable& images, const ViewTransform& view);
    /// An axis-aligned rectangle in window pixels.
    void add_box(float left, float top, float right, float bottom, std::uint32_t color,
                 TextureBox texture = {});

    const std::vector<MeshVertex>& vertices() const noexcept { return vertices_; }
    const std::vector<int>& indices() const noexcept { return indices_; }
    bool is_empty() const noexcept { return indices_.empty(); }

private:
    void add_placed(const DrawItem& item, const ViewTransform& view, const TextureBox& texture);
    void add_turned(const DrawItem& item, const ViewTransform& view, float left, float top, float right,
                    float bottom, const TextureBox& texture);
    void add_outline(const DrawItem& item, const ViewTransform& view);
    void add_circle(const DrawItem& item, const ViewTransform& view);
    void add_line(const WindowLine& line, std::uint32_t color, float longest_piece);
    void add_quad(const MeshVertex (&corners)[4]);

    std::vector<MeshVertex> vertices_;
    std::vector<int> indices_;
};

}  // namespace perigee
