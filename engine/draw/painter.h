// Painter: immediate drawing into a DrawList, as used by `function draw()` and presentation systems.
//
// Invariant: later drawing covers earlier drawing in the same layer; the state (colour, matrix, …) starts
// from the same defaults in every frame. Between frames the painter is closed and refuses to draw, because
// drawing during a simulation step would depend on the display's frame rate. Items that Lua wrote into the
// block come before what is drawn next, in C++ or in another mod.
#pragma once

#include "engine/assets/image_table.h"
#include "engine/base/raw_vector.h"
#include "engine/draw/draw_budget.h"
#include "engine/draw/draw_list.h"
#include "engine/draw/item_block.h"
#include "engine/draw/paint_state.h"
#include "engine/draw/placement.h"
#include "engine/draw/shapes/point.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace perigee {

struct PathScratch;

/// Text layout; 0 means "the painter's" or "none".
struct TextStyle {
    float size = 0.0F;   ///< font size in px
    float width = 0.0F;  ///< box: lines are wrapped and aligned in it
    TextAlign align = TextAlign::left;
};

/// Placement of a frame of an image.
struct ImageStyle {
    float scale_x = 1.0F;  ///< negative mirrors it about the origin
    float scale_y = 1.0F;
    float rotation = 0.0F;  ///< radians, clockwise, about the origin
    float origin_x = 0.0F;  ///< point of the image placed at x, y; 0 .. 1 of its size
    float origin_y = 0.0F;
};

/// perigee_draw_item::kind of a sprite that names its image and the number of the frame.
inline constexpr std::uint8_t kImageKind = 7;
/// The kind of a block item: a sprite whose w and h are its size.
inline constexpr std::uint8_t kSizedKind = 8;

/// How a rectangle is filled with an image.
struct TileStyle {
    float offset_x = 0.0F;  ///< where the first tile begins, from the corner of the rectangle
    float offset_y = 0.0F;
    float scale_x = 1.0F;  ///< above 0
    float scale_y = 1.0F;
};

/// A view of the world: its camera, and the size of the part of a screen or canvas that it covers.
struct PaintedView {
    DrawCamera camera;
    float width = 0.0F;
    float height = 0.0F;
};

class Painter : public PaintState {
public:
    static constexpr std::size_t kMaxPushes = 256;

    Painter();
    ~Painter();
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    /// Opens the painter on a list, with default state. `shaders` null: there are none. Lifetime: all until
    /// end_frame.
    void begin_frame(DrawList& list, const ImageTable& images, const ShaderTable* shaders = nullptr) noexcept;
    void end_frame();
    bool is_open() const noexcept { return list_ != nullptr; }
    /// Of this frame: what is drawn for the world is shown by these, and not by the camera of the list. Empty
    /// after begin_frame. Expects: is_open().
    void set_views(std::span<const PaintedView> views) { views_.assign(views.begin(), views.end()); }

    /// Later drawing of `owner` goes into the list of a canvas, whose world is its pixels, instead of the
    /// list of the frame. Null: back to that one. Lifetime: the list until end_frame. Expects: is_open().
    void set_canvas(DrawList* list, std::uint32_t canvas, std::uint32_t owner);
    /// Who draws next: the canvas of another owner is left, and a mask that it draws is ended.
    void draw_for(std::uint32_t owner);
    /// Whether drawing goes into this list, or into a mask of it.
    bool draws_into(const DrawList& list) const noexcept { return target_.list == &list; }
    /// Called when the list that is drawn into is empty again, but for its masks (DrawList::continue_from).
    void list_began_anew() noexcept;
    /// What is shown in place of an image of a shader, which is asked for when something is drawn with it.
    /// Holds for all frames.
    void set_shown_image(DrawList::ShownImage shown) { shown_image_ = std::move(shown); }
    /// The canvas that is drawn into, and never drawn itself; 0: the screen.
    std::uint32_t canvas() const noexcept { return target_.canvas; }

    /// From now on items are charged to this budget; null: none. Lifetime: until the next call. `surface`:
    /// its zoom is ignored in favour of the camera's.
    void use_budget(DrawBudget* budget, const DrawSurface& surface);

