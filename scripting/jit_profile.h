// Where the time of one state goes: machine code, the interpreter, C functions, garbage collection or the
// compiler.
//
// Invariant: one state of a process is profiled at a time, which LuaJIT demands; it counts ticks of one
// millisecond of processor time, so a few hundred are needed before shares mean anything. Not here: which
// places are interpreted and why (jit_health.h).
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

/// Profiles a state while it lives. Cost: at its end LuaJIT throws the machine code of the state away.
/// Expects: nothing of the state runs when it begins and ends; everything that it runs in between runs on the
/// calling thread; no other one lives.
class JitProfile {
public:
    /// `system`, when given, says the name of the system that runs, empty outside of systems.
    explicit JitProfile(ScriptState& state, std::function<std::string_view()> system = {});
    ~JitProfile();
    JitProfile(const JitProfile&) = delete;
    JitProfile& operator=(const JitProfile&) = delete;

    JitTime time() const noexcept { return time_; }
    /// That of systems, by name in the schedule.
    const std::map<std::string, JitTime, std::less<>>& systems() const noexcept { return systems_; }

private:
    static void note(void* profile, lua_State* lua, int ticks, int where) noexcept;

    ScriptState& state_;
    std::function<std::string_view()> system_;
    JitTime time_;
    std::map<std::string, JitTime, std::less<>> systems_;
};

/// The name of the system of a mod that runs now; empty outside of systems. For JitProfile.
std::string_view running_system(const ScriptRuntime& scripts, std::string_view mod) noexcept;

}  // namespace perigee
