// GlyphTexture: the texture of a GlyphAtlas for OpenGL. One channel: the coverage. Filtering is linear, since
// large text is magnified and turned.
#pragma once

#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/gl/gl_object.h"

#include <cstdint>
#include <vector>

namespace perigee::gl {

class GlyphTexture : public AtlasTexture {
public:
    bool create(int side) override;
    void write(int x, int y, int width, int height, const std::uint32_t* pixels) override;

    GLuint name() const noexcept { return texture_.name(); }
    int side() const noexcept { return side_; }

private:
    Texture texture_;
    int side_ = 0;
    std::vector<std::uint8_t> coverage_;
};

}  // namespace perigee::gl