    // All of these expect: is_open(). Coordinates that are not finite draw nothing.
    void rectangle(bool is_filled, float x, float y, float width, float height, float rotation = 0.0F,
                   float corner_radius = 0.0F);
    void circle(bool is_filled, float x, float y, float radius);
    void ellipse(bool is_filled, float x, float y, float radius_x, float radius_y, float rotation = 0.0F);
    /// Between two angles, in radians clockwise from the right; a whole turn or more is the whole circle.
    void arc(bool is_filled, ArcShape shape, float x, float y, float radius, float from, float to);
    void line(float x1, float y1, float x2, float y2);
    /// Concave or not, see add_polygon (engine/draw/shapes/polygon.h). The outline is as wide as line_width,
    /// half of it outside.
    void polygon(bool is_filled, std::span<const Point> points);
    void polyline(std::span<const Point> points, bool is_closed = false);
    /// 2 to kMaxControlPoints control points.
    void bezier(std::span<const Point> control);
    /// A square of point_size about each.
    void points(std::span<const Point> points);
    /// A rectangle whose colour runs along an angle in radians; 0 is from left to right.
    void gradient(float x, float y, float width, float height, PackedColor from, PackedColor to,
                  float angle = 0.0F);
    /// Draws a text in the default font.
    void text(std::string_view utf8, float x, float y, const TextStyle& style = {});
    /// A text with a look; lengths of the look in em. `utf8` is drawn if the look has no text of its own.
    void text(std::string_view utf8, const TextLook& look, float x, float y, const TextStyle& style = {});
    void image(FrameId frame, float x, float y, const ImageStyle& style = {});
    /// Fills a rectangle with a frame of an image, side by side. False: there are more than kMaxTiles, and
    /// the image does not wrap, so nothing is drawn.
    static constexpr std::size_t kMaxTiles = 65536;
    bool tiled(FrameId frame, float x, float y, float width, float height, const TileStyle& style = {});
    /// A mesh turned about its point 0, 0, which is at x, y. `image`: shown in place of its own.
    void mesh(const std::shared_ptr<const VertexMesh>& mesh, float x, float y, float rotation = 0.0F,
              float scale_x = 1.0F, float scale_y = 1.0F, std::optional<std::uint32_t> image = {});

    /// Sets the camera for world drawing from now on; sprites of entities keep the camera of the list. A
    /// camera that is not finite or has no zoom is ignored.
    void set_camera(const DrawCamera& camera);

    /// Saves the matrix, or the whole state. False: kMaxPushes are saved already.
    bool push(bool is_everything);
    /// Back to what the last push saved. False: nothing is saved.
    bool pop();
    /// Number of pushes without a pop.
    std::size_t push_count() const noexcept { return saved_.size(); }
    /// The matrix becomes matrix * `next`: what is drawn later is moved by `next` first. One that is not
    /// finite is ignored.
    void transform(const DrawMatrix& next);
    /// Limits drawing to the part of the scissor that is in this one. Sizes below zero count as zero.
    void intersect_scissor(float x, float y, float width, float height);
    /// The state with which a frame starts, but for the matrix.
    void reset();

    /// Until end_mask, drawing goes into a new mask. Full: there are DrawList::kMaxMasks, or kMaxMaskDepth
    /// around it. `is_within`: drawing is kept within the mask of the state, too.
    enum class MaskStart { begun, is_drawing_mask, full };
    MaskStart begin_mask(bool is_inverted, bool is_within);
    /// The state is as before, and its mask is the one that was drawn. Nothing, if none is being drawn.
    void end_mask();
    bool is_drawing_mask() const noexcept { return list_ != target_.list; }
    /// Drawing is not kept anywhere.
    void clear_mask();

    /// Where a picture in the picture is: its point 0, 0, its scale, and the size of the screen for which it
    /// is drawn.
    struct Place {
        float x = 0.0F;
        float y = 0.0F;
        float scale = 1.0F;
        float width = 0.0F;
        float height = 0.0F;
    };
    /// Calls `draw` with the default state of a frame. What it draws, for the world and for the screen, goes
    /// there, into the current layer plus its own, in the world or on the screen as the state is now. It is
    /// not clipped. Afterwards the state is as before. May nest. Expects: is_open().
    void draw_placed(const Place& place, const std::function<void()>& draw);

