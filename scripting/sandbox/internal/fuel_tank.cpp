// Slices, the checks between them, and the error at the end. No object with a destructor is alive where Lua
// unwinds.
#include "scripting/sandbox/internal/fuel_tank.h"

#include "ecs/base/contract.h"
#include "scripting/base/error_codes.h"
#include "scripting/base/internal/clock_seconds.h"
#include "scripting/base/internal/native_scope.h"
#include "scripting/base/internal/shared_limit.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/lua_heap.h"
#include "scripting/sandbox/state.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace perigee::internal {

namespace {

constexpr double kFirstSlice = 10'000;
constexpr double kSmallestSlice = 100;
constexpr double kLargestSlice = 50'000;
// One step may join or compare the longest strings: with large blocks, the clock is checked more often.
constexpr double kSmallestCappedSlice = 500;
constexpr double kBytesOfFullSlice = 256.0 * 1024.0;
constexpr double kSecondsPerSlice = 0.002;  // intended: the clock is checked often, and checking is free
constexpr double kBytesPerMegabyte = 1024.0 * 1024.0;

// Of this thread: a busy machine does not make a mod slow.
double processor_seconds() noexcept { return clock_seconds(CLOCK_THREAD_CPUTIME_ID); }

double largest_slice(const LuaHeap& heap) noexcept {
    const double bytes = std::max(static_cast<double>(heap.large_bytes()), kBytesOfFullSlice);
    return std::max(kLargestSlice * kBytesOfFullSlice / bytes, kSmallestCappedSlice);
}

}  // namespace

void collect_all(lua_State* lua, const LuaHeap& heap, std::size_t enough) {
    for (int round = 0; round < 8; ++round) {
        const std::size_t before = heap.used_bytes();
        lua_gc(lua, LUA_GCCOLLECT, 0);
        if (heap.used_bytes() <= enough || heap.used_bytes() > before - before / 10) return;
    }
}

void FuelTank::connect(lua_State* lua) {
    lua_ = lua;
    for (int i = 1;; ++i) {
        const char* const name = lua_getupvalue(lua, -1, i);
        ECS_EXPECTS(name != nullptr,
                    "scripts/runtime/sandbox/fuel.lua begins with its counter at kUnconnectedFuel");
        // Not by its name: the engine's own files come without debug information.
        const bool is_counter = lua_type(lua, -1) == LUA_TNUMBER && lua_tonumber(lua, -1) == kUnconnectedFuel;
        lua_pop(lua, 1);
        if (!is_counter) continue;
        counter_index_ = i;
        break;
    }
    charge_reference_ = luaL_ref(lua, LUA_REGISTRYINDEX);
}

void FuelTank::push_charge(lua_State* lua) const { lua_rawgeti(lua, LUA_REGISTRYINDEX, charge_reference_); }

void FuelTank::join(lua_State* lua, const char* name) const {
    push_charge(lua);
    for (int i = 1; const char* const found = lua_getupvalue(lua, -2, i); ++i) {
        lua_pop(lua, 1);
        if (std::string_view(found) == name) lua_upvaluejoin(lua, -2, i, -1, counter_index_);
    }
    lua_pop(lua, 1);
}

void FuelTank::set_counter(lua_State* lua, double value) const {
    push_charge(lua);
    lua_pushnumber(lua, value);
    lua_setupvalue(lua, -2, counter_index_);
    lua_pop(lua, 1);
}

double FuelTank::counter(lua_State* lua) const {
    push_charge(lua);
    lua_getupvalue(lua, -1, counter_index_);
    const double value = lua_tonumber(lua, -1);
    lua_pop(lua, 2);
    return value;
}

void FuelTank::open(lua_State* lua, double steps, double seconds) {
    if (depth_++ != 0) return;
    ended_ = End::none;
    granted_ = limits_.counts_fuel ? steps : 1e15;
    slice_ = std::min({kFirstSlice, largest_slice(heap_), granted_});
    reserve_ = granted_ - slice_;
    set_counter(lua, slice_);
    sliced_ = 0;
    seconds_ = seconds;
    heap_.restart_allocated();
    if (!limits_.counts_fuel) return;
    watch_heap();
    run_.begin(seconds, limits_.seconds_of_grace);
}

void FuelTank::close(lua_State* lua) {
    if (--depth_ != 0) return;
    // After the end of a run nothing is left, regardless of the counter.
    last_used_ = ended_ == End::none ? granted_ - left(lua) : used_at_end_;
    heap_.unwatch();
    if (limits_.counts_fuel) run_.end();
    if (!is_watching_) return;
    lua_sethook(lua, nullptr, 0, 0);
    is_watching_ = false;
}

double FuelTank::left(lua_State* lua) const { return reserve_ + counter(lua); }

void FuelTank::spend(lua_State* lua, double steps) {
    if (lua_ == nullptr) return;  // the state is being set up
    const double value = counter(lua) - steps;
    set_counter(lua, value);
    if (value < 0) set_counter(lua, next_slice(lua, value));
}

int FuelTank::tick(lua_State* lua) {
    const NativeScope scope;
    auto* const tank = static_cast<FuelTank*>(lua_touserdata(lua, lua_upvalueindex(1)));
    const double next = tank->next_slice(lua, lua_tonumber(lua, 1));
    lua_pushnumber(lua, next);
    return 1;
}

