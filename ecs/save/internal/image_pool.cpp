// A list of free blocks per size; there are as many sizes as layouts of chunks.
#include "ecs/save/internal/image_pool.h"

#include "ecs/base/internal/reserve_more.h"

#include <algorithm>
#include <new>

namespace perigee::internal {

namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

ImagePool::~ImagePool() {
    for (const Size& size : sizes_) {
        for (std::byte* block : size.free) ::operator delete(block, kAlignment);
    }
}

std::byte* ImagePool::take(std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    auto size = std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& s) { return s.bytes == bytes; });
    if (size == sizes_.end()) {
        sizes_.push_back(Size{bytes, 0, {}});
        size = sizes_.end() - 1;
    }
    std::byte* block = nullptr;
    if (size->free.empty()) {
        reserve_more(size->free, size->blocks + 1);
        block = static_cast<std::byte*>(::operator new(bytes, kAlignment));
        ++size->blocks;
    } else {
        block = size->free.back();
        size->free.pop_back();
        free_bytes_ -= bytes;
    }
    used_bytes_ += bytes;
    return block;
}

void ImagePool::give_back(std::byte* block, std::size_t bytes) noexcept {
    const std::lock_guard lock(mutex_);
    const auto size =
        std::find_if(sizes_.begin(), sizes_.end(), [&](const Size& s) { return s.bytes == bytes; });
    used_bytes_ -= bytes;
    constexpr std::size_t kAlwaysKept = std::size_t{4} << 20;
    if (free_bytes_ + bytes > used_bytes_ + kAlwaysKept) {
        --size->blocks;
        ::operator delete(block, kAlignment);
        return;
    }
    size->free.push_back(block);
    free_bytes_ += bytes;
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
