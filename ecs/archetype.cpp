// Rows in chunks: appending, removing, and giving emptied chunks back.
#include "ecs/archetype.h"

#include "ecs/contract.h"
#include "ecs/internal/copy_value.h"

#include <algorithm>
#include <cstring>

namespace perigee {

void UnitTable::ensure(std::size_t units) {
    if (archetype.size() >= units) return;
    const std::size_t wanted = std::max(units, archetype.size() * 2);
    archetype.resize(wanted, 0);
    chunk_index.resize(wanted, 0);
}

Archetype::Archetype(std::uint32_t index, std::vector<ComponentId> components, ChunkLayout layout,
                     std::vector<std::byte> default_image, ChunkPool& pool, UnitTable& units)
    : index_(index),
      components_(std::move(components)),
      layout_(std::move(layout)),
      column_count_(layout_.columns.size()),
      default_image_(std::move(default_image)),
      pool_(pool),
      units_(units) {
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
    // Columns follow the sorted components, with tags left out.
    const auto first = layout_.columns.begin() + 1;
    const auto found =
        std::lower_bound(first, layout_.columns.end(), component,
                         [](const Column& column, ComponentId wanted) { return column.component < wanted; });
    if (found == layout_.columns.end() || found->component != component) return -1;
    return static_cast<int>(found - layout_.columns.begin());
}

Archetype::Run Archetype::append(std::uint32_t wanted, std::uint32_t version) noexcept {
    if (open_chunk_ == internal::RoomSet::kNone && !add_chunk()) return Run{0, 0, 0};
    const std::uint32_t chunk = open_chunk_;
    ChunkSlot& slot = chunks_[chunk];
    const std::uint32_t row = slot.row_count;
    const std::uint32_t count = std::min(wanted, layout_.capacity - row);
    slot.row_count += count;
    slot.rows_version = version;
    entity_count_ += count;
    if (slot.row_count == layout_.capacity) close_open_chunk();
    return Run{chunk, row, count};
}

void Archetype::close_open_chunk() noexcept {
    with_room_.erase(open_chunk_);
    open_chunk_ = with_room_.lowest();
}

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

Entity Archetype::remove(std::uint32_t chunk, std::uint32_t row, std::uint32_t version) noexcept {
    ChunkSlot& slot = chunks_[chunk];
    ECS_DEBUG_EXPECTS(row < slot.row_count, row, slot.row_count);
    if (slot.row_count == layout_.capacity) {
        with_room_.insert(chunk);
        open_chunk_ = std::min(open_chunk_, chunk);
    }
    const std::uint32_t last = --slot.row_count;
    slot.rows_version = version;
    --entity_count_;
    Entity moved;
    if (row != last) {
        moved = entities(slot)[last];
        swap_plan_.copy_row(slot.data, last, slot.data, row);
    }
    if (last == 0) drop_chunk(chunk);
    return moved;
}

void Archetype::clear() noexcept {
    for (const ChunkSlot& slot : chunks_) pool_.release(slot.unit, layout_.unit_count);
    if (has_spare()) pool_.release(spare_.unit, layout_.unit_count);
    spare_.unit = kNoUnit;
    chunks_.clear();
    versions_.clear();
    with_room_.clear();
    open_chunk_ = internal::RoomSet::kNone;
    entity_count_ = 0;
}

bool Archetype::add_chunk() noexcept {
    if (has_spare()) {
        // Chunk 0 again; the unit table and with_room_ still say so.
        chunks_.push_back(spare_);
        versions_.resize(column_count_, 0);
        spare_.unit = kNoUnit;
        open_chunk_ = 0;
        return true;
    }
    const UnitIndex unit = pool_.allocate(layout_.unit_count);
    if (unit == kNoUnit) return false;
    const auto chunk = static_cast<std::uint32_t>(chunks_.size());
    chunks_.push_back(ChunkSlot{pool_.address(unit), 0, unit, 0});
    versions_.resize(versions_.size() + column_count_, 0);
    with_room_.insert(chunk);
    open_chunk_ = chunk;
    units_.ensure(std::size_t{unit} + 1);
    units_.archetype[unit] = index_;
    units_.chunk_index[unit] = chunk;
    return true;
}

// The last chunk takes the number of the one that goes, so that chunk numbers stay dense.
void Archetype::drop_chunk(std::uint32_t chunk) noexcept {
    const auto last = static_cast<std::uint32_t>(chunks_.size() - 1);
    if (last == 0) {
        spare_ = chunks_.front();
        chunks_.clear();
        versions_.clear();
        open_chunk_ = internal::RoomSet::kNone;
        return;
    }
    pool_.release(chunks_[chunk].unit, layout_.unit_count);
    with_room_.erase(chunk);
    if (chunk != last) {
        chunks_[chunk] = chunks_[last];
        units_.chunk_index[chunks_[chunk].unit] = chunk;
        std::copy_n(versions_.begin() + static_cast<std::ptrdiff_t>(last * column_count_), column_count_,
                    versions_.begin() + static_cast<std::ptrdiff_t>(chunk * column_count_));
        if (with_room_.contains(last)) {
            with_room_.erase(last);
            with_room_.insert(chunk);
        }
    }
    open_chunk_ = with_room_.lowest();
    chunks_.pop_back();
    versions_.resize(versions_.size() - column_count_);
}

}  // namespace perigee
