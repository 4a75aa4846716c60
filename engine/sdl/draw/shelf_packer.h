// ShelfPacker: places rectangles in a square, without moving those that are there.
//
// Invariant: rectangles do not overlap. Each shelf, a row of the square, takes rectangles of about one
// height, from the left until it is full. It knows no texture and leaves no borders.
#pragma once

#include <vector>

namespace perigee {

class ShelfPacker {
public:
    explicit ShelfPacker(int side) noexcept : side_(side) {}

    int side() const noexcept { return side_; }
    void clear(int side) noexcept {
        shelves_.clear();
        side_ = side;
    }

    /// False when there is no room.
    bool place(int width, int height, int& x, int& y);

private:
    struct Shelf {
        int top = 0;
        int height = 0;
        int used = 0;
    };
    int side_;
    std::vector<Shelf> shelves_;
};

}  // namespace perigee
