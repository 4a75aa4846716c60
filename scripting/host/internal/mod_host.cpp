// Names from other mods reach Lua in a form that works in any mod: "mod:name", also for the root's.
#include "scripting/host/internal/mod_host.h"

#include "ecs/base/suggest.h"
#include "ecs/schedule/schedule.h"
#include "scripting/base/error_codes.h"
#include "scripting/host/internal/prefab_host.h"
#include "scripting/host/internal/service_call.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/mods/mod_settings.h"
#include "scripting/sandbox/bind.h"
#include "scripting/sandbox/internal/fuel_tank.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

constexpr double kStepsPerService = 20;
constexpr double kStepsPerCopiedByte = 1.0 / 64;  // written, read, and made into values

std::string word_for(const ScriptMod& mod, const std::string& full_name) {
    return full_name.find(':') != std::string::npos ? full_name : mod.root + ":" + full_name;
}

void push_names(lua_State* lua, const ScriptMod& mod, const std::vector<std::string>& names) {
    lua_newtable(lua);
    int number = 0;
    for (const std::string& name : names) {
        push_text(lua, word_for(mod, name));
        lua_rawseti(lua, -2, ++number);
    }
}

// Why a system cannot be changed by this mod; empty when it can.
std::string why_not_changed(const ScriptMod& mod, std::string_view word) {
    const Schedule& schedule = mod.runtime.schedule();
    const std::string name = mod.system_name(word);
    const std::optional<SystemId> found = schedule.find(name);
    if (!found) {
        std::vector<std::string> words;
        for (const SystemId id : schedule.all())
            if (!schedule.status(id).is_group) words.push_back(word_for(mod, schedule.description(id).name));
        const std::vector<std::string_view> known(words.begin(), words.end());
        std::string_view nearest = nearest_name(word, known);
        // A plain name is looked up among the mod's own, but may be meant as one of the game.
        const std::string of_root = mod.root + ":" + std::string(word);
        if (nearest.empty() && std::ranges::find(words, of_root) != words.end()) nearest = of_root;
        return fmt::format(messages::kNoSystemToChange, word, did_you_mean(nearest));
    }
    if (schedule.status(*found).is_group) return fmt::format(messages::kGroupIsNoSystem, word);
    const std::string_view owner = owner_of(mod, name);
    return mod.may_use(owner) ? "" : fmt::format(messages::kNotUsed, word, owner);
}

int system_info(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::string_view word = text_at(lua, 1);
    if (const std::string why = why_not_changed(mod, word); !why.empty()) return nil_and_message(lua, why);
    const Schedule& schedule = mod.runtime.schedule();
    const SystemDesc& desc = schedule.description(*schedule.find(mod.system_name(word)));
    lua_createtable(lua, 0, 5);
    push_text(lua, word_for(mod, desc.name));
    lua_setfield(lua, -2, "name");
    push_text(lua, desc.group);
    lua_setfield(lua, -2, "group");
    lua_pushnumber(lua, desc.every);
    lua_setfield(lua, -2, "every");
    push_names(lua, mod, desc.before);
    lua_setfield(lua, -2, "before");
    push_names(lua, mod, desc.after);
    lua_setfield(lua, -2, "after");
    return 1;
}

int import_mod(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::string_view other = text_at(lua, 1);
    if (!mod.may_use(other)) {
        const bool is_game = mod.is_root();
        return nil_and_message(
            lua,
            fmt::format(fmt::runtime(is_game ? messages::kGameImports : messages::kNoSuchImport), other));
    }
    lua_pushboolean(lua, mod.runtime.has_loaded(other) ? 1 : 0);
    return 1;
}

int add_service(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const std::string name(text_at(lua, 1));
    if (mod.services.contains(name)) return nil_and_message(lua, fmt::format(messages::kServiceTwice, name));
    lua_settop(lua, 2);
    mod.services.emplace(name, luaL_ref(lua, LUA_REGISTRYINDEX));
    lua_pushboolean(lua, 1);
    return 1;
}

int has_service(lua_State* lua) {
    const ScriptMod* const other = mod_of(lua).runtime.find_mod(text_at(lua, 1));
    if (other != nullptr && other->services.contains(text_at(lua, 2))) {
        lua_pushboolean(lua, 1);
        return 1;
    }
    lua_pushnil(lua);
    lua_newtable(lua);
    int number = 0;
    if (other == nullptr) return 2;
    for (const auto& [name, slot] : other->services) {
        push_text(lua, name);
        lua_rawseti(lua, -2, ++number);
    }
    return 2;
}

