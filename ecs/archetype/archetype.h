// An archetype stores all entities with exactly one set of components, in chunks.
//
// Invariant: chunks are never empty, rows are packed (0 .. row_count - 1); removing a row moves the last row
// of the same chunk into the hole; new rows go to the lowest-numbered chunk with room. Chunk numbers stay
// dense: when a chunk empties, the last chunk takes its number. It moves bytes and knows no entity index: the
// caller updates the records.
//
// With shared components the chunks fall into partitions: rows of one partition have the same shared values,
// which are stored once. Partition 0 belongs to archetypes without shared components; others start at 1. The
// number of a partition that loses its last chunk is reused. A chunk component has one value per chunk, in an
// array beside the chunks, which moves with the chunk's number.
#pragma once

#include "ecs/archetype/chunk_layout.h"
#include "ecs/archetype/chunk_pool.h"
#include "ecs/archetype/internal/copy_plan.h"
#include "ecs/archetype/location.h"
#include "ecs/base/change_version.h"
#include "ecs/base/contract.h"
#include "ecs/base/entity.h"
#include "ecs/base/internal/room_set.h"
#include "ecs/schema/component.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

namespace perigee {

class ArchetypeGraph;
class BufferPool;
class SharedStore;
struct ArchetypeEdge;
struct ComponentInfo;

/// No partition of any archetype has this number.
inline constexpr std::uint32_t kNoPartition = 0xFFFFFFFF;

/// One chunk as iteration sees it.
struct ChunkSlot {
    std::byte* data;
    std::uint32_t row_count;
    UnitIndex unit;
    ChangeVersion rows_version;  ///< when rows were last added or removed: counts for every column
    std::uint32_t partition = 0;
};

/// Data about each unit of the pool. Outside the chunks, so that random access never reads a chunk header.
struct UnitTable {
    std::vector<std::uint32_t> archetype;     ///< by first unit of a chunk: number of its archetype
    std::vector<std::uint32_t> chunk_index;   ///< … and the chunk's number within the archetype
    bool ensure(std::size_t units) noexcept;  ///< false when out of memory
};

/// A chunk component in an archetype: the offset of its value among the values of a chunk.
struct ChunkValuePlace {
    ComponentId component;
    std::uint32_t offset;  ///< bytes, a multiple of 16
    std::uint32_t size;
};

/// A column whose cells refer to memory outside the chunk.
struct OwningColumn {
    const ComponentInfo* info;
    std::uint32_t column;  ///< index into layout().columns
};

/// The parts of an archetype; see ArchetypeGraph::require.
struct ArchetypeParts {
    std::vector<ComponentId> components;  ///< sorted
    ChunkLayout layout;
    std::vector<std::byte> default_image;
    std::vector<ComponentId> shared;             ///< sorted
    std::vector<SharedIndex> default_shared;     ///< referenced permanently by the archetype
    std::vector<ChunkValuePlace> chunk_values;   ///< sorted by component
    std::vector<std::byte> default_chunk_value;  ///< of all of them
    std::vector<OwningColumn> owning;
    bool has_cleanup = false;
    bool is_destroyed = false;  ///< its entities are destroyed and await cleanup
    bool is_hooked = false;     ///< a component has an on_remove handler; see World::on_remove
};

class Archetype {
public:
    Archetype(std::uint32_t index, ArchetypeParts parts, ChunkPool& pool, UnitTable& units,
              SharedStore& shared);
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

    /// A run of new rows in one chunk of a partition: `count` rows from `row` on, at most `wanted`. The
    /// caller writes entities and values; enabled bits are set. count is 0 when the pool is exhausted. All
    /// columns of the chunk count as changed.
    struct Run {
        std::uint32_t chunk;
        std::uint32_t row;
        std::uint32_t count;
    };
    Run append(std::uint32_t wanted, ChangeVersion version, std::uint32_t partition = 0) noexcept;

    /// The same, always in a new chunk.
    Run append_to_new_chunk(std::uint32_t wanted, ChangeVersion version, std::uint32_t partition) noexcept;

