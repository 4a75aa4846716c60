// The first slab of a size is small, so that small worlds need little.
#include "ecs/save/internal/image_pool.h"

#include "ecs/base/internal/reserve_more.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kGap = 3 * kLine;  // the first line before a block has the address of its slab
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kFirstBlocks = 8;
constexpr std::size_t kAlwaysKept = 2 * kHugePage;

std::size_t stride_of(std::size_t bytes) noexcept { return (bytes + kLine - 1) / kLine * kLine + kGap; }

std::align_val_t alignment_of(std::size_t slab_bytes) noexcept {
    return std::align_val_t{slab_bytes >= kHugePage ? kHugePage : kLine};
}

}  // namespace

ImagePool::~ImagePool() {
    for (const std::unique_ptr<Size>& size : sizes_) {
        for (const std::unique_ptr<Slab>& slab : size->slabs)
            ::operator delete(slab->memory, alignment_of(slab->bytes));
    }
}

std::byte* ImagePool::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    Size& size = size_of(bytes);
    if (size.with_room.empty()) add_slab(size);
    Slab& slab = *size.with_room.back();
    std::byte* const block = slab.free.back();
    slab.free.pop_back();
    if (slab.free.empty()) size.with_room.pop_back();
    used_bytes_ += bytes;
    free_bytes_ -= bytes;
    return block;
}

void ImagePool::give_back(std::byte* block, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    Size& size = **std::find_if(sizes_.begin(), sizes_.end(),
                                [&](const std::unique_ptr<Size>& known) { return known->bytes == bytes; });
    Slab* const slab = *reinterpret_cast<Slab**>(block - kLine);
    if (slab->free.empty()) size.with_room.push_back(slab);
    slab->free.push_back(block);
    used_bytes_ -= bytes;
    free_bytes_ += bytes;
    if (slab->free.size() == slab->blocks && free_bytes_ > used_bytes_ + kAlwaysKept) drop_slab(size, slab);
}

ImagePool::Size& ImagePool::size_of(std::size_t bytes) {
    const auto known = std::find_if(sizes_.begin(), sizes_.end(),
                                    [&](const std::unique_ptr<Size>& size) { return size->bytes == bytes; });
    if (known != sizes_.end()) return **known;
    auto made = std::make_unique<Size>();
    made->bytes = bytes;
    sizes_.push_back(std::move(made));
    return *sizes_.back();
}

// Everything that may fail comes before the first change.
void ImagePool::add_slab(Size& size) {
    const std::size_t stride = stride_of(size.bytes);
    auto made = std::make_unique<Slab>();
    made->blocks = size.slabs.empty() ? kFirstBlocks : std::max((kHugePage - kLine) / stride, kFirstBlocks);
    made->bytes = kLine + made->blocks * stride;
    if (!size.slabs.empty()) made->bytes = (made->bytes + kHugePage - 1) / kHugePage * kHugePage;
    made->free.reserve(made->blocks);
    reserve_more(size.slabs, size.slabs.size() + 1);
    reserve_more(size.with_room, size.slabs.size() + 1);
    made->memory = static_cast<std::byte*>(::operator new(made->bytes, alignment_of(made->bytes)));
    if (made->bytes >= kHugePage) madvise(made->memory, made->bytes, MADV_HUGEPAGE);
    // The lowest block is taken first.
    for (std::size_t block = made->blocks; block-- > 0;) {
        std::byte* const data = made->memory + kLine + block * stride;
        new (data - kLine) Slab*(made.get());
        made->free.push_back(data);
    }
    free_bytes_ += made->blocks * size.bytes;
    size.with_room.push_back(made.get());
    size.slabs.push_back(std::move(made));
}

void ImagePool::drop_slab(Size& size, Slab* slab) noexcept {
    free_bytes_ -= slab->blocks * size.bytes;
    std::erase(size.with_room, slab);
    ::operator delete(slab->memory, alignment_of(slab->bytes));
    std::erase_if(size.slabs, [&](const std::unique_ptr<Slab>& known) { return known.get() == slab; });
}

void ImagePool::count_more(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    counted_bytes_ += bytes;
}

void ImagePool::count_less(std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    counted_bytes_ -= bytes;
}

std::size_t ImagePool::bytes_in_use() const noexcept {
    const std::lock_guard lock(mutex_);
    return used_bytes_ + counted_bytes_;
}

}  // namespace perigee::internal
