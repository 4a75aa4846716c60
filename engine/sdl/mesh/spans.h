// Spans: shapes as rows of pixels, for SDL's software renderer.
//
// Invariant: a pixel belongs to a shape if its centre is inside, so shapes with a common edge neither gap nor
// overlap. A shape covers no pixel twice. Every rectangle is inside of the clip. Triangles would cost more:
// SDL goes through the bounding box of each, allocates it when it blends, and puts corners on whole pixels.
// Not here: colours.
#pragma once

#include "engine/sdl/mesh/shape_outline.h"
#include "engine/sdl/mesh/view.h"

#include <span>
#include <vector>

namespace perigee {

class Spans {
public:
    void clear() noexcept { boxes_.clear(); }

    /// Divides boxes of medium width into columns. Opaque rows of 16 pixels and more are written past the
    /// cache by SDL, which costs more than it saves unless they are long.
    void divide();

    /// A filled shape that is too small for the centre of a pixel is the pixel in which it is.
    void add(const ShapeOutline& outline, const PixelBox& clip);

    /// The rectangles in the order in which they were added.
    std::span<const PixelBox> boxes() const noexcept { return boxes_; }

private:
    struct Crossing {
        int row;
        double x;
        int winding;
    };
    void add_box(const WindowBox& box, const PixelBox& clip);
    void add_edge(WindowPoint from, WindowPoint to, const PixelBox& clip);
    void add_row(int row, double from, double to, const PixelBox& clip);
    void add_speck(const ShapeOutline& outline, const PixelBox& clip);

    std::vector<PixelBox> boxes_;
    std::vector<PixelBox> divided_;
    std::vector<Crossing> crossings_;  // of one shape
    std::size_t first_of_shape_ = 0;
};

}  // namespace perigee
