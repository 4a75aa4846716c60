// Sort keys, sorting, and copying there and back.
#include "ecs/sorted_rows.h"

#include "ecs/internal/copy_value.h"
#include "ecs/internal/radix_sort.h"
#include "ecs/query.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

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

// Bits that compare as the number does: negative ones upside down, the others above them. Zeros are equal.
std::uint64_t real_key(double value) noexcept {
    const auto bits = std::bit_cast<std::uint64_t>(value + 0.0);
    return (bits & kSignBit) != 0 ? ~bits : bits | kSignBit;
}

}  // namespace

SortedRows::SortedRows(const Query& query) : query_(query) {
    std::uint32_t row_bytes = sizeof(Entity);
    for (const std::uint32_t bytes : query.term_bytes_) row_bytes += bytes;
    capacity_ = std::clamp(kScratchBytes / row_bytes / 64 * 64, 64u, kMaxChunkRows);
    std::uint32_t offset = capacity_ * static_cast<std::uint32_t>(sizeof(Entity));
    for (const std::uint32_t bytes : query.term_bytes_) {
        TermPlace place;
        place.is_present = true;
        if (bytes != 0) {
            place.offset = offset;
            place.size = bytes;
            offset += capacity_ * bytes;  // A multiple of 64, since the capacity is.
        }
        layout_.push_back(place);
    }
    scratch_.reset(new (std::align_val_t{kCacheLine}) std::byte[offset]());
    slot_.data = scratch_.get();
}

// ---- collecting ----

void SortedRows::collect(std::uint32_t version, std::uint32_t since) {
    version_ = version;
    rows_.clear();
    sources_.clear();
    groups_.clear();
    first_ = 0;
    index_ = 0;
    slot_.row_count = 0;
    for (FilteredVisit visit(query_, since); visit.next();) {
        const ChunkView& view = visit.view();
        const auto source = static_cast<std::uint32_t>(sources_.size());
        sources_.push_back({&visit.match(), view.slot_, view.chunk_index(), group_of(visit.match())});
        const std::span<const Entity> entities = view.entities();
        const std::byte* value = view.column_data(query_.order_->term) + query_.order_->offset;
        for (std::uint32_t row = 0; row < view.row_count(); ++row) {
            rows_.push_back({key_of(value), entities[row], source, row});
            value += view.row_bytes(query_.order_->term);
        }
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
    internal::radix_sort(rows_, spare_, [](const Row& row) { return row.entity.bits; });
    internal::radix_sort(rows_, spare_, [](const Row& row) { return row.key; });
}

std::uint32_t SortedRows::group_of(const QueryMatch& match) {
    const auto found = std::find_if(groups_.begin(), groups_.end(),
                                    [&](const QueryMatch* first) { return is_alike(*first, match); });
    const auto group = static_cast<std::uint32_t>(found - groups_.begin());
    if (found == groups_.end()) groups_.push_back(&match);
    return group;
}

bool SortedRows::is_alike(const QueryMatch& a, const QueryMatch& b) const noexcept {
    for (std::size_t term = 0; term < layout_.size(); ++term) {
        if (a.terms[term].is_present != b.terms[term].is_present) return false;
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

// The rows from `first` on that share a scratch chunk.
std::uint32_t SortedRows::rows_together(std::size_t first) const noexcept {
    const std::uint32_t group = sources_[rows_[first].source].group;
    const std::size_t most = std::min<std::size_t>(rows_.size() - first, capacity_);
    std::uint32_t count = 1;
    while (count < most && sources_[rows_[first + count].source].group == group) ++count;
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

void SortedRows::gather() {
    const QueryMatch& first = *sources_[shown().front().source].match;
    match_.archetype = first.archetype;
    places_ = layout_;
    for (std::size_t term = 0; term < places_.size(); ++term) {
        if (!first.terms[term].is_present) places_[term] = TermPlace{};
        places_[term].owning = first.terms[term].owning;
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
        if (place.offset == kNoColumn || place.owning != nullptr) continue;
        std::byte* target = slot_.data + place.offset;
        for (const Row& row : shown()) {
            internal::copy_value(target, source_cell(row, term), place.size);
            target += place.size;
        }
    }
}

void SortedRows::write_back() noexcept {
    if (slot_.row_count == 0) return;
    for (const std::uint32_t term : query_.written_terms_) {
        const TermPlace& place = places_[term];
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
    ChunkView view(match_, slot_, 0, index_, first_);
    view.sorted_ = this;
    return view;
}

bool SortedRows::changed_since(std::size_t term, std::uint32_t version) const noexcept {
    return std::any_of(shown().begin(), shown().end(), [&](const Row& row) {
        const Source& source = sources_[row.source];
        return source.match->terms[term].version(*source.match->archetype, source.chunk) > version;
    });
}

}  // namespace perigee
