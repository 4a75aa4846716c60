// Counts requests, and implements operator new with malloc.
#include "tests/support/failing_memory.h"

#include "ecs/base/internal/memory_gate.h"

#include <cstdlib>
#include <new>

namespace perigee {
namespace {

struct Requests {
    bool is_counting = false;
    bool is_refused = false;
    std::uint64_t count = 0;
    std::uint64_t first_refused = 0;
    std::uint64_t behind_refused = 0;
};
thread_local Requests requests_of_thread;

bool is_granted() noexcept {
    Requests& requests = requests_of_thread;
    if (!requests.is_counting) return true;
    const std::uint64_t number = requests.count++;
    if (number < requests.first_refused || number >= requests.behind_refused) return true;
    requests.is_refused = true;
    return false;
}

void* take(std::size_t bytes) noexcept {
    return is_granted() ? std::malloc(bytes == 0 ? 1 : bytes) : nullptr;
}

void* take(std::size_t bytes, std::align_val_t alignment) noexcept {
    const auto boundary = static_cast<std::size_t>(alignment);
    return is_granted() ? std::aligned_alloc(boundary, (bytes + boundary - 1) / boundary * boundary)
                        : nullptr;
}

void* or_throw(void* memory) {
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}

// Not inlined, so that the compiler does not report a mismatched pair of operator new and free.
[[gnu::noinline]] void give_back(void* memory) noexcept { std::free(memory); }

}  // namespace

RefusedMemory::RefusedMemory(std::uint64_t first, std::uint64_t count) noexcept {
    const std::uint64_t behind = count >= kNever - first ? kNever : first + count;
    requests_of_thread = Requests{true, false, 0, first, behind};
    internal::memory_gate = &is_granted;
}

RefusedMemory::~RefusedMemory() {
    requests_of_thread.is_counting = false;
    internal::memory_gate = nullptr;
}

std::uint64_t RefusedMemory::requests() noexcept { return requests_of_thread.count; }
bool RefusedMemory::was_refused() noexcept { return requests_of_thread.is_refused; }

}  // namespace perigee

using perigee::give_back;
using perigee::or_throw;
using perigee::take;

void* operator new(std::size_t bytes) { return or_throw(take(bytes)); }
void* operator new[](std::size_t bytes) { return or_throw(take(bytes)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return or_throw(take(bytes, alignment)); }
void* operator new[](std::size_t bytes, std::align_val_t alignment) {
    return or_throw(take(bytes, alignment));
}
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes); }
void* operator new[](std::size_t bytes, const std::nothrow_t&) noexcept { return take(bytes); }
void* operator new(std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return take(bytes, alignment);
}
void* operator new[](std::size_t bytes, std::align_val_t alignment, const std::nothrow_t&) noexcept {
    return take(bytes, alignment);
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
void operator delete[](void* memory, std::align_val_t, const std::nothrow_t&) noexcept { give_back(memory); }
