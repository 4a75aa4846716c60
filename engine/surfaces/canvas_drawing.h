// What a painter does with canvases: drawing into them and showing them.
//
// Invariant: items that the painter still holds belong to the pass before. Not here: passes
// (surface_table.h), and who may do this (engine/modules/gfx_surfaces.h).
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/image_table.h"
#include "engine/draw/painter.h"
#include "engine/surfaces/surface_table.h"

#include <cstdint>

namespace perigee {

struct CanvasDrawing {
    Painter& painter;
    SurfaceTable& surfaces;
    ImageTable& images;

    /// Later drawing of `owner` goes into a canvas. Returns how many pixels a new pass has; 0: there is none.
    /// Errors: see SurfaceTable::draw_into. All expect: the painter is open; the id of a canvas.
    Result<std::uint32_t> draw_into(std::uint32_t canvas, std::uint32_t owner) const;
    /// Later drawing goes to where it went before all canvases.
    void leave() const;
    /// Called when the painter is back where it was, for example after a picture in the picture: what it
    /// draws next is not shown by what was drawn in between.
    void go_on() const;
    /// Makes it this colour. Results as of draw_into.
    Result<std::uint32_t> clear(std::uint32_t canvas, PackedColor color) const;
    /// The id that shows a canvas as it is now, where the painter draws, and the pixels of a new pass of the
    /// target. Expects: the painter does not draw into it.
    struct Shown {
        std::uint32_t image = 0;
        std::uint32_t pixels = 0;
    };
    Result<Shown> show(std::uint32_t canvas) const;
    /// The same while the painter adds items, for an id of any kind, and for the canvas that it draws into.
    Result<std::uint32_t> shown_now(std::uint32_t image) const;

private:
    std::uint32_t target() const noexcept;
    Result<bool> show_in_list(std::uint32_t canvas) const;
    std::uint32_t pixels_of(std::uint32_t canvas) const noexcept;
};

}  // namespace perigee
