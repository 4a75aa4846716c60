// Writes values as bytes, by field type. Reading is in field_value_read.cpp.
//
// A value with parts (vector, struct, array) is written into a copy first, so that it is written completely
// or not at all.
#include "ecs/schema/field_value.h"

#include "ecs/base/color_text.h"
#include "ecs/base/entity.h"
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/internal/number_range.h"
#include "ecs/schema/schema.h"
#include "ecs/schema/text_pool.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

namespace perigee {

namespace {

template <typename T> void store(std::byte* to, T value) { std::memcpy(to, &value, sizeof value); }

// A number from any numeric alternative; 64-bit integers beyond 2^53 lose digits.
std::optional<double> number_of(const FieldValue& value) {
    if (const auto* number = std::get_if<double>(&value.data)) return *number;
    if (const auto* integer = std::get_if<std::int64_t>(&value.data)) return static_cast<double>(*integer);
    if (const auto* integer = std::get_if<std::uint64_t>(&value.data)) return static_cast<double>(*integer);
    return std::nullopt;
}

// True if empty: an empty Lua table or JSON object does not show whether it is a list.
bool is_empty_table(const FieldValue& value) {
    const auto* list = std::get_if<FieldValueList>(&value.data);
    const auto* map = std::get_if<FieldValueMap>(&value.data);
    return (list != nullptr && list->empty()) || (map != nullptr && map->empty());
}

// Exact comparisons of an integer with an integral bound that may be outside its type.
template <typename Integer> bool is_above(Integer number, double bound) {
    if (bound >= 0x1p64) return false;
    if (bound < -0x1p63) return true;
    return bound < 0 ? std::cmp_greater(number, static_cast<std::int64_t>(bound))
                     : std::cmp_greater(number, static_cast<std::uint64_t>(bound));
}
template <typename Integer> bool is_below(Integer number, double bound) {
    if (bound >= 0x1p64) return true;
    if (bound < -0x1p63) return false;
    return bound < 0 ? std::cmp_less(number, static_cast<std::int64_t>(bound))
                     : std::cmp_less(number, static_cast<std::uint64_t>(bound));
}

std::string path_of(const std::string& outer, const std::string& name) {
    return outer.empty() ? name : outer + "." + name;
}

Result<void> write_at(const Field& field, const FieldValue& value, std::span<std::byte> row,
                      const std::string& path, const FieldContext& context);

// Writes one element of a field at `at`. Never writes anything on error. `path` is its name in messages.
class ElementWriter {
public:
    ElementWriter(const Field& field, std::byte* at, const std::string& path, const FieldContext& context)
        : field_(field), at_(at), path_(path), context_(context) {}

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
                return write_real<float>(value, at_, path_);
            case FieldType::f64:
                return write_real<double>(value, at_, path_);
            case FieldType::vec2:
            case FieldType::vec3:
            case FieldType::vec4:
            case FieldType::quat:
            case FieldType::mat4:
                return write_vector(value);
            case FieldType::color:
                return write_color(value);
            case FieldType::entity:
                return write_entity(value);
            case FieldType::string:
                return write_string(value);
            case FieldType::text:
                return write_text(value);
            case FieldType::blob:
                return write_blob(value);
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
        return Error{errors::wrong_kind(path_, field_type_info(field_.type).name, kind_name(value))};
    }
    Result<void> does_not_fit(const FieldValue& value) const {
        return Error{
            errors::out_of_type_range(path_, field_type_info(field_.type).name, text_from_value(value))};
    }
    Result<void> refused(const FieldValue& value, const std::string& path) const {
        const internal::NumberRange range = internal::declared_range(field_);
        return Error{errors::out_of_range(path, range.low, range.high, text_from_value(value))};
    }
    bool has_range() const { return field_.minimum || field_.maximum; }

    Result<void> write_boolean(const FieldValue& value) {
        const bool* boolean = std::get_if<bool>(&value.data);
        if (boolean == nullptr) return wrong(value);
        store(at_, static_cast<std::uint8_t>(*boolean));
        return {};
    }

