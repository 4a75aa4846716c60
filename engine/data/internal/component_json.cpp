// One walk over fields and JSON together; single values go through FieldValue, like those from Lua.
#include "engine/data/internal/component_json.h"

#include "ecs/base/suggest.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

namespace perigee::internal {

namespace {

namespace e = engine_errors;

constexpr int kDeepestValue = 8;
constexpr std::size_t kMaxShownBytes = 200;  // of a name
constexpr const char* kEnabledKey = "$enabled";

// JSON has no words for these numbers.
FieldValue from_text(const std::string& text, bool is_real) {
    if (is_real && text == "nan") return {std::numeric_limits<double>::quiet_NaN()};
    if (is_real && text == "inf") return {std::numeric_limits<double>::infinity()};
    if (is_real && text == "-inf") return {-std::numeric_limits<double>::infinity()};
    return {text};
}

FieldValue value_from(const Json& json, bool is_real, int depth = 0) {
    if (depth > kDeepestValue || json.is_null()) return {};
    if (json.is_boolean()) return {json.get<bool>()};
    if (json.is_string()) return from_text(json.get_ref<const std::string&>(), is_real);
    if (json.is_number_unsigned()) return {json.get<std::uint64_t>()};
    if (json.is_number_integer()) return {json.get<std::int64_t>()};
    if (json.is_number()) return {json.get<double>()};
    if (json.is_array()) {
        FieldValueList list;
        for (const Json& element : json) list.push_back(value_from(element, is_real, depth + 1));
        return {std::move(list)};
    }
    FieldValueMap map;
    for (const auto& [key, value] : json.items())
        map.emplace_back(key, value_from(value, is_real, depth + 1));
    return {std::move(map)};
}

bool is_real(FieldType type) {
    return type == FieldType::f32 || type == FieldType::f64 ||
           (type != FieldType::color && !part_names(type).empty());
}

// One element of an array, or a field alone, at the start of its bytes.
Field single(const Field& field) {
    Field element = field;
    element.array_length = 0;
    element.offset = 0;
    element.size = element.element_size;
    return element;
}

}  // namespace

std::string shown_json(const Json& json) {
    return json.dump(-1, ' ', false, Json::error_handler_t::replace).substr(0, 60);
}

std::string shown_name(std::string_view name) {
    if (name.size() <= kMaxShownBytes) return std::string(name);
    std::size_t length = kMaxShownBytes;  // it ends between two characters
    while (length > 0 && (static_cast<unsigned char>(name[length]) & 0xC0U) == 0x80U) --length;
    return std::string(name.substr(0, length)) + "…";
}

std::string reference_path(std::string_view written, PathsFrom from) {
    if (written == "." || written.empty()) return "";
    if (written.starts_with("./")) return std::string(written.substr(2));
    if (from == PathsFrom::part || written.starts_with("..")) return std::string(written);
    return "/" + std::string(written);
}

PrefabPatch ComponentReader::read(ComponentId id, const Json& json, const std::string& path, PathsFrom from) {
    const Schema& schema = world_.registry().info(id).schema;
    patch_ = {};
    patch_.component = id;
    patch_.place = places_.add(path);
    from_ = from;
    has_references_ = !is_shared_kind(schema.kind);
    const bool has_fields = schema.kind == ComponentKind::buffer || !schema.fields.empty();
    if (json.is_null()) {
        patch_.op = PrefabPatch::Op::remove;
    } else if (json.is_boolean() && json.get<bool>() && schema.kind != ComponentKind::buffer) {
        // defaults
    } else if (schema.kind == ComponentKind::buffer) {
        read_elements(schema, json, path);
    } else if (!json.is_object()) {
        expected(path, "an object of fields, true or null", json);
    } else {
        const auto bit = json.find(kEnabledKey);
        if (bit != json.end()) {
            if (schema.kind == ComponentKind::enableable && bit->is_boolean()) {
                patch_.is_enabled = bit->get<bool>();
            } else {
                places_.mistake(path, [&] { return fmt::format(e::kDataEnabled, schema.name); });
            }
        }
        if (has_fields && json.size() > (bit != json.end() ? 1U : 0U)) {
            if (!has_room(schema.defaults.size(), path)) return std::exchange(patch_, {});
            patch_.value = schema.defaults;
        }
        read_members(schema.fields, json, 0, path, kEnabledKey);
    }
    return std::exchange(patch_, {});
}

void ComponentReader::read_elements(const Schema& schema, const Json& json, const std::string& path) {
    patch_.op = PrefabPatch::Op::replace;
    if (!json.is_array()) return expected(path, "a list of elements or null", json);
    for (std::size_t i = 0; i < json.size(); ++i) {
        const std::string place = fmt::format("{}[{}]", path, i);
        if (patch_.value.size() + schema.size > kMaxBufferBytes)
            return places_.mistake(place, [&] { return fmt::format(e::kDataTooMany, "elements", i); });
        if (!has_room(schema.size, place)) return;
        const auto at = static_cast<std::uint32_t>(patch_.value.size());
        patch_.value.insert(patch_.value.end(), schema.defaults.begin(), schema.defaults.end());
        if (!json[i].is_object()) {
            expected(place, "an object of fields", json[i]);
        } else {
            read_members(schema.fields, json[i], at, place);
        }
    }
}

void ComponentReader::read_members(const std::vector<Field>& fields, const Json& json, std::uint32_t base,
                                   const std::string& path, std::string_view besides) {
    for (const auto& [key, value] : json.items()) {
        if (!besides.empty() && key == besides) continue;
        const std::string place = path + "." + key;
        if (const Field* found = find(fields, key)) {
            read_field(*found, value, base + found->offset, place);
            continue;
        }
        places_.mistake(place, [&, &unknown = key] {
            std::vector<std::string_view> names;
            names.reserve(fields.size());
            for (const Field& field : fields) names.push_back(field.name);
            return fmt::format(e::kDataUnknown, "field", shown_name(unknown), did_you_mean(unknown, names));
        });
    }
}

void ComponentReader::read_field(const Field& field, const Json& json, std::uint32_t at,
                                 const std::string& path) {
    if (field.array_length > 0) {
        if (!json.is_array() || json.size() > field.array_length) {
            return expected(path, fmt::format("a list of at most {} elements", field.array_length), json);
        }
        const Field element = single(field);
        for (std::uint32_t i = 0; i < json.size(); ++i) {
            const std::uint32_t place = at + i * element.element_size;
            const std::string inside = fmt::format("{}[{}]", path, i);
            if (field.type == FieldType::structure && json[i].is_object()) {
                read_members(field.nested, json[i], place, inside);
            } else {
                read_field(element, json[i], place, inside);
            }
        }
    } else if (field.type == FieldType::structure && json.is_object()) {
        read_members(field.nested, json, at, path);
    } else if (field.type == FieldType::entity) {
        read_entity(field, json, at, path);
    } else if (field.type == FieldType::asset) {
        read_asset(field, json, at, path);
    } else if (field.type == FieldType::blob) {
        if (!json.is_null()) return expected(path, "null, since a blob is no data of a file", json);
        const std::uint32_t none = 0;
        store(at, &none, sizeof none);
    } else if (const auto names = part_names(field.type); !names.empty() && json.is_object()) {
        // Part by part, so that a base keeps the others.
        const auto size = field.element_size / static_cast<std::uint32_t>(names.size());
        const auto before = patch_.written.size();
        write(field, value_from(json, is_real(field.type)), json, at, path);
        patch_.written.resize(before);
        for (std::uint32_t i = 0; i < names.size(); ++i)
            if (json.contains(names[i])) patch_.written.push_back({at + i * size, size});
    } else {
        write(field, value_from(json, is_real(field.type)), json, at, path);
    }
}

void ComponentReader::read_entity(const Field& field, const Json& json, std::uint32_t at,
                                  const std::string& path) {
    if (!json.is_null() && (!json.is_string() || !has_references_)) {
        return expected(path,
                        has_references_ ? "the path of an entity or null"
                                        : "null, since shared values refer to no entity of the file",
                        json);
    }
    const Entity none;
    store(at, &none, sizeof none);
    if (json.is_null()) return;
    const std::string& written = json.get_ref<const std::string&>();
    patch_.references.push_back(
        {patch_.component, field.name, reference_path(written, from_), at, places_.add(path)});
}

void ComponentReader::read_asset(const Field& field, const Json& json, std::uint32_t at,
                                 const std::string& path) {
    if (!json.is_string()) return expected(path, "the path of an asset", json);
    std::uint32_t handle = 0;
    if (const auto& asset = json.get_ref<const std::string&>(); !asset.empty()) {
        if (!context_.asset_of) return places_.mistake(path, e::kDataNoAssets);
        const Result<std::uint32_t> found = context_.asset_of(asset);
        if (!found) return places_.mistake(path, found.error().message);
        handle = found.value();
    }
    static_cast<void>(field);
    store(at, &handle, sizeof handle);
}

void ComponentReader::write(const Field& field, const FieldValue& value, const Json& json, std::uint32_t at,
                            const std::string& path) {
    if (json.is_null()) return expected(path, "a value", json);
    const Result<void> written =
        write_field(single(field), value, std::span(patch_.value).subspan(at, field.element_size),
                    world_.field_context());
    if (!written) places_.mistake(path, written.error().message);
    patch_.written.push_back({at, field.element_size});
}

void ComponentReader::store(std::uint32_t at, const void* bytes, std::uint32_t size) {
    std::memcpy(patch_.value.data() + at, bytes, size);
    patch_.written.push_back({at, size});
}

void ComponentReader::expected(const std::string& path, std::string_view what, const Json& got) {
    places_.mistake(path, [&] { return fmt::format(e::kDataExpected, what, shown_json(got)); });
}

const Field* ComponentReader::find(const std::vector<Field>& fields, std::string_view name) {
    const auto [names, is_new] = by_name_.try_emplace(&fields);
    if (is_new) {
        for (const Field& field : fields) names->second.emplace(field.name, &field);
    }
    const auto found = names->second.find(name);
    return found == names->second.end() ? nullptr : found->second;
}

// A short value in a file can mean many bytes: the defaults of a large component.
bool ComponentReader::has_room(std::size_t bytes, const std::string& path) {
    value_bytes_ += bytes;
    if (value_bytes_ <= kMaxEntityFileValueBytes) return true;
    places_.mistake(path,
                    [] { return fmt::format(e::kDataTooMany, "bytes of values", kMaxEntityFileValueBytes); });
    return false;
}

// ---- and back ----

namespace {

class ComponentWriter {
public:
    ComponentWriter(const World& world, const EntityFileContext& context,
                    const std::function<std::string(Entity)>& path_of)
        : world_(world), context_(context), path_of_(path_of) {}

