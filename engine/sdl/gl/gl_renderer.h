// GlRenderer: draws draw lists with OpenGL 3.3 core or OpenGL ES 3.0.
//
//   items of the list  -> copied to the card as they are, one instance each: sprites and shapes
//   kept items         -> stay on the card; only the places of those that moved are copied
//   texts              -> glyph items, one instance per glyph; unchanged texts stay on the card
//   meshes             -> points, three each; kept meshes have buffers of their own
//
// Invariant: consecutive runs that need the same state are one draw call, and so is any number of images that
// share a page. A mask is drawn into the stencil buffer before the first run that needs it. Kept items
// and texts stay on the card from one list to the next (kept_buffer.h, internal/kept_texts.h). Not here: the
// context (Window), the shaders of the engine (shaders.h) and of games (effect_programs.h).
#pragma once

#include "engine/sdl/draw/draw_target.h"
#include "engine/sdl/draw/glyph_atlas.h"
#include "engine/sdl/gl/effect_programs.h"
#include "engine/sdl/gl/gl_meshes.h"
#include "engine/sdl/gl/gl_surfaces.h"
#include "engine/sdl/gl/glyph_items.h"
#include "engine/sdl/gl/glyph_texture.h"
#include "engine/sdl/gl/image_pages.h"
#include "engine/sdl/gl/internal/effect_places.h"
#include "engine/sdl/gl/internal/kept_texts.h"
#include "engine/sdl/gl/internal/layer_pictures.h"
#include "engine/sdl/gl/internal/pixel_picture.h"
#include "engine/sdl/gl/internal/second_images.h"
#include "engine/sdl/gl/kept_buffer.h"
#include "engine/sdl/gl/pass.h"
#include "engine/sdl/gl/stream_buffer.h"
#include "engine/sdl/mesh/view.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace perigee {
class Window;
}

namespace perigee::gl {

class GlRenderer final : public DrawTarget {
public:
    /// Expects: the window has OpenGL. Lifetime: window and decoder must outlive the renderer.
    /// Other windows may have contexts of their own: begin_frame makes this one current.
    static std::unique_ptr<GlRenderer> create(const Window& window, const std::string& font_file,
                                              Decoder& decoder);

    /// Compiles all shaders now. Errors: the driver cannot.
    Result<void> make_shaders();
    /// The driver's message about a shader that it could not compile; empty if there is none. Items that need
    /// such a shader are not drawn.
    const std::string& shader_error() const noexcept { return passes_.error(); }

    ~GlRenderer() override;

    void begin_frame(const ScreenDesc& screen, std::uint32_t background) override;
    void end_picture() override;
    void draw_surfaces(SurfaceTable& surfaces, const ImageTable& images, const AssetStore& assets) override;
    /// Cost: one draw call per state, plus one for each atlas full of new glyphs.
    void draw(const DrawList& list, const ImageTable& images, const AssetStore& assets) override;
    std::size_t call_count() const noexcept override { return call_count_; }
    std::size_t uploaded_bytes() const noexcept override {
        return stream_.written_bytes() + kept_.written_bytes() + kept_texts_.written_bytes() +
               kept_meshes_.written_bytes();
    }
    void reload() noexcept override {
        images_.reload();
        surfaces_.clear();
        drops_glyphs_ = true;
        kept_meshes_.clear();
    }
    void flush() noexcept override {}  // presenting does
    Result<Picture> read_picture() override;
    std::vector<std::string> take_reports() override;

    /// True if the driver lost the context: everything must be made again.
    bool is_lost() const noexcept;

private:
    // Each pass is compiled when it is first needed, since most frames need only one or two.
    class Passes {
    public:
        using Change = std::string (*)(const std::string& fragment_source);
        explicit Passes(Change change) noexcept : change_(change) {}
        const Pass& of(DrawKind kind);
        const Pass& of_particles(DrawKind kind);
        /// Compiles all, and returns error().
        const std::string& make_all();
        /// The message of the compiler or linker; empty while all compiled passes work.
        const std::string& error() const noexcept { return error_; }

    private:
        // Called once for a pass: sources are put together from parts.
        using Source = std::string (*)();
        const Pass& made(std::optional<Pass>& pass, Source vertex, Source fragment);
        Change change_;
        std::optional<Pass> sprites_, shapes_, texts_, meshes_, sprite_particles_, shape_particles_;
        std::string error_;
    };
    enum class Stream : std::uint8_t { items, kept, moved, glyphs, kept_glyphs, points, mesh, particles };

