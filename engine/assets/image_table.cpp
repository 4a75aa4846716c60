// Frames are only ever appended, so a frame id stays valid forever.
#include "engine/assets/image_table.h"

#include <algorithm>

namespace perigee {

ImageTable::ImageTable() { frames_.push_back({0, 0, 0, kPlaceholderPixels, kPlaceholderPixels}); }

bool ImageTable::knows(std::uint32_t image) const noexcept {
    return image < images_.size() && images_[image].frame_count > 0;
}

void ImageTable::add(std::uint32_t image, std::uint16_t width, std::uint16_t height) {
    if (image >= images_.size()) images_.resize(std::size_t{image} + 1);
    Image& entry = images_[image];
    entry.size = {width, height};
    entry.frame_count = 1;
    entry.first_frame = 0;
    if (image == 0 || width == 0 || height == 0) return;
    entry.first_frame = static_cast<FrameId>(frames_.size());
    frames_.push_back({image, 0, 0, width, height});
}

bool ImageTable::take_room(std::size_t count, std::size_t owner) {
    is_full_ = !room_.take(owner, count);
    return !is_full_;
}

bool ImageTable::set_grid(std::uint32_t image, std::uint16_t frame_width, std::uint16_t frame_height,
                          std::size_t owner) {
    is_full_ = false;
    if (!knows(image) || frame_width == 0 || frame_height == 0) return false;
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
    for (std::uint32_t row = 0; row < rows; ++row)
        for (std::uint32_t column = 0; column < columns; ++column)
            frames_.push_back({image, static_cast<std::uint16_t>(column * frame_width),
                               static_cast<std::uint16_t>(row * frame_height), frame_width, frame_height});
    return true;
}

bool ImageTable::set_frames(std::uint32_t image, std::span<const ImageFrame> rectangles, std::size_t owner) {
    is_full_ = false;
    const Size size = size_of(image);
    if (size.width == 0 || rectangles.empty() || !take_room(rectangles.size(), owner)) return false;
    Image& entry = images_[image];
    entry.first_frame = static_cast<FrameId>(frames_.size());
    entry.frame_count = static_cast<std::uint32_t>(rectangles.size());
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

FrameId ImageTable::frame_of(std::uint32_t image, std::uint32_t frame) const noexcept {
    if (!knows(image)) return 0;
    const Image& entry = images_[image];
    if (entry.first_frame == 0) return 0;
    // A division costs more than all the rest, and most frames are in range.
    return entry.first_frame + (frame < entry.frame_count ? frame : frame % entry.frame_count);
}

FrameId ImageTable::add_rectangle(std::uint32_t image, std::uint16_t x, std::uint16_t y, std::uint16_t width,
                                  std::uint16_t height, std::size_t owner) {
    is_full_ = false;
    const Size size = size_of(image);
    if (x >= size.width || y >= size.height || width == 0 || height == 0) return 0;
    const auto clipped_width = std::min<std::uint16_t>(width, static_cast<std::uint16_t>(size.width - x));
    const auto clipped_height = std::min<std::uint16_t>(height, static_cast<std::uint16_t>(size.height - y));

    const std::uint64_t packed = std::uint64_t{x} << 48U | std::uint64_t{y} << 32U |
                                 std::uint64_t{clipped_width} << 16U | clipped_height;
    const auto known = rectangles_.find({image, packed});
    if (known != rectangles_.end()) return known->second;
    if (!take_room(1, owner)) return 0;
    const auto id = static_cast<FrameId>(frames_.size());
    frames_.push_back({image, x, y, clipped_width, clipped_height});
    rectangles_.emplace(std::tuple{image, packed}, id);
    return id;
}

ImageTable::Size ImageTable::size_of(std::uint32_t image) const noexcept {
    return knows(image) ? images_[image].size : Size{};
}

std::uint32_t ImageTable::frame_count(std::uint32_t image) const noexcept {
    return knows(image) ? images_[image].frame_count : 0;
}

}  // namespace perigee
