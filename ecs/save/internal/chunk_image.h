// The content of one chunk at one moment: the used rows of its columns, one column after the other.
//
//     chunk:   | Entity x capacity | A x capacity   | B x capacity | bits B |
//     image:   | Entity x rows | A x rows | B x rows | bits B |     what did not change is in an older block
//
// Invariant: cells never change after the image was made. An image shares the columns that did not change
// with the image before it, whose block lives as long as one of its columns is used. Not here: which columns
// have changed (world_snapshot.cpp).
#pragma once

#include "ecs/archetype/chunk_layout.h"
#include "ecs/base/entity.h"
#include "ecs/save/internal/image_pool.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace perigee::internal {

/// Rows are where they were; heap addresses and object slots in cells mean nothing.
class ChunkImage {
public:
    ChunkImage(std::shared_ptr<ImagePool> pool, const ChunkLayout& layout)
        : parts_(layout.columns.size() + layout.masks.size()), pool_(std::move(pool)) {}
    ~ChunkImage() { pool_->count_less(counted_); }
    ChunkImage(const ChunkImage&) = delete;
    ChunkImage& operator=(const ChunkImage&) = delete;

    /// Takes the column from an image of the same rows.
    void share(std::size_t column, const ChunkImage& known) { parts_[column] = known.parts_[column]; }

    /// Copies the columns that are not shared, and the bits, from a chunk; null: they are zero. Throws
    /// std::bad_alloc.
    void complete(const ChunkLayout& layout, std::uint32_t row_count, const std::byte* chunk);
    /// Counts the memory of the image, which is complete.
    void count() noexcept;

    /// The cells of a column, without gaps. Writable for the one who makes the image. Alignment: 64 bytes.
    std::byte* column(std::size_t column) noexcept { return parts_[column].get(); }
    const std::byte* column(std::size_t column) const noexcept { return parts_[column].get(); }
    const Entity* entities() const noexcept { return reinterpret_cast<const Entity*>(column(0)); }
    /// One word for 64 rows.
    std::byte* bits(const ChunkLayout& layout, std::size_t mask) noexcept {
        return parts_[layout.columns.size() + mask].get();
    }
    const std::byte* bits(const ChunkLayout& layout, std::size_t mask) const noexcept {
        return parts_[layout.columns.size() + mask].get();
    }

    /// Writes rows and bits to a chunk; bits past the last row become zero.
    void copy_to(const ChunkLayout& layout, std::uint32_t row_count, std::byte* chunk) const noexcept;

    /// Memory of everything in it, including what it shares.
    std::size_t byte_count() const noexcept { return part_bytes_ + counted_; }

    mutable std::uint64_t kept_in = 0;     ///< number of the last sweep that saw it; locked by the core
    std::vector<std::byte> chunk_values;   ///< as Archetype::chunk_value_bytes
    std::vector<std::byte> shared_values;  ///< one after the other
    std::vector<std::byte> elements;       ///< of all buffers on the heap: by column, then by row

private:
    std::vector<std::shared_ptr<std::byte>> parts_;  ///< columns, then bits
    std::shared_ptr<ImagePool> pool_;
    std::size_t part_bytes_ = 0;
    std::size_t counted_ = 0;
};

/// Memory that the columns and bits of an image need when it shares nothing.
std::size_t image_bytes(const ChunkLayout& layout, std::uint32_t row_count) noexcept;

}  // namespace perigee::internal
