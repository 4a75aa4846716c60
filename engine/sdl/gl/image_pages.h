// ImagePages: the images of a game in few textures, and where each frame of the ImageTable is in them.
//
// Invariant: every image handle has a place for each sampling that it was asked for with. Small images with
// the same filter share pages, so that runs of different images are one draw call; a border that repeats an
// image's edge keeps neighbours out of it. An image that wraps has a page of its own. Pages with a linear
// filter have colours multiplied by their opacity, so that what is transparent has no colour between pixels.
// A missing, broken or too large image has the place of the placeholder. What a shader reads besides the
// image that is drawn is alone on a page, too. Not here: reading files (PixelLoader).
//
//   frames texture, RGBA32F: texel (id % 1024, id / 1024) = left, top, right, bottom of the frame in its
//   page, 0 .. 1
#pragma once

#include "engine/assets/assets.h"
#include "engine/assets/image_table.h"
#include "engine/sdl/draw/pixel_loader.h"
#include "engine/sdl/draw/shelf_packer.h"
#include "engine/sdl/gl/gl_object.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perigee::gl {

/// An image in its page. Units: 0 .. 1 of the page.
struct ImagePlace {
    std::uint32_t page = 0;
    bool is_premultiplied = false;
    float left = 0.0F;
    float top = 0.0F;
    float right = 1.0F;
    float bottom = 1.0F;

    friend bool operator==(const ImagePlace&, const ImagePlace&) = default;
};

class ImagePages {
public:
    static constexpr int kFrameColumns = 1024;  ///< of the frames texture

    /// Lifetime: the decoder must outlive it. Expects: a current context.
    explicit ImagePages(Decoder& decoder);

    /// Loads the image when it is asked for the first time with this sampling.
    const ImagePlace& place_of(AssetHandle image, const AssetStore& assets, ImageSampling sampling);
    /// The same, on a page that it has for itself and covers.
    const ImagePlace& place_alone(AssetHandle image, const AssetStore& assets, ImageSampling sampling);
    /// The same for one that was asked for; the placeholder for others.
    const ImagePlace& known_alone(AssetHandle image, ImageSampling sampling);
    /// The place of a surface in its own texture; `page` is unused.
    static ImagePlace place_of_surface(std::uint32_t image) noexcept;
    /// The texture of ImagePlace::page.
    GLuint page(std::uint32_t number) const noexcept { return pages_[number].texture.name(); }

    /// Brings the frames texture up to date with the table and with all places that were asked for. Cost:
    /// nothing if neither changed.
    void update_frames(const ImageTable& images);
    GLuint frames() const noexcept { return frames_.name(); }

    /// Drops all images, so that changed files are read again.
    void reload();

    std::vector<std::string> take_reports() { return loader_.take_reports(); }

private:
    struct Page {
        Texture texture;
        ShelfPacker packer{0};
        ImageFilter filter = ImageFilter::nearest;
    };
    struct Box {
        float left, top, right, bottom;
    };
    const ImagePlace& loaded(AssetHandle image, const AssetStore& assets, ImageSampling sampling,
                             bool is_alone);
    ImagePlace add_placeholder(bool is_alone);
    const std::uint8_t* premultiply(const std::uint8_t* rgba, std::size_t count);
    bool add(int width, int height, const std::uint8_t* rgba, ImageSampling sampling, bool is_alone,
             ImagePlace& place);
    void add_page(int width, int height, bool is_shared, ImageSampling sampling);
    Box box_of(const ImageFrame& frame, const ImageTable& images) const noexcept;
    static std::size_t number_of(AssetHandle image, ImageSampling sampling, bool is_alone = false) noexcept;

    PixelLoader loader_;
    int max_side_ = 0;
    std::vector<Page> pages_;
    enum class Known : std::uint8_t { no, yes, broken };
    std::vector<ImagePlace> places_;  // by number_of; [0] is the placeholder, [kAlone] that which is alone
    std::vector<Known> known_;        // the same
    std::vector<std::uint8_t> bordered_;
    std::vector<std::uint8_t> premultiplied_;
    Texture frames_;
    std::vector<Box> boxes_;
    std::size_t frame_rows_ = 0;  // of the texture
    bool have_places_changed_ = true;
    std::uint64_t version_ = 0;  // of the table
};

}  // namespace perigee::gl
