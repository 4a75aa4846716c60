// SurfaceTable: the images that a game and its mods make themselves.
//
// Invariant: a surface has an id (engine/assets/surface_id.h) and a frame in the ImageTable, so that it is
// drawn like an image of a file. It exists until it is released, and then until the next frame, since the
// list of this frame may show it. What a mod has is charged to the mod. Nothing here reaches the world or its
// hash. Not here: textures, and what scripts call (engine/modules/gfx_surfaces.h).
//
// The drawing of a frame into canvases is a row of passes, which back ends draw one after the other before
// the screen. A canvas that is drawn into after it was shown gets another pass. If the screen shows it, which
// is drawn last, what it shows stays: the pass draws into a hidden canvas that begins as a copy, and becomes
// the content of the canvas.
#pragma once

#include "ecs/base/divided_pool.h"
#include "ecs/base/result.h"
#include "engine/assets/image_table.h"
#include "engine/draw/draw_list.h"
#include "engine/surfaces/mesh_table.h"
#include "engine/surfaces/pixel_buffer.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

struct Surface;

struct SurfaceDesc {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::size_t owner = 0;         ///< 0 is the game, others are mods
    bool is_multisampled = false;  ///< a canvas whose edges are smooth, at five times the memory

    friend bool operator==(const SurfaceDesc&, const SurfaceDesc&) = default;
};

/// What one frame draws into a canvas. What was in it before stays, unless it is cleared.
struct CanvasPicture {
    std::unique_ptr<DrawList> list;          ///< of its last pass; null: the frame does not use the canvas
    std::optional<PackedColor> clear_color;  ///< of the whole canvas, before the list
    std::uint32_t turn = 0;                  ///< of its last pass, from 1; 0: it has none yet
    std::uint32_t content = 0;  ///< the hidden canvas that is drawn into and shown in its place; 0: none
    bool is_shown = false;      ///< since its last pass began
    bool is_kept = false;       ///< by what is drawn after all canvases: the content must stay as it is
};

/// What a back end draws in one go.
struct CanvasPass {
    const Surface* target = nullptr;
    const Surface* copied = nullptr;  ///< with which the target begins; null: it stays as it is
    std::optional<PackedColor> clear_color;
    const DrawList* list = nullptr;
};

/// A canvas that is read into pixels at the end of each frame that asks for it.
struct CanvasReading {
    std::uint32_t pixels = 0;  ///< their id
    std::uint64_t serial = 0;  ///< of these pixels
    std::uint64_t frame = 0;   ///< the frame whose end they show; 0: none
};

/// How often a canvas with smooth edges is sampled in each pixel, at most.
inline constexpr unsigned kCanvasSamples = 4;

/// A canvas that is written to a file at the end of the frame.
struct CanvasSave {
    std::uint32_t canvas = 0;
    std::filesystem::path file;
};

struct Surface {
    SurfaceDesc desc;
    std::uint32_t image = 0;              ///< its id, which a later surface may have again
    std::string name;                     ///< of a canvas; may be empty
    std::uint64_t serial = 0;             ///< which no other surface has
    std::unique_ptr<PixelBuffer> pixels;  ///< null for canvases
    CanvasPicture picture;
    std::optional<PackedColor> next_clear_color;  ///< of a canvas, for the next frame
    CanvasReading reading;
    std::atomic<bool> is_released = false;
    bool is_given_back = false;  ///< released, and no longer charged
};

class SurfaceTable {
public:
    static constexpr std::uint16_t kMaxSide = 4096;
    /// Limit for all surfaces together, 4 bytes each, divided between the game and its mods.
    static constexpr std::size_t kMaxPixels = std::size_t{64} << 20U;
    /// Limits of a frame for the canvases of one owner: passes besides the first of each canvas, and hidden
    /// canvases.
    static constexpr std::size_t kMaxFurtherPasses = 256;
    static constexpr std::size_t kMaxHidden = 64;
    /// Hidden canvases that were not used for so many frames are released.
    static constexpr std::uint64_t kHiddenFrames = 60;

    SurfaceTable();

