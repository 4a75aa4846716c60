// Sort keys, sorting, and copying rows to scratch chunks and back.
#include "ecs/query/sorted_rows.h"

#include "ecs/base/internal/copy_value.h"
#include "ecs/base/internal/keep_room.h"
#include "ecs/base/internal/radix_sort.h"
#include "ecs/query/query.h"
#include "ecs/schema/registry.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

namespace perigee {

namespace {

constexpr std::uint32_t kScratchBytes = 1 << 20;
constexpr std::uint64_t kLastKey = ~std::uint64_t{0};
constexpr std::uint64_t kSignBit = std::uint64_t{1} << 63;

template <typename T> T read(const std::byte* bytes) noexcept {
    T value;
    std::memcpy(&value, bytes, sizeof(T));
    return value;
}

std::uint64_t unsigned_key(const std::byte* bytes, std::uint32_t size) noexcept {
    switch (size) {
        case 1:
            return read<std::uint8_t>(bytes);
        case 2:
            return read<std::uint16_t>(bytes);
        case 4:
            return read<std::uint32_t>(bytes);
        default:
            return read<std::uint64_t>(bytes);
    }
}

std::uint64_t signed_key(const std::byte* bytes, std::uint32_t size) noexcept {
    switch (size) {
        case 1:
            return static_cast<std::uint64_t>(std::int64_t{read<std::int8_t>(bytes)}) ^ kSignBit;
        case 2:
            return static_cast<std::uint64_t>(std::int64_t{read<std::int16_t>(bytes)}) ^ kSignBit;
        case 4:
            return static_cast<std::uint64_t>(std::int64_t{read<std::int32_t>(bytes)}) ^ kSignBit;
        default:
            return read<std::uint64_t>(bytes) ^ kSignBit;
    }
}

// Bits that compare like the number: those of negative numbers are inverted, others come above them. Both
// zeros are equal.
std::uint64_t real_key(double value) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

}  // namespace

// One for all queries of a thread. A nested visit has its own.
thread_local std::unique_ptr<SortedRows::Memory> SortedRows::t_memory;

SortedRows::SortedRows(const Query& query)
    : query_(query),
      memory_(t_memory != nullptr ? std::move(t_memory) : std::make_unique<Memory>()),
      rows_(memory_->rows) {
    std::uint32_t row_bytes = sizeof(Entity);
    for (const std::uint32_t bytes : query.term_bytes_) row_bytes += bytes;
    capacity_ = std::clamp(kScratchBytes / row_bytes / 64 * 64, 64u, kMaxChunkRows);
    std::uint32_t end = capacity_ * static_cast<std::uint32_t>(sizeof(Entity));
    for (std::size_t term = 0; term < query.term_bytes_.size(); ++term) {
        TermPlace place;
        place.size = query.term_bytes_[term];
        if (place.size != 0) {
            place.offset = end;
            end += capacity_ * place.size;  // A multiple of 64, since the capacity is.
        }
        const ComponentKind kind = query.registry_.info(query.desc().terms[term].component).kind();
        if (kind == ComponentKind::enableable) {
            place.mask = end;
            end += kMaxChunkRows / 8;
        }
        has_chunk_values_ = has_chunk_values_ || kind == ComponentKind::chunk;
        layout_.push_back(place);
    }
    if (memory_->scratch_bytes < end) {
        memory_->scratch_bytes = 0;
        memory_->scratch.reset(new (std::align_val_t{kCacheLine}) std::byte[end]());
        memory_->scratch_bytes = end;
    }
    slot_.data = memory_->scratch.get();
}

SortedRows::~SortedRows() {
    internal::clear_keeping_room(memory_->rows);
    if (memory_->rows.capacity() == 0) std::vector<Row>().swap(memory_->spare);
    t_memory = std::move(memory_);
}

std::size_t SortedRows::kept_bytes() noexcept {
    if (t_memory == nullptr) return 0;
    return (t_memory->rows.capacity() + t_memory->spare.capacity()) * sizeof(Row) + t_memory->scratch_bytes;
}

// ---- collecting ----

void SortedRows::collect(ChangeVersion version, ChangeVersion since) {
    version_ = version;
    rows_.clear();
    sources_.clear();
    groups_.clear();
    group_by_kind_.clear();
    first_ = 0;
    index_ = 0;
    slot_.row_count = 0;
    for (FilteredVisit visit(query_, since); visit.next();) {
        const ChunkView& view = visit.view();
        const auto source = static_cast<std::uint32_t>(sources_.size());
        sources_.push_back({&visit.match(), view.slot_, view.chunk_index(), 0});
        sources_.back().group = group_of(sources_.back());
        const std::span<const Entity> entities = view.entities();
        const std::byte* values = view.column_data(query_.order_->term) + query_.order_->offset;
        const std::size_t row_bytes = view.row_bytes(query_.order_->term);
        view.for_each_run([&](std::uint32_t first, std::uint32_t last) {
            for (std::uint32_t row = first; row < last; ++row) {
                rows_.push_back({key_of(values + row * row_bytes), entities[row], source, row});
            }
        });
    }
    sort();
}

std::uint64_t SortedRows::key_of(const std::byte* value) const noexcept {
    const auto& order = *query_.order_;
    std::uint64_t key = 0;
    switch (order.type) {
        case FieldType::f32:
        case FieldType::f64: {
            const double number = order.size == 4 ? double{read<float>(value)} : read<double>(value);
            if (std::isnan(number)) return kLastKey;
            key = real_key(number);
            break;
        }
        case FieldType::i8:
        case FieldType::i16:
        case FieldType::i32:
        case FieldType::i64:
            key = signed_key(value, order.size);
            break;
        default:
            key = unsigned_key(value, order.size);
    }
    return order.is_descending ? ~key : key;
}

void SortedRows::sort() {
    internal::radix_sort(rows_, memory_->spare, [](const Row& row) { return row.entity.bits; });
    internal::radix_sort(rows_, memory_->spare, [](const Row& row) { return row.key; });
}

std::uint32_t SortedRows::group_of(const Source& source) {
    if (has_chunk_values_) return static_cast<std::uint32_t>(sources_.size());
    const std::uint64_t kind = kind_of(source);
    const auto [first, end] = group_by_kind_.equal_range(kind);
    for (auto at = first; at != end; ++at)
        if (is_alike(groups_[at->second], source)) return at->second;
    const auto group = static_cast<std::uint32_t>(groups_.size());
    groups_.push_back(source);
    group_by_kind_.emplace(kind, group);
    return group;
}

std::uint64_t SortedRows::kind_of(const Source& source) const noexcept {
    std::uint64_t kind = 0;
    for (std::size_t term = 0; term < layout_.size(); ++term) {
        const TermPlace& place = source.match->terms[term];
        std::uint64_t value = place.is_present ? 1 : 0;
        if (place.is_shared)
            value += 2 + source.match->archetype->shared_value(source.slot->partition, place.side_index);
        kind = (kind ^ value) * 0x9E3779B97F4A7C15u;
        kind ^= kind >> 32;
    }
    return kind;
}

bool SortedRows::is_alike(const Source& a, const Source& b) const noexcept {
    for (std::size_t term = 0; term < layout_.size(); ++term) {
        const TermPlace &mine = a.match->terms[term], &other = b.match->terms[term];
        if (mine.is_present != other.is_present) return false;
        if (mine.is_shared && a.match->archetype->shared_value(a.slot->partition, mine.side_index) !=
                                  b.match->archetype->shared_value(b.slot->partition, other.side_index)) {
            return false;
        }
    }
    return true;
}

// ---- showing ----

bool SortedRows::next() {
    write_back();
    if (slot_.row_count != 0) ++index_;
    first_ += slot_.row_count;
    slot_.row_count = 0;
    if (first_ == rows_.size()) return false;
    slot_.row_count = rows_together(first_);
    gather();
    return true;
}

// The number of rows from `first` on that share a scratch chunk.
std::uint32_t SortedRows::rows_together(std::size_t first) const noexcept {
    const std::uint32_t group = sources_[rows_[first].source].group;
    const std::size_t max_count = std::min<std::size_t>(rows_.size() - first, capacity_);
    std::uint32_t count = 1;
    while (count < max_count && sources_[rows_[first + count].source].group == group) ++count;
    return count;
}

std::uint32_t SortedRows::chunk_count() const noexcept {
    std::uint32_t count = 0;
    for (std::size_t first = 0; first < rows_.size(); first += rows_together(first)) ++count;
    return count;
}

std::byte* SortedRows::source_cell(const Row& row, std::size_t term) const noexcept {
    const Source& source = sources_[row.source];
    const TermPlace& place = source.match->terms[term];
    return source.slot->data + place.offset + std::size_t{row.row} * place.size;
}

std::uint64_t& SortedRows::source_word(const Row& row, std::size_t term) const noexcept {
    const Source& source = sources_[row.source];
    std::byte* words = source.slot->data + source.match->terms[term].mask;
    return reinterpret_cast<std::uint64_t*>(words)[row.row / 64];
}

void SortedRows::gather() {
    const Source& first = sources_[shown().front().source];
    match_ = *first.match;
    match_.rows = nullptr;
    slot_.partition = first.slot->partition;
    // Present columns are in the scratch chunk; shared and chunk values are those of any row's chunk.
    places_.assign(first.match->terms, first.match->terms + layout_.size());
    for (std::size_t term = 0; term < places_.size(); ++term) {
        if (places_[term].offset != kNoColumn) places_[term].offset = layout_[term].offset;
        if (places_[term].mask != kNoColumn) places_[term].mask = layout_[term].mask;
    }
    match_.terms = places_.data();
    Entity* entity = Archetype::entities(slot_);
    std::uint32_t marked = ~0u;
    for (const Row& row : shown()) {
        *entity++ = row.entity;
        if (row.source == marked) continue;
        marked = row.source;
        query_.mark_written(*sources_[marked].match, sources_[marked].chunk, version_);
    }
    for (std::size_t term = 0; term < places_.size(); ++term) {
        const TermPlace& place = places_[term];
        if (place.mask != kNoColumn) gather_bits(term);
        if (place.offset == kNoColumn || place.owning != nullptr) continue;
        std::byte* target = slot_.data + place.offset;
        for (const Row& row : shown()) {
            internal::copy_value(target, source_cell(row, term), place.size);
            target += place.size;
        }
    }
}

void SortedRows::gather_bits(std::size_t term) noexcept {
    auto* words = reinterpret_cast<std::uint64_t*>(slot_.data + places_[term].mask);
    std::fill_n(words, kMaxChunkRows / 64, 0);
    for (std::size_t i = 0; i < shown().size(); ++i) {
        const Row& row = shown()[i];
        words[i / 64] |= (source_word(row, term) >> (row.row % 64) & 1) << (i % 64);
    }
}

void SortedRows::write_bits_back(std::size_t term) noexcept {
    const auto* words = reinterpret_cast<const std::uint64_t*>(slot_.data + places_[term].mask);
    for (std::size_t i = 0; i < shown().size(); ++i) {
        const Row& row = shown()[i];
        const std::uint64_t bit = std::uint64_t{1} << (row.row % 64);
        std::uint64_t& word = source_word(row, term);
        word = (words[i / 64] >> (i % 64) & 1) != 0 ? word | bit : word & ~bit;
    }
}

void SortedRows::write_back() noexcept {
    if (slot_.row_count == 0) return;
    for (const std::uint32_t term : query_.written_terms_) {
        const TermPlace& place = places_[term];
        if (place.mask != kNoColumn) write_bits_back(term);
        if (place.offset == kNoColumn || place.owning != nullptr) continue;
        const std::byte* from = slot_.data + place.offset;
        for (const Row& row : shown()) {
            internal::copy_value(source_cell(row, term), from, place.size);
            from += place.size;
        }
    }
}

std::byte* SortedRows::owning_cell(std::size_t term, std::uint32_t row) const noexcept {
    return source_cell(shown()[row], term);
}

ChunkView SortedRows::view() const noexcept {
    ChunkView view(match_, slot_, sources_[shown().front().source].chunk, index_, first_);
    view.sorted_ = this;
    return view;
}

bool SortedRows::changed_since(std::size_t term, ChangeVersion version) const noexcept {
    return std::any_of(shown().begin(), shown().end(), [&](const Row& row) {
        const Source& source = sources_[row.source];
        return source.match->terms[term].version(*source.match->archetype, source.chunk) > version;
    });
}

}  // namespace perigee
