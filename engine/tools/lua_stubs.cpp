// From field types to the types of LuaCATS.
#include "engine/tools/lua_stubs.h"

#include "ecs/schema/registry.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "scripting/base/shown_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

namespace perigee {

namespace {

// Class names take letters, digits, '_' and '.'; "mod:Name" becomes "mod.Name".
std::string class_name(std::string_view name) {
    std::string result = "C.";
    for (const char c : name) {
        const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                              c == '_' || static_cast<unsigned char>(c) >= 0x80;
        result += is_plain ? c : '.';
    }
    return result;
}

bool is_lua_name(std::string_view name) {
    return !name.empty() && !(name.front() >= '0' && name.front() <= '9') &&
           std::ranges::all_of(name, [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
           });
}

std::string quoted_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return shown_word(result + '"');  // its escapes are valid in Lua
}

// How a field is named in a class or a table type.
std::string key_of(std::string_view name) {
    return is_lua_name(name) ? std::string(name) : "[" + quoted_text(name) + "]";
}

std::string type_of(const Field& field);

std::string table_of(const std::vector<Field>& fields) {
    std::string parts;
    for (const Field& part : fields)
        parts += fmt::format("{}{}: {}", parts.empty() ? " " : ", ", key_of(part.name), type_of(part));
    return "{" + parts + " }";
}

std::string single_type_of(const Field& field) {
    switch (field.type) {
        case FieldType::boolean:
            return "boolean";
        case FieldType::f32:
        case FieldType::f64:
            return "number";
        case FieldType::vec2:
        case FieldType::vec3:
        case FieldType::vec4:
        case FieldType::quat:
        case FieldType::mat4:
            return fmt::format("{{ {}: number }}", fmt::join(part_names(field.type), ": number, "));
        case FieldType::color:
            return "perigee.Color";
        case FieldType::entity:
            return "perigee.Entity?";
        case FieldType::string:
        case FieldType::text:
            return "string";
        case FieldType::asset:
            return "string?";
        case FieldType::blob:
            return field.is_list ? "perigee.Blob" : "perigee.Blob?";
        case FieldType::structure:
            return table_of(field.nested);
        case FieldType::enumeration: {
            std::string labels;
            for (const std::string& label : field.labels)
                labels += (labels.empty() ? "" : "|") + quoted_text(label);
            return labels;
        }
        default:
            return "integer";
    }
}

std::string list_of(const std::string& type) {
    const bool is_simple = type.find_first_of("|?") == std::string::npos;
    return is_simple ? type + "[]" : "(" + type + ")[]";
}

std::string type_of(const Field& field) {
    const std::string type = single_type_of(field);
    return field.array_length == 0 ? type : list_of(type);
}

// "px, 0 to 100: the schema's text"
std::string remark_on(const Field& field) {
    std::string remark = field.unit;
    const auto add = [&remark](const std::string& more) { remark += (remark.empty() ? "" : ", ") + more; };
    if (field.minimum && field.maximum) {
        add(fmt::format("{:g} to {:g}", *field.minimum, *field.maximum));
    } else if (field.minimum) {
        add(fmt::format("at least {:g}", *field.minimum));
    } else if (field.maximum) {
        add(fmt::format("at most {:g}", *field.maximum));
    }
    if (!field.doc.empty()) remark += (remark.empty() ? "" : ": ") + field.doc;
    std::ranges::replace(remark, '\n', ' ');
    return remark.empty() ? "" : " " + remark;
}

std::string field_line(const Field& field, const std::string& type, const char* optional) {
    // A name in brackets cannot have a question mark, so the type has it.
    const std::string key = key_of(field.name);
    const bool is_bracketed = key.front() == '[';
    return fmt::format("---@field {}{} {}{}\n", key, is_bracketed ? "" : optional,
                       is_bracketed && *optional != '\0' ? "(" + type + ")?" : type, remark_on(field));
}

std::string classes_of(const Schema& schema) {
    const std::string name = class_name(schema.name);
    std::string text = fmt::format("---@class {}.Fields {}\n", name, kind_name(schema.kind));
    for (const Field& field : schema.fields) text += field_line(field, type_of(field), "?");
    if (schema.kind != ComponentKind::resource) {
        text += fmt::format("\n---@class {}.Columns\n", name);
        for (const Field& field : schema.fields) text += field_line(field, list_of(type_of(field)), "");
    }
    std::string doc = schema.doc.empty() ? "" : " " + schema.doc;
    std::ranges::replace(doc, '\n', ' ');
    text += fmt::format(
        "\n---@class {0}: perigee.Component{1}\n---@overload fun(fields?: {0}.Fields): "
        "perigee.Value\n",
        name, doc);
    return text + '\n';
}

// The types of the elements of lists, which scripts never name.
void add_element_types(const std::vector<Field>& fields, std::set<std::string_view>& types) {
    for (const Field& field : fields) {
        if (field.is_list && !field.labels.empty()) types.insert(field.labels.front());
        add_element_types(field.nested, types);
    }
}

// The part of a name that the mod itself would write; empty when the name is another mod's.
std::string_view own_part(std::string_view name, std::string_view mod, bool is_game) {
    const std::size_t colon = name.find(':');
    if (is_game) return colon == name.npos ? name : std::string_view();
    return colon != name.npos && name.substr(0, colon) == mod ? name.substr(colon + 1) : std::string_view();
}

// The result of ecs.import for one mod: three tables of handles, and prefabs.
std::string import_class(const World& world, const std::string& mod, bool is_game) {
    const std::string name = "perigee.Imported." + class_name(mod).substr(2);
    std::string parts[3];
    for (const ComponentId id : world.registry().ids_by_name()) {
        const Schema& schema = world.registry().info(id).schema;
        const std::string_view own = own_part(schema.name, mod, is_game);
        if (own.empty() || schema.kind == ComponentKind::blob) continue;
        std::string& part = parts[schema.kind == ComponentKind::resource ? 1
                                  : schema.kind == ComponentKind::event  ? 2
                                                                         : 0];
        part += fmt::format("---@field {} {}\n", key_of(own), class_name(schema.name));
    }
    std::string prefabs;
    for (std::uint32_t i = 0; i < world.prefabs().size(); ++i) {
        const std::string_view own = own_part(world.prefabs().get(PrefabId{i}).name, mod, is_game);
        if (!own.empty()) prefabs += fmt::format("---@field {} perigee.Prefab\n", key_of(own));
    }
    return fmt::format(
        "---@class {0}.Components\n{1}\n---@class {0}.Resources\n{2}\n---@class {0}.Events\n{3}\n"
        "---@class {0}.Prefabs\n{4}\n---@class {0}: perigee.Imported\n---@field components {0}.Components\n"
        "---@field resources {0}.Resources\n---@field events {0}.Events\n---@field prefabs {0}.Prefabs\n\n",
        name, parts[0], parts[1], parts[2], prefabs);
}

std::string import_classes(const World& world, std::span<const std::string> mods) {
    std::string classes;
    std::string calls = "---@class perigee.ecs\n";
    for (std::size_t i = 0; i < mods.size(); ++i) {
        classes += import_class(world, mods[i], i == 0);
        calls += fmt::format("---@field import fun(mod: {}): perigee.Imported.{}\n", quoted_text(mods[i]),
                             class_name(mods[i]).substr(2));
    }
    return mods.empty() ? "" : "\n" + classes + calls;
}

}  // namespace

