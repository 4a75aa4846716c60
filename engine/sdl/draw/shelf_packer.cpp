// First shelf that fits and is at most half as high again; else a new one below.
#include "engine/sdl/draw/shelf_packer.h"

namespace perigee {

bool ShelfPacker::place(int width, int height, int& x, int& y) {
    int bottom = 0;
    for (Shelf& shelf : shelves_) {
        bottom = shelf.top + shelf.height;
        if (height > shelf.height || height * 3 < shelf.height * 2 || width > side_ - shelf.used) continue;
        x = shelf.used;
        y = shelf.top;
        shelf.used += width;
        return true;
    }
    if (height > side_ - bottom || width > side_) return false;
    shelves_.push_back({bottom, height, width});
    x = 0;
    y = bottom;
    return true;
}

}  // namespace perigee
