// The fuel of one state: filled when the host calls in, handed out in slices, and ending the run when it is
// empty.
//
//   open(10,000,000)  ->  counter = a slice, reserve = the rest
//   charged code:         counter = counter - 1; below zero it calls tick, which gives the next slice
//                         or raises
//   close()           ->  the steps used
//
// Invariant: once a run is ended, the counter stays below zero until it closes, so each further iteration and
// call raises again, also in pcall, handlers and coroutines. close() informs the host even if the mod caught
// every error. The total fuel of a run does not depend on slices. Memory and the clock are checked at each
// slice; between slices a hook checks them when the heap grows past its limit or the watchdog's signal
// arrives. Not here: which operations are charged (scripting/lua/fuel_rewriter.h, scripts/runtime).
#pragma once

#include "scripting/base/script_limits.h"
#include "scripting/sandbox/internal/lua_heap.h"
#include "scripting/sandbox/internal/watchdog.h"

#include <cstddef>
#include <cstdint>
#include <string>

struct lua_State;
struct lua_Debug;

namespace perigee::internal {

/// The counter until connect: so much that spending during set-up of a state changes nothing.
inline constexpr double kUnconnectedFuel = 1e300;

/// Collects until at most `enough` bytes are used or nothing more is freed: LuaJIT's buffer for joining
/// strings only halves with each collection. Errors: as lua_gc, when memory is short.
void collect_all(lua_State* lua, const LuaHeap& heap, std::size_t enough);

class FuelTank {
public:
    enum class End : std::uint8_t { none, fuel, memory, allocation, time };

    FuelTank(LuaHeap& heap, const ScriptLimits& limits) : heap_(heap), limits_(limits) {}

    /// Takes the counter from the upvalue of the function on top of the stack, and pops the function.
    void connect(lua_State* lua);
    /// Pushes that function.
    void push_charge(lua_State* lua) const;
    /// Makes the counter the upvalue of `name` of the function on top of the stack, if it has one.
    void join(lua_State* lua, const char* name) const;

    /// Begins a call of the host with this many steps, and this many seconds on the clock. A nested call uses
    /// the limits of the outer one.
    void open(lua_State* lua, double steps, double seconds);
    /// Ends the call. Cost of both: 30 ns for the outermost, else 1 ns.
    void close(lua_State* lua);

    /// Charges for work done in C++. Errors: a Lua error, as tick.
    void spend(lua_State* lua, double steps);

    /// Why the run was ended. Reset by the next open().
    End ended() const noexcept { return ended_; }
    /// True during a run.
    bool is_open() const noexcept { return depth_ != 0; }
    const ScriptLimits& limits() const noexcept { return limits_; }
    /// Steps used by the last closed run.
    double last_used() const noexcept { return last_used_; }
    /// Steps left in the open run.
    double left(lua_State* lua) const;

    // ---- the watchdog
    /// True if the run exceeded its time limit. Native loops of unknown length check this and end early.
    bool must_stop() const noexcept { return run_.must_stop(); }
    const std::atomic<bool>& stop_flag() const noexcept { return run_.stop_flag(); }
    bool may_give_up() const noexcept { return run_.may_give_up(); }
    /// Called in a signal handler of the running thread: ends interpreted code at its next instruction.
    void hook_from_signal() noexcept;
    bool is_allocating() const noexcept { return heap_.is_busy(); }
    /// Called after the state was given up and set up again: ends the open run. Returns the reason, as a
    /// message.
    std::string give_up(lua_State* lua);

    /// The function `tick` for Lua: takes the counter, returns its next value or raises.
    static int tick(lua_State* lua);

private:
    double next_slice(lua_State* lua, double counter);
    void end(lua_State* lua, End reason, std::string message);
    [[noreturn]] void raise(lua_State* lua);
    void watch_heap();
    void check_memory(lua_State* lua);
    std::string limit_of_all_mods() const;
    void check_clock(lua_State* lua);
    void set_counter(lua_State* lua, double value) const;
    double counter(lua_State* lua) const;
    static void watch(void* tank) noexcept;
    static void hook(lua_State* lua, lua_Debug* frame);

    LuaHeap& heap_;
    const ScriptLimits& limits_;
    lua_State* lua_ = nullptr;
    int charge_reference_ = 0;
    int counter_index_ = 0;
    int depth_ = 0;
    double granted_ = 0;
    double reserve_ = 0;  ///< not yet handed out
    double slice_ = 0;
    double last_used_ = 0;
    double used_at_end_ = 0;  ///< if the run has been ended
    End ended_ = End::none;
    bool is_watching_ = false;  ///< the hook is set
    std::string message_;       ///< why it ended
    double sliced_ = 0;   ///< seconds of processor time when the run took its newest slice; 0: its first
    double seconds_ = 0;  ///< on the clock, of the run
    WatchedRun run_;
};

}  // namespace perigee::internal
