// Most frames need one picture, or none.
#include "engine/sdl/gl/internal/layer_pictures.h"

#include <algorithm>
#include <utility>

namespace perigee::gl {

void LayerPictures::begin_frame() {
    open_.clear();
    std::erase_if(pictures_, [](Picture& picture) {
        picture.is_open = false;
        return !std::exchange(picture.is_used, false);
    });
}

bool LayerPictures::make(Picture& picture, PixelSize size) {
    picture.size = size;
    picture.texture = Texture::make();
    glBindTexture(GL_TEXTURE_2D, picture.texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, size.width, size.height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    picture.stencil = Renderbuffer::make();
    glBindRenderbuffer(GL_RENDERBUFFER, picture.stencil.name());
    glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH24_STENCIL8, size.width, size.height);
    picture.framebuffer = Framebuffer::make();
    glBindFramebuffer(GL_FRAMEBUFFER, picture.framebuffer.name());
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, picture.texture.name(), 0);
    glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_STENCIL_ATTACHMENT, GL_RENDERBUFFER,
                              picture.stencil.name());
    return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

bool LayerPictures::begin(PixelSize size) {
    auto found = std::ranges::find_if(
        pictures_, [size](const Picture& picture) { return !picture.is_open && picture.size == size; });
    if (found == pictures_.end()) {
        Picture made;
        if (!make(made, size)) return false;
        pictures_.push_back(std::move(made));
        found = pictures_.end() - 1;
    }
    found->is_open = found->is_used = true;
    open_.push_back(static_cast<std::size_t>(found - pictures_.begin()));
    glBindFramebuffer(GL_FRAMEBUFFER, found->framebuffer.name());
    return true;
}

GLuint LayerPictures::end(bool is_smooth) {
    Picture& picture = pictures_[open_.back()];
    open_.pop_back();
    picture.is_open = false;
    glBindTexture(GL_TEXTURE_2D, picture.texture.name());
    const GLint filter = is_smooth ? GL_LINEAR : GL_NEAREST;
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    return picture.texture.name();
}

}  // namespace perigee::gl
