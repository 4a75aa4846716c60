// ImageTable: the sizes of images, how they are sampled, and the rectangles of sprites, without loading any
// pixels.
//
// Invariant: a frame id refers to the same rectangle of the same image for as long as the image exists;
// images of files exist for the life of the table, surfaces (surface_id.h) until they are removed. Frame 0 is
// the placeholder for everything missing; an image of the grid w x h counts its frames left to right, top to
// bottom, from 0. It does not read files: the caller gives the size of each image (see
// engine/assets/image_size.h).
#pragma once

#include "ecs/base/divided_pool.h"
#include "engine/assets/image_sampling.h"
#include "engine/assets/surface_id.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

namespace perigee {

/// A rectangle of an image, in its pixels. image is an asset handle or a surface; 0 = placeholder.
struct ImageFrame {
    std::uint32_t image = 0;
    std::uint16_t x = 0;
    std::uint16_t y = 0;
    std::uint16_t width = 0;
    std::uint16_t height = 0;

    friend bool operator==(const ImageFrame&, const ImageFrame&) = default;
};

using FrameId = std::uint32_t;

class ImageTable {
public:
    static constexpr std::uint16_t kPlaceholderPixels = 16;
    static constexpr std::uint32_t kMaxFrames = 1U << 20U;

    ImageTable();

    bool knows(std::uint32_t image) const noexcept;

    /// Adds the image as a single frame. A width or height of 0 means "missing": drawn as the placeholder.
    /// `owner`: whose default filter it has.
    void add(std::uint32_t image, std::uint16_t width, std::uint16_t height, std::size_t owner = 0);

    /// Adds a surface as a single frame. `owner`: of this frame and of all rectangles of the surface.
    /// Expects: is_surface(image), not known, no side is 0.
    void add_surface(std::uint32_t image, std::uint16_t width, std::uint16_t height, std::size_t owner);
    /// Its frames become the placeholder, and later surfaces use their ids again. Expects: it is known.
    void remove_surface(std::uint32_t image);
    /// Grows whenever a frame id gets another rectangle, or an image other frames or another sampling: caches
    /// of either must be filled again.
    std::uint64_t version() const noexcept { return version_; }

    // ---- sampling ----
    /// The default for an unknown image.
    ImageSampling sampling_of(std::uint32_t image) const noexcept;
    /// None: the default of the owner. Does nothing for an unknown image.
    void set_filter(std::uint32_t image, std::optional<ImageFilter> filter) noexcept;
    void set_wrap(std::uint32_t image, ImageWrap wrap) noexcept;
    /// For all images of an owner that have no filter of their own. Mods without a default have the game's.
    void set_default_filter(std::size_t owner, ImageFilter filter);
    /// True once any frame is larger than its image: parts of it are the image again.
    bool has_repeating_frames() const noexcept { return has_repeating_frames_; }
    /// The number of parts into which a back end that cannot repeat an image divides a frame; at most
    /// kMaxFrameParts.
    static constexpr std::uint32_t kMaxFrameParts = 16384;
    std::uint32_t parts_of(const ImageFrame& frame) const noexcept;

    /// Cuts a known image, not a surface, into frames of this size; incomplete frames at the edges are
    /// dropped. Returns false, changing nothing, if the image is missing or smaller than one frame.
    bool set_grid(std::uint32_t image, std::uint16_t frame_width, std::uint16_t frame_height,
                  std::size_t owner = 0);

    /// Sets frames of any size and position for a known image, not a surface: an atlas. Frame i is
    /// rectangles[i], clipped to the image; an empty one becomes the placeholder. `image` in the rectangles
    /// is ignored. Returns false, changing nothing, if the image is missing, the list empty or kMaxFrames
    /// reached.
    bool set_frames(std::uint32_t image, std::span<const ImageFrame> rectangles, std::size_t owner = 0);

    /// The id of one frame of an image's grid or atlas; frames past the end wrap round, so an animation can
    /// count up forever. Unknown and missing images give the placeholder.
    FrameId frame_of(std::uint32_t image, std::uint32_t frame) const noexcept;

    /// The ids of all frames of an image: `first`, and those after it; the placeholder for unknown and
    /// missing images.
    struct Frames {
        FrameId first = 0;
        std::uint32_t count = 1;
        FrameId operator[](std::uint32_t frame) const noexcept {
            // A division costs more than all the rest, and most frames are in range.
            return first + (frame < count ? frame : frame % count);
        }
    };
    Frames frames_of(std::uint32_t image) const noexcept;

    /// The id of any rectangle, clipped to the image unless that wraps; the placeholder when nothing is left
    /// or kMaxFrames is reached.
    FrameId add_rectangle(std::uint32_t image, std::uint16_t x, std::uint16_t y, std::uint16_t width,
                          std::uint16_t height, std::size_t owner = 0);
    /// True if the last of these three calls had no room for its frames. Room is divided among owners: 0 is
    /// the game, others are mods (ecs/base/divided_pool.h).
    bool is_full() const noexcept { return is_full_; }
    void set_owners(std::size_t count) { room_.set_members(count); }

    /// Expects: an id that this table gave out.
    const ImageFrame& operator[](FrameId id) const noexcept { return frames_[id]; }
    std::span<const ImageFrame> frames() const noexcept { return frames_; }

    /// Size of the whole image; {0, 0} if unknown or missing.
    struct Size {
        std::uint16_t width = 0;
        std::uint16_t height = 0;
    };
    Size size_of(std::uint32_t image) const noexcept;
    std::uint32_t frame_count(std::uint32_t image) const noexcept;

private:
    struct Image {
        Size size;
        FrameId first_frame = 0;
        std::uint32_t frame_count = 0;  // 0: unknown
        std::size_t owner = 0;
        std::optional<ImageFilter> filter = {};
        ImageWrap wrap = ImageWrap::clamp;
    };
    const Image* find(std::uint32_t image) const noexcept;
    Image* find(std::uint32_t image) noexcept {
        return const_cast<Image*>(static_cast<const ImageTable*>(this)->find(image));
    }
    bool take_room(std::size_t count, std::size_t owner);
    FrameId new_surface_frame(const ImageFrame& frame);

    std::vector<Image> images_;    // by asset handle
    std::vector<Image> surfaces_;  // by surface_number
    std::vector<ImageFrame> frames_;
    std::vector<FrameId> free_frames_;                         // of surfaces that are gone
    std::vector<std::optional<ImageFilter>> default_filters_;  // by owner
    bool has_repeating_frames_ = false;
    std::uint64_t version_ = 0;
    DividedPool room_{kMaxFrames};
    bool is_full_ = false;
    std::map<std::tuple<std::uint32_t, std::uint64_t>, FrameId> rectangles_;
};

}  // namespace perigee
