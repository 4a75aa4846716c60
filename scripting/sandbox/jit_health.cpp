// The compiler's events ("jit.attach", https://luajit.org/ext_jit.html and jit/v.lua there show them) as
// places of the mod's files.
#include "scripting/sandbox/jit_health.h"

#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/charged_chunk.h"
#include "scripting/sandbox/internal/jit_words.h"

#include <lua.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace perigee {

namespace {

// After this many attempts at one place the failure is not accidental; LuaJIT gives up permanently after
// about ten.
constexpr std::uint32_t kSeriousAttempts = 3;
constexpr std::uint32_t kFalseStarts = 9;

struct Advice {
    std::string_view begins;  ///< how LuaJIT's words begin
    std::string_view advice;
    bool is_false_start = false;  ///< every program has these; a problem only when they never end
};

constexpr std::array kAdvice = std::to_array<Advice>({
    {"NYI: bytecode FNEW", "makes a function in the loop; make it outside"},
    {"NYI: bytecode UCLO",
     "leaves a block whose locals a function inside uses; make the function outside of the loop"},
    {"NYI: bytecode ITERN", "goes through a table with next; use ipairs or a numeric for"},
    {"NYI: bytecode ISNEXT", "goes through a table with next; use ipairs or a numeric for"},
    {"NYI: bytecode TSETM", "makes a table from a call's many results; name the results"},
    {"NYI: bytecode", "does something that is never compiled; move it out of the loop"},
    {"blacklisted", "calls a function or runs a loop that could not be compiled before; see its own line"},
    {"trace too long", "does too much in one round of the loop; split the loop in two"},
    {"too many snapshots", "has too many branches in one round of the loop; split the loop in two"},
    {"too many spill slots", "keeps too many values in one round of the loop; split the loop in two"},
    {"trace too deep", "calls too deep for one round of the loop; call fewer functions inside each other"},
    {"loop unroll limit reached",
     "has an inner loop of few, changing rounds; write them out or make it one loop"},
    {"call unroll limit reached", "calls itself; use a loop"},
    {"bad argument type", "does arithmetic or asks for a field of a value that has none; a nil, most likely"},
    {"error thrown", "raises an error, or catches one with pcall, in the loop"},
    {"store with nil or NaN key", "writes to a table with the key nil or NaN"},
    {"NYI: mixed sparse/dense table", "uses a table with gaps as a list; fill it from 1 without gaps"},
    {"NYI: unsupported C function", "calls a function of the engine that is not compiled"},
    {"NYI: unsupported C type",
     "uses a type of field that is not compiled; read it once, outside of the loop"},
    {"NYI: unsupported variant of FastFunc", "calls a library function in a way that is not compiled"},
    {"NYI: register coalescing", "is too complex for the compiler; split the loop in two"},
    {"NYI: PHI shuffling", "is too complex for the compiler; split the loop in two"},
    {"too many PHIs", "carries too many values from round to round; split the loop in two"},
    {"persistent type instability",
     "has a variable whose type changes from round to round, a nil that becomes a number"},
    {"failed to allocate mcode", "has no memory left for machine code near the program"},
    {"machine code too long", "does too much in one round of the loop; split the loop in two"},
    {"leaving loop in root trace", "has a loop that ends after a few rounds", true},
    {"inner loop in root trace", "has a loop inside that is compiled alone", true},
    {"NYI: return to lower frame", "returns out of the function whose loop was to be compiled", true},
    {"retry recording", "could not be compiled; LuaJIT tries again", true},
    {"trace too short", "has nothing to compile", true},
    {"down-recursion", "calls itself; use a loop", true},
    {"hit mcode limit", "has more code than fits; LuaJIT tries again", true},
    {"symbol not in cache", "calls a C function for the first time", true},
    {"guard would always fail", "could not be compiled; LuaJIT tries again", true},
});

const Advice* jit_advice_for(std::string_view reason) {
    const auto* const found =
        std::ranges::find_if(kAdvice, [&](const Advice& a) { return reason.starts_with(a.begins); });
    return found == kAdvice.end() ? nullptr : found;
}

}  // namespace

std::string plain_jit_reason(std::string_view reason) {
    const Advice* advice = jit_advice_for(reason);
    if (advice == nullptr) return std::string(reason);
    std::string plain(advice->advice);
    // "NYI: unsupported variant of FastFunc string.rep": the name of the function helps.
    constexpr std::string_view kFunction = "FastFunc ";
    if (const std::size_t at = reason.find(kFunction); at != reason.npos)
        plain += " (" + std::string(reason.substr(at + kFunction.size())) + ")";
    return plain;
}

