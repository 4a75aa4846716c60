// DrawTarget: what draws lists into a window: Renderer with SDL_Renderer, GlRenderer with OpenGL.
//
// Invariant: the picture depends only on the lists, the image table, the assets and the size of the window;
// no state of one list reaches the next, and nothing is drawn outside the letterbox. Not here: windows, and
// what may be drawn.
#pragma once

#include "ecs/base/result.h"
#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/sdl/window/letterbox.h"
#include "engine/surfaces/surface_table.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

/// Shape: rows from the top, 3 bytes per pixel (R, G, B), no padding.
struct Picture {
    PixelSize size;
    std::vector<std::uint8_t> rgb;
};

class DrawTarget {
public:
    DrawTarget() = default;
    virtual ~DrawTarget() = default;
    DrawTarget(const DrawTarget&) = delete;
    DrawTarget& operator=(const DrawTarget&) = delete;

    /// Starts a frame of this screen: black bars, the rest in the background colour.
    virtual void begin_frame(const ScreenDesc& screen, std::uint32_t background) = 0;
    /// Brings the surfaces up to date. Expects: after begin_frame, before the lists that show them.
    virtual void draw_surfaces(SurfaceTable& surfaces, const ImageTable& images,
                               const AssetStore& assets) = 0;
    /// Draws a sorted list over the current contents.
    virtual void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) = 0;
    /// Ends the picture of the game: one of pixel art is scaled to the window. Later lists are drawn over it,
    /// in pixels of the window.
    virtual void end_picture() = 0;
    /// Draw calls since begin_frame.
    virtual std::size_t call_count() const noexcept = 0;
    /// Bytes of items, vertices and indices passed on since begin_frame; without images and glyphs.
    virtual std::size_t uploaded_bytes() const noexcept = 0;

    /// Drops the textures, so that changed files are read again.
    virtual void reload() noexcept = 0;

    /// Waits until drawing is finished, if the system supports that.
    virtual void flush() noexcept = 0;
    /// The drawing since begin_frame, with the bars. Expects: after end_picture, if the screen is pixel art.
    /// Errors: the pixels cannot be read.
    virtual Result<Picture> read_picture() = 0;

    /// One message per item that cannot be shown.
    virtual std::vector<std::string> take_reports() = 0;
};

}  // namespace perigee
