// PaintState: what later drawing in the frame has in common, until it is changed.
//
// Invariant: plain data; the defaults are those with which each frame starts. Not here: the camera, which
// belongs to the draw list.
#pragma once

#include "engine/draw/color.h"
#include "engine/draw/draw_item.h"
#include "engine/draw/draw_state.h"
#include "engine/draw/shapes/line_style.h"
#include "engine/shaders/shader_table.h"

#include <cstdint>

namespace perigee {

class DrawList;

inline constexpr float kDefaultFontSize = 16.0F;

struct PaintState {
    PackedColor color = kWhite;
    std::int16_t layer = 0;
    bool is_screen = false;
    BlendMode blend = BlendMode::alpha;
    float line_width = 1.0F;
    float font_size = kDefaultFontSize;
    float point_size = 1.0F;
    LineJoin join = LineJoin::miter;
    LineCap cap = LineCap::butt;
    DrawMatrix matrix;       ///< applied to all coordinates, before the camera
    DrawClip clip;           ///< the scissor, in pixels of the logical screen
    ShaderId shader = 0;     ///< of all that is drawn
    std::uint32_t font = 0;  ///< asset of texts, for those who make them (engine/fonts); 0: the default font
    std::uint32_t mask = 0;  ///< a number of `mask_list`; 0: none
    /// The mask has no effect in other lists, such as those of canvases.
    const DrawList* mask_list = nullptr;
};

}  // namespace perigee
