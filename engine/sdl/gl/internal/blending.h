// Blend modes as settings of OpenGL.
//
// Invariant: they expect what the shaders of shaders.h write: colours that are multiplied by their opacity,
// or mixed with white for modes that darken.
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/gl/gl_object.h"

namespace perigee::gl {

struct BlendSetting {
    GLenum equation, source, target;
    float base;
    bool keeps_opacity;  ///< of what is behind
};

BlendSetting setting_of(BlendMode mode) noexcept;

void set_blending(const BlendSetting& setting);

}  // namespace perigee::gl
