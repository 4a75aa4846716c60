// Where one state spends its time: machine code, the interpreter, C functions, garbage collection or the
// compiler.
//
// Invariant: only one state per process is profiled at a time, as LuaJIT requires. It counts ticks of one
// millisecond of processor time, so shares need a few hundred ticks to be meaningful. Not here: which places
// are interpreted and why (jit_health.h).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

struct lua_State;

namespace perigee {

class ScriptRuntime;
class ScriptState;

/// Ticks, of one millisecond each.
struct JitTime {
    std::uint64_t compiled = 0;
    std::uint64_t interpreted = 0;
    std::uint64_t in_c = 0;  ///< functions of the engine and of Lua's libraries
    std::uint64_t collecting = 0;
    std::uint64_t compiling = 0;

    std::uint64_t all() const noexcept { return compiled + interpreted + in_c + collecting + compiling; }
    JitTime& operator+=(const JitTime& other) noexcept;
};

/// Profiles a state while it exists. Cost: when it ends, LuaJIT discards the state's machine code. Expects:
/// the state is not running when it begins and ends; in between, the state runs only on the calling thread;
/// no other JitProfile exists.
class JitProfile {
public:
    /// `system`, if given, returns the name of the running system, empty outside systems.
    explicit JitProfile(ScriptState& state, std::function<std::string_view()> system = {});
    ~JitProfile();
    JitProfile(const JitProfile&) = delete;
    JitProfile& operator=(const JitProfile&) = delete;

    JitTime time() const noexcept { return time_; }
    /// The time of each system, by its name in the schedule.
    const std::map<std::string, JitTime, std::less<>>& systems() const noexcept { return systems_; }

private:
    static void note(void* profile, lua_State* lua, int ticks, int where) noexcept;

    ScriptState& state_;
    std::function<std::string_view()> system_;
    JitTime time_;
    std::map<std::string, JitTime, std::less<>> systems_;
};

/// The name of the mod's running system; empty outside systems. For JitProfile.
std::string_view running_system(const ScriptRuntime& scripts, std::string_view mod) noexcept;

}  // namespace perigee