    template <typename T> Result<void> write_integer(const FieldValue& value) {
        // Whole numbers beyond 2^53 have separate alternatives and must not be converted to a double.
        if (const auto* big = std::get_if<std::uint64_t>(&value.data)) return write_whole<T>(*big, value);
        if (const auto* big = std::get_if<std::int64_t>(&value.data)) return write_whole<T>(*big, value);
        const auto* number = std::get_if<double>(&value.data);
        if (number == nullptr) return wrong(value);
        if (!has_range()) return store_number<T>(*number, value);
        const internal::NumberRange range = internal::declared_range(field_);
        if (*number >= range.low && *number <= range.high) return store_number<T>(*number, value);
        if (field_.range_policy == RangePolicy::refuse || std::isnan(*number)) return refused(value, path_);
        return store_number<T>(std::clamp(*number, range.low, range.high), value);
    }

    template <typename T, typename Big> Result<void> write_whole(Big big, const FieldValue& value) {
        if (has_range()) {
            const internal::NumberRange range = internal::declared_range(field_);
            const bool is_low = is_below(big, range.low), is_high = is_above(big, range.high);
            if (is_low || is_high) {
                if (field_.range_policy == RangePolicy::refuse) return refused(value, path_);
                return store_number<T>(is_low ? range.low : range.high, value);
            }
        }
        if (!std::in_range<T>(big)) return does_not_fit(value);
        store(at_, static_cast<T>(big));
        return {};
    }

    template <typename T> Result<void> store_number(double number, const FieldValue& value) {
        // 2^63 and 2^64 are doubles, the largest i64 and u64 are not.
        constexpr double kLimit = std::is_signed_v<T> ? 0x1p63 : 0x1p64;
        if (std::trunc(number) != number || !(number < kLimit) ||
            number < static_cast<double>(std::numeric_limits<T>::min()) ||
            number > static_cast<double>(std::numeric_limits<T>::max())) {
            return does_not_fit(value);
        }
        store(at_, static_cast<T>(number));
        return {};
    }

    // A number of this field, or one part of a vector.
    template <typename T>
    Result<void> write_real(const FieldValue& value, std::byte* at, const std::string& path) {
        constexpr bool kIsSingle = sizeof(T) == 4;
        const std::optional<double> given = number_of(value);
        if (!given) return Error{errors::wrong_kind(path, kIsSingle ? "f32" : "f64", kind_name(value))};
        double number = kIsSingle ? static_cast<double>(internal::rounded_to_f32(*given)) : *given;
        if (has_range()) {
            const internal::NumberRange range = internal::declared_range(field_);
            if (!(number >= range.low && number <= range.high)) {
                if (field_.range_policy == RangePolicy::refuse || std::isnan(number))
                    return refused(value, path);
                number = std::clamp(number, range.low, range.high);
            }
        }
        if (std::isinf(number) && !std::isinf(*given)) {
            return Error{errors::out_of_type_range(path, "f32", text_from_value(value))};
        }
        // A canonical NaN, so that defaults and prefabs have the same bytes on every machine.
        store(at, std::isnan(number) ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(number));
        return {};
    }

    // Calls write_part(index, part, path) for each part of a list or of named members; other parts stay
    // unchanged.
    template <typename WritePart>
    Result<void> for_each_part(const FieldValue& value, std::span<const std::string_view> names,
                               std::size_t fewest, const WritePart& write_part) {
        if (const auto* list = std::get_if<FieldValueList>(&value.data)) {
            if (list->size() > names.size() || list->size() < fewest) {
                return Error{errors::wrong_length(path_, names.size(), list->size())};
            }
            for (std::size_t i = 0; i < list->size(); ++i) {
                Result<void> written = write_part(i, (*list)[i], path_of(path_, std::string(names[i])));
                if (!written) return written;
            }
            return {};
        }
        const auto* map = std::get_if<FieldValueMap>(&value.data);
        if (map == nullptr) return wrong(value);
        for (const auto& [name, part] : *map) {
            const auto found = std::find(names.begin(), names.end(), name);
            if (found == names.end())
                return Error{errors::unknown_member(path_, name, nearest_name(name, names))};
            Result<void> written =
                write_part(static_cast<std::size_t>(found - names.begin()), part, path_of(path_, name));
            if (!written) return written;
        }
        return {};
    }

    // {x = 1, y = 2} or {1, 2}.
    Result<void> write_vector(const FieldValue& value) {
        if (is_empty_table(value)) return {};
        const std::span<const std::string_view> names = part_names(field_.type);
        std::array<std::byte, 64> parts;
        std::copy_n(at_, field_.element_size, parts.begin());
        Result<void> written =
            for_each_part(value, names, names.size(),
                          [&](std::size_t index, const FieldValue& part, const std::string& path) {
                              return write_real<float>(part, &parts[index * 4], path);
                          });
        if (written) std::copy_n(parts.begin(), field_.element_size, at_);
        return written;
    }