double FuelTank::next_slice(lua_State* lua, double counter) {
    if (depth_ == 0) return kLargestSlice;  // the engine's own code, outside any run
    if (ended_ != End::none) raise(lua);
    const double left = reserve_ + counter;
    if (left < 0) {
        const bool is_one_loop = -counter > granted_;
        // Such a loop does not begin: only the fuel handed out is used up.
        used_at_end_ = is_one_loop ? granted_ - reserve_ : granted_;
        end(lua, End::fuel,
            is_one_loop ? fmt::format(messages::kFuelOfLoop, granted_)
                        : fmt::format(messages::kFuel, granted_));
    }
    used_at_end_ = granted_ - left;
    check_memory(lua);

    check_clock(lua);

    // Most runs need only one slice and never read the clock.
    const double now = processor_seconds();
    if (sliced_ == 0) sliced_ = now;
    slice_ *= std::clamp(kSecondsPerSlice / std::max(now - sliced_, 1e-9), 0.1, 2.0);
    sliced_ = now;
    slice_ = std::clamp(slice_, kSmallestSlice, largest_slice(heap_));
    const double given = std::min(slice_, left);
    reserve_ = left - given;
    return given;
}

void FuelTank::watch_heap() {
    heap_.watch(limits_.memory_soft, limits_.memory_hard, limits_.memory_per_run, watch, this);
}

// Called from the allocator, possibly under compiled code: only the hook may be set here.
void FuelTank::watch(void* tank) noexcept {
    auto* const self = static_cast<FuelTank*>(tank);
    self->is_watching_ = true;
    lua_sethook(self->lua_, hook, LUA_MASKCOUNT, 1);
}

void FuelTank::hook_from_signal() noexcept {
    if (is_watching_) return;
    is_watching_ = true;
    lua_sethook(lua_, hook, LUA_MASKCOUNT, 1);
}

std::string FuelTank::give_up(lua_State* lua) {
    ended_ = End::time;
    message_ = fmt::format(messages::kGivenUp, seconds_);
    reserve_ = 0;
    used_at_end_ = granted_;
    is_watching_ = false;
    set_counter(lua, -1);
    return message_;
}

void FuelTank::check_clock(lua_State* lua) {
    if (run_.must_stop() && limits_.counts_fuel) end(lua, End::time, fmt::format(messages::kTime, seconds_));
}

void FuelTank::hook(lua_State* lua, lua_Debug* frame) {
    const NativeScope scope;
    FuelTank& self = ScriptState::of(lua).fuel();
    // The engine's own Lua is allowed to finish, so that none of its work is left half done.
    lua_getinfo(lua, "S", frame);
    if (!is_mod_code(*frame)) return;
    if (self.ended_ != End::none) self.raise(lua);
    self.check_memory(lua);
    self.check_clock(lua);
    lua_sethook(lua, nullptr, 0, 0);
    self.is_watching_ = false;
    self.watch_heap();
}

void FuelTank::check_memory(lua_State* lua) {
    if (!limits_.counts_fuel) return;
    if (heap_.used_bytes() > limits_.memory_soft) {
        collect_all(lua, heap_, limits_.memory_soft);
        if (heap_.used_bytes() > limits_.memory_soft) {
            end(lua, End::memory,
                fmt::format(messages::kMemory, static_cast<double>(heap_.used_bytes()) / kBytesPerMegabyte,
                            static_cast<double>(limits_.memory_soft) / kBytesPerMegabyte));
        }
    }
    if (heap_.resident_bytes() > limits_.memory_hard) {
        end(lua, End::memory,
            fmt::format(messages::kMemory, static_cast<double>(heap_.resident_bytes()) / kBytesPerMegabyte,
                        static_cast<double>(limits_.memory_hard) / kBytesPerMegabyte));
    }
    if (heap_.has_outgrown_all()) {
        heap_.forget_growth();
        collect_all(lua, heap_, 0);
        heap_.trim();
        if (heap_.is_above_all()) end(lua, End::memory, limit_of_all_mods());
    }
    if (heap_.allocated_bytes() > limits_.memory_per_run) {
        end(lua, End::allocation,
            fmt::format(messages::kAllocation,
                        static_cast<double>(limits_.memory_per_run) / kBytesPerMegabyte));
    }
}

std::string FuelTank::limit_of_all_mods() const {
    const SharedLimit& all = *heap_.all();
    const auto megabytes = [](std::size_t bytes) { return static_cast<double>(bytes) / kBytesPerMegabyte; };
    return fmt::format(messages::kMemoryOfAll, megabytes(heap_.resident_bytes()), megabytes(all.used()),
                       megabytes(all.limit()), megabytes(all.part()));
}

void FuelTank::end(lua_State* lua, End reason, std::string message) {
    ended_ = reason;
    message_ = std::move(message);
    reserve_ = 0;
    ScriptState::of(lua).note_end(lua, message_, reason == End::fuel);
    raise(lua);
}

// At the innermost line of mod code, like every error of the engine's library.
void FuelTank::raise(lua_State* lua) {
    set_counter(lua, -1);
    push_mod_position(lua);
    push_text(lua, message_);
    lua_concat(lua, 2);
    lua_error(lua);
    std::abort();  // lua_error does not return
}

}  // namespace perigee::internal
