// Where the uniforms are.
#include "engine/sdl/gl/pass.h"

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
      color(program.uniform("u_color")) {
    if (!program.error().empty()) return;
    program.use();
    glUniform1i(program.uniform("u_image"), kImageUnit);
    glUniform1i(program.uniform("u_frames"), kFramesUnit);
}

}  // namespace perigee::gl
