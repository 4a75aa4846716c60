// Memory for snapshots: blocks of a few sizes, which are used again, so that a snapshot needs no fresh pages.
//
// Sizes are the powers of two from 128 bytes and the halves between them: 128, 192, 256, 384, 512 …
// Invariant: a block belongs to one slab of its size. A slab is as large as all earlier ones of the size, up
// to 2 MiB, and gets huge pages where it is large enough. Slabs without a used block return to the system
// when free memory exceeds used memory. Blocks do not start at equal places of a page, for the same reason as
// in chunk_pool.h. Any thread may release. Not here: what the blocks contain (snapshot_data.h).
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace perigee::internal {

class ImagePool {
public:
    ImagePool() = default;
    ~ImagePool();
    ImagePool(const ImagePool&) = delete;
    ImagePool& operator=(const ImagePool&) = delete;

    /// Aligned to 64 bytes. Throws std::bad_alloc.
    std::byte* take(std::size_t bytes);
    /// `bytes`: as taken.
    void give_back(std::byte* block, std::size_t bytes) noexcept;
    /// Counts memory from elsewhere that belongs to an image.
    void count_more(std::size_t bytes) noexcept;
    void count_less(std::size_t bytes) noexcept;
    std::size_t bytes_in_use() const noexcept;

private:
    struct Slab {
        std::byte* memory = nullptr;
        std::size_t bytes = 0;
        std::size_t blocks = 0;
        std::vector<std::byte*> free;  ///< has capacity for all blocks
    };
    struct Size {
        std::vector<std::unique_ptr<Slab>> slabs;
        std::vector<Slab*> with_room;  ///< has capacity for all slabs
        std::size_t blocks = 0;        ///< of all slabs
    };
    static constexpr std::size_t kSizes = 64;

    void add_slab(Size& size, std::size_t stride);
    void drop_slab(Size& size, Slab* slab, std::size_t stride) noexcept;

    mutable std::mutex mutex_;
    std::array<Size, kSizes> sizes_;
    std::size_t used_bytes_ = 0;
    std::size_t free_bytes_ = 0;
    std::size_t counted_bytes_ = 0;
};

/// One block.
class ImageBytes {
public:
    ImageBytes() = default;
    ImageBytes(std::shared_ptr<ImagePool> pool, std::size_t bytes)
        : pool_(std::move(pool)), data_(pool_->take(bytes)), size_(bytes) {}
    ~ImageBytes() {
        if (data_ != nullptr) pool_->give_back(data_, size_);
    }
    ImageBytes(const ImageBytes&) = delete;
    ImageBytes& operator=(const ImageBytes&) = delete;

    std::byte* data() noexcept { return data_; }
    const std::byte* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return size_; }

private:
    std::shared_ptr<ImagePool> pool_;
    std::byte* data_ = nullptr;
    std::size_t size_ = 0;
};

}  // namespace perigee::internal
