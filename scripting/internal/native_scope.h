// While a NativeScope lives, the thread runs C++ of ours that Lua called: the watchdog may not give the state
// up there, because objects would stay half changed and locks held.
//
// Invariant: every function that Lua calls opens one: by native_function (FFI, a LeafScope) and bound (Lua C
// functions), or by itself. Not here: the watchdog (watchdog.h) and the frames (call_frame.h).
#pragma once

#include <atomic>

namespace perigee::internal {

/// How deep the thread is in such functions, within its innermost protected call.
inline constinit thread_local volatile int t_native_depth = 0;
/// And whether it is in a leaf.
inline constinit thread_local volatile bool t_is_in_leaf = false;

class NativeScope {
public:
    NativeScope() noexcept {
        t_native_depth = t_native_depth + 1;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    /// Also when a Lua error leaves the function.
    ~NativeScope() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        t_native_depth = t_native_depth - 1;
    }
    NativeScope(const NativeScope&) = delete;
    NativeScope& operator=(const NativeScope&) = delete;
};

/// The same for functions that no other scope can be opened in, unless within a protected call of its own:
/// two stores and no loads, because compiled loops open one in each turn.
class LeafScope {
public:
    LeafScope() noexcept {
        t_is_in_leaf = true;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    ~LeafScope() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        t_is_in_leaf = false;
    }
    LeafScope(const LeafScope&) = delete;
    LeafScope& operator=(const LeafScope&) = delete;
};

}  // namespace perigee::internal
