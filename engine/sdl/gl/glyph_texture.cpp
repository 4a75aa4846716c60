// Clear pixels at first, so that nothing shows between glyphs.
#include "engine/sdl/gl/glyph_texture.h"

#include <cstddef>

namespace perigee::gl {

bool GlyphTexture::create(int side) {
    GLint max_side = 0;
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_side);
    if (side > max_side) return false;
    texture_ = Texture::make();
    side_ = side;
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    coverage_.assign(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 0);
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R8, side, side, 0, GL_RED, GL_UNSIGNED_BYTE, coverage_.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
    coverage_ = {};
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return true;
}

void GlyphTexture::write(int x, int y, int width, int height, const std::uint32_t* pixels) {
    coverage_.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    for (std::size_t i = 0; i < coverage_.size(); ++i)
        coverage_[i] = static_cast<std::uint8_t>(pixels[i] >> 24U);
    glBindTexture(GL_TEXTURE_2D, texture_.name());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
    glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, width, height, GL_RED, GL_UNSIGNED_BYTE, coverage_.data());
    glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
}

}  // namespace perigee::gl
