// Plain reading and writing of tables; raw access only.
#include "scripting/views/schema_from_lua.h"

#include "scripting/sandbox/bind.h"

#include <lua.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace perigee {

namespace {

constexpr int kStackSlots = 120;  ///< more than structs nested kMaxStructDepth deep and their values need

int absolute(lua_State* lua, int index) { return index > 0 ? index : lua_gettop(lua) + index + 1; }

// Pushes table[key]; the caller pops.
void raw_field(lua_State* lua, int table, const char* key) {
    lua_pushstring(lua, key);
    lua_rawget(lua, table);
}

std::string text_field(lua_State* lua, int table, const char* key) {
    raw_field(lua, table, key);
    std::string text;
    if (lua_type(lua, -1) == LUA_TSTRING) text = text_at(lua, -1);
    lua_pop(lua, 1);
    return text;
}

std::optional<double> number_field(lua_State* lua, int table, const char* key) {
    raw_field(lua, table, key);
    std::optional<double> number;
    if (lua_type(lua, -1) == LUA_TNUMBER) number = lua_tonumber(lua, -1);
    lua_pop(lua, 1);
    return number;
}

bool truth_field(lua_State* lua, int table, const char* key) {
    raw_field(lua, table, key);
    const bool truth = lua_toboolean(lua, -1) != 0;
    lua_pop(lua, 1);
    return truth;
}

std::uint32_t count_field(lua_State* lua, int table, const char* key) {
    return static_cast<std::uint32_t>(number_field(lua, table, key).value_or(0));
}

ComponentKind kind_from_text(std::string_view text) {
    for (auto number = static_cast<int>(ComponentKind::component);
         number <= static_cast<int>(ComponentKind::shared_cleanup); ++number) {
        const auto kind = static_cast<ComponentKind>(number);
        if (kind_name(kind) == text) return kind;
    }
    return ComponentKind::component;
}

std::vector<std::string> texts_field(lua_State* lua, int table, const char* key) {
    raw_field(lua, table, key);
    std::vector<std::string> texts = texts_on_top(lua);
    lua_pop(lua, 1);
    return texts;
}

std::vector<Field> fields_from(lua_State* lua, int table, const char* key);

Field field_from(lua_State* lua, int table) {
    Field field;
    field.name = text_field(lua, table, "name");
    field.type = field_type_from_name(text_field(lua, table, "type")).value_or(FieldType::f32);
    field.array_length = count_field(lua, table, "array_length");
    field.is_list = truth_field(lua, table, "is_list");
    field.string_capacity = count_field(lua, table, "capacity");
    field.minimum = number_field(lua, table, "minimum");
    field.maximum = number_field(lua, table, "maximum");
    field.range_policy =
        text_field(lua, table, "policy") == "refuse" ? RangePolicy::refuse : RangePolicy::clamp;
    field.unit = text_field(lua, table, "unit");
    field.doc = text_field(lua, table, "doc");
    field.labels = texts_field(lua, table, "labels");
    raw_field(lua, table, "default");
    field.default_value = field_value_from_lua(lua, -1);
    lua_pop(lua, 1);
    field.nested = fields_from(lua, table, "nested");
    return field;
}

std::vector<Field> fields_from(lua_State* lua, int table, const char* key) {
    std::vector<Field> fields;
    raw_field(lua, table, key);
    if (lua_istable(lua, -1)) {
        for (int i = 1;; ++i) {
            lua_rawgeti(lua, -1, i);
            const bool is_field = lua_istable(lua, -1);
            if (is_field) fields.push_back(field_from(lua, lua_gettop(lua)));
            lua_pop(lua, 1);
            if (!is_field) break;
        }
    }
    lua_pop(lua, 1);
    return fields;
}

FieldValue table_value(lua_State* lua, int table, int depth) {
    FieldValue value;
    lua_rawgeti(lua, table, 1);
    const bool is_list = !lua_isnil(lua, -1);
    lua_pop(lua, 1);
    if (is_list) {
        FieldValueList list;
        for (int i = 1;; ++i) {
            lua_rawgeti(lua, table, i);
            const bool is_last = lua_isnil(lua, -1);
            if (!is_last) list.push_back(field_value_from_lua(lua, -1, depth + 1));
            lua_pop(lua, 1);
            if (is_last) break;
        }
        value.data = std::move(list);
        return value;
    }
    FieldValueMap map;
    lua_pushnil(lua);
    while (lua_next(lua, table) != 0) {
        if (lua_type(lua, -2) == LUA_TSTRING) {
            map.emplace_back(text_at(lua, -2), field_value_from_lua(lua, -1, depth + 1));
        }
        lua_pop(lua, 1);
    }
    // Its errors are reported in this order.
    std::ranges::sort(map, {}, &FieldValueMap::value_type::first);
    value.data = std::move(map);
    return value;
}

void set_number(lua_State* lua, const char* key, double number) {
    lua_pushnumber(lua, number);
    lua_setfield(lua, -2, key);
}

void set_text(lua_State* lua, const char* key, std::string_view text) {
    push_text(lua, text);
    lua_setfield(lua, -2, key);
}

void push_fields(lua_State* lua, const std::vector<Field>& fields, const ComponentRegistry& registry);

void push_field(lua_State* lua, const Field& field, const ComponentRegistry& registry) {
    lua_newtable(lua);
    set_text(lua, "name", field.name);
    set_text(lua, "type", field_type_info(field.type).name);
    set_number(lua, "offset", field.offset);
    set_number(lua, "element_size", field.element_size);
    set_number(lua, "array_length", field.array_length);
    if (field.type == FieldType::blob && !field.labels.empty()) {
        if (const std::optional<ComponentId> type = registry.find(field.labels.front()))
            set_number(lua, "blob_type", type->index);
    }
    if (field.is_list) {
        lua_pushboolean(lua, 1);
        lua_setfield(lua, -2, "is_list");
    }
    set_text(lua, "policy", field.range_policy == RangePolicy::refuse ? "refuse" : "clamp");
    if (field.minimum) set_number(lua, "minimum", *field.minimum);
    if (field.maximum) set_number(lua, "maximum", *field.maximum);
    if (!field.labels.empty()) {
        lua_newtable(lua);
        for (std::size_t i = 0; i < field.labels.size(); ++i) {
            lua_pushlstring(lua, field.labels[i].data(), field.labels[i].size());
            lua_rawseti(lua, -2, static_cast<int>(i) + 1);
        }
        lua_setfield(lua, -2, "labels");
    }
    if (field.type == FieldType::structure) {
        push_fields(lua, field.nested, registry);
        lua_setfield(lua, -2, "nested");
    }
}

void push_fields(lua_State* lua, const std::vector<Field>& fields, const ComponentRegistry& registry) {
    lua_newtable(lua);
    for (std::size_t i = 0; i < fields.size(); ++i) {
        push_field(lua, fields[i], registry);
        lua_rawseti(lua, -2, static_cast<int>(i) + 1);
    }
}

}  // namespace