    void set_owners(std::size_t count);

    /// Makes pixels. Returns their id, or 0 if the owner has no room for them. Expects: sides from 1 to
    /// kMaxSide.
    std::uint32_t make_pixels(const SurfaceDesc& desc, ImageTable& images);
    /// Makes a canvas, transparent black. Otherwise like make_pixels.
    std::uint32_t make_canvas(const SurfaceDesc& desc, ImageTable& images);
    /// From now on find_canvas finds it, in place of one that had the name before. Expects: the id of a
    /// canvas.
    void name_canvas(std::uint32_t canvas, std::string_view name);
    /// 0 if no canvas has this name.
    std::uint32_t find_canvas(std::string_view name) const noexcept;
    /// The end of a message about a name that no canvas has.
    std::string suggested_canvas(std::string_view name) const;
    /// Null if there is none of this id. Lifetime: until the surface is gone.
    Surface* find(std::uint32_t image) noexcept;
    const Surface* find(std::uint32_t image) const noexcept;

    /// Called for a surface that is no longer used, also from other threads than the one that makes surfaces.
    void release(std::uint32_t image) noexcept;
    /// Forgets the lists of canvases, and surfaces that were released. Expects: no list will be drawn any
    /// more that shows one.
    void begin_frame(ImageTable& images);

    // ---- canvases; all expect: the id of a canvas ----
    /// The list of this frame for a canvas, whose world is its pixels. The first call in a frame begins its
    /// first pass, after all others. Lifetime: until begin_frame, and the same for all passes.
    DrawList& use_canvas(std::uint32_t canvas);
    /// The same for a canvas on which views are: its pass begins when another canvas shows it, or last.
    DrawList& use_canvas_of_views(std::uint32_t canvas);
    /// Makes the last pass of a canvas the one that is drawn into now: a new one, if the one before was
    /// shown. Returns whether it is new; its list has the camera and the masks of the one before. Errors: the
    /// owner has no more passes, or no room for a hidden canvas; then nothing has changed.
    Result<bool> draw_into(std::uint32_t canvas, ImageTable& images);
    /// Called when the list of `target` is about to show a canvas, which then has the content that it has
    /// now. 0: a list that is drawn after all passes. A pass of the target that is older than the last one of
    /// the canvas is followed by a new one, as in draw_into. `is_kept`: later passes may show it again as it
    /// is now. Expects: they are not the same.
    Result<bool> show_canvas(std::uint32_t canvas, std::uint32_t target, bool is_kept, ImageTable& images);
    /// Whether show_canvas would begin a pass of the target.
    bool is_older(std::uint32_t target, std::uint32_t canvas) const noexcept;
    /// The surface that shows a canvas now: the canvas itself, or a hidden one. An unknown id is returned as
    /// it is.
    std::uint32_t content_of(std::uint32_t canvas) const noexcept;
    /// Drops what the frame has drawn into the canvas, and makes it this colour.
    void clear_canvas(std::uint32_t canvas, PackedColor color);
    /// Between frames: the canvas has this colour when the next frame begins to draw into it or to show it.
    void clear_canvas_before_frame(std::uint32_t canvas, PackedColor color);
    /// Asks for the contents of the canvas at the end of this frame, in pixels of the same size. True if they
    /// have the contents at the end of the frame before, which had asked, too. Without a back end it is never
    /// true.
    bool read_canvas(std::uint32_t canvas, std::uint32_t pixels);
    /// Sorts the lists. Called when nothing more is drawn in this frame.
    void end_frame(const ImageTable& images);
    /// What a back end has to draw now, in this order; each frame is taken once. Lifetime: until begin_frame.
    std::vector<CanvasPass> take_passes();
    bool has_canvases() const noexcept { return has_passes_ || !to_read_.empty() || !to_save_.empty(); }
    /// Called for each canvas whose content a hidden one has at the end of this frame: after the frame, they
    /// change what they are.
    template <typename Function> void each_new_content(Function function) const {
        for (const std::uint32_t canvas : changed_)
            if (const Surface* const surface = find(canvas); surface != nullptr)
                function(*surface, *find(surface->picture.content));
    }
    /// Asks for the contents of the canvas at the end of this frame as a PNG.
    void save_canvas(std::uint32_t canvas, std::filesystem::path file);
    /// Asks for the whole picture of this frame as a PNG.
    void save_picture(std::filesystem::path file) { picture_files_.push_back(std::move(file)); }
    bool has_picture_files() const noexcept { return !picture_files_.empty(); }
    /// The files to write once the picture is drawn; each frame is taken once.
    std::vector<std::filesystem::path> take_picture_files() { return std::exchange(picture_files_, {}); }
    /// The canvases to read after that; each frame is taken once.
    std::vector<std::uint32_t> take_readings();
    /// The canvases to save; each frame is taken once.
    std::vector<CanvasSave> take_saves();
    /// Counts the frames from 1.
    std::uint64_t frame() const noexcept { return frame_; }
    /// The answer to a reading: as many pixels as the canvas has, row by row from the top, not premultiplied.
    void deliver(std::uint32_t canvas, std::span<const PackedColor> pixels);

