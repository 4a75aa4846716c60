// A protected call into a Lua state, as seen by the watchdog: the point where a state that does not stop can
// be abandoned.
//
// Invariant: a state is given up only while its thread is inside LuaJIT or in machine code that it generated,
// in the one protected call of that state: then nothing outside the state's own heap is left half done, and
// the state is never entered again. The jump crosses no C++ frame that owns anything. Where the C library
// cannot tell which code an address belongs to (before glibc 2.35), and under the thread sanitizer, no state
// is given up.
#pragma once

#include "scripting/base/internal/native_scope.h"

#include <csetjmp>

namespace perigee::internal {

class FuelTank;

struct CallFrame {
    explicit CallFrame(FuelTank& of) noexcept;
    ~CallFrame();
    CallFrame(const CallFrame&) = delete;
    CallFrame& operator=(const CallFrame&) = delete;

    /// Must be called once per process, before stop().
    static void prepare() noexcept;
    /// Called in a signal handler: carries out the watchdog's request for this thread's innermost call. False
    /// when there is none.
    static bool stop(void* context) noexcept;

    FuelTank& tank;
    CallFrame* outer;
    int native_depth_outside;
    bool is_leaf_outside;
    bool is_outermost;   ///< of its state
    std::jmp_buf place;  ///< where the call continues after the state is given up
};

}  // namespace perigee::internal
