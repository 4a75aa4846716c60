// Where the uniforms are.
#include "engine/sdl/gl/pass.h"

#include <array>
#include <bit>
#include <cstddef>

namespace perigee::gl {

Pass::Pass(std::string_view vertex, std::string_view fragment)
    : program(vertex, fragment),
      linear(program.uniform("u_linear")),
      offset(program.uniform("u_offset")),
      scale(program.uniform("u_scale")),
      target(program.uniform("u_target")),
      upright(program.uniform("u_upright")),
      base(program.uniform("u_base")),
      is_hard(program.uniform("u_is_hard")),
      similar(program.uniform("u_similar")),
      texel(program.uniform("u_texel")),
      has_image(program.uniform("u_has_image")),
      premultiplied(program.uniform("u_premultiplied")),
      part(program.uniform("u_part")),
      wraps(program.uniform("u_wraps")),
      color(program.uniform("u_color")),
      looks(program.uniform("u_looks")),
      look(program.uniform("u_look")) {
    if (!program.error().empty()) return;
    program.use();
    glUniform1i(program.uniform("u_image"), kImageUnit);
    glUniform1i(program.uniform("u_frames"), kFramesUnit);
}

void Pass::set_looks(const ParticleLooks& of_particles) const noexcept {
    std::array<std::array<GLuint, 4>, ParticleLooks::kSteps> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const DrawItem& item = of_particles.items[i];
        values[i] = {std::bit_cast<GLuint>(item.w), std::bit_cast<GLuint>(item.h), item.color, 0};
    }
    const DrawItem& any = of_particles.items[0];
    glUniform4uiv(looks, static_cast<GLsizei>(values.size()), values.data()->data());
    glUniform2ui(look, any.ref,
                 any.origin_x | static_cast<GLuint>(any.origin_y) << 8U |
                     static_cast<GLuint>(any.kind) << 16U | static_cast<GLuint>(any.flags) << 24U);
}

}  // namespace perigee::gl
