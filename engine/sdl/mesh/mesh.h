// Mesh: draw items as triangles in window pixels, ready to submit in one call.
//
// Invariant: every index refers to a vertex of the mesh, and each three form a triangle. Coordinates are
// finite, at most kFarthest from zero (boxes: twice that), and parts of textures are inside of them: SDL's
// software renderer computes with 32 bits. What is further away is clipped. Upright rectangles and sprites
// have their edges on whole pixels, rounded the same everywhere, so neighbours neither gap nor overlap and
// every back end paints the same pixels. It knows no texture and no window; text_setter.h adds texts.
#pragma once

#include "engine/assets/image_table.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/draw_list.h"
#include "engine/sdl/mesh/shape_outline.h"
#include "engine/sdl/mesh/view.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

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

/// Where an axis of a frame is cut, because its image begins again.
struct TextureCut {
    float at;        ///< from where the frame begins, in its pixels
    float from, to;  ///< the part of the texture between here and the next cut
};

class Mesh {
public:
    /// SDL's software renderer cuts the fractions of corners off. If this is true, corners of what is turned
    /// are rounded to whole pixels before.
    bool rounds_corners = false;
    /// The texture with which the triangles will be drawn, if SDL draws in software; else 0. SDL multiplies
    /// its larger side by twice the area of a triangle, in 32 bits, so larger triangles are divided.
    PixelSize texture_size;
    /// What is seen of the target. SDL's software renderer scales a copy that leaves the target as a whole,
    /// in memory of that size, so pixels of the texture that are not seen are left out of large boxes.
    PixelBox visible;
    /// How the image of added triangles wraps.
    ImageWrap image_wrap = ImageWrap::clamp;

    /// Clears the triangles and keeps the memory.
    void clear() noexcept;

    /// An item of a kind that has an outline.
    void add_shape(const DrawItem& item, const View& view);
    /// One that shows its image more than once is divided, since SDL draws no more than a texture at a time.
    void add_sprite(const DrawItem& item, const ImageTable& images, const View& view);
    /// The triangles of a mesh item, multiplied by a colour. Parts outside of the image show its edge, or the
    /// image again, as `image_wrap` says. `is_premultiplied`: `color` is, and that of the points becomes so.
    void add_triangles(std::span<const MeshPoint> points, std::uint32_t color, const View& view,
                       bool is_premultiplied = false);
    void add_triangles(const VertexMesh& mesh, std::uint32_t color, const View& view, bool is_premultiplied);
    /// An upright rectangle in window pixels. Mirrored if it ends before it starts.
    void add_box(WindowBox box, std::uint32_t color, TextureBox texture = {});
    /// Any parallelogram, its corners in order. SDL's software renderer takes a quad with level edges for an
    /// upright copy and would lose a quarter turn, so that one is kept from being quite level.
    void add_textured_quad(const WindowPoint (&corners)[4], std::uint32_t color, const TextureBox& texture);

    const std::vector<MeshVertex>& vertices() const noexcept { return vertices_; }
    const std::vector<int>& indices() const noexcept { return indices_; }
    bool is_empty() const noexcept { return indices_.empty(); }

private:
    // A part of a sprite, in its own coordinates: from its origin, before it is turned.
    struct SpritePart {
        float left, top, right, bottom;
    };
    void add_sprite_part(const DrawItem& item, const SpritePart& part, const TextureBox& texture,
                         const View& view);
    void add_repeated(const DrawItem& item, const ImageFrame& frame, const ImageTable& images,
                      const View& view);
    WindowPoint whole(WindowPoint corner) const noexcept;
    int texture_side() const noexcept;
    bool costs_more_than_seen(float width, float height) const noexcept;
    void add_quad(const MeshVertex (&corners)[4]);
    bool is_too_large(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c) const noexcept;
    void add_triangle(const MeshVertex (&corners)[3]);
    void add_point_triangle(const MeshPoint& a, const MeshPoint& b, const MeshPoint& c, std::uint32_t color,
                            const View& view, bool is_premultiplied);
    void add_wrapped(MeshVertex (&corners)[3]);
    bool add_repeated_rectangle(std::span<const MeshPoint> points, std::uint32_t color, const View& view,
                                bool is_premultiplied);
    MeshVertex within_texture(MeshVertex vertex) const noexcept;
    void add_divided(const MeshVertex& a, const MeshVertex& b, const MeshVertex& c);
    void add_fan(std::uint32_t color);
    void add_strip(std::uint32_t color);

    std::vector<MeshVertex> vertices_;
    std::vector<int> indices_;
    ShapeOutline outline_;                    // of the item that is being added
    std::vector<TextureCut> columns_, rows_;  // the same
    std::vector<TextureCut> cuts_;            // of the axis that is being cut
};

}  // namespace perigee
