// SecondImages: the images of shaders besides the one that is drawn, as textures of their own.
//
// Invariant: such an image is a whole texture, so that places from 0 to 1 are those of the image alone, and
// the texture repeats and filters it. What was not sent is white, and so is the canvas that is drawn into.
// Not here: which images those are (DrawList::shader).
#pragma once

#include "engine/draw/draw_list.h"
#include "engine/sdl/gl/effect_programs.h"
#include "engine/sdl/gl/gl_surfaces.h"
#include "engine/sdl/gl/image_pages.h"

#include <cstdint>

namespace perigee::gl {

class SecondImages {
public:
    /// Lifetime: both must outlive it.
    SecondImages(ImagePages& pages, const GlSurfaces& surfaces) : pages_(pages), surfaces_(surfaces) {}

    /// Before a list is drawn.
    void load(const DrawList& list, const ImageTable& images, const AssetStore& assets);
    /// Binds those of a use. `canvas`: that is drawn into; 0: none. Expects: load() of its list, and the
    /// program is in use.
    void bind(const EffectProgram& program, const ShaderUse& use, const ImageTable& images,
              std::uint32_t canvas);

private:
    GLuint white();

    ImagePages& pages_;
    const GlSurfaces& surfaces_;
    Texture white_;
};

}  // namespace perigee::gl
