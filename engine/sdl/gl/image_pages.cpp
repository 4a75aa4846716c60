// Packing on shelves in the order in which images are first drawn, and the table of frames.
#include "engine/sdl/gl/image_pages.h"

#include "engine/draw/color.h"
#include "engine/sdl/gl/internal/sampling.h"
#include "engine/sdl/window/error_codes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace perigee::gl {

namespace {

// The first pages are small: most games have few images, and a page takes its memory at once.
constexpr std::array<int, 3> kPageSides{64, 1024, 2048};
constexpr int kPageSide = kPageSides.back();
constexpr int kBorder = 1;
constexpr std::size_t kAlone = 1;
constexpr std::size_t kBytesPerPixel = 4;

// With a border that repeats the outermost pixels. Shape: (width + 2) * (height + 2) pixels.
void add_border(int width, int height, const std::uint8_t* rgba, std::vector<std::uint8_t>& out) {
    const auto row = static_cast<std::size_t>(width) * kBytesPerPixel;
    const std::size_t wide_row = row + 2 * kBorder * kBytesPerPixel;
    out.resize(wide_row * static_cast<std::size_t>(height + 2 * kBorder));
    for (int y = -kBorder; y < height + kBorder; ++y) {
        const std::uint8_t* from = rgba + row * static_cast<std::size_t>(std::clamp(y, 0, height - 1));
        std::uint8_t* to = out.data() + wide_row * static_cast<std::size_t>(y + kBorder);
        std::memcpy(to, from, kBytesPerPixel);
        std::memcpy(to + kBytesPerPixel, from, row);
        std::memcpy(to + kBytesPerPixel + row, from + row - kBytesPerPixel, kBytesPerPixel);
    }
}

}  // namespace

std::size_t ImagePages::number_of(AssetHandle image, ImageSampling sampling, bool is_alone) noexcept {
    constexpr std::size_t kFilters = kImageFilterNames.size(), kWraps = kImageWrapNames.size();
    const std::size_t number =
        (std::size_t{image} * kWraps + static_cast<std::size_t>(sampling.wrap)) * kFilters +
        static_cast<std::size_t>(sampling.filter);
    return 2 * number + (is_alone && !sampling.wraps() ? kAlone : 0);
}

ImagePages::ImagePages(Decoder& decoder) : loader_(decoder), frames_(Texture::make()) {
    glGetIntegerv(GL_MAX_TEXTURE_SIZE, &max_side_);
    reload();
}

void ImagePages::reload() {
    pages_.clear();
    places_.clear();
    known_.clear();
    boxes_.clear();
    loader_.clear();
    places_.assign(1 + kAlone, add_placeholder(false));
    known_ = {Known::yes, Known::no};
    have_places_changed_ = true;
}

ImagePlace ImagePages::add_placeholder(bool is_alone) {
    constexpr int kSide = ImageTable::kPlaceholderPixels;
    std::array<std::uint32_t, std::size_t{kSide} * kSide> pixels;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        const bool is_right = i % kSide >= kSide / 2;
        const bool is_low = i / kSide >= kSide / 2;
        pixels[i] = is_right == is_low ? 0xFFFF'00FFU : 0xFF00'0000U;
    }
    ImagePlace place;
    add(kSide, kSide, reinterpret_cast<const std::uint8_t*>(pixels.data()), {}, is_alone, place);
    return place;
}

void ImagePages::add_page(int width, int height, bool is_shared, ImageSampling sampling) {
    Page& page = pages_.emplace_back();
    page.filter = sampling.filter;
    page.texture = Texture::make();
    // A page for one image has no room for others.
    page.packer.clear(is_shared ? width : 0);
    glBindTexture(GL_TEXTURE_2D, page.texture.name());
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    set_texture_sampling(sampling);
}

