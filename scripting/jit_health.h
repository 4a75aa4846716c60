// What LuaJIT made of a mod's code: which of its places are compiled, and which cannot be, in plain words.
//
// Invariant: a place counts as a problem only while LuaJIT has given up on it several times and has not
// compiled it since; the false starts that every program has (a loop inside a loop, a loop that ends early)
// are none. Not here: the time that interpreted code costs (jit_profile.h).
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

/// A place that LuaJIT does not compile, so that it runs 10 to 100 times slower.
struct JitProblem {
    std::string file;    ///< of the mod, "main.lua"
    int line = 0;        ///< where compiling stopped, which may be inside a function that the loop calls
    int loop_line = 0;   ///< where the loop or function begins that was to be compiled
    std::string system;  ///< in whose run it was met first; empty outside of systems
    std::string reason;  ///< "makes a function in the loop; make it outside"
    std::uint32_t attempts = 0;
};

struct JitHealth {
    std::uint64_t traces = 0;          ///< pieces of machine code that were made
    std::uint64_t attempts = 0;        ///< that came to nothing; some are normal
    std::uint64_t flushes = 0;         ///< of all machine code at once: too much of it
    std::vector<JitProblem> problems;  ///< in the order in which they were first met
};

/// Listens to the compiler of one state. Cost: about 2 us per attempt, 30 ns for each call into the state.
class JitWatch {
public:
    /// Expects: the standard libraries are open. Lifetime: of the state.
    void attach(lua_State* lua, std::string mod);
    /// Pushes a Lua function that calls its first argument with the others. Expects: as attach.
    /// Every call and coroutine of a watched state needs it at the bottom: when LuaJIT gives up, its event
    /// looks down the stack for a Lua function, and reads below the stack where there is none (a C function
    /// that was called from C, by way of a tail call).
    static void push_floor(lua_State* lua);
    /// What messages begin with that are raised for its sake: they are shown without it.
    static constexpr std::string_view kFloorName = "perigee//floor:";
    /// Whose run the next attempts belong to; empty for none. Lifetime of the text: until the next call.
    void set_system(std::string_view system) noexcept { system_ = system; }

    JitHealth health() const;
    /// The newest flush was asked for by a tool.
    void forgive_flush() noexcept { flushes_ -= flushes_ > 0 ? 1 : 0; }
    /// As if nothing had been compiled so far.
    void forget();

private:
    struct Place {
        std::string file;  ///< empty: not of the mod
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

/// LuaJIT's own words for why it stopped ("NYI: bytecode FNEW") as advice. Unknown words come back as they
/// are. Shape: the rest of a sentence that begins with the place.
std::string plain_jit_reason(std::string_view reason);

}  // namespace perigee
