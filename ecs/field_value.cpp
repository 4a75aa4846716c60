// Values into bytes and back, field type by field type.
#include "ecs/field_value.h"

#include "ecs/entity.h"
#include "ecs/error_codes.h"
#include "ecs/registry.h"
#include "ecs/schema.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace perigee {

namespace {

template <typename T> T load(const std::byte* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}
template <typename T> void store(std::byte* to, T value) { std::memcpy(to, &value, sizeof value); }

std::string_view nearest_of(std::string_view word, const std::vector<std::string>& labels) {
    const std::vector<std::string_view> known(labels.begin(), labels.end());
    return nearest_name(word, known);
}

// A number from any numeric alternative; exact for 64-bit integers below 2^53.
std::optional<double> number_of(const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value.data)) return *number;
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*integer);
    if (const auto* integer = std::get_if<std::uint64_t>(&value.data)) return static_cast<double>(*integer);
    return std::nullopt;
}

// Writes one element of a field at `at`. Never writes anything on error.
class ElementWriter {
public:
    ElementWriter(const Field& field, std::byte* at) : field_(field), at_(at) {}

    Result<void> write(const FieldValue& value) {
        switch (field_.type) {
            case FieldType::boolean:
                return write_boolean(value);
            case FieldType::i8:
                return write_integer<std::int8_t>(value);
            case FieldType::u8:
                return write_integer<std::uint8_t>(value);
            case FieldType::i16:
                return write_integer<std::int16_t>(value);
            case FieldType::u16:
                return write_integer<std::uint16_t>(value);
            case FieldType::i32:
                return write_integer<std::int32_t>(value);
            case FieldType::u32:
            case FieldType::asset:
                return write_integer<std::uint32_t>(value);
            case FieldType::i64:
                return write_integer<std::int64_t>(value);
            case FieldType::u64:
                return write_integer<std::uint64_t>(value);
            case FieldType::f32:
                return write_real<float>(value, at_);
            case FieldType::f64:
                return write_real<double>(value, at_);
            case FieldType::vec2:
                return write_parts(value, {"x", "y"});
            case FieldType::vec3:
                return write_parts(value, {"x", "y", "z"});
            case FieldType::vec4:
                return write_parts(value, {"x", "y", "z", "w"});
            case FieldType::color:
                return write_color(value);
            case FieldType::entity:
                return write_entity(value);
            case FieldType::string:
                return write_text(value);
            case FieldType::enumeration:
                return write_enumeration(value);
            case FieldType::flags:
                return write_flags(value);
            case FieldType::structure:
                return write_members(value);
        }
        return wrong(value);
    }

private:
    Result<void> wrong(const FieldValue& value) const {
        return Error{errors::wrong_kind(field_.name, field_type_info(field_.type).name, kind_name(value))};
    }

    // Applies the declared range. Nothing when the value is refused.
    std::optional<double> in_range(double number) const {
        const double low = field_.minimum.value_or(-std::numeric_limits<double>::infinity());
        const double high = field_.maximum.value_or(std::numeric_limits<double>::infinity());
        if (number >= low && number <= high) return number;
        if (!field_.minimum && !field_.maximum) return number;  // NaN without a range
        if (field_.range_policy == RangePolicy::refuse || std::isnan(number)) return std::nullopt;
        return std::clamp(number, low, high);
    }
    Result<void> refused(const FieldValue& value) const {
        return Error{errors::out_of_range(
            field_.name, field_.minimum.value_or(-std::numeric_limits<double>::infinity()),
            field_.maximum.value_or(std::numeric_limits<double>::infinity()), text_from_value(value))};
    }

    Result<void> write_boolean(const FieldValue& value) {
        const bool* boolean = std::get_if<bool>(&value.data);
        if (boolean == nullptr) return wrong(value);
        store(at_, static_cast<std::uint8_t>(*boolean));
        return {};
    }

    template <typename T> Result<void> write_integer(const FieldValue& value) {
        // Whole numbers beyond 2^53 come in their own alternatives and must not pass through a double.
        if (const auto* big = std::get_if<std::uint64_t>(&value.data); big && !has_range())
            return store_if_fits<T>(*big, value);
        if (const auto* big = std::get_if<std::int64_t>(&value.data); big && !has_range())
            return store_if_fits<T>(*big, value);
        const std::optional<double> number = number_of(value);
        if (!number) return wrong(value);
        const std::optional<double> ranged = in_range(*number);
        if (!ranged) return refused(value);
        constexpr double kLimit =
            static_cast<double>(std::uint64_t{1} << 63) * (std::is_signed_v<T> ? 1.0 : 2.0);
        if (std::trunc(*ranged) != *ranged || !(*ranged < kLimit) ||
            *ranged < static_cast<double>(std::numeric_limits<T>::min()) ||
            *ranged > static_cast<double>(std::numeric_limits<T>::max())) {
            return Error{errors::out_of_type_range(field_.name, field_type_info(field_.type).name,
                                                   text_from_value(value))};
        }
        store(at_, static_cast<T>(*ranged));
        return {};
    }
    bool has_range() const { return field_.minimum || field_.maximum; }
    template <typename T, typename Big> Result<void> store_if_fits(Big big, const FieldValue& value) {
        if (!std::in_range<T>(big)) {
            return Error{errors::out_of_type_range(field_.name, field_type_info(field_.type).name,
                                                   text_from_value(value))};
        }
        store(at_, static_cast<T>(big));
        return {};
    }