bool ImagePages::add(int width, int height, const std::uint8_t* rgba, ImageSampling sampling, bool is_alone,
                     ImagePlace& place) {
    if (width > max_side_ || height > max_side_) return false;
    const bool is_premultiplied = sampling.filter == ImageFilter::linear;
    if (is_premultiplied)
        rgba = premultiply(rgba, static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const int wide = width + 2 * kBorder;
    const int high = height + 2 * kBorder;
    const bool is_small = std::max(wide, high) <= std::min(kPageSide, max_side_) / 2;
    const bool is_shared = is_small && !is_alone && !sampling.wraps();
    int x = 0;
    int y = 0;
    std::size_t number = pages_.size();
    if (is_shared) {
        for (number = 0; number < pages_.size(); ++number)
            if (pages_[number].filter == sampling.filter && pages_[number].packer.place(wide, high, x, y))
                break;
        if (number == pages_.size()) {
            const int wanted = kPageSides[std::min(number, kPageSides.size() - 1)];
            const int side = std::min(std::max(wanted, 2 * std::max(wide, high)), max_side_);
            add_page(side, side, true, {sampling.filter});
            pages_.back().packer.place(wide, high, x, y);
        }
        add_border(width, height, rgba, bordered_);
        glBindTexture(GL_TEXTURE_2D, pages_[number].texture.name());
        glTexSubImage2D(GL_TEXTURE_2D, 0, x, y, wide, high, GL_RGBA, GL_UNSIGNED_BYTE, bordered_.data());
        const auto page_side = static_cast<float>(pages_[number].packer.side());
        const auto fraction = [page_side](int pixel) { return static_cast<float>(pixel) / page_side; };
        place = {static_cast<std::uint32_t>(number),
                 is_premultiplied,
                 fraction(x + kBorder),
                 fraction(y + kBorder),
                 fraction(x + kBorder + width),
                 fraction(y + kBorder + height)};
    } else {
        add_page(width, height, false, sampling);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
        place = {static_cast<std::uint32_t>(number), is_premultiplied, 0.0F, 0.0F, 1.0F, 1.0F};
    }
    have_places_changed_ = true;
    return true;
}

const std::uint8_t* ImagePages::premultiply(const std::uint8_t* rgba, std::size_t count) {
    premultiplied_.resize(count * kBytesPerPixel);
    for (std::size_t at = 0; at < premultiplied_.size(); at += kBytesPerPixel) {
        PackedColor color = 0;
        std::memcpy(&color, rgba + at, sizeof color);
        color = premultiplied(color);
        std::memcpy(premultiplied_.data() + at, &color, sizeof color);
    }
    return premultiplied_.data();
}

const ImagePlace& ImagePages::place_of(AssetHandle image, const AssetStore& assets, ImageSampling sampling) {
    return loaded(image, assets, sampling, false);
}

const ImagePlace& ImagePages::place_alone(AssetHandle image, const AssetStore& assets,
                                          ImageSampling sampling) {
    static_cast<void>(loaded(image, assets, sampling, true));
    return known_alone(image, sampling);
}

const ImagePlace& ImagePages::known_alone(AssetHandle image, ImageSampling sampling) {
    const std::size_t number = number_of(image, sampling, true);
    if (number < known_.size() && known_[number] == Known::yes &&
        known_[number_of(image, {})] != Known::broken)
        return places_[number];
    if (std::exchange(known_[kAlone], Known::yes) != Known::yes) places_[kAlone] = add_placeholder(true);
    return places_[kAlone];
}

const ImagePlace& ImagePages::loaded(AssetHandle image, const AssetStore& assets, ImageSampling sampling,
                                     bool is_alone) {
    if (!assets.is_handle(image)) return places_[0];
    const std::size_t first = number_of(image, {}), number = number_of(image, sampling, is_alone);
    if (number >= places_.size()) {
        places_.resize(number_of(image + 1, {}), places_[0]);
        known_.resize(places_.size(), Known::no);
    }
    if (known_[number] != Known::no || known_[first] == Known::broken) return places_[number];
    if (const std::optional<LoadedPixels> loaded = loader_.load(image, assets)) {
        known_[number] = Known::yes;
        const ImageSize size = loaded->size;
        if (!add(size.width, size.height, loaded->rgba.data(), sampling, is_alone, places_[number])) {
            known_[first] = Known::broken;
            loader_.refuse(image, assets, *loaded, fmt::format(sdl_errors::kTooLargeForGl, max_side_));
        }
    } else {
        known_[first] = Known::broken;
    }
    return places_[number];
}

// What OpenGL draws into a texture has its first row at the bottom.
ImagePlace ImagePages::place_of_surface(std::uint32_t image) noexcept {
    return is_canvas(image) ? ImagePlace{.top = 1.0F, .bottom = 0.0F} : ImagePlace{};
}

// By the size in the table, not that of the pixels: the placeholder of a broken file is shown completely.
ImagePages::Box ImagePages::box_of(const ImageFrame& frame, const ImageTable& images) const noexcept {
    const ImageSampling sampling = images.sampling_of(frame.image);
    const std::size_t number = number_of(frame.image, sampling);
    ImagePlace place = number < places_.size() ? places_[number] : places_[0];
    if (is_surface(frame.image)) place = place_of_surface(frame.image);
    const ImageTable::Size size = images.size_of(frame.image);
    if (size.width == 0) return {place.left, place.top, place.right, place.bottom};
    const float across = (place.right - place.left) / static_cast<float>(size.width);
    const float down = (place.bottom - place.top) / static_cast<float>(size.height);
    // A frame may be larger than an image that wrapped when the frame was made.
    const auto within = [&sampling](int pixel, int limit) {
        return static_cast<float>(sampling.wraps() ? pixel : std::min(pixel, limit));
    };
    return {place.left + within(frame.x, size.width) * across,
            place.top + within(frame.y, size.height) * down,
            place.left + within(frame.x + frame.width, size.width) * across,
            place.top + within(frame.y + frame.height, size.height) * down};
}

void ImagePages::update_frames(const ImageTable& images) {
    const std::span<const ImageFrame> frames = images.frames();
    if (frames.size() < boxes_.size()) have_places_changed_ = true;  // another table
    if (std::exchange(version_, images.version()) != images.version()) have_places_changed_ = true;
    const std::size_t first = have_places_changed_ ? 0 : boxes_.size();
    if (first == frames.size()) return;
    boxes_.resize(frames.size());
    for (std::size_t i = first; i < frames.size(); ++i) boxes_[i] = box_of(frames[i], images);
    have_places_changed_ = false;

    glBindTexture(GL_TEXTURE_2D, frames_.name());
    const std::size_t rows = (frames.size() + kFrameColumns - 1) / kFrameColumns;
    std::size_t first_row = first / kFrameColumns;
    if (rows > frame_rows_) {
        frame_rows_ = std::max(rows, 2 * frame_rows_);
        first_row = 0;
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, kFrameColumns, static_cast<GLsizei>(frame_rows_), 0,
                     GL_RGBA, GL_FLOAT, nullptr);
        set_texture_sampling({});
    }
    boxes_.resize(rows * kFrameColumns);  // whole rows for the copy
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, static_cast<GLint>(first_row), kFrameColumns,
                    static_cast<GLsizei>(rows - first_row), GL_RGBA, GL_FLOAT,
                    boxes_.data() + first_row * kFrameColumns);
    boxes_.resize(frames.size());
}

}  // namespace perigee::gl