    /// append(1, version) for single entities of a plain archetype. Returns the chunk whose last row is the
    /// new one, or null. Expects: is_plain().
    ChunkSlot* append_row(ChangeVersion version) noexcept {
        if (open_chunk_ == internal::RoomSet::kNone && !add_chunk(0)) return nullptr;
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
    /// Offset of a column's value in an image. Cost: a walk over the columns before it.
    std::uint32_t image_offset(std::size_t column) const noexcept;

    /// Writes an image into one row, or into `count` rows from `row` on.
    void write_image(const ChunkSlot& slot, std::uint32_t row, const std::byte* image) noexcept {
        write_plan_.copy_row(image, 0, slot.data, row);
    }
    void write_images(std::uint32_t chunk, std::uint32_t row, std::uint32_t count,
                      const std::byte* image) noexcept;

    /// Removes a row; the last row of the chunk takes its place. Returns the entity that moved there, or null
    /// when the removed row was the last. The chunk may be gone afterwards.
    [[gnu::always_inline]] Entity remove(std::uint32_t chunk, std::uint32_t row,
                                         ChangeVersion version) noexcept {
        ChunkSlot& slot = chunks_[chunk];
        ECS_DEBUG_EXPECTS(row < slot.row_count, row, slot.row_count);
        if (slot.row_count == layout_.capacity) mark_open(chunk);
        const std::uint32_t last = --slot.row_count;
        slot.rows_version = version;
        --entity_count_;
        Entity moved;
        if (row != last) {
            moved = entities(slot)[last];
            swap_plan_.copy_row(slot.data, last, slot.data, row);
        }
        if (!layout_.masks.empty()) move_bits(slot, last, row);
        if (last == 0) drop_chunk(chunk);
        return moved;
    }

    /// Returns all chunks to the pool.
    void clear() noexcept;

    /// For moving many rows away: removes the first rows of a chunk after they were moved elsewhere, in
    /// order. If no row is left, the chunk stays empty until drop_if_empty; otherwise the rest moves to the
    /// front, and `moved` is called for each row that moved.
    template <typename Function>
    void leave(std::uint32_t chunk, std::uint32_t count, ChangeVersion version, Function&& moved) noexcept {
        ChunkSlot& slot = chunks_[chunk];
        if (count < slot.row_count) {
            for (std::uint32_t row = count; row-- > 0;) {
                const Entity entity = remove(chunk, row, version);
                if (entity) moved(entity, Location(slot.unit, row));
            }
            return;
        }
        if (slot.row_count == layout_.capacity && count != 0) mark_open(chunk);
        entity_count_ -= slot.row_count;
        slot.row_count = 0;
        slot.rows_version = version;
        for (const MaskColumn& mask : layout_.masks) {
            std::fill_n(mask_words(slot, mask), layout_.mask_words(), 0);
        }
    }
    void drop_if_empty(std::uint32_t chunk) noexcept {
        if (chunks_[chunk].row_count == 0) drop_chunk(chunk);
    }

    /// An archetype that was emptied row by row keeps its last chunk as a spare, because entities built step
    /// by step pass through archetypes that contain one row at a time.
    bool has_spare() const noexcept { return spare_.unit != kNoUnit; }

    /// When part of the chunk was last written, or rows were added or removed. `slot` is the index of a
    /// column (which also covers the column's enabled bits), or chunk_value_slot(), or, for an enableable
    /// component without fields, mask_slot().
    ChangeVersion version(std::uint32_t chunk, std::uint32_t slot) const noexcept {
        auto& written = const_cast<ChangeVersion&>(versions_[std::size_t{chunk} * version_stride_ + slot]);
        return std::max(chunks_[chunk].rows_version,
                        std::atomic_ref(written).load(std::memory_order_relaxed));
    }
    /// Atomic, because tasks of one parallel visit may write to different rows of one chunk. All of them set
    /// the same version.
    void set_version(std::uint32_t chunk, std::uint32_t slot, ChangeVersion version) noexcept {
        std::atomic_ref(versions_[std::size_t{chunk} * version_stride_ + slot])
            .store(version, std::memory_order_relaxed);
    }
    /// Whether a script may read the floats of the slot unchecked: true while the version is the one at which
    /// mark_canonical was last called. See canonical_columns.h.
    bool is_canonical(std::uint32_t chunk, std::uint32_t slot) const noexcept {
        auto& canonical_version =
            const_cast<ChangeVersion&>(versions_[std::size_t{chunk} * version_stride_ + slot_count_ + slot]);
        return std::atomic_ref(canonical_version).load(std::memory_order_acquire) == version(chunk, slot);
    }
    void mark_canonical(std::uint32_t chunk, std::uint32_t slot) noexcept {
        std::atomic_ref(versions_[std::size_t{chunk} * version_stride_ + slot_count_ + slot])
            .store(version(chunk, slot), std::memory_order_release);
    }
    /// For a writer whose version the slot may have already.
    void forget_canonical(std::uint32_t chunk, std::uint32_t slot) noexcept {
        std::atomic_ref(versions_[std::size_t{chunk} * version_stride_ + slot_count_ + slot])
            .store(0, std::memory_order_release);
    }
    std::uint32_t mask_slot(std::size_t mask) const noexcept {
        return static_cast<std::uint32_t>(column_count_ + mask);
    }
    std::uint32_t chunk_value_slot(std::size_t value) const noexcept {
        return static_cast<std::uint32_t>(column_count_ + layout_.masks.size() + value);
    }

    // ---- kinds that need more than a column

    /// Columns and tags only, and none is observed: rows can be moved by copying, and all chunks are alike.
    bool is_plain() const noexcept { return is_plain_; }
    /// Like is_plain, ignoring observers.
    bool has_plain_rows() const noexcept { return has_plain_rows_; }
    /// Components whose addition and removal must be recorded; see observers.h.
    std::span<const ComponentId> reported() const noexcept { return reported_; }
    void set_reported(std::vector<ComponentId> components) noexcept {
        reported_ = std::move(components);
        is_plain_ = has_plain_rows_ && reported_.empty();
    }
    bool has_cleanup() const noexcept { return parts_.has_cleanup; }
    /// Contains destroyed entities that still have cleanup components.
    bool is_destroyed() const noexcept { return parts_.is_destroyed; }
    bool is_hooked() const noexcept { return parts_.is_hooked; }
    std::span<const OwningColumn> owning_columns() const noexcept { return parts_.owning; }

    static std::uint64_t* mask_words(const ChunkSlot& slot, const MaskColumn& mask) noexcept {
        return reinterpret_cast<std::uint64_t*>(slot.data + mask.offset);
    }
    /// Index into layout().masks; -1 for a component without enabled bits here.
    int mask_of(ComponentId component) const noexcept;

    /// Shared components, sorted, and the numbers of their values in a partition.
    std::span<const ComponentId> shared_components() const noexcept { return parts_.shared; }
    std::span<const SharedIndex> shared_values(std::uint32_t partition) const noexcept {
        if (partition == 0) return {};
        return partitions_[partition - 1].values;
    }
    std::span<const SharedIndex> default_shared_values() const noexcept { return parts_.default_shared; }
    /// Index into shared_components(); -1 if absent.
    int shared_of(ComponentId component) const noexcept;
    SharedIndex shared_value(std::uint32_t partition, std::size_t shared) const noexcept {
        return partitions_[partition - 1].values[shared];
    }
    /// The partition with these values, in order of shared_components(), created if necessary; 0 without
    /// shared components; kNoPartition when memory is exhausted. A new partition references its values until
    /// it loses its last chunk, or until drop_partition.
    std::uint32_t require_partition(std::span<const SharedIndex> values) noexcept;
    /// True if a chunk has room for one more row.
    bool has_room(std::uint32_t partition) const noexcept {
        return open_chunk_of(partition) != internal::RoomSet::kNone;
    }
    /// Releases a partition without chunks; does nothing if it has any.
    void drop_partition(std::uint32_t partition) noexcept;

    std::span<const ChunkValuePlace> chunk_values() const noexcept { return parts_.chunk_values; }
    /// Index into chunk_values(); -1 if absent.
    int chunk_value_of(ComponentId component) const noexcept;
    std::byte* chunk_value(std::uint32_t chunk, std::size_t value) noexcept {
        return chunk_bytes_.data() + std::size_t{chunk} * chunk_stride_ + parts_.chunk_values[value].offset;
    }
    const std::byte* chunk_value(std::uint32_t chunk, std::size_t value) const noexcept {
        return chunk_bytes_.data() + std::size_t{chunk} * chunk_stride_ + parts_.chunk_values[value].offset;
    }

    /// Chunks of both have the same row layout, so whole chunks can move between them.
    bool has_same_columns(const Archetype& other) const noexcept;
    /// Takes over a whole chunk of another archetype, or of another partition of this one, with its rows in
    /// place. It becomes the last chunk here. Chunk values that both have are kept; others start as defaults.
    /// Expects: has_same_columns(from). False when out of memory; then nothing changed.
    bool adopt_chunk(Archetype& from, std::uint32_t chunk, std::uint32_t partition, ChangeVersion version);

    /// Swaps rows and layout with another archetype of the same index. Cached edges stay.
    void exchange(Archetype& other) noexcept;

    /// All chunks and what belongs to them, apart from the archetype; see internal/archetype_rows.h.
    struct Rows;
    /// Swaps the rows and updates the unit table. The units of `other` are the caller's afterwards.
    void exchange_rows(Rows& other) noexcept;
    /// How many slots have a version: columns, bits and chunk values.
    std::size_t version_slots() const noexcept { return slot_count_; }
    /// The values of all chunk components of one chunk.
    std::span<const std::byte> chunk_value_bytes(std::uint32_t chunk) const noexcept {
        return {chunk_bytes_.data() + std::size_t{chunk} * chunk_stride_, chunk_stride_};
    }
    /// A restored world does not know the archetype yet; see ArchetypeGraph::arrange.
    bool is_dormant() const noexcept { return dormant_in_ != nullptr; }

    /// Data that handles to buffers in these chunks need; set by the world.
    struct BufferSource {
        BufferPool* pool = nullptr;
        const std::uint64_t* structure_version = nullptr;
    };
    BufferSource buffer_source;

    /// Cached edges out of this archetype, by component index; owned by the graph.
    std::vector<ArchetypeEdge*> add_edges;
    std::vector<ArchetypeEdge*> remove_edges;

private:
    struct Partition {
        std::vector<SharedIndex> values;       ///< empty: the number is free
        std::vector<std::uint32_t> with_room;  ///< chunks, descending: the lowest is the last
        std::uint32_t chunk_count = 0;
    };

    friend class ArchetypeGraph;

    bool wake() noexcept;
    std::uint32_t find_partition(std::span<const SharedIndex> values);
    Run fill(std::uint32_t chunk, std::uint32_t wanted, ChangeVersion version) noexcept;
    bool add_chunk(std::uint32_t partition) noexcept;
    void close_open_chunk() noexcept;
    void drop_chunk(std::uint32_t chunk) noexcept;
    void forget_chunk(std::uint32_t chunk) noexcept;
    bool reserve_chunk(std::uint32_t partition) noexcept;
    void start_chunk() noexcept;
    std::uint32_t open_chunk_of(std::uint32_t partition) const noexcept;
    void mark_open(std::uint32_t chunk) noexcept;
    void mark_full(std::uint32_t chunk) noexcept;
    void enable_rows(const ChunkSlot& slot, std::uint32_t row, std::uint32_t count) noexcept;
    void move_bits(const ChunkSlot& slot, std::uint32_t from, std::uint32_t to) noexcept;

    std::uint32_t index_;
    ArchetypeParts parts_;
    std::vector<ComponentId> components_;
    ChunkLayout layout_;
    std::size_t column_count_;
    std::size_t slot_count_;      ///< columns, masks and chunk values: everything with a version
    std::size_t version_stride_;  ///< versions of one chunk: when written, when last found canonical
    std::size_t chunk_stride_;    ///< bytes of all chunk values of one chunk
    bool has_plain_rows_;
    bool is_plain_;
    std::vector<ComponentId> reported_;  ///< sorted
    std::vector<std::byte> default_image_;
    internal::CopyPlan write_plan_;  ///< from an image into a row
    internal::CopyPlan swap_plan_;   ///< from one row to another of the same chunk, the entity included
    ChunkPool& pool_;
    UnitTable& units_;
    SharedStore& shared_;
    std::vector<ChunkSlot> chunks_;
    std::vector<ChangeVersion> versions_;  ///< chunk x (slots, slots): see version_stride_
    std::vector<std::byte> chunk_bytes_;   ///< chunk x values of chunk components
    std::vector<Partition> partitions_;    ///< number - 1
    std::vector<std::uint32_t> free_partitions_;
    std::map<std::vector<SharedIndex>, std::uint32_t> partition_by_values_;
    struct {
        std::byte* data = nullptr;
        UnitIndex unit = kNoUnit;
    } spare_;  ///< its versions and chunk values stay in the lists
    internal::RoomSet with_room_;
    std::uint32_t open_chunk_ = internal::RoomSet::kNone;  ///< with_room_.lowest(), cached
    std::uint64_t entity_count_ = 0;
    ArchetypeGraph* dormant_in_ = nullptr;  ///< null while the world knows the archetype
};

}  // namespace perigee
