// The files of a mod run again beside what they made before, and then take its place, all of it or nothing.
//
// Invariant: from the beginning until commit the world, the schedule and what other mods see are as they
// were: what the files declare waits in the mod's ScriptCode. What cannot wait does no harm: types and groups
// that are new. After abort everything is as before. Systems of the same name are told otherwise and live on;
// those that are gone are removed at the very end, when nothing can go wrong any more.
// Not here: which mods, in which order, and schemas that change: runtime_reload.cpp.
#pragma once

#include "ecs/result.h"
#include "ecs/schema.h"
#include "scripting/internal/script_mod.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

struct lua_State;

namespace perigee::internal {

class CodeReload {
public:
    /// From here on the mod's files run for this. Expects: the mod has a state; none of its Lua is running.
    explicit CodeReload(ScriptMod& mod);
    /// Aborts, unless it was committed.
    ~CodeReload();
    CodeReload(const CodeReload&) = delete;
    CodeReload& operator=(const CodeReload&) = delete;

    /// Errors: something of it is refused; then nothing has changed.
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

/// For host.declare: a type that the mod has declared before. Nil and a message, or its number.
int declare_again(lua_State* lua, ScriptMod& mod, ComponentId type, Schema schema);
/// For finish_system: what is declared waits. Errors: the schedule would not take it.
Result<void> declare_again(ScriptMod& mod, SystemDesc desc);
/// The same for a group; false when there is none of this name yet, and it is to be added at once.
bool declare_again(ScriptMod& mod, const GroupDesc& desc);
/// The prefab that stands for one of the mod's own while files run again.
PrefabId as_said_now(const ScriptMod& mod, PrefabId prefab) noexcept;

/// Of which mods this one has replaced systems or changed prefabs.
bool changes_things_of(const ScriptMod& mod, const ScriptMod& other);

}  // namespace perigee::internal
