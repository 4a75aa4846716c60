// Textures are bound before each draw call that needs them: shaders with images are few.
#include "engine/sdl/gl/internal/second_images.h"

#include "engine/assets/surface_id.h"
#include "engine/sdl/gl/internal/sampling.h"

#include <algorithm>
#include <array>

namespace perigee::gl {

namespace {

// Bits of u_second_kinds.
constexpr GLint kPremultiplied = 1;
constexpr GLint kUpsideDown = 2;

}  // namespace

GLuint SecondImages::white() {
    if (!white_) {
        constexpr std::uint32_t kWhitePixel = 0xFFFF'FFFFU;
        white_ = Texture::make();
        glBindTexture(GL_TEXTURE_2D, white_.name());
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 1, 1, 0, GL_RGBA, GL_UNSIGNED_BYTE, &kWhitePixel);
        set_texture_sampling({});
    }
    return white_.name();
}

void SecondImages::load(const DrawList& list, const ImageTable& images, const AssetStore& assets) {
    for (const ShaderUse& use : list.shaders())
        for (const std::uint32_t image : use.images)
            if (image != 0 && !is_surface(image))
                static_cast<void>(pages_.place_alone(image, assets, images.sampling_of(image)));
}

void SecondImages::bind(const EffectProgram& program, const ShaderUse& use, const ImageTable& images,
                        std::uint32_t canvas) {
    const auto& names = program.source->images;
    if (names.empty()) return;
    const auto& sent = use.source->images;
    std::array<GLint, kMaxShaderImages> kinds{};
    for (std::size_t i = 0; i < names.size(); ++i) {
        // After a version that does not compile, the images are those of that version.
        const auto found = std::ranges::find(sent, names[i]);
        const std::uint32_t image =
            found != sent.end() ? use.images[static_cast<std::size_t>(found - sent.begin())] : 0;
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(kFirstSecondUnit) + static_cast<GLenum>(i));
        if (image == 0 || image == canvas) {
            glBindTexture(GL_TEXTURE_2D, white());
        } else if (is_surface(image)) {
            glBindTexture(GL_TEXTURE_2D, surfaces_.texture_of(image));
            kinds[i] = is_canvas(image) ? kPremultiplied | kUpsideDown : 0;
        } else {
            const ImagePlace& place = pages_.known_alone(image, images.sampling_of(image));
            glBindTexture(GL_TEXTURE_2D, pages_.page(place.page));
            kinds[i] = place.is_premultiplied ? kPremultiplied : 0;
        }
    }
    glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(kImageUnit));
    glUniform1iv(program.second_kinds, static_cast<GLsizei>(kinds.size()), kinds.data());
}

}  // namespace perigee::gl