    // What one draw call draws.
    struct Batch {
        DrawKind kind;
        BlendMode blend;
        View view;
        PixelBox clip;
        GLuint texture = 0;
        Stream stream;
        std::size_t first = 0;  // element of its stream
        std::size_t count = 0;
        std::size_t places = 0;                // of Stream::moved: number of the first place
        GLuint buffer = 0;                     // of Stream::kept_glyphs
        std::uint32_t shader = 0;              // of the list
        const ParticleLooks* looks = nullptr;  // of Stream::particles
        bool is_premultiplied = false;         // the texture's colours are
        bool wraps = false;                    // it shows its image again outside of it
        TextPart text_part = {};               // of texts with a shader
        // of meshes
        ImagePlace place = {};
        std::uint32_t color = 0xFFFF'FFFF;
        const std::shared_ptr<const VertexMesh>* mesh = nullptr;  // of Stream::mesh
    };

    GlRenderer(const Window& window, const std::string& font_file, Decoder& decoder);
    void draw_view(const DrawList& view, const ImageTable& images, const AssetStore& assets);
    void draw_canvas(const CanvasPass& pass, const ImageTable& images, const AssetStore& assets);
    /// Sets the texture of the batch, and returns the place of the image in it.
    ImagePlace use_image(Batch& batch, std::uint32_t image, const ImageTable& images,
                         const AssetStore& assets);
    void add_run(const DrawList& list, const DrawRun& run, const ImageTable& images,
                 const AssetStore& assets);
    void add_texts(const DrawList& list, const DrawRun& run, Batch batch, const ImageTable& images);
    void add_kept_glyphs(const Batch& of_run, const KeptTexts::Group& group);
    void add_meshes(const DrawList& list, const DrawRun& run, Batch batch, const ImageTable& images,
                    const AssetStore& assets);
    void add_batch(const Batch& batch);
    void draw_batches(const DrawList& list, const ImageTable& images);
    void draw_batch(const DrawList& list, const Batch& batch, const ImageTable& images, std::size_t offset);
    /// Later draw calls are kept inside this mask of the list; 0: everywhere.
    void set_mask(const DrawList& list, std::uint32_t mask, const ImageTable& images,
                  const AssetStore& assets);
    /// Later drawing goes into the frame.
    void bind_frame();
    /// Later drawing goes where it goes now, after something else was bound.
    void bind_target();
    bool has_stencil();
    void draw_runs(const DrawList& list, std::span<const DrawRun> runs, const ImageTable& images,
                   const AssetStore& assets);
    /// Later drawing goes onto a picture of this colour. False: there is none.
    bool begin_layer(PackedColor background);
    /// Draws that picture.
    void end_layer(const DrawList& list, const DrawPart& part, const ImageTable& images);
    void forget_batches() noexcept;

    const Window& window_;
    Passes passes_;
    std::unique_ptr<Passes> mask_passes_;  // made when a mask is drawn
    EffectPrograms effects_;
    ImagePages images_;
    GlSurfaces surfaces_;
    SecondImages second_images_{images_, surfaces_};
    GlMeshes kept_meshes_;
    GlyphTexture glyph_texture_;
    GlyphAtlas glyphs_;
    StreamBuffer stream_;
    KeptBuffer kept_;
    KeptTexts kept_texts_;
    VertexArray item_array_;
    VertexArray point_array_;
    VertexArray particle_array_;

    std::vector<Batch> batches_;
    std::vector<GlyphItem> glyph_items_;
    std::vector<MeshPoint> points_;
    // Where the items of the list that is being drawn are in the stream, and the places of kept ones.
    struct Written {
        bool are_written = false;
        std::size_t offset = 0;
        GLuint buffer = 0;
        bool are_in(GLuint stream) const noexcept { return are_written && buffer == stream; }
    };
    Written items_;
    Written places_;
    const Surface* canvas_ = nullptr;  // that is drawn into
    LayerPictures layers_;
    bool is_drawing_mask_ = false;
    bool has_reported_masks_ = false;
    bool has_reported_layers_ = false;

    PixelSize logical_;
    PixelSize size_;  // of what is drawn into
    Letterbox box_;
    PixelPicture pixel_picture_;
    bool is_pixel_picture_ = false;  // the frame is drawn into it
    PixelSize window_size_;
    Letterbox window_box_;       // of the picture in the window
    bool drops_glyphs_ = false;  // before the next frame
    std::size_t call_count_ = 0;
    enum class Robustness : std::uint8_t { none, arb, khr };
    Robustness robustness_ = Robustness::none;  // how the driver tells that the context is lost
    std::vector<std::string> reports_;
    bool has_reported_font_ = false;  // its lack was reported
};

}  // namespace perigee::gl
