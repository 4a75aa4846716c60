// A hook with which tests make chunk memory run out.
//
// Invariant: without a gate nothing is refused. It is called when address space is committed and when units
// of chunk memory are allocated, never per row. It does not affect operator new.
#pragma once

#include <atomic>

namespace perigee::internal {

/// False: the request fails as if memory were exhausted. Null: no request fails.
inline std::atomic<bool (*)() noexcept> memory_gate{nullptr};

inline bool is_memory_granted() noexcept {
    bool (*const gate)() noexcept = memory_gate.load(std::memory_order_relaxed);
    return gate == nullptr || gate();
}

}  // namespace perigee::internal
