// The layout of an archetype's columns inside a chunk, computed once per archetype.
//
// Invariant: column 0 is the entity column; every column starts on a 64-byte boundary and has room for whole
// 64-byte lines, so that vector code may run over the pad; columns never overlap. The enabled bits of
// enableable components follow the columns: 64-bit words, bit r % 64 of word r / 64 for row r, zero past the
// last row.
//
//   chunk, 1, 2 or 4 units of 16 KiB
//   +--------------------+-----+------------------+-----+------------------+-----+--------+----------+
//   | Entity x capacity  | pad | A x capacity     | pad | B x capacity     | pad | bits B |  unused  |
//   +--------------------+-----+------------------+-----+------------------+-----+--------+----------+
//   ^ 0                        ^ multiple of 64         ^ multiple of 64         ^ multiple of 8
#pragma once

#include "ecs/base/result.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

inline constexpr std::uint32_t kCacheLine = 64;
inline constexpr std::uint32_t kMaxChunkRows = 2048;  ///< the row field of an entity record has 11 bits
inline constexpr std::uint32_t kWantedChunkRows = 1024;

struct ChunkShape {
    std::uint32_t unit_bytes = 16 * 1024;    ///< size of one unit of the pool; a power of two >= 1024
    std::uint32_t max_rows = kMaxChunkRows;  ///< tests lower it to 2
};

/// One column: which component, where it starts, how wide a row is.
struct Column {
    ComponentId component;  ///< not valid for the entity column
    std::uint32_t offset;   ///< bytes from the start of the chunk, a multiple of 64
    std::uint32_t size;     ///< bytes of one row
};

/// The enabled bits of one component.
struct MaskColumn {
    ComponentId component;
    std::uint32_t offset;  ///< bytes from the start of the chunk, a multiple of 8
};

struct ChunkLayout {
    std::uint32_t unit_count = 1;  ///< 1, 2 or 4
    std::uint32_t capacity = 0;   ///< rows; a multiple of 64, or of 16 for wide rows, or ChunkShape::max_rows
    std::uint32_t row_bytes = 0;  ///< sum of the column sizes, the entity included
    std::vector<Column> columns;
    std::vector<MaskColumn> masks;

    std::uint32_t mask_words() const noexcept { return (capacity + 63) / 64; }
};

struct ColumnRequest {
    ComponentId component;
    std::uint32_t size;  ///< > 0
};

/// Lays out the entity column and `columns`, in this order, then the bits of `masks`.
/// Errors: a row that does not fit into the largest chunk; the message gives the bytes.
Result<ChunkLayout> layout_chunk(std::span<const ColumnRequest> columns, const ChunkShape& shape,
                                 std::span<const ComponentId> masks = {});

}  // namespace perigee