std::string lua_stubs(const World& world, std::span<const std::string> mods) {
    const ComponentRegistry& registry = world.registry();
    std::string classes;
    std::string handles = "---@class perigee.Components\n";
    std::string columns = "---@class perigee.Chunk\n";
    std::set<std::string_view> element_types;
    for (const ComponentId id : registry.ids_by_name())
        add_element_types(registry.info(id).schema.fields, element_types);
    for (const ComponentId id : registry.ids_by_name()) {
        const Schema& schema = registry.info(id).schema;
        if (element_types.contains(schema.name)) continue;
        classes += classes_of(schema);
        handles += fmt::format("---@field {} {}\n", key_of(schema.name), class_name(schema.name));
        if (is_component_kind(schema.kind))
            columns += fmt::format("---@field {} {}.Columns\n", key_of(schema.name), class_name(schema.name));
    }
    std::string prefabs = "---@class perigee.Prefabs\n";
    for (std::uint32_t i = 0; i < world.prefabs().size(); ++i)
        prefabs +=
            fmt::format("---@field {} perigee.Prefab\n", key_of(world.prefabs().get(PrefabId{i}).name));
    // Remarks contain text from schemas.
    return shown_text("---@meta\n-- luacheck: ignore\n-- Written by `perigee stubs`; do not edit.\n\n" +
                      classes + handles + "\n" + columns + "\n" + prefabs + import_classes(world, mods));
}

}  // namespace perigee
