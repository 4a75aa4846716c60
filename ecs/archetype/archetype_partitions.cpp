// Archetypes with shared components: chunks by shared values, and moving whole chunks.
#include "ecs/archetype/archetype.h"
#include "ecs/base/contract.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <functional>
#include <new>
#include <utility>

namespace perigee {

namespace {

// Index of the component in a sorted list of ids, or of objects with an id; -1 if absent.
template <typename List, typename Projection>
int position_of(const List& list, ComponentId component, Projection id_of) noexcept {
    const auto found = std::lower_bound(list.begin(), list.end(), component,
                                        [&](const auto& entry, ComponentId id) { return id_of(entry) < id; });
    if (found == list.end() || id_of(*found) != component) return -1;
    return static_cast<int>(found - list.begin());
}

}  // namespace

int Archetype::mask_of(ComponentId component) const noexcept {
    return position_of(layout_.masks, component, [](const MaskColumn& mask) { return mask.component; });
}

int Archetype::shared_of(ComponentId component) const noexcept {
    return position_of(parts_.shared, component, std::identity());
}

int Archetype::chunk_value_of(ComponentId component) const noexcept {
    return position_of(parts_.chunk_values, component,
                       [](const ChunkValuePlace& place) { return place.component; });
}

// ---- which chunk has room ----

std::uint32_t Archetype::open_chunk_of(std::uint32_t partition) const noexcept {
    if (partition == 0) return open_chunk_;
    const std::vector<std::uint32_t>& with_room = partitions_[partition - 1].with_room;
    return with_room.empty() ? internal::RoomSet::kNone : with_room.back();
}

void Archetype::mark_open(std::uint32_t chunk) noexcept {
    const std::uint32_t partition = chunks_[chunk].partition;
    if (partition == 0) {
        with_room_.insert(chunk);
        open_chunk_ = std::min(open_chunk_, chunk);
        return;
    }
    std::vector<std::uint32_t>& with_room = partitions_[partition - 1].with_room;
    const auto place = std::lower_bound(with_room.begin(), with_room.end(), chunk, std::greater<>());
    if (place == with_room.end() || *place != chunk) with_room.insert(place, chunk);
}

void Archetype::mark_full(std::uint32_t chunk) noexcept {
    const std::uint32_t partition = chunks_[chunk].partition;
    if (partition == 0) {
        with_room_.erase(chunk);
        open_chunk_ = with_room_.lowest();
        return;
    }
    std::vector<std::uint32_t>& with_room = partitions_[partition - 1].with_room;
    const auto place = std::lower_bound(with_room.begin(), with_room.end(), chunk, std::greater<>());
    if (place != with_room.end() && *place == chunk) with_room.erase(place);
}

// ---- partitions ----

std::uint32_t Archetype::require_partition(std::span<const SharedIndex> values) noexcept {
    ECS_EXPECTS(values.size() == parts_.shared.size(), values.size(), parts_.shared.size());
    if (values.empty()) return 0;
    try {
        return find_partition(values);
    } catch (const std::bad_alloc&) {
        return kNoPartition;
    }
}

// Steps that may run out of memory come before the first reference is added.
std::uint32_t Archetype::find_partition(std::span<const SharedIndex> values) {
    std::vector<SharedIndex> key(values.begin(), values.end());
    if (const auto known = partition_by_values_.find(key); known != partition_by_values_.end()) {
        return known->second;
    }
    std::vector<SharedIndex> kept = key;
    if (free_partitions_.empty()) {
        internal::reserve_more(free_partitions_, partitions_.size() + 1);
        partitions_.emplace_back();
        free_partitions_.push_back(static_cast<std::uint32_t>(partitions_.size()));
    }
    const std::uint32_t number = free_partitions_.back();
    partition_by_values_.emplace(std::move(key), number);
    free_partitions_.pop_back();
    for (std::size_t i = 0; i < kept.size(); ++i) shared_.retain(parts_.shared[i], kept[i]);
    partitions_[number - 1].values = std::move(kept);
    return number;
}

void Archetype::drop_partition(std::uint32_t number) noexcept {
    if (number == 0) return;
    Partition& partition = partitions_[number - 1];
    if (partition.values.empty() || partition.chunk_count != 0) return;
    partition_by_values_.erase(partition.values);
    for (std::size_t i = 0; i < partition.values.size(); ++i) {
        shared_.release(parts_.shared[i], partition.values[i]);
    }
    partition.values.clear();
    free_partitions_.push_back(number);  // require_partition reserved the capacity
}

// ---- whole chunks ----

void Archetype::exchange(Archetype& other) noexcept {
    ECS_EXPECTS(index_ == other.index_, index_, other.index_);
    std::swap(parts_, other.parts_);
    std::swap(components_, other.components_);
    std::swap(layout_, other.layout_);
    std::swap(column_count_, other.column_count_);
    std::swap(slot_count_, other.slot_count_);
    std::swap(version_stride_, other.version_stride_);
    std::swap(chunk_stride_, other.chunk_stride_);
    std::swap(has_plain_rows_, other.has_plain_rows_);
    std::swap(is_plain_, other.is_plain_);
    std::swap(reported_, other.reported_);
    std::swap(default_image_, other.default_image_);
    std::swap(write_plan_, other.write_plan_);
    std::swap(swap_plan_, other.swap_plan_);
    std::swap(chunks_, other.chunks_);
    std::swap(versions_, other.versions_);
    std::swap(chunk_bytes_, other.chunk_bytes_);
    std::swap(partitions_, other.partitions_);
    std::swap(free_partitions_, other.free_partitions_);
    std::swap(partition_by_values_, other.partition_by_values_);
    std::swap(spare_, other.spare_);
    std::swap(with_room_, other.with_room_);
    std::swap(open_chunk_, other.open_chunk_);
    std::swap(entity_count_, other.entity_count_);
}

bool Archetype::has_same_columns(const Archetype& other) const noexcept {
    const auto is_same_column = [](const Column& a, const Column& b) {
        return a.component == b.component && a.offset == b.offset && a.size == b.size;
    };
    const auto is_same_mask = [](const MaskColumn& a, const MaskColumn& b) {
        return a.component == b.component && a.offset == b.offset;
    };
    const ChunkLayout& theirs = other.layout_;
    return layout_.capacity == theirs.capacity && layout_.unit_count == theirs.unit_count &&
           std::equal(layout_.columns.begin(), layout_.columns.end(), theirs.columns.begin(),
                      theirs.columns.end(), is_same_column) &&
           std::equal(layout_.masks.begin(), layout_.masks.end(), theirs.masks.begin(), theirs.masks.end(),
                      is_same_mask);
}

bool Archetype::adopt_chunk(Archetype& from, std::uint32_t chunk, std::uint32_t partition,
                            ChangeVersion version) {
    ECS_EXPECTS(has_same_columns(from));
    if (!reserve_chunk(partition)) return false;
    ChunkSlot slot = from.chunks_[chunk];
    if (has_spare()) {
        // The spare is chunk 0, and the adopted chunk will be too.
        pool_.release(spare_.unit, layout_.unit_count);
        spare_.unit = kNoUnit;
        with_room_.erase(0);
        versions_.clear();
        chunk_bytes_.clear();
    }
    const auto number = static_cast<std::uint32_t>(chunks_.size());
    start_chunk();
    slot.partition = partition;
    slot.rows_version = version;
    chunks_.push_back(slot);
    for (std::size_t i = 0; i < parts_.chunk_values.size(); ++i) {
        const int theirs = from.chunk_value_of(parts_.chunk_values[i].component);
        if (theirs < 0) continue;
        std::copy_n(from.chunk_value(chunk, static_cast<std::size_t>(theirs)), parts_.chunk_values[i].size,
                    chunk_value(number, i));
    }
    if (partition != 0) ++partitions_[partition - 1].chunk_count;
    if (slot.row_count < layout_.capacity) mark_open(number);
    entity_count_ += slot.row_count;
    from.entity_count_ -= slot.row_count;
    units_.archetype[slot.unit] = index_;
    units_.chunk_index[slot.unit] = number;
    from.forget_chunk(chunk);  // within one archetype the chunk was in the list twice until now
    return true;
}

}  // namespace perigee
