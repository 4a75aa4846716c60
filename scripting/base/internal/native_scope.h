// While a NativeScope exists, the thread runs our C++ code, called from Lua: the watchdog may not give the
// state up there, because objects would stay half changed and locks would stay locked.
//
// Invariant: every function called from Lua opens one: through native_function (FFI, a LeafScope) or bound
// (Lua C functions), or by itself. Not here: the watchdog (watchdog.h) and the frames (call_frame.h).
#pragma once

#include <atomic>

namespace perigee::internal {

/// Nesting depth of such functions on this thread, within its innermost protected call.
inline constinit thread_local volatile int t_native_depth = 0;
/// Whether the thread is in a LeafScope.
inline constinit thread_local volatile bool t_is_in_leaf = false;

class NativeScope {
public:
    NativeScope() noexcept {
        t_native_depth = t_native_depth + 1;
        std::atomic_signal_fence(std::memory_order_seq_cst);
    }
    /// Runs also when a Lua error leaves the function.
    ~NativeScope() {
        std::atomic_signal_fence(std::memory_order_seq_cst);
        t_native_depth = t_native_depth - 1;
    }
    NativeScope(const NativeScope&) = delete;
    NativeScope& operator=(const NativeScope&) = delete;
};

/// The same for functions that open no other scope, except within a nested protected call: two stores and no
/// loads, because compiled loops open one in each iteration.
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
