// A schema: the run-time declaration of a component, resource or event type, as plain data.
//
// Invariant: after `layout_schema` a Schema is complete and consistent: every field has its offset and size,
// fields do not overlap, alignment is natural (the C++ struct with the same members has the same layout), and
// `defaults` is the image of a new row. Nothing here knows Lua or a world.
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/component.h"
#include "ecs/schema/field_type.h"
#include "ecs/schema/field_value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

/// What happens to a written value outside the declared range.
enum class RangePolicy : std::uint8_t { refuse, clamp };

/// What a blob is: an array of rows, one struct, or an array of single values (the element type of a list).
enum class BlobShape : std::uint8_t { rows, root, values };

/// "rows", "root" or "values".
std::string_view shape_name(BlobShape shape) noexcept;

/// One field of a schema. The first part is declared, the second part is filled in by `layout_schema`.
struct Field {
    std::string name;
    FieldType type = FieldType::f32;
    std::uint32_t array_length = 0;     ///< 0: a single value; n: a fixed array of n
    bool is_list = false;               ///< any number of such values; in blobs only (blob_schema.h)
    std::uint32_t string_capacity = 0;  ///< bytes, for string(n)
    std::vector<std::string> labels;    ///< for enum and flags; for blob: the name of its type, or none
    std::vector<Field> nested;          ///< for struct
    FieldValue default_value;           ///< unset: zero; the identity for quat and mat4
    std::optional<double> minimum;
    std::optional<double> maximum;
    RangePolicy range_policy = RangePolicy::clamp;
    std::string unit;
    std::string doc;

    std::uint32_t offset = 0;  ///< bytes from the start of the row (of the enclosing struct, when nested)
    std::uint32_t element_size = 0;  ///< bytes of one element
    std::uint32_t size = 0;          ///< bytes of the whole field
    std::uint32_t alignment = 1;
};

/// One machine value of a row, the unit that views, hashes and bindings work on.
///
/// `path` is the path from the component: "x", "velocity.x", "slots[2]" (array indices count from 1).
struct Leaf {
    std::string path;
    FieldType type;        ///< scalar type, or string
    std::uint32_t offset;  ///< bytes from the start of the row
    std::uint32_t size;    ///< bytes: 1, 2, 4, 8, or the capacity of a string
    const Field* field;    ///< the declaring field; valid as long as the Schema is not changed or moved
};

struct Schema {
    std::string name;
    ComponentKind kind = ComponentKind::component;
    std::uint32_t version = 1;
    std::vector<Field> fields;
    std::string doc;
    std::string declared_at;  ///< "mod/schema.lua:12" or empty; for messages only

    /// Names of components that are added together with this one; each is declared before this schema.
    std::vector<std::string> required;
    /// The only system that may write it; "engine" for native code only. Empty: every system (for cleanup
    /// kinds: the first system that declares write access).
    std::string owner;
    /// For buffers: the number of elements stored in the chunk before the buffer moves to the heap.
    std::uint32_t buffer_capacity = kDefaultBufferCapacity;
    /// A relation: the only `entity` field is its target, and the world finds the entities that point at a
    /// target (ecs/relations/sources.h). Not part of schema_hash.
    bool index = false;
    OnTargetDestroyed on_target_destroyed = OnTargetDestroyed::clear;  ///< for relations
    BlobShape blob_shape = BlobShape::rows;                            ///< for blobs
    /// Presentation data, for components and resources: only systems of `presentation` read and write its
    /// values, which therefore depend on the frame rate. World hash and saved worlds leave the values out;
    /// that an entity has the component belongs to the simulation. Not part of schema_hash.
    bool presentation = false;

    std::uint32_t size = 0;  ///< bytes of one value (of one element, for buffers); 0 for tags
    std::uint32_t alignment = 1;
    /// The image of a new row, `size` bytes. Texts in it are "" until a world declares the schema.
    std::vector<std::byte> defaults;

    /// Field by name; null when there is none.
    const Field* field(std::string_view field_name) const noexcept;
};

/// Limits of one field: elements of an array, bytes of a string(n), labels of an enum and of flags, and how
/// deep structs nest.
inline constexpr std::uint32_t kMaxArrayLength = 1024;
inline constexpr std::uint32_t kMaxStringCapacity = 1024;
inline constexpr std::size_t kMaxEnumLabels = 65'536;
inline constexpr std::size_t kMaxFlags = 32;
inline constexpr int kMaxStructDepth = 8;

/// Largest row of one component, in bytes.
inline constexpr std::uint32_t kMaxRowBytes = 8192;

/// Header of a buffer's cell in a chunk: address of the heap block, length, capacity of the block.
inline constexpr std::uint32_t kBufferHeaderBytes = 16;
inline constexpr std::uint32_t kMaxBufferCapacity = 512;

/// Bytes that one row of the type takes in a chunk; 0 without a column. Expects: laid out.
std::uint32_t cell_bytes(const Schema& schema) noexcept;

/// Offset of the target in the value of a relation. Expects: laid out; schema.index.
std::uint32_t target_offset(const Schema& schema) noexcept;

/// Bytes of a value passed to World::add and World::set; 0 for tags, buffers and objects.
std::uint32_t value_bytes(const Schema& schema) noexcept;

/// Checks the declaration and computes offsets, size and the default row.
///
/// Errors: every mistake of the schema, one per element ("component 'Ship', field 'speed': …"); empty on
/// success. On failure the schema must not be used.
std::vector<std::string> layout_schema(Schema& schema);

/// The image of a new row, with the texts of its defaults stored in `texts`. A world keeps it as the schema's
/// `defaults`. Expects: laid out without mistakes.
/// Errors: `texts` is full.
Result<std::vector<std::byte>> default_row(const Schema& schema, TextPool& texts);

/// True if a field at any depth has this type.
bool has_field_of(const std::vector<Field>& fields, FieldType type) noexcept;

/// All leaves of a laid-out schema, in row order.
std::vector<Leaf> leaves_of(const Schema& schema);

/// A number that is equal if and only if two schemas have the same name, kind, fields, types, offsets, labels
/// and defaults, on every machine. Units, docs and ranges do not count.
std::uint64_t schema_hash(const Schema& schema);

/// The layout as a table of text, for messages: one line per field with type, offset, size, labels and
/// default; then kind, size and alignment.
std::string describe_layout(const Schema& schema);

}  // namespace perigee
