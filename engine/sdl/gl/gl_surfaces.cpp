// One texture per surface, without a page: its size is that of the surface.
#include "engine/sdl/gl/gl_surfaces.h"

#include "engine/sdl/gl/internal/sampling.h"

#include <algorithm>
#include <utility>

namespace perigee::gl {

namespace {

constexpr int kSamples = kCanvasSamples;

Texture made_texture(int width, int height, const void* rgba) {
    Texture texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
    set_texture_sampling({});
    return texture;
}

}  // namespace

GlSurfaces::GlSurfaces() {
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_side_);
    glGetIntegerv(GL_MAX_SAMPLES, &max_samples_);
    constexpr std::uint32_t kMagenta = 0xFFFF'00FFU;
    placeholder_ = made_texture(1, 1, &kMagenta);
}

void GlSurfaces::update(SurfaceTable& surfaces, const ImageTable& images) {
    if (surfaces.count() == 0 && surfaces_.empty()) return;
    surfaces_.resize(kEndOfSurfaces - kFirstSurface);
    contents_.exchange_after_frame(
        surfaces, [this](std::uint32_t image) -> Entry& { return surfaces_[surface_number(image)]; });
    for (std::uint32_t image = kFirstSurface; image < kEndOfSurfaces; ++image) {
        Entry& entry = surfaces_[surface_number(image)];
        Surface* const surface = surfaces.find(image);
        if (surface != nullptr) {
            update_one(*surface, entry);
            set_sampling(entry, images.sampling_of(image));
        } else if (entry.serial != 0) {
            entry = {};
        }
    }
}

void GlSurfaces::set_sampling(Entry& entry, ImageSampling sampling) {
    if (!entry.texture || std::exchange(entry.sampling, sampling) == sampling) return;
    glBindTexture(GL_TEXTURE_2D, entry.texture.name());
    set_texture_sampling(sampling);
}

void GlSurfaces::update_one(Surface& surface, Entry& entry) {
    if (entry.serial != surface.serial) {
        entry = {};
        entry.serial = surface.serial;
        if (surface.desc.width <= max_side_ && surface.desc.height <= max_side_) make(surface, entry);
        if (surface.pixels) surface.pixels->mark_all();
    }
    if (!entry.texture || !surface.pixels) return;
    glBindTexture(GL_TEXTURE_2D, entry.texture.name());
    const std::size_t width = surface.pixels->width();
    surface.pixels->take_changes([&](std::size_t first, std::size_t count) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first), static_cast<GLsizei>(width),
                        static_cast<GLsizei>(count), GL_RGBA, GL_UNSIGNED_BYTE,
                        surface.pixels->pixels().data() + first * width);
    });
}

void GlSurfaces::make(const Surface& surface, Entry& entry) const {
    const SurfaceDesc& desc = surface.desc;
    entry.texture = made_texture(desc.width, desc.height, nullptr);
    if (is_canvas(surface.image)) make_targets(desc, entry);
}

void GlSurfaces::make_targets(const SurfaceDesc& desc, Entry& entry) const {
    const auto clear = [] {
        glDisable(GL_SCISSOR_TEST);
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
        glEnable(GL_SCISSOR_TEST);
    };
    entry.target = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, entry.target.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, entry.texture.name(), 0);
    clear();
    if (desc.is_multisampled && max_samples_ > 1) {
        entry.samples = Renderbuffer::make();
        glBindRenderbuffer(GL_RENDERBUFFER, entry.samples.name());
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, std::min(max_samples_, kSamples), GL_RGBA8,
                                         desc.width, desc.height);
        entry.many_samples = Framebuffer::make();
        glBindFramebuffer(GL_FRAMEBUFFER, entry.many_samples.name());
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                  entry.samples.name());
        clear();
    }
    glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

bool GlSurfaces::bind_canvas(std::uint32_t canvas) const noexcept {
    const Entry& entry = surfaces_[surface_number(canvas)];
    if (!entry.target) return false;
    glBindFramebuffer(GL_FRAMEBUFFER, entry.many_samples ? entry.many_samples.name() : entry.target.name());
    return true;
}

bool GlSurfaces::add_stencil(const Surface& canvas) {
    Entry& entry = surfaces_[surface_number(canvas.image)];
    if (!entry.stencil) {
        entry.stencil = Renderbuffer::make();
        glBindRenderbuffer(GL_RENDERBUFFER, entry.stencil.name());
        const int samples = entry.many_samples ? std::min(max_samples_, kSamples) : 0;
        glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, GL_DEPTH24_STENCIL8, canvas.desc.width,
                                         canvas.desc.height);
        glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                                  entry.stencil.name());
    }
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

void GlSurfaces::copy(GLuint from, GLuint to, const SurfaceDesc& desc) noexcept {
    glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, to);
    glDisable(GL_SCISSOR_TEST);
    glBlitFramebuffer(0, 0, desc.width, desc.height, 0, 0, desc.width, desc.height, GL_COLOR_BUFFER_BIT,
                      GL_NEAREST);
    glEnable(GL_SCISSOR_TEST);
}

// Samples cannot be copied with OpenGL ES. They need not be: what is shown of the other one is its texture.
void GlSurfaces::copy_canvas(const Surface& from, const Surface& to) noexcept {
    Entry& source = surfaces_[surface_number(from.image)];
    Entry& target = surfaces_[surface_number(to.image)];
    if (target.many_samples && source.many_samples) {
        std::swap(target.samples, source.samples);
        std::swap(target.many_samples, source.many_samples);
        std::swap(target.stencil, source.stencil);
    } else if (source.target) {
        copy(source.target.name(), target.target.name(), to.desc);
    }
    bind_canvas(to.image);
}

void GlSurfaces::finish_canvas(const Surface& surface) const noexcept {
    const Entry& entry = surfaces_[surface_number(surface.image)];
    if (entry.many_samples) copy(entry.many_samples.name(), entry.target.name(), surface.desc);
}

std::span<const PackedColor> GlSurfaces::read(const Surface& canvas) {
    const Entry& entry = surfaces_[surface_number(canvas.image)];
    if (!entry.target) return {};
    const std::size_t width = canvas.desc.width, height = canvas.desc.height;
    pixels_.resize(width * height);
    glBindFramebuffer(GL_FRAMEBUFFER, entry.target.name());
    glReadPixels(0, 0, canvas.desc.width, canvas.desc.height, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
    for (std::size_t y = 0; y < height / 2; ++y)  // from the bottom
        std::swap_ranges(pixels_.data() + y * width, pixels_.data() + (y + 1) * width,
                         pixels_.data() + (height - 1 - y) * width);
    for (PackedColor& pixel : pixels_) pixel = unpremultiplied(pixel);
    return pixels_;
}

GLuint GlSurfaces::texture_of(std::uint32_t image) const noexcept {
    const std::size_t number = surface_number(image);
    const bool has_texture = number < surfaces_.size() && surfaces_[number].texture;
    return has_texture ? surfaces_[number].texture.name() : placeholder_.name();
}

}  // namespace perigee::gl