// Why this mod may not call now; empty when it may.
std::string why_no_call(const ScriptMod& caller, const ScriptMod& callee, const std::string& service) {
    const std::vector<ScriptMod*>& chain = caller.runtime.service_chain();
    switch (caller.phase()) {
        case ScriptPhase::playback:
            return fmt::format(messages::kServiceNotInside, service, "an initialiser of spawn_many");
        case ScriptPhase::hash:
            return fmt::format(messages::kServiceNotInside, service, "a hash function");
        case ScriptPhase::migrate:
            return fmt::format(messages::kServiceNotInside, service, "'migrate'");
        default:
            break;
    }
    if (caller.running != nullptr && !caller.running->may_call(service))
        return fmt::format(messages::kServiceNotDeclared, service);
    if (std::ranges::find(chain, &callee) == chain.end() && &callee != &caller) return "";
    std::string cycle;
    for (const ScriptMod* mod : chain) cycle += mod->name + " -> ";
    return fmt::format(messages::kServiceCycle, service, cycle + callee.name);
}

// Its results or nil and a message; `steps` receives the fuel charged to the caller.
int call_unpaid(lua_State* lua, double& steps) {
    ScriptMod& caller = mod_of(lua);
    const std::string mod(text_at(lua, 1));
    const std::string name(text_at(lua, 2));
    ScriptMod* const callee = caller.runtime.find_mod(mod);
    const std::string service = mod + ":" + name;
    std::vector<ScriptMod*>& chain = caller.runtime.service_chain();
    const bool is_first = chain.empty();
    if (is_first) chain.push_back(&caller);
    Result<std::string> results{std::string{}};
    if (callee == nullptr || !callee->services.contains(name)) {
        // import.lua has checked, but the mod may have been reloaded or switched off since.
        results = Error{fmt::format(messages::kServiceGone, service)};
    } else if (callee->is_switched_off) {
        results = Error{fmt::format(messages::kServiceOff, service)};
    } else if (std::string why = why_no_call(caller, *callee, service); !why.empty()) {
        results = Error{std::move(why)};
    } else if (Result<std::string> arguments = bytes_from_values(lua, 3, lua_gettop(lua)); !arguments) {
        results = Error{fmt::format(messages::kServiceArguments, service, arguments.error().message)};
    } else {
        chain.push_back(callee);
        callee->state->begin_log_step(caller.state->log_step());
        results = serve(*callee, service, callee->services.find(name)->second, arguments.value());
        chain.pop_back();
        const std::size_t bytes = arguments.value().size() + (results ? results.value().size() : 0);
        steps =
            kStepsPerService + static_cast<double>(bytes) * kStepsPerCopiedByte + callee->state->fuel_used();
    }
    if (is_first) chain.clear();
    if (!results) return nil_and_message(lua, results.error().message);
    lua_settop(lua, 0);
    lua_pushboolean(lua, 1);
    return 1 + push_values(lua, results.value());
}

// Fuel used by the other mod is charged to it and to the caller as well, so repeated calls end.
int call_service(lua_State* lua) {
    double steps = 0;
    const int count = call_unpaid(lua, steps);
    ScriptState::of(lua).fuel().spend(lua, steps);
    return count;
}

}  // namespace

std::vector<std::string> services_of(lua_State* lua, int index, const ScriptMod& mod) {
    std::vector<std::string> names;
    each_entry(lua, index, "services", [&] {
        const std::string word(text_at(lua, -1));
        names.push_back(word.find(':') == std::string::npos ? mod.name + ":" + word : word);
    });
    return names;
}

int plan_replacement(lua_State* lua, ScriptMod& mod, SystemDesc desc) {
    const Schedule& schedule = mod.runtime.schedule();
    const SystemId target = *schedule.find(desc.name);  // system_info was asked before
    const SystemDesc& old = schedule.description(target);
    if (!old.serial_key.empty() && !mod.may_use(old.serial_key))
        return nil_and_message(lua, fmt::format(messages::kReplacedByOther, desc.name, old.serial_key));
    desc.group = old.group;
    desc.before.insert(desc.before.end(), old.before.begin(), old.before.end());
    desc.after.insert(desc.after.end(), old.after.begin(), old.after.end());
    mod.replacements.push_back({target, std::move(desc), {}});
    lua_pushboolean(lua, 1);
    return 1;
}

void extend_host_with_mods(lua_State* lua, ScriptMod& mod) {
    set_function<import_mod>(lua, "import", &mod);
    set_function<system_info>(lua, "system_info", &mod);
    set_function<add_service>(lua, "add_service", &mod);
    set_function<has_service>(lua, "has_service", &mod);
    set_function<call_service>(lua, "call_service", &mod);
    push_settings(lua, mod.settings);
    lua_setfield(lua, -2, "settings");
    set_function<find_prefab>(lua, "find_prefab", &mod);
    set_function<patch_prefab>(lua, "patch_prefab", &mod);
}

}  // namespace perigee::internal
