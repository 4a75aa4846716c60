// What a tool of the program draws over the game: the console, the statistics, the bar of recent steps.
//
// Invariant: in coordinates of the screen, above everything that games draw, without images. Not here: what
// each of them draws.
#pragma once

#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/painter.h"

#include <cstdint>

namespace perigee {

class ToolPicture {
public:
    static constexpr std::int16_t kLayer = 32000;

    /// Clears the picture and returns an open painter. Lifetime: until finish().
    Painter& begin(std::int16_t layer = kLayer) {
        list_.clear();
        painter_.begin_frame(list_, no_images_);
        painter_.is_screen = true;
        painter_.layer = layer;
        return painter_;
    }
    /// The picture, for the renderer. Lifetime: until the next begin().
    const DrawList& finish() {
        painter_.end_frame();
        list_.sort(no_images_);
        return list_;
    }

private:
    DrawList list_;
    ImageTable no_images_;
    Painter painter_;
};

}  // namespace perigee