Schema schema_from_lua(lua_State* lua, int index) {
    const int table = absolute(lua, index);
    luaL_checkstack(lua, kStackSlots, "a schema");
    Schema schema;
    schema.name = text_field(lua, table, "name");
    schema.kind = kind_from_text(text_field(lua, table, "kind"));
    schema.version = count_field(lua, table, "version");
    schema.doc = text_field(lua, table, "doc");
    schema.declared_at = text_field(lua, table, "declared_at");
    schema.fields = fields_from(lua, table, "fields");
    schema.required = texts_field(lua, table, "required");
    schema.owner = text_field(lua, table, "owner");
    if (const std::optional<double> capacity = number_field(lua, table, "buffer_capacity")) {
        schema.buffer_capacity = static_cast<std::uint32_t>(*capacity);
    }
    schema.index = truth_field(lua, table, "index");
    schema.presentation = truth_field(lua, table, "presentation");
    if (truth_field(lua, table, "root")) schema.blob_shape = BlobShape::root;
    if (text_field(lua, table, "on_target_destroyed") == "destroy")
        schema.on_target_destroyed = OnTargetDestroyed::destroy;
    return schema;
}

FieldValue field_value_from_lua(lua_State* lua, int index, int depth) {
    FieldValue value;
    if (depth == 0) luaL_checkstack(lua, 3 * kMaxStructDepth, "a value");
    switch (lua_type(lua, index)) {
        case LUA_TBOOLEAN:
            value.data = lua_toboolean(lua, index) != 0;
            break;
        case LUA_TNUMBER:
            value.data = lua_tonumber(lua, index);
            break;
        case LUA_TSTRING:
            value.data = std::string(text_at(lua, index));
            break;
        case LUA_TTABLE:
            if (depth < kMaxStructDepth) return table_value(lua, absolute(lua, index), depth);
            break;
        default:
            break;
    }
    return value;
}

void push_component(lua_State* lua, const ComponentInfo& info, const ComponentRegistry& registry) {
    luaL_checkstack(lua, kStackSlots, "a component");
    lua_newtable(lua);
    set_number(lua, "id", info.id.index);
    set_text(lua, "name", info.schema.name);
    set_text(lua, "kind", kind_name(info.schema.kind));
    set_number(lua, "size", info.schema.size);
    set_text(lua, "owner", info.schema.owner);
    lua_pushboolean(lua, info.schema.index ? 1 : 0);
    lua_setfield(lua, -2, "index");
    if (info.kind() == ComponentKind::blob) set_text(lua, "shape", shape_name(info.schema.blob_shape));
    lua_pushboolean(lua, info.schema.presentation ? 1 : 0);
    lua_setfield(lua, -2, "presentation");
    set_text(lua, "defaults",
             {reinterpret_cast<const char*>(info.schema.defaults.data()), info.schema.defaults.size()});
    push_fields(lua, info.schema.fields, registry);
    lua_setfield(lua, -2, "fields");
}

}  // namespace perigee
