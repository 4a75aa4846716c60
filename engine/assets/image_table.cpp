// Frames of files are only ever appended, so their ids stay valid forever; frames of surfaces are used again.
#include "engine/assets/image_table.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace perigee {

ImageTable::ImageTable() { frames_.push_back({0, 0, 0, kPlaceholderPixels, kPlaceholderPixels}); }

const ImageTable::Image* ImageTable::find(std::uint32_t image) const noexcept {
    const Image* found = nullptr;
    if (is_surface(image)) {
        const std::size_t number = surface_number(image);
        if (number < surfaces_.size()) found = &surfaces_[number];
    } else if (image < images_.size()) {
        found = &images_[image];
    }
    return found != nullptr && found->frame_count > 0 ? found : nullptr;
}

bool ImageTable::knows(std::uint32_t image) const noexcept { return find(image) != nullptr; }

void ImageTable::add(std::uint32_t image, std::uint16_t width, std::uint16_t height, std::size_t owner) {
    if (image >= images_.size()) images_.resize(std::size_t{image} + 1);
    Image& entry = images_[image];
    entry.size = {width, height};
    entry.owner = owner;
    entry.frame_count = 1;
    entry.first_frame = 0;
    ++version_;
    if (image == 0 || width == 0 || height == 0) return;
    entry.first_frame = static_cast<FrameId>(frames_.size());
    frames_.push_back({image, 0, 0, width, height});
}

// ---- surfaces ---------------------------------------------------------------------------------------------

void ImageTable::add_surface(std::uint32_t image, std::uint16_t width, std::uint16_t height,
                             std::size_t owner) {
    ECS_EXPECTS(is_surface(image) && !knows(image) && width > 0 && height > 0, image);
    const std::size_t number = surface_number(image);
    if (number >= surfaces_.size()) surfaces_.resize(number + 1);
    Image& surface = surfaces_[number];
    surface.size = {width, height};
    surface.frame_count = 1;
    surface.first_frame = new_surface_frame({image, 0, 0, width, height});
    surface.owner = owner;
}

FrameId ImageTable::new_surface_frame(const ImageFrame& frame) {
    if (free_frames_.empty()) {
        frames_.push_back(frame);
        return static_cast<FrameId>(frames_.size() - 1);
    }
    const FrameId id = free_frames_.back();
    free_frames_.pop_back();
    frames_[id] = frame;
    ++version_;
    return id;
}

void ImageTable::remove_surface(std::uint32_t image) {
    ECS_EXPECTS(is_surface(image) && knows(image), image);
    Image& surface = surfaces_[surface_number(image)];
    const auto first = rectangles_.lower_bound({image, 0});
    const auto last = rectangles_.lower_bound({image + 1, 0});
    const auto forget = [this](FrameId id) {
        frames_[id] = frames_[0];
        free_frames_.push_back(id);
    };
    for (auto at = first; at != last; ++at) forget(at->second);
    if (first != last) room_.give_back(surface.owner, static_cast<std::size_t>(std::distance(first, last)));
    rectangles_.erase(first, last);
    forget(surface.first_frame);
    surface = {};
    ++version_;
}

// ---- sampling ---------------------------------------------------------------------------------------------

ImageSampling ImageTable::sampling_of(std::uint32_t image) const noexcept {
    const Image* const entry = find(image);
    const auto default_of = [this](std::size_t owner) {
        return owner < default_filters_.size() ? default_filters_[owner] : std::nullopt;
    };
    const std::optional<ImageFilter> of_game = default_of(0);
    if (entry == nullptr) return {of_game.value_or(ImageFilter::nearest)};
    const std::optional<ImageFilter> of_owner = default_of(entry->owner);
    const std::optional<ImageFilter> found = entry->filter ? entry->filter : of_owner ? of_owner : of_game;
    return {found.value_or(ImageFilter::nearest), entry->wrap};
}

void ImageTable::set_filter(std::uint32_t image, std::optional<ImageFilter> filter) noexcept {
    Image* const entry = find(image);
    if (entry != nullptr && std::exchange(entry->filter, filter) != filter) ++version_;
}

void ImageTable::set_wrap(std::uint32_t image, ImageWrap wrap) noexcept {
    Image* const entry = find(image);
    if (entry != nullptr && std::exchange(entry->wrap, wrap) != wrap) ++version_;
}

void ImageTable::set_default_filter(std::size_t owner, ImageFilter filter) {
    if (owner >= default_filters_.size()) default_filters_.resize(owner + 1);
    if (std::exchange(default_filters_[owner], filter) != filter) ++version_;
}

std::uint32_t ImageTable::parts_of(const ImageFrame& frame) const noexcept {
    const Size size = size_of(frame.image);
    if (size.width == 0) return 1;
    const auto count = [](std::uint32_t start, std::uint32_t length, std::uint32_t period) {
        return (start + length + period - 1) / period - start / period;
    };
    return std::min(kMaxFrameParts,
                    count(frame.x, frame.width, size.width) * count(frame.y, frame.height, size.height));
}

