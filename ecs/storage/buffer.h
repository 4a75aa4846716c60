// Dynamic buffers: a component that is a growing list of elements, one list per row.
//
// A row's cell holds a header and room for the schema's buffer_capacity elements. A longer list moves to the
// heap completely and stays there until it is trimmed.
//
//     cell:  [ heap, u64 | length, u32 | heap_capacity, u32 | element 0 | element 1 | … ]
//                                                             in use while heap is 0
//
// Invariant: a zeroed header is an empty buffer; nothing points into the cell, so a row moves by copying its
// bytes. A handle remembers the structure version of its world: after the next structural change every use of
// it is a contract violation. Several threads may change different buffers at once, never the same one. Not
// here: freeing the block of a dead row (internal/owned_cells.h).
#pragma once

#include "ecs/base/contract.h"
#include "ecs/base/result.h"
#include "ecs/schema/type_bindings.h"
#include "ecs/storage/buffer_pool.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace perigee {

struct ComponentInfo;

inline constexpr std::uint32_t kMaxBufferElements = 1u << 24;
inline constexpr std::uint64_t kMaxBufferBytes = std::uint64_t{1} << 28;

struct BufferHeader {
    std::uint64_t heap = 0;  ///< address of the block; 0 while the elements follow the header
    std::uint32_t length = 0;
    std::uint32_t heap_capacity = 0;  ///< in elements

    std::byte* elements() noexcept {
        return heap != 0 ? reinterpret_cast<std::byte*>(heap) : reinterpret_cast<std::byte*>(this + 1);
    }
    const std::byte* elements() const noexcept { return const_cast<BufferHeader*>(this)->elements(); }
};

/// Releases the heap block and leaves an empty buffer.
void release_buffer(BufferHeader& header, std::uint32_t element_size, BufferPool& pool) noexcept;

/// What a handle needs of the type of a buffer. Small, so that it is passed in registers.
struct BufferType {
    const ComponentInfo* info = nullptr;
    std::uint32_t element_size = 0;     ///< bytes
    std::uint32_t inline_capacity = 0;  ///< elements stored in the chunk
};
/// Expects: `info` is a buffer type, which outlives the result.
BufferType buffer_type(const ComponentInfo& info) noexcept;

/// A handle to one row's buffer, with elements of a size known at run time.
///
/// Indices count from 0. An empty handle (the entity is dead or has no such buffer) may only be tested as a
/// bool. Errors: growing returns false and changes nothing when memory is exhausted or the buffer would
/// exceed max_length(). A wrong index and a stale handle are contract violations.
/// Lifetime: until the next structural change of the world. Element pointers: also until the buffer grows,
/// shrinks or is trimmed.
class DynamicBuffer {
public:
    DynamicBuffer() = default;
    /// Expects: `info` is a buffer type, `cell` one of its cells; all of them outlive the handle.
    DynamicBuffer(std::byte* cell, const ComponentInfo& info, BufferPool& pool,
                  const std::uint64_t& structure_version) noexcept
        : DynamicBuffer(*reinterpret_cast<BufferHeader*>(cell), buffer_type(info), pool, structure_version) {}
    /// The same, for a header with a different inline capacity.
    DynamicBuffer(BufferHeader& header, std::uint32_t inline_capacity, const ComponentInfo& info,
                  BufferPool& pool, const std::uint64_t& structure_version) noexcept
        : DynamicBuffer(header, buffer_type(info), pool, structure_version) {
        inline_capacity_ = inline_capacity;
    }
    /// The same, for code that knows the type.
    DynamicBuffer(BufferHeader& header, BufferType type, BufferPool& pool,
                  const std::uint64_t& structure_version) noexcept
        : header_(&header),
          now_(&structure_version),
          taken_(structure_version),
          element_size_(type.element_size),
          inline_capacity_(type.inline_capacity),
          info_(type.info),
          pool_(&pool) {}

    explicit operator bool() const noexcept { return header_ != nullptr; }
    /// True if the world's structure changed since the handle was created. A stale handle allows only this.
    bool is_stale() const noexcept { return header_ != nullptr && *now_ != taken_; }

    std::uint32_t length() const { return header().length; }
    std::uint32_t capacity() const { return capacity_of(header()); }
    bool is_on_heap() const { return header().heap != 0; }
    std::uint32_t element_size() const noexcept { return element_size_; }
    std::uint32_t max_length() const noexcept;
    /// The element type; after reinterpret, the other type.
    const ComponentInfo& info() const noexcept { return *info_; }

    std::byte* data() const { return header().elements(); }
    std::byte* at(std::uint32_t index) const {
        BufferHeader& place = header();
        ECS_EXPECTS(index < place.length, index, place.length);
        return place.elements() + std::size_t{index} * element_size_;
    }

    /// Adds one element at the end, or before `index` (length() is the end). Null: the schema's defaults.
    /// Expects: `element` is not in this buffer.
    bool push(const void* element = nullptr) { return insert(length(), element); }
    bool insert(std::uint32_t index, const void* element = nullptr);
    /// The same from a struct or number. Expects: its size is that of an element.
    template <typename T>
    requires(kIsValue<T>) bool push(const T* element) { return insert(length(), element); }
    template <typename T>
    requires(kIsValue<T>) bool insert(std::uint32_t index, const T* element) {
        ECS_EXPECTS(sizeof(T) == element_size_, sizeof(T), element_size_);
        return insert(index, static_cast<const void*>(element));
    }

