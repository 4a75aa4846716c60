// The address of the calling system comes as a number, 0 outside systems, as in world_host.cpp.
#include "scripting/host/internal/schedule_host.h"

#include "ecs/base/contract.h"
#include "ecs/base/memory_quota.h"
#include "ecs/base/suggest.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/schedule/schedule.h"
#include "scripting/base/error_codes.h"
#include "scripting/mods/internal/host_call.h"
#include "scripting/mods/internal/mod_link.h"
#include "scripting/mods/internal/phase_scope.h"
#include "scripting/mods/internal/script_mod.h"
#include "scripting/sandbox/bind.h"

#include <fmt/format.h>
#include <lua.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace perigee::internal {

namespace {

std::string word_in_root(const ScriptMod& mod, const std::string& name) {
    return mod.is_root() || name.find(':') != std::string::npos ? name : mod.root + ":" + name;
}

// A system or group, as the mod names it.
std::optional<SystemId> find_named(const ScriptMod& mod, std::string_view word) {
    const Schedule& schedule = mod.runtime.schedule();
    if (const std::optional<SystemId> system = schedule.find(mod.system_name(word))) return system;
    const std::optional<SystemId> group = schedule.find(mod.group_name(word));
    return group && schedule.status(*group).is_group ? group : std::nullopt;
}

std::string unknown_text(const ScriptMod& mod, std::string_view word) {
    const Schedule& schedule = mod.runtime.schedule();
    std::vector<std::string> words;
    for (const SystemId id : schedule.all()) {
        const std::string& name = schedule.description(id).name;
        const bool is_own = !mod.is_root() && owner_of(mod, name) == mod.name;
        words.push_back(is_own ? name.substr(mod.name.size() + 1) : word_in_root(mod, name));
    }
    const std::vector<std::string_view> known(words.begin(), words.end());
    return fmt::format(messages::kNothingToSwitch, word, did_you_mean(nearest_name(word, known)));
}

// Why the mod may not switch it; empty when it may.
std::string why_not_switched(const ScriptMod& mod, SystemId id) {
    const Schedule& schedule = mod.runtime.schedule();
    const SystemDesc& desc = schedule.description(id);
    if (schedule.is_engine_group(id)) return fmt::format(messages::kEngineGroupRuns, desc.name);
    const std::string_view owner = owner_of(mod, desc.name);
    if (mod.is_root() || owner == mod.name) return {};
    return fmt::format(messages::kSwitchedByOwner, desc.name, owner);
}

bool is_presentation(const Schedule& schedule, SystemId id) {
    const SystemDesc& desc = schedule.description(id);
    return !desc.reacts_to && schedule.is_presentation(schedule.status(id).is_group ? desc.name : desc.group);
}

// Carries `change` out now, or at the playback of the system whose address is argument 1.
void change_or_record(lua_State* lua, const ScriptMod& mod, std::function<void()> change) {
    const auto address = static_cast<std::uintptr_t>(lua_tonumber(lua, 1));
    if (address == 0) return change();
    const auto found = std::ranges::find_if(
        mod.systems, [&](const auto& s) { return reinterpret_cast<std::uintptr_t>(s.get()) == address; });
    ECS_EXPECTS(found != mod.systems.end());
    (*found)->commands().call([change = std::move(change)](World&) {
        change();
        return true;
    });
}

// system or 0, name, flag -> true; nil and a message.
int switch_system(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::optional<SystemId> id = find_named(mod, text_at(lua, 2));
    if (!id) return nil_and_message(lua, unknown_text(mod, text_at(lua, 2)));
    if (const std::string why = why_not_switched(mod, *id); !why.empty()) return nil_and_message(lua, why);
    Schedule& schedule = mod.runtime.schedule();
    const bool is_enabled = lua_toboolean(lua, 3) != 0;
    change_or_record(lua, mod, [&schedule, name = schedule.description(*id).name, is_enabled] {
        // By name: meanwhile it may be gone.
        if (const std::optional<SystemId> system = schedule.find(name))
            schedule.set_enabled(*system, is_enabled);
    });
    lua_pushboolean(lua, 1);
    return 1;
}

// name, whether presentation asks -> enabled, active, failed; the last two only where they are the same in
// every run. nil and a message.
int system_state(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    const std::optional<SystemId> id = find_named(mod, text_at(lua, 1));
    if (!id) return nil_and_message(lua, unknown_text(mod, text_at(lua, 1)));
    const Schedule& schedule = mod.runtime.schedule();
    const SystemStatus status = schedule.status(*id);
    lua_pushboolean(lua, status.is_enabled ? 1 : 0);
    if (lua_toboolean(lua, 2) == 0 && is_presentation(schedule, *id)) return 1;
    lua_pushboolean(lua, schedule.is_active(*id) ? 1 : 0);
    lua_pushboolean(lua, status.is_suspended ? 1 : 0);
    return 3;
}

// system or 0, name -> true; nil and a message.
int run_group(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    Schedule& schedule = mod.runtime.schedule();
    const std::string_view word = text_at(lua, 2);
    const std::optional<SystemId> id = find_named(mod, word);
    if (!id) return nil_and_message(lua, unknown_text(mod, word));
    if (!schedule.status(*id).is_group)
        return nil_and_message(lua, fmt::format(messages::kSystemIsNoGroup, word));
    if (const std::string why = why_not_switched(mod, *id); !why.empty()) return nil_and_message(lua, why);
    if (is_presentation(schedule, *id))
        return nil_and_message(lua, fmt::format(messages::kPresentationRuns, word));
    if (lua_tonumber(lua, 1) != 0 || schedule.is_running()) {
        change_or_record(lua, mod, [&schedule, group = *id] { schedule.run_later(group); });
        lua_pushboolean(lua, 1);
        return 1;
    }
    // The systems' changes are their own mods', not those of the code that runs them.
    mod.share.end_change();
    Result<void> ran;
    {
        const EnterShare enter(nullptr);
        const EnterQuota quota(nullptr);
        ran = schedule.run_group(schedule.description(*id).name, schedule.last_time());
    }
    static_cast<void>(mod.share.begin_change());
    if (!ran) return nil_and_message(lua, ran.error().message);
    lua_pushboolean(lua, 1);
    return 1;
}

// ---- declarations of running systems; scripts/runtime/systems/late.lua ----

// Systems that a failed declaration made are in no schedule.
void release_new(ScriptMod& mod, std::size_t known) {
    while (mod.systems.size() > known) {
        mod.systems.back()->release_functions(mod.state->lua());
        mod.old_systems.push_back(std::move(mod.systems.back()));
        mod.systems.pop_back();
    }
}

// Carries out the declaration of this number, within the limits of a run. What on_create asked for while the
// mod's files ran waits for the next step; if they failed, nothing of the mod runs.
Result<void> declare_late(ScriptMod& mod, int number, const std::string& system) {
    if (mod.has_failed || mod.state == nullptr) return {};
    ScriptState& state = *mod.state;
    const std::size_t known = mod.systems.size();
    const ShareChange change(mod.share);
    const PhaseScope outside(mod, ScriptPhase::idle);
    WorkClock clock;
    clock.start();
    state.open_run(state.limits().fuel_per_run, state.limits().seconds_per_run);
    state.push_runtime("late", "run");
    lua_pushinteger(state.lua(), number);
    std::optional<ScriptError> error = state.call(1, 0);
    state.close_run();
    mod.simulation.add(state.fuel_used(), clock.seconds());
    // A run of its own, since the declaration may have used up what it had.
    state.open_run(state.limits().fuel_per_run, state.limits().seconds_per_run);
    state.push_runtime("late", "finish");
    if (auto unfinished = state.call(0, 0); unfinished && !error) error = std::move(unfinished);
    state.close_run();
    if (!error) return {};
    release_new(mod, known);
    return mod.report(std::move(*error), system);
}

// number -> the tick of the step; nil and a message.
int at_step_end(lua_State* lua) {
    ScriptMod& mod = mod_of(lua);
    const auto running =
        std::ranges::find_if(mod.systems, [&](const auto& s) { return s.get() == mod.running; });
    ECS_EXPECTS(running != mod.systems.end());
    if ((*running)->memory()->may_command == 0) return nil_and_message(lua, messages::kConditionDeclares);
    const auto number = static_cast<int>(lua_tointeger(lua, 1));
    mod.runtime.schedule().at_step_end(
        [&mod, number, system = (*running)->name()] { return declare_late(mod, number, system); });
    lua_pushnumber(lua, (*running)->memory()->tick);
    return 1;
}

// ---- jobs; scripts/runtime/systems/job.lua ----

// name, numbers of jobs before it -> number in this run; nil and a message.
int start_job(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    std::vector<std::uint32_t> after;
    for (int i = 2; i <= lua_gettop(lua); ++i)
        after.push_back(static_cast<std::uint32_t>(lua_tonumber(lua, i)));
    const Result<std::uint32_t> started = mod.running->start_job(text_at(lua, 1), after);
    if (!started) return nil_and_message(lua, started.error().message);
    lua_pushnumber(lua, started.value());
    return 1;
}

// -> the number of the run
int job_run(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    lua_pushnumber(lua, mod.running == nullptr ? 0 : static_cast<double>(mod.running->run_number()));
    return 1;
}

// The run of the job, its number or 0 for all -> true; nil and a message. Jobs of earlier runs have ended.
int wait_for_job(lua_State* lua) {
    const ScriptMod& mod = mod_of(lua);
    if (mod.running != nullptr && static_cast<double>(mod.running->run_number()) == lua_tonumber(lua, 1)) {
        const auto number = static_cast<std::uint32_t>(lua_tonumber(lua, 2));
        const Result<void> waited = mod.running->wait_for_job(number);
        if (!waited) return nil_and_message(lua, waited.error().message);
    }
    lua_pushboolean(lua, 1);
    return 1;
}

}  // namespace

void extend_host_with_switches(lua_State* lua, ScriptMod& mod) {
    set_function<switch_system>(lua, "switch_system", &mod);
    set_function<system_state>(lua, "system_state", &mod);
    set_function<run_group>(lua, "run_group", &mod);
    set_function<at_step_end>(lua, "at_step_end", &mod);
    set_function<start_job>(lua, "start_job", &mod);
    set_function<job_run>(lua, "job_run", &mod);
    set_function<wait_for_job>(lua, "wait_for_job", &mod);
}

}  // namespace perigee::internal
