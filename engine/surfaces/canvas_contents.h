// CanvasContents: when the textures of canvases and of their hidden contents change places.
//
// Invariant: this happens once for each frame that was drawn, after it: a frame can be drawn again. It
// leaves alone what was made again in between. Not here: the textures (engine/sdl).
#pragma once

#include "engine/surfaces/surface_table.h"

#include <cstdint>
#include <vector>

namespace perigee {

class CanvasContents {
public:
    /// Called when the passes of a frame are drawn.
    void remember(const SurfaceTable& surfaces) {
        frame_ = surfaces.frame();
        surfaces.each_new_content([this](const Surface& canvas, const Surface& content) {
            pairs_.push_back({{canvas.image, canvas.serial}, {content.image, content.serial}});
        });
    }

    /// Called before textures are made or dropped. `entry_of` returns the entry of a surface, with its
    /// serial.
    template <typename EntryOf> void exchange_after_frame(const SurfaceTable& surfaces, EntryOf entry_of) {
        if (pairs_.empty() || surfaces.frame() == frame_) return;
        for (const Pair& pair : pairs_) {
            auto& canvas = entry_of(pair.canvas.image);
            auto& content = entry_of(pair.content.image);
            if (canvas.serial == pair.canvas.serial && content.serial == pair.content.serial)
                canvas.exchange_content(content);
        }
        pairs_.clear();
    }

    /// The textures are gone.
    void clear() noexcept { pairs_.clear(); }

private:
    struct Named {
        std::uint32_t image = 0;
        std::uint64_t serial = 0;
    };
    struct Pair {
        Named canvas, content;
    };
    std::vector<Pair> pairs_;
    std::uint64_t frame_ = 0;
};

}  // namespace perigee
