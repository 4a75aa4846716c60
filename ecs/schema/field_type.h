// The types that a schema field can have, and what the engine knows about each: its name, size and alignment.
//
// Invariant: one row per type in kFieldTypes, in the order of the enum. Compound types (vec2, mat4, struct)
// are broken down into scalar leaves by schema.h; everything that reads or writes values works on leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace perigee {

enum class FieldType : std::uint8_t {
    boolean,
    i8,
    u8,
    i16,
    u16,
    i32,
    u32,
    i64,
    u64,
    f32,
    f64,
    vec2,         ///< two f32: x, y
    vec3,         ///< three f32: x, y, z
    vec4,         ///< four f32: x, y, z, w
    color,        ///< four u8: r, g, b, a
    entity,       ///< an Entity; null when nothing is referenced
    string,       ///< string(n): n bytes in the row, padded with zeros, UTF-8, no terminator when full
    enumeration,  ///< one label of a list; u8, or u16 beyond 256 labels
    flags,        ///< a set of labels; u8, u16 or u32 by their number (at most 32)
    structure,    ///< nested fields
    asset,        ///< u32 handle of an asset path; 0 is none
    text,         ///< u32 handle into the world's TextPool; 0 is ""
    blob,         ///< u32 handle into the world's BlobStore; 0 is none
    quat,         ///< four f32: x, y, z, w; a rotation; 0, 0, 0, 1 by default
    mat4,         ///< 4 columns of four f32: xx, xy, … ww; the identity by default
};

inline constexpr std::size_t kFieldTypeCount = 25;

/// The C++ member type of a text field; World::texts resolves it.
struct TextHandle {
    std::uint32_t index = 0;
    bool operator==(const TextHandle&) const = default;
};

/// The C++ member type of a blob field; World::blobs has the rows.
struct BlobHandle {
    std::uint32_t index = 0;
    bool operator==(const BlobHandle&) const = default;
};

struct FieldTypeInfo {
    FieldType type;
    std::string_view name;  ///< the word used in schemas
    std::uint32_t size;  ///< bytes of one element; 0 where the schema decides (string, enum, flags, struct)
    std::uint32_t alignment;
};

/// Name, size and alignment of `type`. Cost: one table look-up.
const FieldTypeInfo& field_type_info(FieldType type) noexcept;

/// The type that a schema names, including `string`, `enum`, `flags`, `struct`. Empty for an unknown word.
std::optional<FieldType> field_type_from_name(std::string_view name) noexcept;

/// The names of the parts of a vector, colour, quat or mat4, in the order of memory; empty for other types.
/// The parts of a colour are u8, all others f32.
std::span<const std::string_view> part_names(FieldType type) noexcept;

/// True for types stored as one machine number (bool … f64, entity, enum, flags, asset, text, blob).
bool is_scalar(FieldType type) noexcept;

}  // namespace perigee
