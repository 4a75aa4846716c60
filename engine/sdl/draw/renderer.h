// Renderer: draws draw lists on an SDL_Renderer, with one call per run of one state.
//
// Invariant: the output depends only on the list, the image table, the assets, and the size of the target; no
// state of one list reaches the next. Nothing is drawn outside the letterbox. It neither presents nor creates
// windows (see Window), and the game cannot ask it anything.
#pragma once

#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/mesh.h"
#include "engine/sdl/draw/texture_cache.h"
#include "engine/sdl/window/letterbox.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class Renderer {
public:
    /// Lifetime: `target` and the decoder must outlive the renderer.
    Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder);

    /// Starts a frame of this logical size: black bars, the rest in the background colour.
    void begin_frame(PixelSize logical, std::uint32_t background);

    /// Draws a sorted list over the current contents. Cost: one SDL call per run, plus one for each atlas
    /// full of new glyphs.
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets);

    /// Drops the textures, so that changed files are read again.
    void reload() noexcept { textures_.reload(); }

    const Letterbox& letterbox() const noexcept { return box_; }
    /// Draw calls since begin_frame.
    std::size_t call_count() const noexcept { return call_count_; }

    /// One message per item that cannot be shown.
    std::vector<std::string> take_reports();

private:
    void draw_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                  const AssetStore& assets);
    void draw_shapes(std::span<const DrawItem> items, const ViewTransform& view, BlendMode blend);
    void draw_shapes_in_software(std::span<const DrawItem> items, const ViewTransform& view);
    void draw_thin_line(const WindowLine& line, std::uint32_t color);
    void submit(SDL_Texture* texture, SDL_BlendMode blend);

    SDL_Renderer& target_;
    TextureHandle white_;
    TextureCache textures_;
    GlyphAtlas glyphs_;
    Mesh mesh_;
    PixelSize logical_;
    Letterbox box_;
    bool is_software_ = false;
    std::size_t call_count_ = 0;
    std::vector<std::string> reports_;
};

}  // namespace perigee
