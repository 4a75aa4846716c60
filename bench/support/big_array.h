// Plain memory for the baselines, under the same conditions as the world's: mapped, 2 MiB aligned, in huge
// pages where the system grants them.
//
// Invariant: fresh, zero and untouched when made, so that first-touch costs fall on the first writer. It
// holds trivial types only and constructs nothing.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <type_traits>
#include <utility>

namespace perigee::bench {

enum class Pages { huge, small };

template <typename T> class BigArray {
public:
    static_assert(std::is_trivially_copyable_v<T>);

    explicit BigArray(std::size_t count, Pages pages = Pages::huge)
        : mapped_(count * sizeof(T) + 2 * kAlignment) {
        void* mapping = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapping == MAP_FAILED) std::abort();
        mapping_ = mapping;
        const auto address = reinterpret_cast<std::uintptr_t>(mapping);
        const std::uintptr_t aligned = (address + kAlignment - 1) / kAlignment * kAlignment;
        data_ = reinterpret_cast<T*>(aligned);
        madvise(data_, count * sizeof(T) + kAlignment,
                pages == Pages::huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    }
    ~BigArray() {
        if (mapping_ != nullptr) munmap(mapping_, mapped_);
    }
    BigArray(BigArray&& other) noexcept
        : mapped_(other.mapped_), mapping_(std::exchange(other.mapping_, nullptr)), data_(other.data_) {}
    BigArray& operator=(BigArray&&) = delete;

    T* data() const noexcept { return data_; }
    T& operator[](std::size_t i) const noexcept { return data_[i]; }

private:
    static constexpr std::size_t kAlignment = std::size_t{2} << 20;
    std::size_t mapped_;
    void* mapping_ = nullptr;
    T* data_ = nullptr;
};

}  // namespace perigee::bench
