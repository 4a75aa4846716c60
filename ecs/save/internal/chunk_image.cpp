// What is new in an image is in one block.
#include "ecs/save/internal/chunk_image.h"

#include <algorithm>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace perigee::internal {

namespace {

constexpr std::size_t kPartAlignment = 64;

std::size_t mask_bytes(std::uint32_t row_count) noexcept {
    return (std::size_t{row_count} + 63) / 64 * sizeof(std::uint64_t);
}

std::size_t part_bytes(const ChunkLayout& layout, std::size_t part, std::uint32_t row_count) noexcept {
    if (part >= layout.columns.size()) return mask_bytes(row_count);
    return std::size_t{row_count} * layout.columns[part].size;
}

std::uint32_t part_offset(const ChunkLayout& layout, std::size_t part) noexcept {
    const std::size_t columns = layout.columns.size();
    return part < columns ? layout.columns[part].offset : layout.masks[part - columns].offset;
}

std::size_t padded(std::size_t bytes) noexcept {
    return (bytes + kPartAlignment - 1) / kPartAlignment * kPartAlignment;
}

// In pieces that the C library copies through registers: larger ones go through microcode, which is slower
// where the memory is in the cache.
void copy_part(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
    constexpr std::size_t kPiece = 4096;
    for (std::size_t at = 0; at < bytes; at += kPiece)
        std::memcpy(to + at, from + at, std::min(kPiece, bytes - at));
}

// Past the caches, which keep what the next step needs: a ring of steps is much larger than they are.
// Expects: `to` is aligned to 64 bytes.
void copy_past_caches(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
#if defined(__SSE2__)
    constexpr std::size_t kLine = 64;
    for (; bytes >= kLine; to += kLine, from += kLine, bytes -= kLine) {
        for (std::size_t at = 0; at < kLine; at += sizeof(__m128i)) {
            const __m128i word = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + at));
            _mm_stream_si128(reinterpret_cast<__m128i*>(to + at), word);
        }
    }
#endif
    copy_part(to, from, bytes);
}

}  // namespace

std::size_t image_bytes(const ChunkLayout& layout, std::uint32_t row_count) noexcept {
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < layout.columns.size() + layout.masks.size(); ++i)
        bytes += padded(part_bytes(layout, i, row_count));
    return bytes;
}

void ChunkImage::complete(const ChunkLayout& layout, std::uint32_t row_count, const std::byte* chunk) {
    std::size_t missing = 0;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const std::size_t bytes = padded(part_bytes(layout, i, row_count));
        part_bytes_ += bytes;
        if (parts_[i] == nullptr) missing += bytes;
    }
    if (missing == 0) return;
    const auto block = std::make_shared<ImageBytes>(pool_, missing);
    std::byte* at = block->data();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (parts_[i] != nullptr) continue;
        const std::size_t bytes = part_bytes(layout, i, row_count);
        if (chunk != nullptr) {
            copy_past_caches(at, chunk + part_offset(layout, i), bytes);
        } else {
            std::memset(at, 0, bytes);
        }
        parts_[i] = std::shared_ptr<std::byte>(block, at);
        at += padded(bytes);
    }
#if defined(__SSE2__)
    _mm_sfence();  // other threads may read the image
#endif
}

void ChunkImage::count() noexcept {
    counted_ = sizeof *this + parts_.size() * sizeof parts_[0] + chunk_values.size() + shared_values.size() +
               elements.size();
    pool_->count_more(counted_);
}

void ChunkImage::copy_to(const ChunkLayout& layout, std::uint32_t row_count,
                         std::byte* chunk) const noexcept {
    const std::size_t columns = layout.columns.size();
    for (std::size_t i = 0; i < columns; ++i)
        copy_part(chunk + layout.columns[i].offset, column(i), part_bytes(layout, i, row_count));
    for (std::size_t i = 0; i < layout.masks.size(); ++i) {
        const std::size_t bytes = mask_bytes(row_count);
        std::byte* const to = chunk + layout.masks[i].offset;
        std::memcpy(to, bits(layout, i), bytes);
        std::memset(to + bytes, 0, layout.mask_words() * sizeof(std::uint64_t) - bytes);
    }
}

}  // namespace perigee::internal
