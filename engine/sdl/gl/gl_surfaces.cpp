// One texture per surface, without a page: its size is that of the surface, and its edges are clamped.
#include "engine/sdl/gl/gl_surfaces.h"

#include <utility>

namespace perigee::gl {

namespace {

void set_clamped(GLint filter) {
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
}

Texture made_texture(int width, int height, const void* rgba, GLint filter) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    set_clamped(filter);
    return texture;
}

}  // namespace

GlSurfaces::GlSurfaces() {
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_side_);
    constexpr std::uint32_t kMagenta = 0xFFFF'00FFU;
    placeholder_ = made_texture(1, 1, &kMagenta, GL_NEAREST);
}

void GlSurfaces::update(SurfaceTable& surfaces) {
    if (surfaces.count() == 0 && surfaces_.empty()) return;
    surfaces_.resize(kEndOfSurfaces - kFirstSurface);
    for (std::uint32_t image = kFirstSurface; image < kEndOfSurfaces; ++image) {
        Entry& entry = surfaces_[surface_number(image)];
        Surface* const surface = surfaces.find(image);
        if (surface != nullptr)
            update_one(*surface, entry);
        else if (entry.serial != 0)
            entry = {};
    }
}

void GlSurfaces::update_one(Surface& surface, Entry& entry) {
    const SurfaceDesc& desc = surface.desc;
    if (entry.serial != surface.serial) {
        entry = {};
        entry.serial = surface.serial;
        if (desc.width <= max_side_ && desc.height <= max_side_)
            entry.texture = made_texture(desc.width, desc.height, nullptr,
                                         desc.filter == SurfaceFilter::linear ? GL_LINEAR : GL_NEAREST);
        surface.pixels->mark_all();
    }
    if (!entry.texture) return;
    glBindTexture(GL_TEXTURE_2D, entry.texture.name());
    surface.pixels->take_changes([&](std::size_t first, std::size_t count) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first), desc.width,
                        static_cast<GLsizei>(count), GL_RGBA, GL_UNSIGNED_BYTE,
                        surface.pixels->pixels().data() + first * desc.width);
    });
}

GLuint GlSurfaces::texture_of(std::uint32_t image) const noexcept {
    const std::size_t number = surface_number(image);
    const bool has_texture = number < surfaces_.size() && surfaces_[number].texture;
    return has_texture ? surfaces_[number].texture.name() : placeholder_.name();
}

}  // namespace perigee::gl
