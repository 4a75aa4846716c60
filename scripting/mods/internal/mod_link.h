// Links a mod after its main.lua has run: checks that its systems fit into the order, and applies its changes
// to other mods.
//
// Invariant: a mod changes others when it has loaded without an error, or not at all: replacements of systems
// and patches of prefabs are prepared while main.lua runs, and applied here. leave_out undoes them.
#pragma once

#include "ecs/base/result.h"

#include <string_view>

namespace perigee {
class ScriptRuntime;
}

namespace perigee::internal {

struct ScriptCode;
struct ScriptMod;

/// Checks the before and after names of the mod's systems against the mods loaded so far, replaces systems
/// and changes prefabs.
/// Expects: not the root mod, whose order the host resolves; the order could be resolved without this mod.
/// Errors: unknown names, or names in another group; a cycle in the order; a refused replacement.
Result<void> link(ScriptMod& mod);

/// Undoes what link did to other mods. The mod can be linked again.
void unlink(ScriptMod& mod) noexcept;
/// Undoes only the changes to prefabs, or applies them again.
void unlink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept;
void relink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept;

/// Removes the mod's systems (disables them for the root mod) and undoes what link did.
void leave_out(ScriptMod& mod) noexcept;

/// The mod that a system or prefab of this name belongs to: the part before ':', which the root mod's lack.
std::string_view owner_of(const ScriptMod& mod, std::string_view full_name) noexcept;

}  // namespace perigee::internal