    /// New elements have the schema's defaults.
    bool resize(std::uint32_t length);
    /// Room for at least `capacity` elements in all.
    bool reserve(std::uint32_t capacity);
    /// Replaces the whole content. Expects: `elements` are not in this buffer.
    bool assign(const void* elements, std::uint32_t count);

    /// Replaces the whole content by the elements of `from`, which is empty afterwards; its heap block is
    /// moved. Expects: `from` has no inline elements, and its blocks come from the same pool.
    void take(BufferHeader& from);

    /// Removes `count` elements and keeps the order of the others. Cost: the elements after them move.
    void remove(std::uint32_t index, std::uint32_t count = 1);
    /// Removes an element; the last one takes its place.
    void remove_swap(std::uint32_t index);
    /// Empties the buffer and keeps its capacity.
    void clear() { header().length = 0; }
    /// Releases unused capacity: moves the elements into the chunk if they fit, else into the smallest block
    /// that holds them. Returns false and changes nothing when memory is exhausted.
    bool trim();

    /// The same memory with elements of another type of the same size. New elements have the other type's
    /// defaults. Errors: the sizes differ.
    Result<DynamicBuffer> reinterpret(const ComponentInfo& other) const;

protected:
    BufferHeader& header() const {
        ECS_EXPECTS(header_ != nullptr, "use of an empty buffer handle");
        ECS_EXPECTS(*now_ == taken_, "use of a buffer handle after a structural change", *now_, taken_);
        return *header_;
    }
    std::uint32_t capacity_of(const BufferHeader& header) const noexcept {
        return header.heap != 0 ? header.heap_capacity : inline_capacity_;
    }
    bool make_room(BufferHeader& header, std::uint64_t wanted);

private:
    bool move_to_block(BufferHeader& header, std::uint32_t capacity);
    bool lies_inside(const BufferHeader& header, const void* element) const noexcept;

    BufferHeader* header_ = nullptr;
    const std::uint64_t* now_ = nullptr;
    std::uint64_t taken_ = 0;
    std::uint32_t element_size_ = 0;
    std::uint32_t inline_capacity_ = 0;
    const ComponentInfo* info_ = nullptr;
    BufferPool* pool_ = nullptr;
};

/// A typed handle with elements of type T, a struct with the schema's layout.
///
///     BufferView<Point> path = world.buffer<Point>(entity);
///     path.push({1, 2});
///     for (Point& point : path) …
///
/// Cost: a push that fits takes a few machine instructions, without lock or call.
template <typename T> class BufferView : private DynamicBuffer {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);

public:
    BufferView() = default;
    /// Expects: sizeof(T) is the size of an element.
    explicit BufferView(const DynamicBuffer& buffer) : DynamicBuffer(buffer) {
        ECS_EXPECTS(!buffer || buffer.element_size() == sizeof(T), buffer.element_size(), sizeof(T));
    }
    /// The same, built in place: copying a handle right after writing it costs more than building it twice.
    BufferView(std::byte* cell, BufferType type, BufferPool& pool, const std::uint64_t& structure_version)
        : DynamicBuffer(*reinterpret_cast<BufferHeader*>(cell), type, pool, structure_version) {
        ECS_EXPECTS(element_size() == sizeof(T), element_size(), sizeof(T));
    }

    using DynamicBuffer::operator bool;
    using DynamicBuffer::capacity;
    using DynamicBuffer::clear;
    using DynamicBuffer::is_on_heap;
    using DynamicBuffer::is_stale;
    using DynamicBuffer::length;
    using DynamicBuffer::max_length;
    using DynamicBuffer::remove;
    using DynamicBuffer::remove_swap;
    using DynamicBuffer::reserve;
    using DynamicBuffer::resize;
    using DynamicBuffer::trim;

    const DynamicBuffer& untyped() const noexcept { return *this; }

    T& operator[](std::uint32_t index) const {
        BufferHeader& place = header();
        ECS_EXPECTS(index < place.length, index, place.length);
        return reinterpret_cast<T*>(place.elements())[index];
    }
    /// Lifetime: until the buffer grows, shrinks or is trimmed, and the handle's.
    std::span<T> span() const {
        BufferHeader& place = header();
        return {reinterpret_cast<T*>(place.elements()), place.length};
    }
    T* begin() const { return span().data(); }
    T* end() const { return span().data() + length(); }

    // Values are passed by copy, since they may be elements of this buffer.
    bool push(T value) {
        BufferHeader& place = header();
        const std::uint32_t length = place.length;  // read once: the compiler must assume that writing
                                                    // changes it
        if (length == capacity_of(place)) [[unlikely]] {
            const T copy = value;  // so that `value` itself needs no address and stays in registers
            return DynamicBuffer::push(&copy);
        }
        std::memcpy(place.elements() + std::size_t{length} * sizeof(T), &value, sizeof(T));
        place.length = length + 1;
        return true;
    }
    bool insert(std::uint32_t index, T value) { return DynamicBuffer::insert(index, &value); }
    /// Expects: the values are not in this buffer.
    bool assign(std::span<const T> values) {
        return DynamicBuffer::assign(values.data(), static_cast<std::uint32_t>(values.size()));
    }

    /// The same memory with elements of another type of the same size; new elements keep this buffer's
    /// defaults. Data written as T can be read as U. C++ lets a compiler assume that a T and a U never
    /// share memory, so call reinterpret in the other direction before reading as T what was written as U.
    template <typename U> BufferView<U> reinterpret() const {
        asm volatile("" ::: "memory");
        return BufferView<U>(*this);
    }
};

}  // namespace perigee
