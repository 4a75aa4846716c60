// LuaJIT's own profiler (https://luajit.org/ext_profiler.html, the low-level C interface).
#include "scripting/jit_profile.h"

#include "scripting/state.h"

#include <lua.hpp>

namespace perigee {

JitTime& JitTime::operator+=(const JitTime& other) noexcept {
    compiled += other.compiled;
    interpreted += other.interpreted;
    in_c += other.in_c;
    collecting += other.collecting;
    compiling += other.compiling;
    return *this;
}

JitProfile::JitProfile(ScriptState& state) : state_(state) {
    luaJIT_profile_start(state.lua(), "i1", note, this);
}

JitProfile::~JitProfile() {
    luaJIT_profile_stop(state_.lua());
    state_.jit().forgive_flush();
}

void JitProfile::note(void* profile, lua_State*, int ticks, int where) noexcept {
    JitTime& time = static_cast<JitProfile*>(profile)->time_;
    const auto count = static_cast<std::uint64_t>(ticks);
    switch (where) {
        case 'N':
            time.compiled += count;
            break;
        case 'I':
            time.interpreted += count;
            break;
        case 'G':
            time.collecting += count;
            break;
        case 'J':
            time.compiling += count;
            break;
        default:
            time.in_c += count;
            break;
    }
}

}  // namespace perigee
