// The contents of a saved world, before they are packed into a file (packed_file.h).
//
//     shape       u32 bytes of a unit, u32 most rows of a chunk
//     version     u64 change version
//     types       u32 bytes, u32 count, each: u8 kTypeHasValues …, schema (schema_bytes.h)
//     tables      texts, assets, blobs (value_bytes.h)
//     slots       u32 count, u32 first free, each: u32 generation * 8 + state; of each free one u32 next
//     archetypes  u32 count, each: u16 count, u16 type …     in their order; the first is the empty one
//     rows        u32 count, each: u32 archetype, u32 chunks, chunk …
//     resources   u32 count, each: u16 type, block
//     events      u32 count, each: u16 type, block
//     records     u32 count, each: u16 type, block (watch_bytes.h)
//     objects     if a type has kTypeHasObjects: u32 count, each: u16 type, block (ObjectCopies::write); then
//     of
//                 each row in the order above, by object component in the order of the archetype: u32 0, or
//                 the number of its object from 1 on
//     schedule    u8 present, state (ecs/schedule/schedule_state.h)
//
//     chunk       u32 rows, u64 version of rows and of the entity column, u64 entity …, then by component in
//                 the order of the archetype:
//                   column    u64 version, value …
//                   buffer    u64 version; each: u32 length, u32 capacity on the heap or 0, value …
//                   object    u64 version
//                   bits      u64 version, u64 word …          after the column of an enableable component
//                   shared    value
//                   chunk     u64 version, value
//     block       u32 bytes, so that what the target does not know can be skipped
//
// Types are numbered as in the list. Numbers are little-endian, values packed.
#pragma once

#include <cstdint>

namespace perigee::internal {

inline constexpr std::uint32_t kMaxSchemaBytes = 16u << 20;  ///< of all types together
inline constexpr std::uint32_t kSlotStateBits = 3;

// Of a type.
inline constexpr std::uint8_t kTypeHasValues = 1;
inline constexpr std::uint8_t kTypeIsLate = 2;          ///< ComponentInfo::is_late
inline constexpr std::uint8_t kTypeIsPresentation = 4;  ///< Schema::presentation
inline constexpr std::uint8_t kTypeHasObjects = 8;      ///< in files of format 2

}  // namespace perigee::internal
