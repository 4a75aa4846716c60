// All entities with one exact set of components, in chunks.
//
// Invariant: chunks are never empty, rows are packed (0 .. row_count - 1); removing a row moves the last row
// of the same chunk into the hole; new rows go to the lowest-numbered chunk with room. Chunk numbers stay
// dense: when a chunk empties, the last chunk takes its number. It moves bytes and knows no entity index: the
// caller keeps records right.
#pragma once

#include "ecs/chunk_layout.h"
#include "ecs/chunk_pool.h"
#include "ecs/component.h"
#include "ecs/entity.h"
#include "ecs/internal/copy_plan.h"
#include "ecs/internal/room_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

struct ArchetypeTransition;

/// One chunk as iteration sees it.
struct ChunkSlot {
    std::byte* data;
    std::uint32_t row_count;
    UnitIndex unit;
    std::uint32_t rows_version;  ///< when rows last came or went: counts for every column
};

/// Dense facts about a unit of the pool, kept outside the chunk so that random access never reads a chunk
/// header.
struct UnitTable {
    std::vector<std::uint32_t> archetype;    ///< by first unit of a chunk: number of its archetype
    std::vector<std::uint32_t> chunk_index;  ///< … and the chunk's number within the archetype
    void ensure(std::size_t units);
};

class Archetype {
public:
    Archetype(std::uint32_t index, std::vector<ComponentId> components, ChunkLayout layout,
              std::vector<std::byte> default_image, ChunkPool& pool, UnitTable& units);
    ~Archetype();
    Archetype(const Archetype&) = delete;
    Archetype& operator=(const Archetype&) = delete;

    std::uint32_t index() const noexcept { return index_; }
    std::span<const ComponentId> components() const noexcept {
        return components_;
    }  ///< sorted; tags included
    bool has(ComponentId component) const noexcept;
    const ChunkLayout& layout() const noexcept { return layout_; }

    /// Index into layout().columns; -1 for a component without a column here. Cost: binary search.
    int column_of(ComponentId component) const noexcept;

    std::uint32_t chunk_count() const noexcept { return static_cast<std::uint32_t>(chunks_.size()); }
    const ChunkSlot* chunks() const noexcept { return chunks_.data(); }
    std::uint64_t entity_count() const noexcept { return entity_count_; }
    std::uint32_t capacity() const noexcept { return layout_.capacity; }

    static Entity* entities(const ChunkSlot& slot) noexcept { return reinterpret_cast<Entity*>(slot.data); }
    static std::byte* cell(const ChunkSlot& slot, const Column& column, std::uint32_t row) noexcept {
        return slot.data + column.offset + std::size_t{row} * column.size;
    }

    struct Row {
        std::uint32_t chunk;
        std::uint32_t row;
    };

    /// A run of new rows in one chunk: `count` rows from `row` on, at most `wanted`. Entities and values are
    /// the caller's to write. count is 0 when the pool is exhausted. All columns of the chunk count as
    /// changed.
    struct Run {
        std::uint32_t chunk;
        std::uint32_t row;
        std::uint32_t count;
    };
    Run append(std::uint32_t wanted, std::uint32_t version) noexcept;

    /// append(1, version) for the path of single entities: the chunk whose last row is the new one, or null.
    ChunkSlot* append_row(std::uint32_t version) noexcept {
        if (open_chunk_ == internal::RoomSet::kNone && !add_chunk()) return nullptr;
        ChunkSlot& slot = chunks_[open_chunk_];
        slot.rows_version = version;
        ++entity_count_;
        if (++slot.row_count == layout_.capacity) close_open_chunk();
        return &slot;
    }

    /// The image of a row: the values of columns 1 .. n, packed in column order.
    std::uint32_t image_bytes() const noexcept {
        return layout_.row_bytes - static_cast<std::uint32_t>(sizeof(Entity));
    }
    /// The image of a new row: the schemas' defaults.
    const std::byte* default_image() const noexcept { return default_image_.data(); }
    /// Where a column's value lies in an image. Cost: a walk over the columns before it.
    std::uint32_t image_offset(std::size_t column) const noexcept;

    /// Writes an image into one row, or into `count` rows from `row` on.
    void write_image(const ChunkSlot& slot, std::uint32_t row, const std::byte* image) noexcept {
        write_plan_.copy_row(image, 0, slot.data, row);
    }
    void write_images(std::uint32_t chunk, std::uint32_t row, std::uint32_t count,
                      const std::byte* image) noexcept;

    /// Removes a row; the last row of the chunk takes its place. Returns the entity that moved there, or null
    /// when the removed row was the last. The chunk may be gone afterwards.
    Entity remove(std::uint32_t chunk, std::uint32_t row, std::uint32_t version) noexcept;

    /// Gives all chunks back.
    void clear() noexcept;

    /// An archetype that ran empty row by row keeps its last chunk at hand, since entities that are built
    /// step by step pass through archetypes that hold one row at a time.
    bool has_spare() const noexcept { return spare_.unit != kNoUnit; }

    /// When the column was last written, or rows of the chunk came or went.
    std::uint32_t version(std::uint32_t chunk, std::uint32_t column) const noexcept {
        return std::max(chunks_[chunk].rows_version, versions_[std::size_t{chunk} * column_count_ + column]);
    }
    void set_version(std::uint32_t chunk, std::uint32_t column, std::uint32_t version) noexcept {
        versions_[std::size_t{chunk} * column_count_ + column] = version;
    }

    /// Cached ways out of this archetype, by component index; owned by the graph.
    std::vector<ArchetypeTransition*> add_edges;
    std::vector<ArchetypeTransition*> remove_edges;

private:
    bool add_chunk() noexcept;
    void close_open_chunk() noexcept;
    void drop_chunk(std::uint32_t chunk) noexcept;

    std::uint32_t index_;
    std::vector<ComponentId> components_;
    ChunkLayout layout_;
    std::size_t column_count_;
    std::vector<std::byte> default_image_;
    internal::CopyPlan write_plan_;  ///< from an image into a row
    internal::CopyPlan swap_plan_;   ///< from one row to another of the same chunk, the entity included
    ChunkPool& pool_;
    UnitTable& units_;
    std::vector<ChunkSlot> chunks_;
    std::vector<std::uint32_t> versions_;  ///< chunk x column
    ChunkSlot spare_{nullptr, 0, kNoUnit, 0};
    internal::RoomSet with_room_;
    std::uint32_t open_chunk_ = internal::RoomSet::kNone;  ///< with_room_.lowest(), kept at hand
    std::uint64_t entity_count_ = 0;
};

}  // namespace perigee
