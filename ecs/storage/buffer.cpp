// Grows, shrinks and shifts buffers. Only move_to_block and trim move elements between chunk and heap.
#include "ecs/storage/buffer.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace perigee {

static_assert(sizeof(BufferHeader) == kBufferHeaderBytes);

void release_buffer(BufferHeader& header, std::uint32_t element_size, BufferPool& pool) noexcept {
    if (header.heap != 0) pool.release(header.elements(), std::size_t{header.heap_capacity} * element_size);
    header = BufferHeader{};
}

BufferType buffer_type(const ComponentInfo& info) noexcept {
    ECS_EXPECTS(info.kind() == ComponentKind::buffer, info.schema.name);
    return {&info, info.schema.size, info.schema.buffer_capacity};
}

std::uint32_t DynamicBuffer::max_length() const noexcept {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(kMaxBufferElements, kMaxBufferBytes / element_size_));
}

bool DynamicBuffer::insert(std::uint32_t index, const void* element) {
    BufferHeader& place = header();
    ECS_EXPECTS(index <= place.length, index, place.length);
    ECS_EXPECTS(!lies_inside(place, element));
    if (!make_room(place, std::uint64_t{place.length} + 1)) return false;
    std::byte* const at = place.elements() + std::size_t{index} * element_size_;
    std::memmove(at + element_size_, at, std::size_t{place.length - index} * element_size_);
    internal::copy_value(
        at, element != nullptr ? static_cast<const std::byte*>(element) : info_->schema.defaults.data(),
        element_size_);
    ++place.length;
    return true;
}

bool DynamicBuffer::resize(std::uint32_t length) {
    BufferHeader& place = header();
    if (length > place.length) {
        if (!make_room(place, length)) return false;
        internal::fill_values(place.elements() + std::size_t{place.length} * element_size_,
                              info_->schema.defaults.data(), element_size_, length - place.length);
    }
    place.length = length;
    return true;
}

bool DynamicBuffer::reserve(std::uint32_t capacity) {
    BufferHeader& place = header();
    if (capacity <= capacity_of(place)) return true;
    return capacity <= max_length() && move_to_block(place, capacity);
}

bool DynamicBuffer::assign(const void* elements, std::uint32_t count) {
    BufferHeader& place = header();
    ECS_EXPECTS(count == 0 || !lies_inside(place, elements));
    if (!make_room(place, count)) return false;
    if (count != 0) std::memcpy(place.elements(), elements, std::size_t{count} * element_size_);
    place.length = count;
    return true;
}

void DynamicBuffer::take(BufferHeader& from) {
    BufferHeader& place = header();
    ECS_EXPECTS(from.heap != 0 || from.length == 0);
    release_buffer(place, element_size_, *pool_);
    if (from.length > inline_capacity_) {
        place = std::exchange(from, BufferHeader{});
        return;
    }
    if (from.length != 0) {
        std::memcpy(place.elements(), from.elements(), std::size_t{from.length} * element_size_);
    }
    place.length = from.length;
    release_buffer(from, element_size_, *pool_);
}

void DynamicBuffer::remove(std::uint32_t index, std::uint32_t count) {
    BufferHeader& place = header();
    ECS_EXPECTS(index <= place.length && count <= place.length - index, index, count, place.length);
    std::byte* const at = place.elements() + std::size_t{index} * element_size_;
    const std::size_t behind = std::size_t{place.length - index - count} * element_size_;
    std::memmove(at, at + std::size_t{count} * element_size_, behind);
    place.length -= count;
}

void DynamicBuffer::remove_swap(std::uint32_t index) {
    std::byte* const hole = at(index);
    BufferHeader& place = header();
    --place.length;
    const std::byte* const last = place.elements() + std::size_t{place.length} * element_size_;
    if (hole != last) internal::copy_value(hole, last, element_size_);
}

bool DynamicBuffer::trim() {
    BufferHeader& place = header();
    if (place.heap == 0) return true;
    const std::size_t heap_bytes = std::size_t{place.heap_capacity} * element_size_;
    if (place.length <= inline_capacity_) {
        std::byte* const block = place.elements();
        place.heap = 0;
        place.heap_capacity = 0;
        std::memcpy(place.elements(), block, std::size_t{place.length} * element_size_);
        pool_->release(block, heap_bytes);
        return true;
    }
    const std::size_t needed = std::size_t{place.length} * element_size_;
    return BufferPool::block_bytes(needed) == BufferPool::block_bytes(heap_bytes) ||
           move_to_block(place, place.length);
}

Result<DynamicBuffer> DynamicBuffer::reinterpret(const ComponentInfo& other) const {
    static_cast<void>(header());
    if (other.schema.size != element_size_ || other.schema.size == 0) {
        return Error{errors::reinterpret_size(info_->schema.name, element_size_, other.schema.name,
                                              other.schema.size)};
    }
    DynamicBuffer same = *this;
    same.info_ = &other;
    return same;
}

// Makes room for `wanted` elements; growth at least doubles, so that n pushes cost O(n).
bool DynamicBuffer::make_room(BufferHeader& header, std::uint64_t wanted) {
    const std::uint32_t capacity = capacity_of(header);
    if (wanted <= capacity) return true;
    const std::uint64_t max = max_length();
    if (wanted > max) return false;
    const std::uint64_t doubled = std::min(max, std::uint64_t{capacity} * 2);
    return move_to_block(header, static_cast<std::uint32_t>(std::max(wanted, doubled)));
}

// Moves all elements into a new block with room for `capacity` elements.
bool DynamicBuffer::move_to_block(BufferHeader& header, std::uint32_t capacity) {
    const std::size_t bytes = std::size_t{capacity} * element_size_;
    std::byte* const block = pool_->allocate(bytes);
    if (block == nullptr) return false;
    std::memcpy(block, header.elements(), std::size_t{header.length} * element_size_);
    const std::uint32_t length = header.length;
    release_buffer(header, element_size_, *pool_);
    header.heap = reinterpret_cast<std::uintptr_t>(block);
    header.length = length;
    header.heap_capacity = static_cast<std::uint32_t>(BufferPool::block_bytes(bytes) / element_size_);
    return true;
}

bool DynamicBuffer::lies_inside(const BufferHeader& header, const void* element) const noexcept {
    const auto* const address = static_cast<const std::byte*>(element);
    const std::byte* const first = header.elements();
    const std::byte* const end = first + std::size_t{capacity_of(header)} * element_size_;
    return !std::less<>{}(address, first) && std::less<>{}(address, end);
}

}  // namespace perigee
