// An array that grows while other threads read it: elements never move.
//
// Invariant: element i is in page p of kFirst << p elements, where pages 0 .. p - 1 have the elements before
// it. A page is never freed before the array. A thread may read an element if it learned the index after the
// element was added (through a system's turn, a lock, a join). Only one thread at a time adds.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace perigee::internal {

template <typename T> class StableArray {
public:
    StableArray() = default;
    ~StableArray() {
        for (std::atomic<T*>& page : pages_) delete[] page.load(std::memory_order_relaxed);
    }
    StableArray(const StableArray&) = delete;
    StableArray& operator=(const StableArray&) = delete;

    std::size_t size() const noexcept { return size_.load(std::memory_order_acquire); }
    bool empty() const noexcept { return size() == 0; }

    /// Expects: i < size().
    T& operator[](std::size_t i) noexcept { return *cell(i); }
    const T& operator[](std::size_t i) const noexcept { return *cell(i); }

    /// Adds an element. Cost: occasionally allocates a page as large as all elements so far. Errors: throws
    /// std::bad_alloc; then nothing changed.
    T& add() {
        const std::size_t i = size_.load(std::memory_order_relaxed);
        const std::size_t page = page_of(i);
        if (pages_[page].load(std::memory_order_relaxed) == nullptr) {
            pages_[page].store(new T[kFirst << page], std::memory_order_release);
        }
        size_.store(i + 1, std::memory_order_release);
        return *cell(i);
    }

private:
    static constexpr std::size_t kFirst = 64;
    static constexpr std::size_t kPages = 27;  ///< more than four billion elements

    static std::size_t page_of(std::size_t i) noexcept {
        return static_cast<std::size_t>(std::bit_width(i + kFirst)) - std::bit_width(kFirst);
    }
    T* cell(std::size_t i) const noexcept {
        const std::size_t page = page_of(i);
        return pages_[page].load(std::memory_order_acquire) + (i + kFirst - (kFirst << page));
    }

    std::array<std::atomic<T*>, kPages> pages_{};
    std::atomic<std::size_t> size_ = 0;
};

}  // namespace perigee::internal
