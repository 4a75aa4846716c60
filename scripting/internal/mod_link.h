// What happens when a mod's main.lua has run: whether its systems fit into the order, and what it changes of
// others.
//
// Invariant: a mod changes others when it has loaded without an error, or not at all: systems that it
// replaces and prefabs that it patches are prepared while main.lua runs, and put in place here. leave_out
// undoes it.
#pragma once

#include "ecs/result.h"

#include <string_view>

namespace perigee {
class ScriptRuntime;
}

namespace perigee::internal {

struct ScriptCode;
struct ScriptMod;

/// Checks the names in before and after of the mod's systems as far as mods are loaded, replaces systems and
/// changes prefabs.
/// Expects: not the root mod, whose order the host resolves; the order could be resolved without this mod.
/// Errors: names that nobody has, or in another group; a circle in the order; a replacement that is refused.
Result<void> link(ScriptMod& mod);

/// Undoes what link did to others. What is left is ready to be linked again.
void unlink(ScriptMod& mod) noexcept;
/// Of that only what it did to prefabs, and the opposite.
void unlink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept;
void relink_prefabs(ScriptRuntime& runtime, ScriptCode& code) noexcept;

/// Takes the mod's systems away, or of the root mod switches them off, and undoes what link did.
void leave_out(ScriptMod& mod) noexcept;

/// The mod that a system or prefab of this name belongs to: what stands before ':'; the root's have none.
std::string_view owner_of(const ScriptMod& mod, std::string_view full_name) noexcept;

}  // namespace perigee::internal
