// Clears what is bound to a colour.
//
// Invariant: targets have colours that are multiplied by their opacity. Not here: the scissor, which limits
// what is cleared.
#pragma once

#include "engine/draw/color.h"
#include "engine/sdl/gl/gl_object.h"

namespace perigee::gl {

inline void clear_to(PackedColor color) {
    const auto channel = [color](unsigned shift) {
        return static_cast<float>(color >> shift & 0xFFU) / 255.0F;
    };
    const float opacity = channel(24);
    glClearColor(channel(0) * opacity, channel(8) * opacity, channel(16) * opacity, opacity);
    glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace perigee::gl