    std::size_t count() const noexcept { return count_; }

    /// They have limits of their own.
    MeshTable meshes;

private:
    Surface* make(std::uint32_t first, std::uint32_t end, const SurfaceDesc& desc, ImageTable& images);
    bool has_room(const SurfaceDesc& desc) noexcept;
    bool release_idle(std::size_t owner) noexcept;
    // A surface whose content is another one, until it is used no more.
    struct Hidden {
        std::uint32_t image = 0;
        std::uint64_t last_frame = 0;
    };
    struct Pass {
        std::uint32_t canvas = 0;
        std::uint32_t target = 0;
        std::uint32_t copied = 0;
        std::optional<PackedColor> clear_color;  // the same as of the list
        std::unique_ptr<DrawList> list;          // null: that of the canvas, which still grows
    };
    CanvasPicture& picture_of(std::uint32_t canvas);
    CanvasPicture& begin_picture(Surface& canvas);
    std::unique_ptr<DrawList> spare_list();
    void add_pass(Surface& canvas);
    void place_before(Surface& canvas, const Surface& target);
    void count_turns();
    bool is_blank(const Surface& canvas) const noexcept;
    void move_to_end(const Surface& canvas);
    Result<void> next_pass(Surface& canvas, ImageTable& images);
    Result<std::uint32_t> hidden_for(const Surface& canvas, ImageTable& images);
    void forget_lists();
    void give_back_released() noexcept;
    void remove_given_back(ImageTable& images);

    // By surface_number. It does not grow, so release needs no lock.
    std::vector<std::unique_ptr<Surface>> surfaces_;
    DividedPool pixels_{kMaxPixels};
    DividedPool numbers_;
    std::atomic<std::size_t> released_ = 0;
    std::size_t given_back_pixels_ = 0;   ///< of surfaces that are no longer charged and still exist
    std::vector<std::uint32_t> used_;     ///< canvases of this frame, which have a list
    std::vector<std::uint32_t> shown_;    ///< canvases that were shown in this frame
    std::vector<std::uint32_t> changed_;  ///< canvases with a hidden content
    std::vector<std::uint32_t> cleared_;  ///< canvases that are cleared before the next frame
    std::vector<Pass> passes_;            ///< of this frame
    std::vector<Hidden> hidden_;
    std::map<std::size_t, std::size_t> further_passes_;  ///< of this frame, by owner
    std::size_t copied_items_ = 0;                       ///< of masks, from pass to pass
    bool has_passes_ = false;                            ///< which were not taken
    std::vector<std::uint32_t> to_read_;
    std::vector<CanvasSave> to_save_;
    std::vector<std::filesystem::path> picture_files_;
    std::vector<std::unique_ptr<DrawList>> spare_lists_;
    std::map<std::string, std::uint32_t, std::less<>> names_;  ///< of canvases
    std::size_t count_ = 0;
    std::uint64_t last_serial_ = 0;
    std::uint64_t frame_ = 1;
};

}  // namespace perigee
