// Rows in chunks: appending, removing, and releasing empty chunks. Partitions and moving whole chunks are in
// archetype_partitions.cpp.
#include "ecs/archetype/archetype.h"

#include "ecs/base/contract.h"
#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/internal/row_bits.h"
#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <cstring>
#include <new>

namespace perigee {

bool UnitTable::ensure(std::size_t units) noexcept {
    if (archetype.size() >= units) return true;
    try {
        const std::size_t wanted = std::max(units, archetype.size() * 2);
        chunk_index.resize(wanted, 0);
        archetype.resize(wanted, 0);
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

Archetype::Archetype(std::uint32_t index, ArchetypeParts parts, ChunkPool& pool, UnitTable& units,
                     SharedStore& shared)
    : index_(index),
      parts_(std::move(parts)),
      components_(std::move(parts_.components)),
      layout_(std::move(parts_.layout)),
      column_count_(layout_.columns.size()),
      slot_count_(column_count_ + layout_.masks.size() + parts_.chunk_values.size()),
      version_stride_(2 * slot_count_),
      chunk_stride_(parts_.default_chunk_value.size()),
      has_plain_rows_(layout_.masks.empty() && parts_.shared.empty() && parts_.chunk_values.empty() &&
                      parts_.owning.empty() && !parts_.has_cleanup && !parts_.is_destroyed &&
                      !parts_.is_hooked),
      is_plain_(has_plain_rows_),
      default_image_(std::move(parts_.default_image)),
      pool_(pool),
      units_(units),
      shared_(shared) {
    ECS_EXPECTS(default_image_.size() == image_bytes());
    std::uint32_t image_offset = 0;
    for (const Column& column : layout_.columns) {
        swap_plan_.add({column.offset, column.offset, column.size});
        if (column.offset == 0) continue;
        write_plan_.add({image_offset, column.offset, column.size});
        image_offset += column.size;
    }
}

Archetype::~Archetype() { clear(); }

bool Archetype::has(ComponentId component) const noexcept {
    return std::binary_search(components_.begin(), components_.end(), component);
}

int Archetype::column_of(ComponentId component) const noexcept {
    // Columns are in the order of the components, without components that have no column.
    const auto first = layout_.columns.begin() + 1;
    const auto found =
        std::lower_bound(first, layout_.columns.end(), component,
                         [](const Column& column, ComponentId wanted) { return column.component < wanted; });
    if (found == layout_.columns.end() || found->component != component) return -1;
    return static_cast<int>(found - layout_.columns.begin());
}

Archetype::Run Archetype::append(std::uint32_t wanted, ChangeVersion version,
                                 std::uint32_t partition) noexcept {
    std::uint32_t chunk = open_chunk_of(partition);
    if (chunk == internal::RoomSet::kNone) {
        if (!add_chunk(partition)) return Run{0, 0, 0};
        chunk = open_chunk_of(partition);
    }
    return fill(chunk, wanted, version);
}

Archetype::Run Archetype::append_to_new_chunk(std::uint32_t wanted, ChangeVersion version,
                                              std::uint32_t partition) noexcept {
    if (!add_chunk(partition)) return Run{0, 0, 0};
    return fill(static_cast<std::uint32_t>(chunks_.size() - 1), wanted, version);
}

Archetype::Run Archetype::fill(std::uint32_t chunk, std::uint32_t wanted, ChangeVersion version) noexcept {
    ChunkSlot& slot = chunks_[chunk];
    const std::uint32_t row = slot.row_count;
    const std::uint32_t count = std::min(wanted, layout_.capacity - row);
    slot.row_count += count;
    slot.rows_version = version;
    entity_count_ += count;
    if (!layout_.masks.empty()) enable_rows(slot, row, count);
    if (slot.row_count == layout_.capacity) mark_full(chunk);
    return Run{chunk, row, count};
}

void Archetype::close_open_chunk() noexcept { mark_full(open_chunk_); }

std::uint32_t Archetype::image_offset(std::size_t column) const noexcept {
    std::uint32_t offset = 0;
    for (std::size_t i = 1; i < column; ++i) offset += layout_.columns[i].size;
    return offset;
}

void Archetype::write_images(std::uint32_t chunk, std::uint32_t row, std::uint32_t count,
                             const std::byte* image) noexcept {
    const ChunkSlot& slot = chunks_[chunk];
    for (std::size_t i = 1; i < column_count_; ++i) {
        const Column& column = layout_.columns[i];
        internal::fill_values(cell(slot, column, row), image, column.size, count);
        image += column.size;
    }
}

// New rows are enabled.
void Archetype::enable_rows(const ChunkSlot& slot, std::uint32_t row, std::uint32_t count) noexcept {
    for (const MaskColumn& mask : layout_.masks) {
        std::uint64_t* words = mask_words(slot, mask);
        for (std::uint32_t i = row; i < row + count;) {
            const std::uint32_t bit = i % 64, bits = std::min(64 - bit, row + count - i);
            words[i / 64] |= (bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1) << bit;
            i += bits;
        }
    }
}

// The bits of the removed row move with it, and its old bits become zero.
void Archetype::move_bits(const ChunkSlot& slot, std::uint32_t from, std::uint32_t to) noexcept {
    for (const MaskColumn& mask : layout_.masks) {
        std::uint64_t* words = mask_words(slot, mask);
        internal::set_row_bit(words, to, internal::row_bit(words, from));
        internal::set_row_bit(words, from, false);
    }
}

void Archetype::clear() noexcept {
    for (const ChunkSlot& slot : chunks_) pool_.release(slot.unit, layout_.unit_count);
    if (has_spare()) pool_.release(spare_.unit, layout_.unit_count);
    spare_.unit = kNoUnit;
    chunks_.clear();
    versions_.clear();
    chunk_bytes_.clear();
    with_room_.clear();
    open_chunk_ = internal::RoomSet::kNone;
    entity_count_ = 0;
    for (std::size_t i = 0; i < partitions_.size(); ++i) {
        partitions_[i].with_room.clear();
        partitions_[i].chunk_count = 0;
        drop_partition(static_cast<std::uint32_t>(i + 1));
    }
}

bool Archetype::add_chunk(std::uint32_t partition) noexcept {
    if (has_spare()) {
        // It becomes chunk 0 again, as it still is in the unit table and in with_room_. Every list has
        // capacity for one.
        std::fill(versions_.begin(), versions_.end(), 0);
        std::copy(parts_.default_chunk_value.begin(), parts_.default_chunk_value.end(), chunk_bytes_.begin());
        chunks_.push_back(ChunkSlot{spare_.data, 0, spare_.unit, 0, 0});
        spare_.unit = kNoUnit;
        open_chunk_ = 0;
        return true;
    }
    if (!reserve_chunk(partition)) return false;
    const UnitIndex unit = pool_.allocate(layout_.unit_count);
    if (unit == kNoUnit) return false;
    if (!units_.ensure(std::size_t{unit} + 1)) {
        pool_.release(unit, layout_.unit_count);
        return false;
    }
    const auto chunk = static_cast<std::uint32_t>(chunks_.size());
    start_chunk();
    chunks_.push_back(ChunkSlot{pool_.address(unit), 0, unit, 0, partition});
    for (const MaskColumn& mask : layout_.masks) {
        std::fill_n(mask_words(chunks_.back(), mask), layout_.mask_words(), 0);
    }
    units_.archetype[unit] = index_;
    units_.chunk_index[unit] = chunk;
    if (partition != 0) ++partitions_[partition - 1].chunk_count;
    mark_open(chunk);
    return true;
}

// Reserves room for one more chunk in every list of chunks, so that no later step runs out of memory.
bool Archetype::reserve_chunk(std::uint32_t partition) noexcept {
    if (is_dormant() && !wake()) return false;
    try {
        const std::size_t chunks = chunks_.size() + 1;
        internal::reserve_more(chunks_, chunks);
        internal::reserve_more(versions_, chunks * version_stride_);
        internal::reserve_more(chunk_bytes_, chunks * chunk_stride_);
        if (partition == 0) {
            with_room_.reserve(static_cast<std::uint32_t>(chunks));
        } else {
            Partition& mine = partitions_[partition - 1];
            internal::reserve_more(mine.with_room, mine.chunk_count + 1);
        }
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

// Entries for the chunk after the last one: no versions, default chunk values.
void Archetype::start_chunk() noexcept {
    versions_.resize(versions_.size() + version_stride_, 0);
    chunk_bytes_.insert(chunk_bytes_.end(), parts_.default_chunk_value.begin(),
                        parts_.default_chunk_value.end());
}

void Archetype::drop_chunk(std::uint32_t chunk) noexcept {
    if (chunks_.size() == 1 && parts_.shared.empty()) {
        // Copied member by member: a copy of the whole would wait for the row count, which was just written.
        spare_.data = chunks_.front().data;
        spare_.unit = chunks_.front().unit;
        chunks_.clear();
        open_chunk_ = internal::RoomSet::kNone;
        return;
    }
    pool_.release(chunks_[chunk].unit, layout_.unit_count);
    forget_chunk(chunk);
}

// The last chunk takes the number of the removed one, so that chunk numbers stay dense.
void Archetype::forget_chunk(std::uint32_t chunk) noexcept {
    const auto last = static_cast<std::uint32_t>(chunks_.size() - 1);
    const std::uint32_t partition = chunks_[chunk].partition;
    mark_full(chunk);
    if (chunk != last) {
        const bool last_has_room = chunks_[last].row_count < layout_.capacity;
        if (last_has_room) mark_full(last);
        chunks_[chunk] = chunks_[last];
        units_.chunk_index[chunks_[chunk].unit] = chunk;
        std::copy_n(versions_.begin() + static_cast<std::ptrdiff_t>(last * version_stride_), version_stride_,
                    versions_.begin() + static_cast<std::ptrdiff_t>(chunk * version_stride_));
        std::copy_n(chunk_bytes_.begin() + static_cast<std::ptrdiff_t>(last * chunk_stride_), chunk_stride_,
                    chunk_bytes_.begin() + static_cast<std::ptrdiff_t>(chunk * chunk_stride_));
        if (last_has_room) mark_open(chunk);
    }
    chunks_.pop_back();
    versions_.resize(versions_.size() - version_stride_);
    chunk_bytes_.resize(chunk_bytes_.size() - chunk_stride_);
    if (partition != 0 && --partitions_[partition - 1].chunk_count == 0) drop_partition(partition);
}

}  // namespace perigee
