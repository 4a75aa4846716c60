// Reserves room in a vector ahead of use, for code that must not fail halfway. Never changes the elements.
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

namespace perigee::internal {

/// Reserves room for `count` elements in total. Grows at least by doubling, so that calling it for each new
/// element costs no more than push_back. Throws std::bad_alloc; then nothing changed.
template <typename Vector> void reserve_more(Vector& vector, std::size_t count) {
    if (vector.capacity() < count) vector.reserve(std::max(count, vector.capacity() * 2));
}

/// The same; false instead of throwing.
template <typename Vector> bool try_reserve(Vector& vector, std::size_t count) noexcept {
    try {
        reserve_more(vector, count);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

}  // namespace perigee::internal
