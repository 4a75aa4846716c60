// What a game may ask of this program under "native" in its mod.json.
#pragma once

#include "engine/native_systems.h"

namespace perigee {

NativeSystems native_systems();

}  // namespace perigee
