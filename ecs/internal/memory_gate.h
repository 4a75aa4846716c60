// A place where tests let chunk memory run out.
//
// Invariant: without a gate nothing is refused. It is asked where address space is committed and where units
// of chunk memory are handed out, never per row. What comes from operator new is not its affair.
#pragma once

#include <atomic>

namespace perigee::internal {

/// False: the request fails as if memory were exhausted. Null: none does.
inline std::atomic<bool (*)() noexcept> memory_gate{nullptr};

inline bool is_memory_granted() noexcept {
    bool (*const gate)() noexcept = memory_gate.load(std::memory_order_relaxed);
    return gate == nullptr || gate();
}

}  // namespace perigee::internal
