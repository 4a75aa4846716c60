// One table of the host, replaced as a whole.
#include "scripting/mods/mod_settings.h"

#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/script_mod.h"

#include <lua.hpp>

#include <utility>
#include <variant>

namespace perigee {

void set_settings(ScriptRuntime& scripts, std::string_view name, ModSettings settings) {
    internal::ScriptMod* const mod = scripts.find_mod(name);
    if (mod == nullptr) return;
    mod->settings = std::move(settings);
    if (mod->state == nullptr) return;
    mod->state->push_runtime("import", "set_settings");
    push_settings(mod->state->lua(), mod->settings);
    static_cast<void>(mod->state->call(1, 0));
}

void push_settings(lua_State* lua, const ModSettings& settings) {
    lua_newtable(lua);
    for (const auto& [name, value] : settings) {
        if (const bool* flag = std::get_if<bool>(&value)) lua_pushboolean(lua, *flag ? 1 : 0);
        if (const double* number = std::get_if<double>(&value)) lua_pushnumber(lua, *number);
        if (const std::string* text = std::get_if<std::string>(&value)) push_text(lua, *text);
        lua_setfield(lua, -2, name.c_str());
    }
}

}  // namespace perigee