    /// Memory for items that Lua writes. Lifetime: of the painter.
    perigee_draw_block& block() noexcept { return *block_; }
    /// Lets `owner`, above 0, write into the block, with this budget. Expects: is_open().
    void open_block(std::uint32_t owner, DrawBudget* budget, const DrawSurface& surface);
    /// Draws what is in the block and takes over its state; it has no owner until the next open_block. Any
    /// change of the state from outside needs it before.
    void close_block();

private:
    struct Placed {
        DrawMatrix matrix;  ///< from its logical screen to coordinates outside
        DrawCamera camera;
        DrawClip clip;
        std::uint32_t mask = 0;
        float width = 0.0F;
        float height = 0.0F;
        std::int16_t layer = 0;
        bool is_screen = false;
    };
    // Where items go.
    struct Target {
        DrawList* list = nullptr;
        std::uint32_t canvas = 0;
        std::uint32_t owner = 0;  ///< of the drawing into the canvas
    };
    struct Saved {
        PaintState state;
        bool is_everything = false;
    };
    struct TileBox {
        double left, top, right, bottom;
    };
    // What it was before a mask is drawn.
    struct BeforeMask {
        PaintState state;
        std::size_t saved = 0;  // pushes
        std::uint32_t mask = 0;
        std::uint32_t owner = 0;
    };
    // How an item shows its image.
    struct Shown {
        std::uint32_t image = 0;
        std::uint32_t parts = 0;  // as of draw_cost
        friend bool operator==(const Shown&, const Shown&) = default;
    };
    bool is_placed() const noexcept { return placed_.has_value() && target_.list == frame_.list; }
    std::uint32_t mask_in_list() const noexcept;
    DrawCamera item_camera() const noexcept;
    void take_block();
    void begin_path();
    void end_path(std::uint32_t image = 0);
    TileBox visible_part(const TileBox& box) const noexcept;
    TileBox seen_by(const DrawCamera& camera, float width, float height) const noexcept;
    float pixel_size() const noexcept;
    DrawMatrix whole_matrix() const noexcept;
    DrawClip clip_in_place() const noexcept;
    std::int16_t layer_in_place() const noexcept;
    void prepare();
    std::uint32_t shader_in_list();
    void add(DrawItem item, std::uint32_t image = 0, std::size_t parts = 0, std::uint32_t glyphs = 0);
    class WrittenFrames;
    std::size_t take_shapes(std::span<const perigee_draw_item> written);
    std::size_t take_sprites(std::span<const perigee_draw_item> written, WrittenFrames& frames);
    std::uint8_t flags_in_space(std::uint8_t flags) const noexcept;
    void add_taken(std::uint32_t glyphs = 0);
    PaintState& paint_state() noexcept { return *this; }
    void take(DrawItem& item, Shown shown);
    bool take_uneven(DrawItem& item, Shown shown);
    static void scale_to_frame(DrawItem& item, const ImageFrame& frame) noexcept;

    DrawList* list_ = nullptr;  ///< target_.list, or a mask of it; null while the painter is closed
    Target frame_;              ///< of the frame, or of the picture in the picture
    Target target_;
    const ImageTable* images_ = nullptr;
    const ShaderTable* shaders_ = nullptr;
    DrawBudget* budget_ = nullptr;
    DrawSurface surface_;
    std::unique_ptr<perigee_draw_block> block_;
    std::unique_ptr<PathScratch> paths_;
    std::optional<Placed> placed_;  ///< by draw_placed
    std::vector<PaintedView> views_;
    DrawList::ShownImage shown_image_;
    std::vector<Saved> saved_;
    BeforeMask before_mask_;
    std::uint32_t who_draws_ = 0;  ///< as of draw_for
    Placement placement_;          ///< of the items that are being added
    std::int16_t item_layer_ = 0;
    bool is_item_screen_ = false;
    bool sets_space_ = false;    ///< whatever space an item names
    RawVector<DrawItem> taken_;  ///< those of them that can share a run; empty between calls
    Shown taken_shown_;          ///< of all of them
};

}  // namespace perigee
