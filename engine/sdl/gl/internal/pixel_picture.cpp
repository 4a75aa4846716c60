// A texture of the logical size, and one square that shows it.
#include "engine/sdl/gl/internal/pixel_picture.h"

namespace perigee::gl {

namespace {

constexpr char kVertex[] = R"glsl(
out vec2 v_at;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    v_at = corner;
    gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0);
}
)glsl";

// u_scale: window pixels per pixel. Near its edges a pixel mixes with its neighbour, half a window pixel
// wide.
constexpr char kFragment[] = R"glsl(
uniform sampler2D u_image;
uniform vec2 u_size;
uniform vec2 u_scale;
in vec2 v_at;
out vec4 o_color;
void main() {
    vec2 at = v_at * u_size;
    vec2 whole = floor(at);
    vec2 inside = at - whole - 0.5;
    vec2 flat_part = 0.5 - 0.5 / max(u_scale, vec2(1.0));
    vec2 mixed = (inside - clamp(inside, -flat_part, flat_part)) * max(u_scale, vec2(1.0)) + 0.5;
    o_color = vec4(texture(u_image, (whole + mixed) / u_size).rgb, 1.0);
}
)glsl";

}  // namespace

bool PixelPicture::fit(PixelSize size) {
    if (size == size_ && framebuffer_) return true;
    size_ = size;
    texture_ = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width, size.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    stencil_ = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, stencil_.name());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, size.width, size.height);
    framebuffer_ = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer_.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_.name(), 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER, stencil_.name());
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) return true;
    framebuffer_.reset();
    return false;
}

void PixelPicture::show(const Letterbox& box, PixelSize target) {
    if (!program_) {
        program_ = std::make_unique<Program>(kVertex, kFragment);
        array_ = VertexArray::make();
    }
    if (!program_->error().empty()) return;
    program_->use();
    glUniform2f(program_->uniform("u_size"), static_cast<float>(size_.width),
                static_cast<float>(size_.height));
    glUniform2f(program_->uniform("u_scale"), box.scale_x, box.scale_y);
    glUniform1i(program_->uniform("u_image"), 0);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glBindVertexArray(array_.name());
    glDisable(GL_BLEND);
    glDisable(GL_SCISSOR_TEST);
    glViewport(box.x, target.height - box.y - box.height, box.width, box.height);
    glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    glViewport(0, 0, target.width, target.height);
    glEnable(GL_SCISSOR_TEST);
    glEnable(GL_BLEND);
}

}  // namespace perigee::gl
