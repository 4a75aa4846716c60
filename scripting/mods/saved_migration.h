// The functions of a script that turn values of an older version into those of a newer one (`migrate`), for
// values that come from a saved world.
//
// Invariant: they see and do the same as on hot reload. The saved values are in a world of their own, with
// its own texts; the functions get copies whose texts are in the world of the script, and what they return is
// carried back. Not here: when a type is migrated (ecs/save/save_file.h), hot reload (runtime_reload.cpp).
#pragma once

#include "ecs/migrate/schema_change.h"

namespace perigee {

class ScriptRuntime;
class World;

/// For LoadOptions::migrate: a type with a higher version than in the file may lose values, and passes
/// through the functions of the mod that declares it. Empty: the version is not higher, or there are none.
/// One budget of fuel and time, that of loading a file, is for all values of the type. Errors of the result:
/// those of the functions; a blob field that they set. Lifetime: that of runtime, saved world and `now`.
MigrateValue migration_of_saved(ScriptRuntime& runtime, const Schema& before, const ComponentInfo& now,
                                World& saved);

}  // namespace perigee
