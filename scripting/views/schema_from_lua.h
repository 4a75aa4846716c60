// Converts schemas between C++ and Lua: a description normalised by scripts/runtime/data/schema.lua becomes
// a Schema, and a ComponentInfo becomes the description that scripts/runtime/data/component.lua builds its
// views from.
//
// Invariant: the shape is trusted (the mod's own tables were read in Lua, without their metatables); only
// default values are untrusted, and layout_schema checks them. Nothing is registered here.
#pragma once

#include "ecs/schema/field_value.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/schema.h"

struct lua_State;

namespace perigee {

/// Reads { name =, kind =, version =, doc =, declared_at =, fields = { { name =, type =, … } } } at `index`.
/// The result is not laid out yet.
Schema schema_from_lua(lua_State* lua, int index);

/// Reads booleans, numbers, texts, lists and tables with names. Anything else, and nesting beyond 8 levels,
/// is unset.
FieldValue field_value_from_lua(lua_State* lua, int index, int depth = 0);

/// Pushes { id =, name =, kind =, size =, defaults =, fields = { … with offsets … } }.
void push_component(lua_State* lua, const ComponentInfo& info, const ComponentRegistry& registry);

}  // namespace perigee
