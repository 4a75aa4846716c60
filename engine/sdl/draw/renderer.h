// Renderer: draws draw lists on an SDL_Renderer, with one call for consecutive runs that need the same state.
//
//   sprites, texts, meshes -> triangles (mesh.h)
//   shapes                 -> outlines (shape_outline.h) -> triangles; in software, rows of pixels (spans.h)
//
// Invariant: the output depends only on the list, the image table, the assets, and the size of the target; no
// state of one list reaches the next. Nothing is drawn outside the letterbox. It draws what the OpenGL back
// end draws, without soft edges, and with the blend modes that SDL's driver knows (sdl_blend.h). A mask needs
// pixels that are read back (internal/sdl_mask.h). Not here: windows and presenting (Window).
#pragma once

#include "engine/sdl/draw/draw_target.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/draw/internal/sdl_layers.h"
#include "engine/sdl/draw/internal/sdl_mask.h"
#include "engine/sdl/draw/sdl_atlas_texture.h"
#include "engine/sdl/draw/sdl_blend.h"
#include "engine/sdl/draw/texture_cache.h"
#include "engine/sdl/mesh/mesh.h"
#include "engine/sdl/mesh/spans.h"
#include "engine/sdl/surfaces/surface_textures.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace perigee {

class Renderer final : public DrawTarget {
public:
    /// Lifetime: `target` and the decoder must outlive the renderer.
    Renderer(SDL_Renderer& target, const std::string& font_file, Decoder& decoder);

    void begin_frame(const ScreenDesc& screen, std::uint32_t background) override;
    void end_picture() override;

    void draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets) override;

    /// Cost: one SDL call per state, in software also one per colour of shapes; plus one for each atlas full
    /// of new glyphs.
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) override;

    void reload() noexcept override {
        textures_.reload();
        surfaces_.clear();
        drops_glyphs_ = true;
    }
    void flush() noexcept override { SDL_RenderFlush(&target_); }
    Result<Picture> read_picture() override;

    const Letterbox& letterbox() const noexcept { return box_; }
    std::size_t call_count() const noexcept override { return call_count_; }
    std::size_t uploaded_bytes() const noexcept override { return uploaded_bytes_; }

    std::vector<std::string> take_reports() override;

private:
    // What consecutive items have in common if one call draws them.
    struct State {
        SDL_Texture* texture = nullptr;
        SDL_BlendMode blend = SDL_BLENDMODE_NONE;
        bool is_spans = false;
        std::uint32_t color = 0;  // of spans
        friend bool operator==(const State&, const State&) = default;
    };
    struct Glyphs {
        SdlAtlasTexture texture;
        GlyphAtlas atlas;
        Glyphs(SDL_Renderer& target, PixelForm form, const std::string& font_file)
            : texture(target, form), atlas(texture, font_file) {}
    };

    bool begin_pixel_picture(PixelSize size);
    void draw_view(const DrawList& view, const ImageTable& images, const AssetStore& assets);
    void draw_canvas(const CanvasPass& pass, const ImageTable& images, const AssetStore& assets);
    void draw_runs(const DrawList& list, std::span<const DrawRun> runs, const ImageTable& images,
                   const AssetStore& assets);
    bool begin_layer(PackedColor background);
    void end_layer(BlendMode blend);
    void begin_mask(const DrawList& list, std::uint32_t mask, const ImageTable& images,
                    const AssetStore& assets);
    void end_mask();
    void draw_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                  const AssetStore& assets);
    void add_sprites(std::span<const DrawItem> items, const DrawRun& run, const View& view,
                     const SdlBlend& blend, const ImageTable& images, const AssetStore& assets);
    void add_meshes(const DrawList& list, const DrawRun& run, const View& view, const SdlBlend& blend,
                    const ImageTable& images, const AssetStore& assets);
    SDL_Texture* texture_of(const DrawRun& run, const ImageTable& images, const AssetStore& assets,
                            const SdlBlend& blend, bool is_copied);
    void add_texts(const DrawList& list, const DrawRun& run, const View& view, const SdlBlend& blend);
    void add_shapes(std::span<const DrawItem> items, const View& view, const SdlBlend& blend);
    void add_shape_in_software(const DrawItem& item, const View& view, SDL_BlendMode blend);
    void draw_thin_line(const WindowLine& line, std::uint32_t color);
    Glyphs& glyphs_of(PixelForm form);
    void set_clip(const PixelBox& clip);
    void forget_clip() noexcept { clip_ = {0, 0, -1, -1}; }
    void use(const State& state);
    void submit();

    SDL_Renderer& target_;
    std::string font_file_;
    SdlBlends blends_;
    TextureCache textures_;
    SurfaceTextures surfaces_;
    Glyphs glyphs_;
    std::unique_ptr<Glyphs> premultiplied_glyphs_;  // made when a blend mode needs it
    std::vector<DrawItem> scratch_;                 // items of particles
    Mesh mesh_;                                     // or
    Spans spans_;                                   // what has been added since the last call
    State state_;                                   // of these
    SdlMask mask_;
    SdlLayers layers_;
    bool is_drawing_mask_ = false;
    bool has_reported_layers_ = false;
    bool has_reported_masks_ = false;
    PixelBox clip_;  // that SDL has
    ShapeOutline outline_;
    PixelSize logical_;
    Letterbox box_;
    Letterbox window_box_;          // of the picture in the window
    TextureHandle pixel_picture_;   // of pixel art, at its logical size
    PixelSize pixel_size_;          // of pixel_picture_
    SDL_Texture* frame_ = nullptr;  // that the frame is drawn into; null: the window
    bool is_software_ = false;
    bool drops_glyphs_ = false;  // before the next frame
    std::size_t call_count_ = 0;
    std::size_t uploaded_bytes_ = 0;
    std::vector<std::string> reports_;
    bool has_reported_font_ = false;  // its lack was reported
    bool has_reported_shaders_ = false;
};

}  // namespace perigee
