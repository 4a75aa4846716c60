// Schemas between C++ and Lua: a description that scripts/runtime/schema.lua has put into plain shape becomes
// a Schema, and a ComponentInfo becomes the description that scripts/runtime/component.lua builds its views
// from.
//
// Invariant: the shape is trusted (the mod's own tables were read in Lua, without their metatables); only
// default values are the author's, and they are checked by layout_schema. Nothing is registered here.
#pragma once

#include "ecs/field_value.h"
#include "ecs/registry.h"
#include "ecs/schema.h"

struct lua_State;

namespace perigee {

/// Reads { name =, kind =, version =, doc =, declared_at =, fields = { { name =, type =, … } } } at `index`.
/// The result is not laid out yet.
Schema schema_from_lua(lua_State* lua, int index);

/// Booleans, numbers, texts, lists and tables with names. Anything else, and nesting beyond 8 levels, is
/// unset.
FieldValue field_value_from_lua(lua_State* lua, int index, int depth = 0);

/// Pushes { id =, name =, kind =, size =, defaults =, fields = { … with offsets … } }.
void push_component(lua_State* lua, const ComponentInfo& info);

}  // namespace perigee
