// A protected call into a Lua state, as the watchdog sees it: what can be stopped there, and where a state
// that does not stop is left for good.
//
// Invariant: a state is given up only while its thread is inside LuaJIT or in machine code that it made, in
// the one protected call of that state: then nothing outside of the state's own heap is half done, and the
// state is never entered again. The jump crosses no C++ frame that owns anything. Where the C library cannot
// tell which code an address belongs to (before glibc 2.35), and under the thread sanitizer, no state is
// given up.
#pragma once

#include "scripting/internal/native_scope.h"

#include <csetjmp>

namespace perigee::internal {

class FuelTank;

struct CallFrame {
    explicit CallFrame(FuelTank& of) noexcept;
    ~CallFrame();
    CallFrame(const CallFrame&) = delete;
    CallFrame& operator=(const CallFrame&) = delete;

    /// Once in a process, before stop().
    static void prepare() noexcept;
    /// In a signal handler: does what the watchdog asks of this thread's innermost call. False when it asks
    /// for nothing.
    static bool stop(void* context) noexcept;

    FuelTank& tank;
    CallFrame* outer;
    int native_depth_outside;
    bool is_leaf_outside;
    bool is_outermost;   ///< of its state
    std::jmp_buf place;  ///< where the call goes on once the state is given up
};

}  // namespace perigee::internal
