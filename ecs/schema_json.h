// A schema as JSON, for editors, inspectors and other tools outside the process.
//
// Invariant: complete (whatever a schema says is in it, with layout and hash) and stable: equal schemas give
// the same text, keys and fields in a fixed order. Only output; schemas are read from Lua or made in C++.
//
//     {"name":"Health","kind":"component","version":2,…,"fields":[{"name":"current","type":"f32",…}]}
#pragma once

#include "ecs/component.h"

#include <string>

namespace perigee {

class ComponentRegistry;

/// One type as a JSON object. What is not declared (no range, no unit) has no key; a bound that is infinite
/// is left out in the same way. A 64-bit hash is text of 16 hex digits.
std::string schema_json(const ComponentRegistry& registry, ComponentId id);

/// All types as a JSON array, in order of declaration.
std::string schemas_json(const ComponentRegistry& registry);

}  // namespace perigee
