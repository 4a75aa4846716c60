// Rows that are built apart and then exchanged; see internal/archetype_rows.h.
#include "ecs/archetype/internal/archetype_rows.h"

#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <utility>

namespace perigee {

std::uint32_t Archetype::Rows::partition_of(std::span<const SharedIndex> values, bool& is_new) {
    is_new = false;
    if (values.empty()) return 0;
    std::vector<SharedIndex> key(values.begin(), values.end());
    if (const auto known = partition_by_values.find(key); known != partition_by_values.end())
        return known->second;
    partitions.emplace_back();
    const auto number = static_cast<std::uint32_t>(partitions.size());
    try {
        std::vector<SharedIndex> kept = key;
        partition_by_values.emplace(std::move(key), number);
        partitions.back().values = std::move(kept);
    } catch (...) {
        partitions.pop_back();
        throw;
    }
    is_new = true;
    return number;
}

void Archetype::Rows::add(const Archetype& archetype, const ChunkSlot& slot,
                          std::span<const ChangeVersion> slot_versions,
                          std::span<const std::byte> chunk_values) {
    chunks.push_back(slot);
    versions.insert(versions.end(), slot_versions.begin(), slot_versions.end());
    versions.resize(chunks.size() * archetype.version_stride_, 0);
    chunk_bytes.insert(chunk_bytes.end(), chunk_values.begin(), chunk_values.end());
    if (slot.partition != 0) ++partitions[slot.partition - 1].chunk_count;
    entity_count += slot.row_count;
}

void Archetype::Rows::finish(const Archetype& archetype) {
    free_partitions.reserve(partitions.size());
    with_room.reserve(static_cast<std::uint32_t>(chunks.size()));
    for (Partition& partition : partitions) partition.with_room.reserve(partition.chunk_count);
    for (auto chunk = static_cast<std::uint32_t>(chunks.size()); chunk-- > 0;) {
        if (chunks[chunk].row_count == archetype.capacity()) continue;
        if (chunks[chunk].partition == 0) {
            with_room.insert(chunk);
        } else {
            partitions[chunks[chunk].partition - 1].with_room.push_back(chunk);
        }
    }
    open_chunk = with_room.lowest();
}

void Archetype::Rows::release_values(const Archetype& archetype) noexcept {
    const std::vector<ComponentId>& shared = archetype.parts_.shared;
    for (Partition& partition : partitions) {
        for (std::size_t i = 0; i < partition.values.size(); ++i)
            archetype.shared_.release(shared[i], partition.values[i]);
        partition.values.clear();
    }
}

void Archetype::Rows::release_units(const Archetype& archetype) const noexcept {
    for (const ChunkSlot& slot : chunks) archetype.pool_.release(slot.unit, archetype.layout_.unit_count);
    if (spare_unit != kNoUnit) archetype.pool_.release(spare_unit, archetype.layout_.unit_count);
}

void Archetype::exchange_rows(Rows& other) noexcept {
    chunks_.swap(other.chunks);
    versions_.swap(other.versions);
    chunk_bytes_.swap(other.chunk_bytes);
    partitions_.swap(other.partitions);
    free_partitions_.swap(other.free_partitions);
    partition_by_values_.swap(other.partition_by_values);
    std::swap(spare_.data, other.spare_data);
    std::swap(spare_.unit, other.spare_unit);
    std::swap(with_room_, other.with_room);
    std::swap(open_chunk_, other.open_chunk);
    std::swap(entity_count_, other.entity_count);
    for (std::uint32_t chunk = 0; chunk < chunks_.size(); ++chunk) {
        units_.archetype[chunks_[chunk].unit] = index_;
        units_.chunk_index[chunks_[chunk].unit] = chunk;
    }
}

}  // namespace perigee
