// SurfaceTable: the images that a game and its mods make themselves.
//
// Invariant: a surface has an id (engine/assets/surface_id.h) and a frame in the ImageTable, so that it is
// drawn like an image of a file. It exists until it is released, and then until the next frame, since the
// list of this frame may show it. What a mod has is charged to the mod. Nothing here reaches the world or its
// hash. Not here: textures, and what scripts call (engine/modules/gfx_surfaces.h).
#pragma once

#include "ecs/base/divided_pool.h"
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

struct SurfaceDesc {
    std::uint16_t width = 0;
    std::uint16_t height = 0;
    std::size_t owner = 0;         ///< 0 is the game, others are mods
    bool is_multisampled = false;  ///< a canvas whose edges are smooth, at five times the memory
};

/// What one frame draws into a canvas. What was in it before stays, unless it is cleared.
struct CanvasPicture {
    std::unique_ptr<DrawList> list;          ///< null: the frame does not use the canvas
    std::optional<PackedColor> clear_color;  ///< of the whole canvas, before the list
    std::uint32_t turn = 0;                  ///< canvases are drawn in this order; 0: not at all
};

/// A canvas that is read into pixels at the end of each frame that asks for it.
struct CanvasReading {
    std::uint32_t pixels = 0;  ///< their id
    std::uint64_t serial = 0;  ///< of these pixels
    std::uint64_t frame = 0;   ///< the frame whose end they show; 0: none
};

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
    /// The list of this frame for a canvas, whose world is its pixels. The first call in a frame decides its
    /// turn.
    DrawList& use_canvas(std::uint32_t canvas);
    /// Drops what the frame has drawn into the canvas, and makes it this colour.
    void clear_canvas(std::uint32_t canvas, PackedColor color);
    /// Between frames: the canvas has this colour when the next frame begins to draw into it or to show it.
    void clear_canvas_before_frame(std::uint32_t canvas, PackedColor color);
    /// Whether drawing `shown` into `canvas` shows all that this frame draws into `shown`.
    enum class Order { good, itself, too_late };
    Order order_of(std::uint32_t shown, std::uint32_t canvas) const noexcept;
    /// Asks for the contents of the canvas at the end of this frame, in pixels of the same size. True if they
    /// have the contents at the end of the frame before, which had asked, too. Without a back end it is never
    /// true.
    bool read_canvas(std::uint32_t canvas, std::uint32_t pixels);
    /// Sorts the lists. Called when nothing more is drawn in this frame.
    void end_frame(const ImageTable& images);
    /// The canvases that a back end has to draw now, in their order; each frame is taken once.
    std::vector<std::uint32_t> take_canvases();
    bool has_canvases() const noexcept { return !to_draw_.empty() || !to_read_.empty() || !to_save_.empty(); }
    /// Asks for the contents of the canvas at the end of this frame as a PNG.
    void save_canvas(std::uint32_t canvas, std::filesystem::path file);
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
    CanvasPicture& picture_of(std::uint32_t canvas);
    void forget_lists();
    void give_back_released() noexcept;

    // By surface_number. It does not grow, so release needs no lock.
    std::vector<std::unique_ptr<Surface>> surfaces_;
    DividedPool pixels_{kMaxPixels};
    DividedPool numbers_;
    std::atomic<std::size_t> released_ = 0;
    std::size_t given_back_pixels_ = 0;   ///< of surfaces that are no longer charged and still exist
    std::vector<std::uint32_t> used_;     ///< canvases of this frame, by turn
    std::vector<std::uint32_t> cleared_;  ///< canvases that are cleared before the next frame
    std::vector<std::uint32_t> to_draw_;  ///< the same, until they are taken
    std::vector<std::uint32_t> to_read_;
    std::vector<CanvasSave> to_save_;
    std::vector<std::unique_ptr<DrawList>> spare_lists_;
    std::map<std::string, std::uint32_t, std::less<>> names_;  ///< of canvases
    std::size_t count_ = 0;
    std::uint64_t last_serial_ = 0;
    std::uint64_t frame_ = 1;
};

}  // namespace perigee
