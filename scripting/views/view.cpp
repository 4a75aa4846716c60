// Arming writes a few words per column; nothing is allocated except, once, the table of runs.
#include "scripting/views/view.h"

#include "ecs/archetype/archetype.h"
#include "ecs/base/contract.h"
#include "ecs/schedule/query_visit.h"
#include "ecs/storage/buffer.h"
#include "scripting/base/script_limits.h"

#include <cstddef>
#include <new>
#include <type_traits>

namespace perigee {

namespace {

// ---- the layout -------------------------------------------------------------------------------------------
// Lua has structs of its own for this memory, whose names mods cannot guess (layout.lua, random.lua).

static_assert(sizeof(ColumnView) == sizeof(perigee_view) && sizeof(ChunkMemory) == sizeof(perigee_chunk) &&
              sizeof(SystemMemory) == sizeof(perigee_system) && sizeof(StateMemory) == sizeof(perigee_state));
static_assert(std::is_standard_layout_v<ColumnView> && std::is_standard_layout_v<ChunkMemory> &&
              std::is_standard_layout_v<SystemMemory> && std::is_standard_layout_v<StateMemory>);

static_assert(offsetof(perigee_view, address) == 0 && offsetof(perigee_view, count) == 8 &&
              offsetof(perigee_view, first_row) == 12 && offsetof(perigee_view, epoch) == 16 &&
              offsetof(perigee_view, self) == 24 && offsetof(perigee_view, mask) == 32 &&
              sizeof(perigee_view) == 40);
static_assert(offsetof(perigee_lent, start) == offsetof(perigee_view, address) &&
              offsetof(perigee_lent, count) == offsetof(perigee_view, count) &&
              offsetof(perigee_lent, first_row) == offsetof(perigee_view, first_row) &&
              offsetof(perigee_lent, epoch) == offsetof(perigee_view, epoch) &&
              offsetof(perigee_lent, self) == offsetof(perigee_view, self) &&
              offsetof(perigee_lent, mask) == offsetof(perigee_view, mask) &&
              sizeof(perigee_lent) == sizeof(perigee_view));
static_assert(offsetof(perigee_lent_short, start) == offsetof(perigee_view, address) &&
              offsetof(perigee_lent_short, count) == offsetof(perigee_view, count) &&
              offsetof(perigee_lent_short, first_row) == offsetof(perigee_view, first_row) &&
              offsetof(perigee_lent_short, epoch) == offsetof(perigee_view, epoch));
static_assert(offsetof(perigee_chunk, count) == 0 && offsetof(perigee_chunk, index) == 4 &&
              offsetof(perigee_chunk, first_row) == 8 && offsetof(perigee_chunk, runs) == 16 &&
              offsetof(perigee_chunk, rows) == 24 && offsetof(perigee_chunk, views) == 32 &&
              offsetof(perigee_chunk, run_limit) == 40 && sizeof(perigee_chunk) == 48);
static_assert(offsetof(perigee_system, dt) == 0 && offsetof(perigee_system, tick) == 8 &&
              offsetof(perigee_system, time) == 16 && offsetof(perigee_system, alpha) == 24 &&
              offsetof(perigee_system, epoch) == 32 && offsetof(perigee_system, may_command) == 44 &&
              offsetof(perigee_system, random) == 48 && offsetof(perigee_system, system) == 56 &&
              sizeof(perigee_system) == 64);
static_assert(offsetof(perigee_state, outside_epoch) == 0 && offsetof(perigee_state, phase) == 8 &&
              offsetof(perigee_state, error_row) == 12 && offsetof(perigee_state, is_presentation) == 16 &&
              offsetof(perigee_state, error_length) == 20 && offsetof(perigee_state, lent_rows) == 24 &&
              offsetof(perigee_state, sorted_keys) == 32 && offsetof(perigee_state, lent_rows_of) == 40 &&
              sizeof(perigee_state) == 40 + 8 * kMaxQueries);
static_assert(offsetof(perigee_buffer, heap) == offsetof(BufferHeader, heap) &&
              offsetof(perigee_buffer, length) == offsetof(BufferHeader, length) &&
              offsetof(perigee_buffer, heap_capacity) == offsetof(BufferHeader, heap_capacity) &&
              sizeof(perigee_buffer) == sizeof(BufferHeader));
static_assert(sizeof(perigee_object) == 32 && sizeof(perigee_change) == 16);

// ---- lending ----------------------------------------------------------------------------------------------

constexpr std::size_t kOneRun = 4;  // entries of the table for row 0 and row 1
constexpr std::size_t kAllRuns = 2 * (std::size_t{kMaxChunkRows} + 1);

// The chunk's one value of a shared or a chunk component.
const std::byte* value_of(const ChunkView& chunk, std::size_t term) noexcept {
    const std::byte* shared = chunk.shared_data(term);
    return shared != nullptr ? shared : chunk.chunk_value_data(term);
}

}  // namespace

ViewSet::ViewSet(std::span<const ComponentId> terms, StateMemory& state, std::size_t slot)
    : terms_(terms.begin(), terms.end()),
      lent_rows_(slot == 0 ? state.lent_rows : state.lent_rows_of[slot - 1]),
      views_(std::make_unique<ColumnView[]>(terms.size() + 1)),
      memory_(std::make_unique<ChunkMemory>()),
      runs_(kOneRun) {
    for (std::size_t i = 0; i <= terms_.size(); ++i) views_[i].self = address_of(&views_[i]);
    memory_->views = this;
}

void ViewSet::arm(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                  std::uint64_t epoch) noexcept {
    lend_rows(chunk, first, last, epoch);
    runs_[0] = 1;
    runs_[1] = static_cast<std::uint16_t>(last - first);
    runs_[2] = 0;
    memory_->run_limit = 2;
    count_visit(last - first, last - first);
}

void ViewSet::arm_runs(const ChunkView& chunk, std::uint64_t epoch) {
    if (runs_.size() < kAllRuns) runs_.resize(kAllRuns);
    lend_rows(chunk, 0, chunk.row_count(), epoch);
    std::size_t before = 0;
    std::uint32_t seen = 0;
    chunk.for_each_run([&](std::uint32_t first, std::uint32_t last) {
        runs_[before] = static_cast<std::uint16_t>(first + 1);
        runs_[before + 1] = static_cast<std::uint16_t>(last);
        before = 2 * (std::size_t{first} + 1);
        seen += last - first;
    });
    runs_[before] = 0;
    memory_->run_limit = static_cast<std::int32_t>(kAllRuns / 2);
    count_visit(chunk.row_count(), seen);
}

void ViewSet::arm_list(std::span<const Entity> entities, const std::byte* values,
                       std::uint64_t epoch) noexcept {
    const auto lend = [&](ColumnView& view, const void* first) {
        view.address = address_of(first);
        view.count = first == nullptr ? 0 : static_cast<std::int32_t>(entities.size());
        view.epoch = first == nullptr ? 0 : epoch;
    };
    lend(views_[0], entities.data());
    if (!terms_.empty()) lend(views_[1], values);
    lend_to_state(entities.size());
    memory_->count = static_cast<std::int32_t>(entities.size());
    memory_->index = 1;
}

bool ViewSet::fill_rows() noexcept {
    const auto needed = static_cast<std::size_t>(memory_->count) + 1;
    try {
        if (next_.size() < needed) next_.resize(needed);
    } catch (const std::bad_alloc&) {
        return false;
    }
    std::size_t before = 0;
    for (std::size_t entry = 0; runs_[entry] != 0; entry = 2 * std::size_t{runs_[entry]}) {
        for (std::uint32_t row = runs_[entry]; row <= runs_[entry + 1]; ++row) {
            next_[before] = static_cast<std::uint16_t>(row);
            before = row;
        }
    }
    next_[before] = 0;
    memory_->rows = address_of(next_.data());
    return true;
}

void ViewSet::count_visit(std::uint32_t rows, std::uint32_t rows_seen) noexcept {
    memory_->runs = address_of(runs_.data());
    memory_->count = static_cast<std::int32_t>(rows);
    memory_->index = ++visits_;
    memory_->first_row = rows_seen_ + 1;
    rows_seen_ += rows_seen;
}

void ViewSet::lend_rows(const ChunkView& chunk, std::uint32_t first, std::uint32_t last,
                        std::uint64_t epoch) noexcept {
    const auto lend = [&](ColumnView& view, const std::byte* first_row, std::uint32_t count) {
        view.address = address_of(first_row);
        view.count = static_cast<std::int32_t>(count);
        view.epoch = epoch;
    };
    lend_to_state(last - first);
    lend(views_[0], reinterpret_cast<const std::byte*>(chunk.entities().data() + first), last - first);
    for (std::size_t term = 0; term < terms_.size(); ++term) {
        ColumnView& view = views_[term + 1];
        const std::byte* const start = chunk.column_data(term);
        const std::uint64_t* const mask = chunk.term_mask(term);
        view.mask = address_of(mask);
        view.first_row = first;
        if (start != nullptr) {
            lend(view, start + std::size_t{first} * chunk.row_bytes(term), last - first);
        } else if (mask != nullptr) {
            // Rows with nothing but an enabled bit; the address is not used.
            lend(view, reinterpret_cast<const std::byte*>(mask), last - first);
        } else if (const std::byte* value = value_of(chunk, term)) {
            lend(view, value, 1);
        } else {
            // A tag has no rows to lend; a non-zero address means that it is present.
            view.address = chunk.has(term) ? 1 : 0;
            view.count = 0;
            view.epoch = 0;
        }
    }
}

// Views of another set would take these rows for theirs.
void ViewSet::lend_to_state(std::size_t rows) noexcept {
    ECS_INVARIANT(lent_rows_ == 0, "two sets of views with the same number are armed");
    lent_rows_ = rows;
}

void ViewSet::disarm() noexcept {
    lent_rows_ = 0;
    for (std::size_t i = 0; i <= terms_.size(); ++i) {
        ColumnView& view = views_[i];
        view.address = 0;
        view.count = 0;
        view.epoch = 0;
        view.mask = 0;
    }
    memory_->count = 0;
    memory_->index = 0;
    memory_->first_row = 0;
    memory_->run_limit = 0;
    memory_->rows = 0;
}

ViewSet::Changed ViewSet::changed(std::uint32_t component) const noexcept {
    if (memory_->run_limit == 0 || visit_ == nullptr || !visit_->is_open()) return Changed::not_visited;
    if (visit_->is_in_order()) return Changed::in_order;
    const bool has_changed = component == kRows
                                 ? visit_->rows_changed()
                                 : visit_->changed(ComponentId{static_cast<std::uint16_t>(component)});
    return has_changed ? Changed::yes : Changed::no;
}

void ViewSet::restart() noexcept {
    visits_ = 0;
    rows_seen_ = 0;
}

}  // namespace perigee