    template <typename T> Result<void> write_real(const FieldValue& value, std::byte* at) {
        const std::optional<double> number = number_of(value);
        if (!number) return wrong(value);
        const std::optional<double> ranged = in_range(*number);
        if (!ranged) return refused(value);
        store(at, static_cast<T>(*ranged));
        return {};
    }

    // {x = 1, y = 2} or {1, 2}; members that are not named keep what they had.
    Result<void> write_parts(const FieldValue& value, std::initializer_list<std::string_view> names) {
        std::array<std::byte, 16> parts;
        std::copy_n(at_, field_.element_size, parts.begin());
        const std::vector<std::string_view> known(names);
        if (const auto* list = std::get_if<FieldValueList>(&value.data)) {
            if (list->size() != known.size())
                return Error{errors::wrong_length(field_.name, known.size(), list->size())};
            for (std::size_t i = 0; i < list->size(); ++i) {
                if (Result<void> written = write_real<float>((*list)[i], &parts[i * 4]); !written)
                    return written;
            }
        } else if (const auto* map = std::get_if<FieldValueMap>(&value.data)) {
            for (const auto& [name, part] : *map) {
                const auto found = std::find(known.begin(), known.end(), name);
                if (found == known.end())
                    return Error{errors::unknown_member(field_.name, name, nearest_name(name, known))};
                const auto index = static_cast<std::size_t>(found - known.begin());
                if (Result<void> written = write_real<float>(part, &parts[index * 4]); !written)
                    return written;
            }
        } else {
            return wrong(value);
        }
        std::copy_n(parts.begin(), field_.element_size, at_);
        return {};
    }

    // 0xRRGGBBAA, {r, g, b, a} or named parts, each 0 .. 255.
    Result<void> write_color(const FieldValue& value) {
        constexpr std::array<std::string_view, 4> kNames = {"r", "g", "b", "a"};
        std::array<std::byte, 4> parts;
        std::copy_n(at_, 4, parts.begin());
        const auto write_part = [&](std::size_t index, const FieldValue& part) -> bool {
            const std::optional<double> number = number_of(part);
            if (!number || !(*number >= 0 && *number <= 255)) return false;
            parts[index] = static_cast<std::byte>(static_cast<int>(*number));
            return true;
        };
        if (const std::optional<double> number = number_of(value)) {
            if (!(*number >= 0 && *number <= 4294967295.0)) {
                return Error{errors::out_of_type_range(field_.name, "color", text_from_value(value))};
            }
            const auto rgba = static_cast<std::uint32_t>(*number);
            for (std::uint32_t i = 0; i < 4; ++i)
                parts[i] = static_cast<std::byte>((rgba >> (24 - 8 * i)) & 0xFF);
        } else if (const auto* list = std::get_if<FieldValueList>(&value.data)) {
            if (list->size() != 3 && list->size() != 4)
                return Error{errors::wrong_length(field_.name, 4, list->size())};
            parts[3] = std::byte{255};
            for (std::size_t i = 0; i < list->size(); ++i) {
                if (!write_part(i, (*list)[i]))
                    return Error{
                        errors::out_of_type_range(field_.name, "color", text_from_value((*list)[i]))};
            }
        } else if (const auto* map = std::get_if<FieldValueMap>(&value.data)) {
            for (const auto& [name, part] : *map) {
                const auto found = std::find(kNames.begin(), kNames.end(), name);
                if (found == kNames.end())
                    return Error{errors::unknown_member(field_.name, name, nearest_name(name, kNames))};
                if (!write_part(static_cast<std::size_t>(found - kNames.begin()), part)) {
                    return Error{errors::out_of_type_range(field_.name, "color", text_from_value(part))};
                }
            }
        } else {
            return wrong(value);
        }
        std::copy(parts.begin(), parts.end(), at_);
        return {};
    }

    Result<void> write_entity(const FieldValue& value) {
        const std::optional<double> number = number_of(value);
        if (!number) return wrong(value);
        const Entity entity = entity_from_number(*number);
        if (!entity && *number != 0)
            return Error{errors::out_of_type_range(field_.name, "entity", text_from_value(value))};
        store(at_, entity.bits);
        return {};
    }

