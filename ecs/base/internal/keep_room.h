// Decides how much memory a container keeps when it is emptied for its next use.
//
// Invariant: a container in steady use keeps its memory; one that grew in a rare peak releases it. So the
// memory kept is at most a few times the memory last used, or kKeptBytes.
#pragma once

#include <cstddef>

namespace perigee::internal {

/// Always kept.
inline constexpr std::size_t kKeptBytes = std::size_t{64} * 1024;

/// True if only a small part of the capacity was used.
constexpr bool is_oversized(std::size_t capacity_bytes, std::size_t used_bytes) noexcept {
    return used_bytes < capacity_bytes / 4;
}

/// Empties the vector, and releases its memory if most of it was not in use.
template <typename Vector> void clear_keeping_room(Vector& vector) noexcept {
    constexpr std::size_t kItemBytes = sizeof(typename Vector::value_type);
    const std::size_t bytes = vector.capacity() * kItemBytes;
    if (bytes > kKeptBytes && is_oversized(bytes, vector.size() * kItemBytes)) {
        Vector().swap(vector);
    } else {
        vector.clear();
    }
}

}  // namespace perigee::internal
