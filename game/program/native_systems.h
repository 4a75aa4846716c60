// The native systems that a game may request under "native" in its mod.json.
#pragma once

#include "engine/plugin/native_systems.h"

namespace perigee {

NativeSystems native_systems();

}  // namespace perigee
