// Capacity and column offsets of a chunk; see the drawing in the header.
#include "ecs/archetype/chunk_layout.h"

#include "ecs/base/contract.h"
#include "ecs/base/entity.h"
#include "ecs/base/error_codes.h"

#include <algorithm>
#include <bit>

namespace perigee {

namespace {

constexpr std::uint32_t round_up(std::uint32_t bytes, std::uint32_t granule) {
    return (bytes + granule - 1) / granule * granule;
}

constexpr std::uint32_t mask_bytes(std::uint32_t rows) { return round_up(rows, 64) / 8; }

std::uint64_t bytes_for(std::span<const Column> columns, std::size_t masks, std::uint32_t rows) {
    std::uint64_t bytes = masks * mask_bytes(rows);
    for (const Column& column : columns) bytes += round_up(column.size * rows, kCacheLine);
    return bytes;
}

// The number of rows that fit, rounded down to a multiple of 64 if possible, else of 16.
std::uint32_t rows_that_fit(std::span<const Column> columns, std::size_t masks, std::uint32_t row_bytes,
                            std::uint32_t chunk_bytes, std::uint32_t max_rows) {
    std::uint32_t rows = std::min(chunk_bytes / row_bytes, max_rows);
    while (rows > 0 && bytes_for(columns, masks, rows) > chunk_bytes) --rows;
    if (rows >= 64) return rows / 64 * 64;
    if (rows >= 16) return rows / 16 * 16;
    return rows;
}

}  // namespace

Result<ChunkLayout> layout_chunk(std::span<const ColumnRequest> columns, const ChunkShape& shape,
                                 std::span<const ComponentId> masks) {
    ECS_EXPECTS(std::has_single_bit(shape.unit_bytes) && shape.unit_bytes >= 1024, shape.unit_bytes);
    ECS_EXPECTS(shape.max_rows >= 1 && shape.max_rows <= kMaxChunkRows, shape.max_rows);

    ChunkLayout layout;
    layout.columns.push_back(Column{ComponentId{}, 0, sizeof(Entity)});
    layout.row_bytes = sizeof(Entity);
    for (const ColumnRequest& column : columns) {
        ECS_EXPECTS(column.size > 0);
        layout.columns.push_back(Column{column.component, 0, column.size});
        layout.row_bytes += column.size;
    }

    // Wide rows take more units, until a chunk holds about 1,024 rows or 4 units are used.
    for (layout.unit_count = 1; layout.unit_count <= 4; layout.unit_count *= 2) {
        layout.capacity = rows_that_fit(layout.columns, masks.size(), layout.row_bytes,
                                        shape.unit_bytes * layout.unit_count, shape.max_rows);
        if (layout.capacity >= std::min(kWantedChunkRows, shape.max_rows) || layout.unit_count == 4) break;
    }
    if (layout.capacity == 0) {
        return Error{errors::row_too_wide(layout.row_bytes, shape.unit_bytes * 4)};
    }

    std::uint32_t offset = 0;
    for (Column& column : layout.columns) {
        column.offset = offset;
        offset += round_up(column.size * layout.capacity, kCacheLine);
    }
    for (const ComponentId component : masks) {
        layout.masks.push_back(MaskColumn{component, offset});
        offset += mask_bytes(layout.capacity);
    }
    return layout;
}

}  // namespace perigee
