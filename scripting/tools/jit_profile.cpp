// LuaJIT's own profiler (https://luajit.org/ext_profiler.html, the low-level C interface).
#include "scripting/tools/jit_profile.h"

#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"

#include <lua.hpp>

#include <string_view>
#include <utility>

namespace perigee {

JitTime& JitTime::operator+=(const JitTime& other) noexcept {
    compiled += other.compiled;
    interpreted += other.interpreted;
    in_c += other.in_c;
    collecting += other.collecting;
    compiling += other.compiling;
    return *this;
}

JitProfile::JitProfile(ScriptState& state, std::function<std::string_view()> system)
    : state_(state), system_(std::move(system)) {
    luaJIT_profile_start(state.lua(), "i1", note, this);
}

JitProfile::~JitProfile() {
    luaJIT_profile_stop(state_.lua());
    state_.jit().forgive_flush();
}

namespace {

void add(JitTime& time, std::uint64_t ticks, int where) noexcept {
    switch (where) {
        case 'N':
            time.compiled += ticks;
            break;
        case 'I':
            time.interpreted += ticks;
            break;
        case 'G':
            time.collecting += ticks;
            break;
        case 'J':
            time.compiling += ticks;
            break;
        default:
            time.in_c += ticks;
            break;
    }
}

}  // namespace

void JitProfile::note(void* profile, lua_State*, int ticks, int where) noexcept {
    auto& self = *static_cast<JitProfile*>(profile);
    const auto count = static_cast<std::uint64_t>(ticks);
    add(self.time_, count, where);
    const std::string_view system = self.system_ ? self.system_() : std::string_view();
    if (system.empty()) return;
    const auto known = self.systems_.find(system);
    add(known != self.systems_.end() ? known->second : self.systems_[std::string(system)], count, where);
}

std::string_view running_system(const ScriptRuntime& scripts, std::string_view mod) noexcept {
    const internal::ScriptMod* const found = scripts.find_mod(mod);
    return found != nullptr && found->running != nullptr ? found->running->name() : std::string_view();
}

}  // namespace perigee