    Result<void> write_text(const FieldValue& value) {
        const auto* text = std::get_if<std::string>(&value.data);
        if (text == nullptr) return wrong(value);
        if (text->size() > field_.element_size) {
            return Error{errors::text_too_long(field_.name, field_.element_size, text->size())};
        }
        std::memset(at_, 0, field_.element_size);
        std::memcpy(at_, text->data(), text->size());
        return {};
    }

    void store_bits(std::uint32_t bits) { std::memcpy(at_, &bits, field_.element_size); }  // little endian

    Result<void> write_enumeration(const FieldValue& value) {
        const auto* label = std::get_if<std::string>(&value.data);
        if (label == nullptr) return wrong(value);
        const auto found = std::find(field_.labels.begin(), field_.labels.end(), *label);
        if (found == field_.labels.end()) {
            return Error{errors::unknown_label(field_.name, *label, nearest_of(*label, field_.labels))};
        }
        store_bits(static_cast<std::uint32_t>(found - field_.labels.begin()));
        return {};
    }

    Result<void> write_flags(const FieldValue& value) {
        const auto* list = std::get_if<FieldValueList>(&value.data);
        if (list == nullptr) return wrong(value);
        std::uint32_t bits = 0;
        for (const FieldValue& element : *list) {
            const auto* label = std::get_if<std::string>(&element.data);
            if (label == nullptr)
                return Error{errors::wrong_kind(field_.name, "a label", kind_name(element))};
            const auto found = std::find(field_.labels.begin(), field_.labels.end(), *label);
            if (found == field_.labels.end()) {
                return Error{errors::unknown_label(field_.name, *label, nearest_of(*label, field_.labels))};
            }
            bits |= 1u << (found - field_.labels.begin());
        }
        store_bits(bits);
        return {};
    }

    Result<void> write_members(const FieldValue& value) {
        const auto* map = std::get_if<FieldValueMap>(&value.data);
        if (map == nullptr) return wrong(value);
        std::vector<std::byte> copy(at_, at_ + field_.element_size);
        for (const auto& [name, part] : *map) {
            const auto found =
                std::find_if(field_.nested.begin(), field_.nested.end(),
                             [&name = name](const Field& inner) { return inner.name == name; });
            if (found == field_.nested.end()) {
                std::vector<std::string_view> known;
                for (const Field& inner : field_.nested) known.push_back(inner.name);
                return Error{errors::unknown_member(field_.name, name, nearest_name(name, known))};
            }
            if (Result<void> written = write_field(*found, part, copy); !written) return written;
        }
        std::copy(copy.begin(), copy.end(), at_);
        return {};
    }

    const Field& field_;
    std::byte* at_;
};

FieldValue read_element(const Field& field, const std::byte* at) {
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
        case FieldType::vec4: {
            constexpr std::array<const char*, 4> kNames = {"x", "y", "z", "w"};
            FieldValueMap parts;
            for (std::size_t i = 0; i < field.element_size / 4; ++i)
                parts.emplace_back(kNames[i], real(at + i * 4));
            return {parts};
        }
        case FieldType::color: {
            constexpr std::array<const char*, 4> kNames = {"r", "g", "b", "a"};
            FieldValueMap parts;
            for (std::size_t i = 0; i < 4; ++i)
                parts.emplace_back(kNames[i], FieldValue{static_cast<double>(load<std::uint8_t>(at + i))});
            return {parts};
        }
        case FieldType::string: {
            const auto* text = reinterpret_cast<const char*>(at);
            return {std::string(text, strnlen(text, field.element_size))};
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
                members.emplace_back(inner.name, read_field(inner, {at, field.element_size}));
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

Result<void> write_field(const Field& field, const FieldValue& value, std::span<std::byte> row) {
    if (field.array_length == 0) return ElementWriter(field, row.data() + field.offset).write(value);
    const auto* list = std::get_if<FieldValueList>(&value.data);
    if (list == nullptr) return Error{errors::wrong_kind(field.name, "a list", kind_name(value))};
    if (list->size() > field.array_length) {
        return Error{errors::wrong_length(field.name, field.array_length, list->size())};
    }
    std::vector<std::byte> copy(row.begin() + field.offset, row.begin() + field.offset + field.size);
    for (std::size_t i = 0; i < list->size(); ++i) {
        if (Result<void> written =
                ElementWriter(field, copy.data() + i * field.element_size).write((*list)[i]);
            !written) {
            return written;
        }
    }
    std::copy(copy.begin(), copy.end(), row.begin() + field.offset);
    return {};
}

FieldValue read_field(const Field& field, std::span<const std::byte> row) {
    if (field.array_length == 0) return read_element(field, row.data() + field.offset);
    FieldValueList list;
    for (std::uint32_t i = 0; i < field.array_length; ++i) {
        list.push_back(read_element(field, row.data() + field.offset + std::size_t{i} * field.element_size));
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
