// A scene that is painted, and drawn by OpenGL and by two of SDL's renderers, without a display.
#pragma once

#include "engine/assets/decoder.h"
#include "engine/draw/painter.h"
#include "engine/sdl/draw/draw_target.h"
#include "engine/sdl/window/window.h"
#include "engine/surfaces/surface_table.h"
#include "tests/engine/sdl/canvas.h"
#include "tests/support/temporary_folder.h"

#include <functional>
#include <memory>
#include <optional>

namespace perigee::test {

/// Has one image of 2 x 2 pixels: red green / blue white.
class PictureScene {
public:
    explicit PictureScene(PixelSize size);

    /// Starts a list, which the functions below draw.
    void paint(const std::function<void(Painter&)>& draw);
    /// For items that the painter has no function for.
    void add(const std::function<void(DrawList&)>& fill);

    Picture with_gl();
    /// The same without reading the picture.
    void show_with_gl();
    Picture with_software();
    /// SDL's own renderer for OpenGL ES, in place of any that draws triangles on a card.
    Picture with_sdl_gles();
    std::size_t gl_calls() const noexcept { return gl_->call_count(); }
    std::size_t gl_uploads() const noexcept { return gl_->uploaded_bytes(); }
    /// Since the last call.
    std::vector<std::string> gl_reports() { return gl_->take_reports(); }
    std::vector<std::string> software_reports() { return software_->take_reports(); }

    /// With all its textures.
    void renew_gl();
    /// Files of images are read again.
    void reload_gl() { gl_->reload(); }

    TemporaryFolder folder;
    AssetStore assets;
    ImageTable images;
    SurfaceTable surfaces;
    bool draws_surfaces = true;
    std::optional<ScreenDesc> screen;  ///< none: as large as the window
    AssetHandle four = 0;
    DrawList list;

private:
    void open_gl();
    void make_gl();
    void show(DrawTarget& target);
    Picture drawn(DrawTarget& target);

    PixelSize size_;
    Decoder decoder_;
    std::unique_ptr<Window> gl_window_;
    WindowHandle gles_window_;
    RendererHandle gles_renderer_;
    std::unique_ptr<Canvas> canvas_;  // a window without OpenGL would need another driver of SDL
    std::unique_ptr<DrawTarget> gl_, software_, gles_;
};

/// 0xRRGGBB.
std::uint32_t pixel(const Picture& picture, int x, int y);
/// How many pixels of a rectangle are not of this colour.
int count_other_than(const Picture& picture, std::uint32_t color, int x0, int y0, int x1, int y1);
/// How many pixels differ by more than `levels` in a channel.
int count_different(const Picture& a, const Picture& b, int levels = 0);

}  // namespace perigee::test
