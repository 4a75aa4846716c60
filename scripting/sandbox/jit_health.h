// What LuaJIT compiled of a mod's code, and which places it cannot compile, in plain words.
//
// Invariant: a place counts as a problem only while LuaJIT has given up on it several times and has not
// compiled it since; the aborted attempts of every program (a nested loop, a loop that ends early) do not
// count. Not here: the cost of interpreted code (jit_profile.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

struct lua_State;

namespace perigee {

/// A place that LuaJIT does not compile; it runs 10 to 100 times slower.
struct JitProblem {
    std::string file;    ///< of the mod, "main.lua"
    int line = 0;        ///< where compiling stopped, possibly inside a function that the loop calls
    int loop_line = 0;   ///< start of the loop or function to compile
    std::string system;  ///< the system in whose run it first occurred; empty outside systems
    std::string reason;  ///< "makes a function in the loop; make it outside"
    std::uint32_t attempts = 0;
};

struct JitHealth {
    std::uint64_t traces = 0;          ///< pieces of machine code generated
    std::uint64_t attempts = 0;        ///< failed attempts; some are normal
    std::uint64_t flushes = 0;         ///< of all machine code at once, because there was too much
    std::vector<JitProblem> problems;  ///< in order of first occurrence
};

/// Records the compiler events of one state. Cost: about 2 us per attempt, 30 ns for each call into the
/// state.
class JitWatch {
public:
    /// Expects: the standard libraries are open. Lifetime: of the state.
    void attach(lua_State* lua, std::string mod);
    /// Pushes a Lua function that calls its first argument with the others. Expects: as attach. Every call
    /// and coroutine of a watched state needs it at the bottom: when LuaJIT aborts a trace, its event
    /// searches down the stack for a Lua function and reads below the stack if there is none (a C function
    /// called from C by a tail call).
    static void push_floor(lua_State* lua);
    /// Prefix of messages that get the floor function's position; it is removed before they are shown.
    static constexpr std::string_view kFloorName = "perigee//floor:";
    /// The system to which the next attempts belong; empty for none. Lifetime of the text: until the next
    /// call.
    void set_system(std::string_view system) noexcept { system_ = system; }

    JitHealth health() const;
    /// Discounts the last flush, which a tool requested.
    void forgive_flush() noexcept { flushes_ -= flushes_ > 0 ? 1 : 0; }
    /// Forgets everything recorded so far.
    void forget();

private:
    struct Place {
        std::string file;  ///< empty: not in the mod
        int line = 0;
        auto operator<=>(const Place&) const = default;
    };
    struct Attempts {
        std::uint32_t count = 0;
        std::size_t order = 0;
        JitProblem first;
        bool is_serious = false;
    };

    static int on_event(lua_State* lua);
    void listen(lua_State* lua);
    Place place_at(lua_State* lua, int function, int position) const;

    std::string mod_;
    std::string_view system_;
    Place started_;
    std::map<Place, Attempts> failed_;
    std::uint64_t traces_ = 0;
    std::uint64_t attempts_ = 0;
    std::uint64_t flushes_ = 0;
    std::size_t order_ = 0;
};

/// Turns LuaJIT's reason for stopping ("NYI: bytecode FNEW") into advice. Unknown reasons are returned
/// unchanged. Shape: the rest of a sentence that begins with the place.
std::string plain_jit_reason(std::string_view reason);

}  // namespace perigee
