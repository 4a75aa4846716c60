// ShapeOutline: the edge of a shape in window pixels, with its stroke, for any matrix.
//
//   boxes: upright rectangles and level lines, on whole pixels
//   fan:   a filled shape; its triangles are (0, i, i + 1) of `outer`
//   ring:  a closed stroke between `outer` and `inner`
//   band:  a stroke with two ends between `outer` and `inner`; a line, or an open arc
//
// Invariant: `outer` and `inner` have as many points, and the quads between neighbouring pairs cover the
// stroke without overlapping, so that a transparent stroke is evenly transparent. The numbers are those of
// the shaders of OpenGL (engine/sdl/gl/shaders.cpp). An edge is never more than a quarter of a pixel from its
// curve. Not here: soft edges, triangles (mesh.h), pixels (spans.h).
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/mesh/view.h"

#include <optional>
#include <vector>

namespace perigee {

/// No window is larger. Triangles of SDL's software renderer must stay inside of this.
inline constexpr float kFarthest = 8192.0F;

/// Edges of an upright rectangle, in window pixels.
struct WindowBox {
    float left = 0.0F;
    float top = 0.0F;
    float right = 0.0F;
    float bottom = 0.0F;
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
std::optional<WindowLine> line_in_window(const DrawItem& item, const View& view) noexcept;

struct ShapeOutline {
    enum class Form { nothing, boxes, fan, ring, band };

    /// Sets it to that of an item; `nothing` for kinds that are no shapes and for numbers that are not
    /// finite. A stroke is inside of its shape, that of a line or an open arc on both sides.
    void set(const DrawItem& item, const View& view);

    Form form = Form::nothing;
    std::vector<WindowBox> boxes;
    std::vector<WindowPoint> outer, inner;

private:
    struct Axes;
    void set_rectangle(const DrawItem& item, const View& view);
    void set_bars(const WindowBox& box, float stroke);
    void add_corners(const Axes& axes, WindowPoint half, float radius, float inset,
                     std::vector<WindowPoint>& points) const;
    void set_ellipse(const DrawItem& item, const View& view);
    void set_arc(const DrawItem& item, const View& view);
    void set_pie(const Axes& axes, float radius, float stroke, float middle, float half);
    void set_segment(const Axes& axes, float radius, float stroke, float middle, float half);
    void set_open_arc(const Axes& axes, float radius, float stroke, float middle, float half,
                      bool has_round_ends);
    void set_line(const DrawItem& item, const View& view);
};

}  // namespace perigee