    // 0xRRGGBBAA, a text, {r, g, b}, {r, g, b, a} or named parts, each 0 .. 255.
    Result<void> write_color(const FieldValue& value) {
        if (is_empty_table(value)) return {};
        std::array<std::byte, 4> parts;
        std::copy_n(at_, 4, parts.begin());
        if (const std::optional<double> number = number_of(value)) {
            if (!is_whole_within(*number, 0xFFFFFFFFu)) return does_not_fit(value);
            const auto rgba = static_cast<std::uint32_t>(*number);
            for (std::uint32_t i = 0; i < 4; ++i)
                parts[i] = static_cast<std::byte>((rgba >> (24 - 8 * i)) & 0xFF);
        } else if (const auto* text = std::get_if<std::string>(&value.data)) {
            const std::optional<ColorBytes> color = parse_color(*text);
            if (!color) return Error{errors::no_color_for(path_, why_no_color(*text))};
            parts = std::bit_cast<std::array<std::byte, 4>>(*color);
        } else {
            if (std::holds_alternative<FieldValueList>(value.data)) parts[3] = std::byte{255};
            Result<void> written = for_each_part(
                value, part_names(FieldType::color), 3,
                [&](std::size_t index, const FieldValue& part, const std::string& path) -> Result<void> {
                    const std::optional<double> channel = number_of(part);
                    if (!channel || !is_whole_within(*channel, 255)) {
                        return Error{errors::out_of_type_range(path, "color", text_from_value(part))};
                    }
                    parts[index] = static_cast<std::byte>(static_cast<int>(*channel));
                    return {};
                });
            if (!written) return written;
        }
        std::copy(parts.begin(), parts.end(), at_);
        return {};
    }
    static bool is_whole_within(double number, std::uint32_t max) {
        return number >= 0 && number <= max && std::trunc(number) == number;
    }

    Result<void> write_entity(const FieldValue& value) {
        const std::optional<double> number = number_of(value);
        if (!number) return wrong(value);
        const Entity entity = entity_from_number(*number);
        if (!entity && *number != 0) return does_not_fit(value);
        store(at_, entity.bits);
        return {};
    }

    Result<void> write_string(const FieldValue& value) {
        const auto* text = std::get_if<std::string>(&value.data);
        if (text == nullptr) return wrong(value);
        if (text->size() > field_.element_size) {
            return Error{errors::text_too_long(path_, field_.element_size, text->size())};
        }
        // A zero byte would end the text, and the rest would be lost unnoticed.
        if (const std::size_t zero = text->find('\0'); zero != std::string::npos) {
            return Error{errors::text_with_zero(path_, zero + 1)};
        }
        std::memset(at_, 0, field_.element_size);
        std::memcpy(at_, text->data(), text->size());
        return {};
    }

    Result<void> write_text(const FieldValue& value) {
        const auto* text = std::get_if<std::string>(&value.data);
        if (text == nullptr) return wrong(value);
        if (text->size() > TextPool::kMaxTextBytes) {
            return Error{errors::text_too_long(path_, TextPool::kMaxTextBytes, text->size())};
        }
        if (context_.texts == nullptr) return {};
        const Result<TextHandle> handle = context_.texts->intern(*text);
        if (!handle) return handle.error();
        store(at_, handle.value());
        return {};
    }

    Result<void> write_blob(const FieldValue& value) {
        const std::optional<double> number = number_of(value);
        if (!number) return wrong(value);
        if (!is_whole_within(*number, 0xFFFFFFFFu)) return does_not_fit(value);
        const BlobHandle handle{static_cast<std::uint32_t>(*number)};
        if (handle.index != 0) {
            if (context_.blobs == nullptr || !context_.blobs->has(handle)) {
                return Error{errors::no_such_blob(path_, handle.index)};
            }
            const std::string_view type = context_.blobs->type_name(handle);
            if (!field_.labels.empty() && type != field_.labels[0]) {
                return Error{errors::blob_of_other_type(path_, field_.labels[0], type)};
            }
        }
        store(at_, handle);
        return {};
    }

    void store_bits(std::uint32_t bits) { std::memcpy(at_, &bits, field_.element_size); }  // little endian

