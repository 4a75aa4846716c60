// How the bound texture is sampled: the ImageSampling of an image in OpenGL's terms.
#pragma once

#include "engine/assets/image_sampling.h"
#include "engine/sdl/gl/gl_object.h"

namespace perigee::gl {

/// Sets the sampling of the texture that is bound to GL_TEXTURE_2D.
inline void set_texture_sampling(ImageSampling sampling) {
    const GLint filter = sampling.filter == ImageFilter::linear ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    const GLint wrap = sampling.wrap == ImageWrap::repeat   ? GL_REPEAT
                       : sampling.wrap == ImageWrap::mirror ? GL_MIRRORED_REPEAT
                                                            : GL_CLAMP_TO_EDGE;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, wrap);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, wrap);
}

}  // namespace perigee::gl
