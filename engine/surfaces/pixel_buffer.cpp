// Rectangles and rows; blocks are counted over the whole buffer, so one may be of several rows.
#include "engine/surfaces/pixel_buffer.h"

#include "ecs/base/contract.h"

#include <algorithm>
#include <cstring>

namespace perigee {

namespace {

std::size_t words_of(std::size_t pixels) {
    const std::size_t blocks = (pixels + PixelBuffer::kBlockPixels - 1) >> PixelBuffer::kBlockShift;
    return pixels + (blocks + sizeof(PackedColor) - 1) / sizeof(PackedColor);
}

// The part of start .. start + length that is in 0 .. limit.
struct Clipped {
    std::size_t first, last;
};
Clipped clipped(std::int64_t start, std::int64_t length, std::size_t limit) noexcept {
    const auto end = static_cast<std::int64_t>(limit);
    const std::int64_t first = std::clamp<std::int64_t>(start, 0, end);
    // Lengths are those of Lua's numbers, so a sum may be too large.
    const std::int64_t last =
        length > end - start ? end : std::clamp<std::int64_t>(start + length, first, end);
    return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

}  // namespace

PixelBuffer::PixelBuffer(std::uint16_t width, std::uint16_t height)
    : width_(width),
      height_(height),
      memory_(std::make_unique<PackedColor[]>(words_of(std::size_t{width} * height))) {
    ECS_EXPECTS(width > 0 && height > 0, width, height);
    mark_all();
}

void PixelBuffer::mark(std::size_t first, std::size_t last) noexcept {
    if (first >= last) return;
    const std::size_t first_block = first >> kBlockShift;
    std::memset(changed() + first_block, 1, ((last - 1) >> kBlockShift) - first_block + 1);
}

void PixelBuffer::mark_all() noexcept { mark(0, width_ * height_); }

void PixelBuffer::fill(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
                       PackedColor color) noexcept {
    if (width <= 0 || height <= 0) return;
    const Clipped across = clipped(x, width, width_);
    const Clipped down = clipped(y, height, height_);
    if (across.first >= across.last) return;
    for (std::size_t row = down.first; row < down.last; ++row) {
        const std::size_t start = row * width_;
        std::fill(memory_.get() + start + across.first, memory_.get() + start + across.last, color);
        mark(start + across.first, start + across.last);
    }
}

void PixelBuffer::copy(const PixelBuffer& from, std::int64_t x, std::int64_t y) noexcept {
    const Clipped across = clipped(x, static_cast<std::int64_t>(from.width_), width_);
    const Clipped down = clipped(y, static_cast<std::int64_t>(from.height_), height_);
    if (across.first >= across.last || down.first >= down.last) return;
    const std::size_t count = across.last - across.first;
    const std::size_t skipped = static_cast<std::size_t>(static_cast<std::int64_t>(across.first) - x);
    const std::size_t rows = down.last - down.first;
    for (std::size_t i = 0; i < rows; ++i) {
        // Onto itself and downwards, the last row comes first.
        const std::size_t row = &from == this && y > 0 ? down.last - 1 - i : down.first + i;
        const auto from_row = static_cast<std::size_t>(static_cast<std::int64_t>(row) - y);
        const std::size_t start = row * width_ + across.first;
        std::memmove(memory_.get() + start, from.memory_.get() + from_row * from.width_ + skipped,
                     count * sizeof(PackedColor));
        mark(start, start + count);
    }
}

void PixelBuffer::assign(std::span<const PackedColor> pixels) noexcept {
    ECS_EXPECTS(pixels.size() == width_ * height_, pixels.size());
    std::copy(pixels.begin(), pixels.end(), memory_.get());
    mark_all();
}

// Finds the first stretch of blocks with changes from row `first` on, and makes it whole rows.
bool PixelBuffer::next_changes(std::size_t& first, std::size_t& last) noexcept {
    std::uint8_t* const begin = changed() + (first * width_ >> kBlockShift);
    std::uint8_t* const end = changed() + block_count();
    std::uint8_t* const found =
        std::find_if(begin, end, [](std::uint8_t is_changed) { return is_changed != 0; });
    if (first >= height_ || found == end) return false;
    std::uint8_t* after = std::find(found, end, std::uint8_t{0});
    const auto pixel = [this](const std::uint8_t* block) {
        return static_cast<std::size_t>(block - changed()) << kBlockShift;
    };
    first = std::max(first, pixel(found) / width_);
    last = std::min(height_, (pixel(after) + width_ - 1) / width_);
    // Whole rows are taken, and so are the other blocks in them.
    after = last == height_ ? end : std::max(after, changed() + (last * width_ >> kBlockShift));
    std::fill(found, after, std::uint8_t{0});
    return true;
}

}  // namespace perigee