    Json members(const std::vector<Field>& fields, const std::byte* at) const {
        Json object = Json::object();
        for (const Field& field : fields) {
            if (field.type != FieldType::blob) object[field.name] = value(field, at + field.offset);
        }
        return object;
    }

private:
    Json value(const Field& field, const std::byte* at) const {
        if (field.array_length > 0) {
            Json list = Json::array();
            const Field element = single(field);
            for (std::uint32_t i = 0; i < field.array_length; ++i)
                list.push_back(value(element, at + i * field.element_size));
            return list;
        }
        if (field.type == FieldType::structure) return members(field.nested, at);
        if (field.type == FieldType::entity) {
            Entity entity;
            std::memcpy(&entity, at, sizeof entity);
            const std::string path = path_of_(entity);
            return path.empty() ? Json() : Json(path);
        }
        if (field.type == FieldType::asset) {
            std::uint32_t handle = 0;
            std::memcpy(&handle, at, sizeof handle);
            return handle != 0 && context_.path_of_asset ? context_.path_of_asset(handle) : std::string();
        }
        return from_value(read_field(single(field), {at, field.element_size}, &world_.texts()));
    }

    static Json from_value(const FieldValue& value) {
        if (const auto* number = std::get_if<double>(&value.data)) return from_number(*number);
        if (const auto* flag = std::get_if<bool>(&value.data)) return *flag;
        if (const auto* number = std::get_if<std::int64_t>(&value.data)) return *number;
        if (const auto* number = std::get_if<std::uint64_t>(&value.data)) return *number;
        if (const auto* text = std::get_if<std::string>(&value.data)) return *text;
        if (const auto* list = std::get_if<FieldValueList>(&value.data)) {
            Json out = Json::array();
            for (const FieldValue& element : *list) out.push_back(from_value(element));
            return out;
        }
        Json out = Json::object();
        if (const auto* map = std::get_if<FieldValueMap>(&value.data)) {
            for (const auto& [name, part] : *map) out[name] = from_value(part);
        }
        return out;
    }

    static Json from_number(double number) {
        if (std::isnan(number)) return "nan";
        if (std::isinf(number)) return number > 0 ? "inf" : "-inf";
        const bool is_whole = std::trunc(number) == number && std::abs(number) < 0x1p53;
        if (is_whole && !(number == 0 && std::signbit(number))) return static_cast<std::int64_t>(number);
        return number;
    }

    const World& world_;
    const EntityFileContext& context_;
    const std::function<std::string(Entity)>& path_of_;
};

}  // namespace

Json component_to_json(const World& world, ComponentId id, const std::byte* at,
                       const EntityFileContext& context, const std::function<std::string(Entity)>& path_of) {
    const Schema& schema = world.registry().info(id).schema;
    const ComponentWriter writer(world, context, path_of);
    if (at == nullptr || schema.fields.empty() || schema.kind == ComponentKind::object) return true;
    if (schema.kind != ComponentKind::buffer) return writer.members(schema.fields, at);
    Json list = Json::array();
    const auto* header = reinterpret_cast<const BufferHeader*>(at);
    for (std::uint32_t i = 0; i < header->length; ++i)
        list.push_back(writer.members(schema.fields, header->elements() + std::size_t{i} * schema.size));
    return list;
}

}  // namespace perigee::internal
