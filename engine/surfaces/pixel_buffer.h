// PixelBuffer: pixels in memory that compiled Lua writes directly, and which rows have changed since they
// were last taken.
//
// Invariant: a pixel is r, g, b, a in memory order, not premultiplied. Code that writes a pixel sets the byte
// of its block, so that a back end copies only what changed. The memory stays where it is for the life of the
// buffer. Not here: who may write (scripts/runtime/modules/gfx_surfaces.lua checks every index).
//
//   memory:  pixels, width * height words | one byte for each block of kBlockPixels pixels, 1: changed
#pragma once

#include "engine/draw/color.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace perigee {

class PixelBuffer {
public:
    static constexpr unsigned kBlockShift = 10;
    static constexpr std::size_t kBlockPixels = std::size_t{1} << kBlockShift;

    /// All pixels are transparent black, and have changed. Expects: no side is 0.
    PixelBuffer(std::uint16_t width, std::uint16_t height);

    std::size_t width() const noexcept { return width_; }
    std::size_t height() const noexcept { return height_; }
    /// Row by row from the top.
    std::span<const PackedColor> pixels() const noexcept { return {memory_.get(), width_ * height_}; }
    /// Where the memory begins. Lifetime: of the buffer.
    void* memory() noexcept { return memory_.get(); }

    /// Fills a rectangle, clipped to the buffer.
    void fill(std::int64_t x, std::int64_t y, std::int64_t width, std::int64_t height,
              PackedColor color) noexcept;
    /// Copies all of `from` to x, y, clipped to the buffer; `from` may be this one.
    void copy(const PixelBuffer& from, std::int64_t x, std::int64_t y) noexcept;
    /// Replaces all pixels. Expects: as many as there are.
    void assign(std::span<const PackedColor> pixels) noexcept;
    void mark_all() noexcept;

    /// Calls write(first row, count) for each stretch of rows with changes, after which there are none.
    template <typename Write> void take_changes(Write write) {
        std::size_t first = 0;
        std::size_t last = 0;
        while (next_changes(first, last)) {
            write(first, last - first);
            first = last;
        }
    }

private:
    std::size_t block_count() const noexcept { return (width_ * height_ + kBlockPixels - 1) >> kBlockShift; }
    std::uint8_t* changed() noexcept {
        return reinterpret_cast<std::uint8_t*>(memory_.get() + width_ * height_);
    }
    void mark(std::size_t first, std::size_t last) noexcept;
    bool next_changes(std::size_t& first, std::size_t& last) noexcept;

    std::size_t width_;
    std::size_t height_;
    std::unique_ptr<PackedColor[]> memory_;
};

}  // namespace perigee
