// A field value in transit between the outside (Lua, JSON, C++) and the bytes of a row.
//
// Not for hot paths: systems read and write columns directly. This is for defaults, prefabs, authoring and
// messages.
#pragma once

#include "ecs/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace perigee {

class BlobStore;
struct Field;
class TextPool;

struct FieldValue;
using FieldValueList = std::vector<FieldValue>;
using FieldValueMap = std::vector<std::pair<std::string, FieldValue>>;  ///< by field name, in the order given

/// A std::variant whose copies, moves and destruction are in one source, not in each that uses it. It never
/// becomes valueless: if copying runs out of memory, no copy is made and the target of an assignment stays
/// unchanged. (The one of libstdc++ 12 destroys a string that was never constructed.)
struct FieldData : std::variant<std::monostate, bool, double, std::int64_t, std::uint64_t, std::string,
                                FieldValueList, FieldValueMap> {
    using variant::variant;
    using variant::operator=;
    FieldData() noexcept;
    ~FieldData();
    FieldData(const FieldData& other);
    FieldData(FieldData&&) noexcept;
    FieldData& operator=(const FieldData& other);
    FieldData& operator=(FieldData&&) noexcept;
};

/// Nothing, a boolean, a number, a whole number beyond 2^53, a text, a list (vec, array, flags) or named
/// members (struct, vec, color).
struct FieldValue {
    FieldData data;

    bool is_set() const noexcept { return !std::holds_alternative<std::monostate>(data); }
};

/// The word for the kind of a value in messages: "number", "string", "list", …
std::string_view kind_name(const FieldValue& value) noexcept;

/// The stores that the handles in a row refer to. Without them a text is checked but its field stays
/// unchanged, and the only valid blob is none; a schema is laid out this way before a world exists.
struct FieldContext {
    TextPool* texts = nullptr;
    const BlobStore* blobs = nullptr;  ///< with its registry
};

/// Writes `value` into the bytes of `field` at the start of `row` + field.offset.
///
/// Members and elements that `value` does not name keep their values. A number outside the declared range is
/// clamped or refused (RangePolicy); for an f32 both the number and the range are rounded to f32 first.
///
/// Expects:  `field` is laid out, `row` covers it.
/// Errors:   wrong kind; number out of the type's or the declared range; unknown label or member; text too
///           long or with a zero byte: "field 'body.speed': expected f32, got string". The row is unchanged.
Result<void> write_field(const Field& field, const FieldValue& value, std::span<std::byte> row,
                         const FieldContext& context = {});

/// The value of `field` in `row`; the inverse of write_field. A blob reads as its handle, and so does a text
/// when `texts` is null.
FieldValue read_field(const Field& field, std::span<const std::byte> row, const TextPool* texts = nullptr);

/// The value as text, for messages, dumps and tests: 1.5, "text", {x = 1, y = 2}.
std::string text_from_value(const FieldValue& value);

}  // namespace perigee
