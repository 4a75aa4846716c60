// Renderer: draws draw lists on an SDL_Renderer, with one call per run of one state.
//
// Invariant: the output depends only on the list, the image table, the assets, and the size of the target; no
// state of one list reaches the next. Nothing is drawn outside the letterbox. It neither presents nor creates
// windows (see Window), and the game cannot ask it anything.
#pragma once

#include "engine/sdl/draw/draw_target.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/mesh.h"
#include "engine/sdl/draw/sdl_atlas_texture.h"
#include "engine/sdl/draw/texture_cache.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class Renderer final : public DrawTarget {
public:
    /// Lifetime: `target` and the decoder must outlive the renderer.
    Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder);

    void begin_frame(PixelSize logical, std::uint32_t background) override;

    /// Cost: one SDL call per run, plus one for each atlas full of new glyphs.
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) override;

    void reload() noexcept override { textures_.reload(); }
    void flush() noexcept override { SDL_RenderFlush(&target_); }
    Result<Picture> read_picture() override;

    const Letterbox& letterbox() const noexcept { return box_; }
    std::size_t call_count() const noexcept override { return call_count_; }
    std::size_t uploaded_bytes() const noexcept override { return uploaded_bytes_; }

    std::vector<std::string> take_reports() override;

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
    SdlAtlasTexture glyph_texture_;
    GlyphAtlas glyphs_;
    Mesh mesh_;
    PixelSize logical_;
    Letterbox box_;
    bool is_software_ = false;
    std::size_t call_count_ = 0;
    std::size_t uploaded_bytes_ = 0;
    std::vector<std::string> reports_;
};

}  // namespace perigee
