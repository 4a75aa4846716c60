// Code that runs in the handler of the watchdog's signal: it must not allocate, lock, or call into Lua,
// except lua_sethook.
#include "scripting/sandbox/internal/call_frame.h"

#include "scripting/sandbox/internal/fuel_tank.h"

#include <dlfcn.h>
#include <lua.hpp>
#include <ucontext.h>

namespace perigee::internal {

namespace {

constinit thread_local CallFrame* t_frame = nullptr;

#if defined(__x86_64__) && defined(__GLIBC__) && __GLIBC_PREREQ(2, 35) && !defined(__SANITIZE_THREAD__)
// Finds LuaJIT's code: the address known to the program may be that of its own stub.
const void* g_lua = nullptr;

// Code of LuaJIT (or of the program that it is linked into), or of no file at all, which is compiled by
// LuaJIT. The C library and the unwinder may have taken locks that others need.
bool is_in_lua(const void* context) noexcept {
    const auto* const machine = static_cast<const ucontext_t*>(context);
    auto* const place = reinterpret_cast<void*>(machine->uc_mcontext.gregs[REG_RIP]);
    dl_find_object found{};
    if (_dl_find_object(place, &found) != 0) return true;
    dl_find_object own{};
    return _dl_find_object(const_cast<void*>(g_lua), &own) == 0 && found.dlfo_map_start == own.dlfo_map_start;
}
void find_lua() noexcept {
    g_lua = dlsym(RTLD_NEXT, "lua_pcall");
    if (g_lua == nullptr) g_lua = reinterpret_cast<const void*>(&lua_pcall);
}
#else
void find_lua() noexcept {}
bool is_in_lua(const void*) noexcept { return false; }
#endif

}  // namespace

void CallFrame::prepare() noexcept { find_lua(); }

CallFrame::CallFrame(FuelTank& of) noexcept
    : tank(of),
      outer(t_frame),
      native_depth_outside(t_native_depth),
      is_leaf_outside(t_is_in_leaf),
      is_outermost(true),
      place{} {
    for (const CallFrame* frame = outer; frame != nullptr; frame = frame->outer)
        if (&frame->tank == &of) is_outermost = false;
    t_native_depth = 0;
    t_is_in_leaf = false;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    t_frame = this;
}

CallFrame::~CallFrame() {
    t_frame = outer;
    std::atomic_signal_fence(std::memory_order_seq_cst);
    t_native_depth = native_depth_outside;
    t_is_in_leaf = is_leaf_outside;
}

bool CallFrame::stop(void* context) noexcept {
    CallFrame* const frame = t_frame;
    if (frame == nullptr || !frame->tank.must_stop()) return false;
    frame->tank.hook_from_signal();
    if (frame->tank.may_give_up() && frame->is_outermost && t_native_depth == 0 && !t_is_in_leaf &&
        !frame->tank.is_allocating() && is_in_lua(context)) {
        t_frame = nullptr;  // a second signal finds nothing
        std::longjmp(frame->place, 1);
    }
    return true;
}

}  // namespace perigee::internal
