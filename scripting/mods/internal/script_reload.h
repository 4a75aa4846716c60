// Runs the files of a mod again while the old code stays in use, then replaces all of it or nothing.
//
// Invariant: until commit, the world, the schedule and other mods' view of the mod stay unchanged: new
// declarations wait in the mod's ScriptCode. Only new types and groups take effect at once, which is
// harmless. After abort everything is as before. Systems of the same name stay and get the new declaration;
// removed systems are taken out at the end, when nothing can fail any more.
// The Lua half is scripts/runtime/mods/reload.lua, whose begin, commit and abort are called here.
// Not here: which mods reload, their order, and schema changes (runtime_reload.cpp).
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/schema.h"
#include "scripting/mods/internal/script_mod.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

struct lua_State;

namespace perigee::internal {

class CodeReload {
public:
    /// From now on the mod's files run for this reload. Expects: the mod has a state; none of its Lua is
    /// running.
    explicit CodeReload(ScriptMod& mod);
    /// Aborts unless committed.
    ~CodeReload();
    CodeReload(const CodeReload&) = delete;
    CodeReload& operator=(const CodeReload&) = delete;

    /// Errors: a part of it is refused; then nothing has changed.
    Result<void> commit();

private:
    Result<void> take_over();
    Result<void> renew_groups();
    Result<void> renew_systems();
    Result<void> renew_system(const SystemDesc& desc);
    Result<void> carry_replacements();
    Result<void> check_gone() const;
    void renew_prefabs();
    SystemDesc* replaced_description(SystemId system) const noexcept;
    std::vector<SystemId> gone() const;
    void drop_gone();
    void retire(ScriptCode& code);
    void end_in_lua(const char* how);

    ScriptMod& mod_;
    Schedule& schedule_;
    ScriptCode old_;
    std::vector<std::function<void()>> undo_;
    bool is_committed_ = false;
};

/// For host.declare: a type that the mod has declared before. Returns nil and a message, or its number.
int declare_again(lua_State* lua, ScriptMod& mod, ComponentId type, Schema schema);
/// For finish_system: the declaration waits. Errors: the schedule would refuse it.
Result<void> declare_again(ScriptMod& mod, SystemDesc desc);
/// The same for a group; false if there is none of this name yet and it must be added at once.
bool declare_again(ScriptMod& mod, const GroupDesc& desc);
/// The prefab that replaces one of the mod's own during the reload.
PrefabId renewed_prefab(const ScriptMod& mod, PrefabId prefab) noexcept;

/// Of a mod's systems the one of this name that the world was taken back before (Schedule::restore). Adding a
/// system of the name removes it.
std::optional<SystemId> future_system(const Schedule& schedule, const std::vector<SystemId>& own,
                                      std::string_view name);

/// True if `mod` has replaced systems or changed prefabs of `other`.
bool changes_things_of(const ScriptMod& mod, const ScriptMod& other);

}  // namespace perigee::internal
