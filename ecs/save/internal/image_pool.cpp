// Slabs of a size grow, so that small worlds need little.
#include "ecs/save/internal/image_pool.h"

#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/virtual_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::size_t kLine = 64;
constexpr std::size_t kSmallest = 128;
constexpr std::size_t kFirstBlocks = 8;
constexpr std::size_t kAlwaysKept = 2 * kHugePageBytes;

// Even numbers are the powers of two from the smallest size, odd ones three quarters of the next.
std::size_t number_of(std::size_t bytes) noexcept {
    const auto power = static_cast<std::size_t>(std::bit_width(std::max(bytes, kSmallest) - 1));
    const std::size_t number = 2 * (power - std::size_t{std::bit_width(kSmallest - 1)});
    return number != 0 && bytes <= std::size_t{3} << (power - 2) ? number - 1 : number;
}

std::size_t bytes_of(std::size_t number) noexcept {
    const std::size_t power = kSmallest << (number + 1) / 2;
    return number % 2 == 0 ? power : power / 4 * 3;
}

// The last line before a block has the address of its slab. The others keep large blocks from starting at
// equal places of a page.
std::size_t stride_of(std::size_t number) noexcept {
    const std::size_t bytes = bytes_of(number);
    return bytes + (bytes < 4096 ? kLine : 3 * kLine);
}

std::align_val_t alignment_of(std::size_t slab_bytes) noexcept {
    return std::align_val_t{slab_bytes >= kHugePageBytes ? kHugePageBytes : kLine};
}

}  // namespace

ImagePool::~ImagePool() {
    for (const Size& size : sizes_) {
        for (const std::unique_ptr<Slab>& slab : size.slabs)
            ::operator delete(slab->memory, alignment_of(slab->bytes));
    }
}

std::byte* ImagePool::take(std::size_t bytes) {
    const std::size_t number = number_of(bytes);
    if (number >= kSizes) throw std::bad_alloc();
    const std::size_t stride = stride_of(number);
    const std::lock_guard lock(mutex_);
    Size& size = sizes_[number];
    if (size.with_room.empty()) add_slab(size, stride);
    Slab& slab = *size.with_room.back();
    std::byte* const block = slab.free.back();
    slab.free.pop_back();
    if (slab.free.empty()) size.with_room.pop_back();
    used_bytes_ += stride;
    free_bytes_ -= stride;
    return block;
}

void ImagePool::give_back(std::byte* block, std::size_t bytes) noexcept {
    const std::size_t number = number_of(bytes);
    const std::size_t stride = stride_of(number);
    const std::lock_guard lock(mutex_);
    Size& size = sizes_[number];
    Slab* const slab = *reinterpret_cast<Slab**>(block - kLine);
    if (slab->free.empty()) size.with_room.push_back(slab);
    slab->free.push_back(block);
    used_bytes_ -= stride;
    free_bytes_ += stride;
    if (slab->free.size() == slab->blocks && free_bytes_ > used_bytes_ + kAlwaysKept)
        drop_slab(size, slab, stride);
}

// Everything that may fail comes before the first change.
void ImagePool::add_slab(Size& size, std::size_t stride) {
    auto made = std::make_unique<Slab>();
    const std::size_t for_huge_page = std::max((kHugePageBytes - kLine) / stride, kFirstBlocks);
    made->blocks = std::clamp(size.blocks, kFirstBlocks, for_huge_page);
    made->bytes = kLine + made->blocks * stride;
    if (made->blocks == for_huge_page)
        made->bytes = (made->bytes + kHugePageBytes - 1) / kHugePageBytes * kHugePageBytes;
    made->free.reserve(made->blocks);
    reserve_more(size.slabs, size.slabs.size() + 1);
    reserve_more(size.with_room, size.slabs.size() + 1);
    made->memory = static_cast<std::byte*>(::operator new(made->bytes, alignment_of(made->bytes)));
    if (made->bytes >= kHugePageBytes) madvise(made->memory, made->bytes, MADV_HUGEPAGE);
    // The lowest block is taken first.
    for (std::size_t block = made->blocks; block-- > 0;) {
        std::byte* const data = made->memory + kLine + block * stride;
        new (data - kLine) Slab*(made.get());
        made->free.push_back(data);
    }
    free_bytes_ += made->blocks * stride;
    size.blocks += made->blocks;
    size.with_room.push_back(made.get());
    size.slabs.push_back(std::move(made));
}

void ImagePool::drop_slab(Size& size, Slab* slab, std::size_t stride) noexcept {
    free_bytes_ -= slab->blocks * stride;
    size.blocks -= slab->blocks;
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
