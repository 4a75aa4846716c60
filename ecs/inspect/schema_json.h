// A schema as JSON, for editors, inspectors and other tools outside the process.
//
// Invariant: complete (everything in the schema, with layout and hash) and stable: equal schemas give
// the same text, keys and fields in a fixed order. Output only; schemas are read from Lua or declared in C++.
//
//     {"name":"Health","kind":"component","version":2,…,"fields":[{"name":"current","type":"f32",…}]}
#pragma once

#include "ecs/schema/component.h"

#include <string>

namespace perigee {

class ComponentRegistry;

/// One type as a JSON object. Undeclared properties (no range, no unit) and infinite bounds have no key. A
/// 64-bit hash is a string of 16 hex digits.
std::string schema_json(const ComponentRegistry& registry, ComponentId id);

/// All types as a JSON array, in order of declaration.
std::string schemas_json(const ComponentRegistry& registry);

}  // namespace perigee
