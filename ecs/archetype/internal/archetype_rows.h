// The rows of an archetype apart from it, for replacing all of them at once.
//
// Invariant: building may fail; exchanging cannot. Each partition has one reference to each of its shared
// values, which release_values returns. Rows name units but do not own them. Not here: the bytes in the
// chunks.
#pragma once

#include "ecs/archetype/archetype.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace perigee {

struct Archetype::Rows {
    std::vector<ChunkSlot> chunks;
    std::vector<ChangeVersion> versions;
    std::vector<std::byte> chunk_bytes;
    std::vector<Partition> partitions;
    std::vector<std::uint32_t> free_partitions;
    std::map<std::vector<SharedIndex>, std::uint32_t> partition_by_values;
    std::byte* spare_data = nullptr;
    UnitIndex spare_unit = kNoUnit;
    internal::RoomSet with_room;
    std::uint32_t open_chunk = internal::RoomSet::kNone;
    std::uint64_t entity_count = 0;

    /// The partition with these values, which takes over the caller's references. An existing one does not:
    /// `is_new` says which. 0 without shared components.
    std::uint32_t partition_of(std::span<const SharedIndex> values, bool& is_new);
    /// Adds a chunk at the end. `versions`: of each slot; `values`: of all chunk components.
    void add(const Archetype& archetype, const ChunkSlot& slot, std::span<const ChangeVersion> slot_versions,
             std::span<const std::byte> chunk_values);
    /// Completes the rows after the last chunk.
    void finish(const Archetype& archetype);
    void release_values(const Archetype& archetype) noexcept;
    /// Returns the units of all chunks to the pool.
    void release_units(const Archetype& archetype) const noexcept;
};

}  // namespace perigee