    // The number of a label, or an error.
    Result<std::uint32_t> index_of_label(const std::string& label) const {
        const auto found = std::find(field_.labels.begin(), field_.labels.end(), label);
        if (found == field_.labels.end()) {
            const std::vector<std::string_view> known(field_.labels.begin(), field_.labels.end());
            return Error{errors::unknown_label(path_, label, nearest_name(label, known))};
        }
        return static_cast<std::uint32_t>(found - field_.labels.begin());
    }

    Result<void> write_enumeration(const FieldValue& value) {
        const auto* label = std::get_if<std::string>(&value.data);
        if (label == nullptr) return wrong(value);
        const Result<std::uint32_t> index = index_of_label(*label);
        if (!index) return index.error();
        store_bits(index.value());
        return {};
    }

    Result<void> write_flags(const FieldValue& value) {
        const auto* list = std::get_if<FieldValueList>(&value.data);
        if (list == nullptr && !is_empty_table(value)) return wrong(value);
        std::uint32_t bits = 0;
        for (const FieldValue& element : list == nullptr ? FieldValueList{} : *list) {
            const auto* label = std::get_if<std::string>(&element.data);
            if (label == nullptr) return Error{errors::wrong_kind(path_, "a label", kind_name(element))};
            const Result<std::uint32_t> index = index_of_label(*label);
            if (!index) return index.error();
            bits |= 1u << index.value();
        }
        store_bits(bits);
        return {};
    }

    Result<void> write_members(const FieldValue& value) {
        if (is_empty_table(value)) return {};
        const auto* map = std::get_if<FieldValueMap>(&value.data);
        if (map == nullptr) return wrong(value);
        std::vector<std::byte> copy(at_, at_ + field_.element_size);
        for (const auto& [name, part] : *map) {
            const auto found =
                std::find_if(field_.nested.begin(), field_.nested.end(),
                             [&name = name](const Field& inner) { return inner.name == name; });
            if (found == field_.nested.end()) {
                std::vector<std::string_view> known;
                known.reserve(field_.nested.size());
                for (const Field& inner : field_.nested) known.push_back(inner.name);
                return Error{errors::unknown_member(path_, name, nearest_name(name, known))};
            }
            if (Result<void> written = write_at(*found, part, copy, path_of(path_, name), context_); !written)
                return written;
        }
        std::copy(copy.begin(), copy.end(), at_);
        return {};
    }

    const Field& field_;
    std::byte* at_;
    const std::string& path_;
    const FieldContext& context_;
};

Result<void> write_at(const Field& field, const FieldValue& value, std::span<std::byte> row,
                      const std::string& path, const FieldContext& context) {
    if (field.array_length == 0) {
        return ElementWriter(field, row.data() + field.offset, path, context).write(value);
    }
    if (is_empty_table(value)) return {};
    const auto* list = std::get_if<FieldValueList>(&value.data);
    if (list == nullptr) return Error{errors::wrong_kind(path, "a list", kind_name(value))};
    if (list->size() > field.array_length) {
        return Error{errors::wrong_length(path, field.array_length, list->size())};
    }
    std::vector<std::byte> copy(row.begin() + field.offset, row.begin() + field.offset + field.size);
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string element = path + "[" + std::to_string(i + 1) + "]";
        Result<void> written =
            ElementWriter(field, copy.data() + i * field.element_size, element, context).write((*list)[i]);
        if (!written) return written;
    }
    std::copy(copy.begin(), copy.end(), row.begin() + field.offset);
    return {};
}

}  // namespace

// Not in the class: clang would look into a pair of a name and a value there before the value is complete.
FieldData::FieldData() noexcept = default;
FieldData::~FieldData() = default;
FieldData::FieldData(FieldData&&) noexcept = default;
FieldData& FieldData::operator=(FieldData&&) noexcept = default;

// Built separately first, then moved, which cannot fail.
FieldData::FieldData(const FieldData& other) : variant() {  // NOLINT(bugprone-copy-constructor-init)
    std::visit([this](const auto& value) { *this = FieldData(std::decay_t<decltype(value)>(value)); }, other);
}

FieldData& FieldData::operator=(const FieldData& other) { return *this = FieldData(other); }

Result<void> write_field(const Field& field, const FieldValue& value, std::span<std::byte> row,
                         const FieldContext& context) {
    return write_at(field, value, row, field.name, context);
}

}  // namespace perigee
