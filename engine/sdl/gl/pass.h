// Pass: a program with the uniforms that all programs of the renderer have.
//
// Invariant: its samplers are set. Not here: the other values, which change with each draw call
// (gl_renderer.h).
#pragma once

#include "engine/draw/draw_item.h"
#include "engine/sdl/gl/program.h"

#include <string_view>

namespace perigee::gl {

inline constexpr GLint kImageUnit = 0;
inline constexpr GLint kFramesUnit = 1;
inline constexpr GLint kFirstSecondUnit = 2;  ///< of the images of effects

struct Pass {
    Pass(std::string_view vertex, std::string_view fragment);
    /// Expects: a program for particles, which is in use.
    void set_looks(const ParticleLooks& of_particles) const noexcept;

    Program program;
    GLint linear, offset, scale, target, upright, base, is_hard;
    GLint similar, texel, has_image, premultiplied, part, wraps, color, looks,
        look;  // -1 in programs without them
};

}  // namespace perigee::gl
