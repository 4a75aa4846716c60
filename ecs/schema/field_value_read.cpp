// Reads values from bytes and formats values as text.
#include "ecs/schema/field_value.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"

#include <fmt/format.h>

#include <array>
#include <cstring>

namespace perigee {

namespace {

template <typename T> T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

FieldValue read_element(const Field& field, const std::byte* at, const TextPool* texts) {
    const auto real = [](const std::byte* from) {
        return FieldValue{static_cast<double>(load<float>(from))};
    };
    const auto bits = [&] {
        std::uint32_t value = 0;
        std::memcpy(&value, at, field.element_size);
        return value;
    };
    switch (field.type) {
        case FieldType::boolean:
            return {load<std::uint8_t>(at) != 0};
        case FieldType::i8:
            return {static_cast<double>(load<std::int8_t>(at))};
        case FieldType::u8:
            return {static_cast<double>(load<std::uint8_t>(at))};
        case FieldType::i16:
            return {static_cast<double>(load<std::int16_t>(at))};
        case FieldType::u16:
            return {static_cast<double>(load<std::uint16_t>(at))};
        case FieldType::i32:
            return {static_cast<double>(load<std::int32_t>(at))};
        case FieldType::u32:
        case FieldType::asset:
        case FieldType::blob:
            return {static_cast<double>(load<std::uint32_t>(at))};
        case FieldType::i64:
            return {load<std::int64_t>(at)};
        case FieldType::u64:
            return {load<std::uint64_t>(at)};
        case FieldType::f32:
            return real(at);
        case FieldType::f64:
            return {load<double>(at)};
        case FieldType::entity:
            return {static_cast<double>(load<std::uint64_t>(at))};
        case FieldType::vec2:
        case FieldType::vec3:
        case FieldType::vec4:
        case FieldType::quat:
        case FieldType::mat4: {
            FieldValueMap parts;
            for (const std::string_view name : part_names(field.type))
                parts.emplace_back(name, real(at + parts.size() * 4));
            return {parts};
        }
        case FieldType::color: {
            FieldValueMap parts;
            for (const std::string_view name : part_names(field.type))
                parts.emplace_back(name,
                                   FieldValue{static_cast<double>(load<std::uint8_t>(at + parts.size()))});
            return {parts};
        }
        case FieldType::string: {
            const auto* text = reinterpret_cast<const char*>(at);
            return {std::string(text, strnlen(text, field.element_size))};
        }
        case FieldType::text: {
            const TextHandle handle = load<TextHandle>(at);
            if (texts == nullptr && handle.index != 0) return {static_cast<double>(handle.index)};
            return {std::string(texts == nullptr ? std::string_view() : texts->text(handle))};
        }
        case FieldType::enumeration: {
            const std::uint32_t index = bits();
            return index < field.labels.size() ? FieldValue{field.labels[index]}
                                               : FieldValue{static_cast<double>(index)};
        }
        case FieldType::flags: {
            FieldValueList labels;
            for (std::size_t i = 0; i < field.labels.size(); ++i) {
                if ((bits() >> i & 1) != 0) labels.push_back(FieldValue{field.labels[i]});
            }
            return {labels};
        }
        case FieldType::structure: {
            FieldValueMap members;
            for (const Field& inner : field.nested) {
                members.emplace_back(inner.name, read_field(inner, {at, field.element_size}, texts));
            }
            return {members};
        }
    }
    return {};
}

}  // namespace

std::string_view kind_name(const FieldValue& value) noexcept {
    constexpr std::array<std::string_view, 8> kNames = {"nil",    "boolean", "number", "number",
                                                        "number", "string",  "list",   "table"};
    return kNames[value.data.index()];
}

FieldValue read_field(const Field& field, std::span<const std::byte> row, const TextPool* texts) {
    if (field.array_length == 0) return read_element(field, row.data() + field.offset, texts);
    FieldValueList list;
    for (std::uint32_t i = 0; i < field.array_length; ++i) {
        list.push_back(
            read_element(field, row.data() + field.offset + std::size_t{i} * field.element_size, texts));
    }
    return {list};
}

std::string text_from_value(const FieldValue& value) {
    struct Printer {
        std::string operator()(std::monostate) const { return "nil"; }
        std::string operator()(bool boolean) const { return boolean ? "true" : "false"; }
        std::string operator()(double number) const { return fmt::format("{}", number); }
        std::string operator()(std::int64_t number) const { return fmt::format("{}", number); }
        std::string operator()(std::uint64_t number) const { return fmt::format("{}", number); }
        std::string operator()(const std::string& text) const { return fmt::format("\"{}\"", text); }
        std::string operator()(const FieldValueList& list) const {
            std::string text = "{";
            for (const FieldValue& element : list)
                text += (text.size() > 1 ? ", " : "") + text_from_value(element);
            return text + "}";
        }
        std::string operator()(const FieldValueMap& map) const {
            std::string text = "{";
            for (const auto& [name, part] : map)
                text += (text.size() > 1 ? ", " : "") + name + " = " + text_from_value(part);
            return text + "}";
        }
    };
    return std::visit(Printer{}, value.data);
}

}  // namespace perigee