// ---- parts ------------------------------------------------------------------------------------------------

bool ImageTable::take_room(std::size_t count, std::size_t owner) {
    is_full_ = !room_.take(owner, count);
    return !is_full_;
}

bool ImageTable::set_grid(std::uint32_t image, std::uint16_t frame_width, std::uint16_t frame_height,
                          std::size_t owner) {
    is_full_ = false;
    if (is_surface(image) || !knows(image) || frame_width == 0 || frame_height == 0) return false;
    Image& entry = images_[image];
    const std::uint32_t columns = entry.size.width / frame_width;
    const std::uint32_t rows = entry.size.height / frame_height;
    if (columns == 0 || rows == 0) return false;

    const ImageFrame& first = frames_[entry.first_frame];
    const bool same =
        entry.frame_count == columns * rows && first.width == frame_width && first.height == frame_height;
    if (same) return true;
    if (!take_room(std::size_t{columns} * rows, owner)) return false;
    entry.first_frame = static_cast<FrameId>(frames_.size());
    entry.frame_count = columns * rows;
    ++version_;
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            frames_.push_back({image, static_cast<std::uint16_t>(column * frame_width),
                               static_cast<std::uint16_t>(row * frame_height), frame_width, frame_height});
    return true;
}

bool ImageTable::set_frames(std::uint32_t image, std::span<const ImageFrame> rectangles, std::size_t owner) {
    is_full_ = false;
    const Size size = is_surface(image) ? Size{} : size_of(image);
    if (size.width == 0 || rectangles.empty() || !take_room(rectangles.size(), owner)) return false;
    Image& entry = images_[image];
    entry.first_frame = static_cast<FrameId>(frames_.size());
    entry.frame_count = static_cast<std::uint32_t>(rectangles.size());
    ++version_;
    for (ImageFrame frame : rectangles) {
        const bool is_inside =
            frame.x < size.width && frame.y < size.height && frame.width > 0 && frame.height > 0;
        if (!is_inside) {
            frames_.push_back(frames_[0]);
            continue;
        }
        frame.image = image;
        frame.width = std::min<std::uint16_t>(frame.width, static_cast<std::uint16_t>(size.width - frame.x));
        frame.height =
            std::min<std::uint16_t>(frame.height, static_cast<std::uint16_t>(size.height - frame.y));
        frames_.push_back(frame);
    }
    return true;
}

ImageTable::Frames ImageTable::frames_of(std::uint32_t image) const noexcept {
    const Image* const entry = find(image);
    if (entry == nullptr || entry->first_frame == 0) return {};
    return {entry->first_frame, entry->frame_count};
}

FrameId ImageTable::frame_of(std::uint32_t image, std::uint32_t frame) const noexcept {
    return frames_of(image)[frame];
}

FrameId ImageTable::add_rectangle(std::uint32_t image, std::uint16_t x, std::uint16_t y, std::uint16_t width,
                                  std::uint16_t height, std::size_t owner) {
    is_full_ = false;
    const Size size = size_of(image);
    if (size.width == 0 || width == 0 || height == 0) return 0;
    const bool wraps = sampling_of(image).wraps();
    if (!wraps && (x >= size.width || y >= size.height)) return 0;
    const auto clipped = [wraps](std::uint16_t start, std::uint16_t length, std::uint16_t limit) {
        return wraps ? length : std::min<std::uint16_t>(length, static_cast<std::uint16_t>(limit - start));
    };
    const std::uint16_t clipped_width = clipped(x, width, size.width);
    const std::uint16_t clipped_height = clipped(y, height, size.height);
    has_repeating_frames_ |= x + clipped_width > size.width || y + clipped_height > size.height;

    const std::uint64_t packed = std::uint64_t{x} << 48U | std::uint64_t{y} << 32U |
                                 std::uint64_t{clipped_width} << 16U | clipped_height;
    const auto known = rectangles_.find({image, packed});
    if (known != rectangles_.end()) return known->second;
    const bool is_of_surface = is_surface(image);
    if (!take_room(1, is_of_surface ? surfaces_[surface_number(image)].owner : owner)) return 0;
    const ImageFrame frame{image, x, y, clipped_width, clipped_height};
    auto id = static_cast<FrameId>(frames_.size());
    if (is_of_surface)
        id = new_surface_frame(frame);
    else
        frames_.push_back(frame);
    rectangles_.emplace(std::tuple{image, packed}, id);
    return id;
}

ImageTable::Size ImageTable::size_of(std::uint32_t image) const noexcept {
    const Image* const entry = find(image);
    return entry != nullptr ? entry->size : Size{};
}

std::uint32_t ImageTable::frame_count(std::uint32_t image) const noexcept {
    const Image* const entry = find(image);
    return entry != nullptr ? entry->frame_count : 0;
}

}  // namespace perigee