void JitWatch::attach(lua_State* lua, std::string mod) {
    mod_ = std::move(mod);
    const int top = lua_gettop(lua);
    lua_getglobal(lua, "jit");
    lua_getfield(lua, -1, "attach");
    lua_pushlightuserdata(lua, this);
    lua_getglobal(lua, "require");
    lua_pushliteral(lua, "jit.util");  // built in: found before any file is
    lua_call(lua, 1, 1);
    lua_getfield(lua, -1, "funcinfo");
    lua_remove(lua, -2);
    lua_pushcclosure(lua, on_event, 2);
    lua_pushliteral(lua, "trace");
    lua_call(lua, 2, 0);
    lua_settop(lua, top);
}

static_assert(JitWatch::kFloorName.starts_with(internal::kRuntimeFiles), "it is a file of the library");

void JitWatch::push_floor(lua_State* lua) {
    static const std::string kFloorChunk = "=" + std::string(kFloorName.substr(0, kFloorName.size() - 1));
    // Never compiled itself, and no tail call: its frame stays.
    constexpr char kFloor[] =
        "local function pass(...) return ... end\n"
        "local function floor(f, ...) return pass(f(...)) end\n"
        "require('jit').off(floor)\n"
        "return floor\n";
    if (luaL_loadbufferx(lua, kFloor, sizeof kFloor - 1, kFloorChunk.c_str(), "t") != 0) lua_error(lua);
    lua_call(lua, 0, 1);
}

int JitWatch::on_event(lua_State* lua) {
    const internal::NativeScope scope;
    auto& self = *static_cast<JitWatch*>(lua_touserdata(lua, lua_upvalueindex(1)));
    self.listen(lua);
    return 0;
}

// start(trace, function, position, …), stop(trace, function), abort(trace, function, position, reason, what),
// flush.
void JitWatch::listen(lua_State* lua) {
    const std::string_view event = text_at(lua, 1);
    if (event == "start") {
        started_ = place_at(lua, 3, 4);
    } else if (event == "stop") {
        ++traces_;
        failed_.erase(started_);
    } else if (event == "flush") {
        ++flushes_;
    } else if (event == "abort") {
        ++attempts_;
        const std::string reason = internal::jit_reason(lua, 5, 6);
        // Only the floor function is excluded from compiling; code that returns to it counts as compiled.
        if (reason.starts_with("JIT compilation disabled")) return;
        Place stopped = place_at(lua, 3, 4);
        if (stopped.file.empty()) stopped = started_;
        if (started_.file.empty()) started_ = stopped;
        if (stopped.file.empty()) return;
        Attempts& attempts = failed_[started_];
        ++attempts.count;
        const Advice* advice = jit_advice_for(reason);
        const bool is_serious = advice == nullptr || !advice->is_false_start;
        // The last reason is reported, but a real reason is never replaced by an aborted attempt.
        if (attempts.count == 1) attempts.order = ++order_;
        if (attempts.count == 1 || (is_serious && !attempts.is_serious)) {
            attempts.first = {
                stopped.file, stopped.line, started_.line, std::string(system_), plain_jit_reason(reason), 0};
        }
        attempts.is_serious |= is_serious;
    }
}

JitWatch::Place JitWatch::place_at(lua_State* lua, int function, int position) const {
    if (lua_type(lua, function) != LUA_TFUNCTION) return {};
    lua_pushvalue(lua, lua_upvalueindex(2));
    lua_pushvalue(lua, function);
    lua_pushvalue(lua, position);
    lua_call(lua, 2, 1);
    lua_getfield(lua, -1, "source");
    lua_getfield(lua, -2, "currentline");
    std::string_view source = lua_type(lua, -2) == LUA_TSTRING ? text_at(lua, -2) : std::string_view();
    Place place;
    if (source.size() > mod_.size() + 2 && source.front() == '@' && source.substr(1, mod_.size()) == mod_ &&
        source[mod_.size() + 1] == '/') {
        place = {std::string(source.substr(mod_.size() + 2)), static_cast<int>(lua_tointeger(lua, -1))};
    }
    lua_pop(lua, 3);
    return place;
}

JitHealth JitWatch::health() const {
    JitHealth health{traces_, attempts_, flushes_, {}};
    std::vector<std::pair<std::size_t, JitProblem>> problems;
    for (const auto& [start, attempts] : failed_) {
        if (attempts.count < (attempts.is_serious ? kSeriousAttempts : kFalseStarts)) continue;
        problems.emplace_back(attempts.order, attempts.first).second.attempts = attempts.count;
    }
    std::ranges::sort(problems, {}, [](const auto& problem) { return problem.first; });
    for (auto& [order, problem] : problems) health.problems.push_back(std::move(problem));
    return health;
}

void JitWatch::forget() {
    failed_.clear();
    traces_ = attempts_ = flushes_ = 0;
}

}  // namespace perigee
