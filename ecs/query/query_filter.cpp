// Walks over archetypes and their chunks, and tests each chunk.
#include "ecs/query/query_filter.h"

#include "ecs/base/internal/row_bits.h"
#include "ecs/query/query.h"
#include "ecs/query/relation_index.h"
#include "ecs/query/sorted_rows.h"
#include "ecs/storage/shared_store.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace perigee {

namespace {

// Never shown, since next() is called before view().
const QueryMatch kNoMatch{};
const ChunkSlot kNoChunk{nullptr, 0, kNoUnit, 0};

}  // namespace

FilteredVisit::FilteredVisit(const Query& query, ChangeVersion since)
    : query_(query),
      version_(0),
      since_(since),
      is_marking_(false),
      match_(query.matches().data()),
      end_(match_ + query.matches().size()),
      view_(kNoMatch, kNoChunk, 0) {
    for (const SharedFilter& filter : query.desc().shared) {
        const std::optional<SharedIndex> value =
            query.values_.find(query.registry_.info(filter.component), filter.value.data());
        if (!value) match_ = end_;  // No entity has it.
        wanted_.push_back(value.value_or(kNoSharedValue));
    }
    if (!query.desc().related.empty()) find_related();
}

void FilteredVisit::find_related() {
    const auto precedes = [](Location a, Location b) { return a.bits() < b.bits(); };
    bool is_first = true;
    for (const RelatedFilter& filter : query_.desc().related) {
        std::vector<Location> rows;
        query_.relations_.find_rows(filter.relation, filter.target, rows);
        std::sort(rows.begin(), rows.end(), precedes);
        if (!is_first) {
            const auto end = std::set_intersection(related_.begin(), related_.end(), rows.begin(), rows.end(),
                                                   rows.begin(), precedes);
            rows.erase(end, rows.end());
        }
        related_ = std::move(rows);
        is_first = false;
    }
    if (related_.empty()) match_ = end_;
}

FilteredVisit::FilteredVisit(const Query& query, ChangeVersion version, ChangeVersion since)
    : FilteredVisit(query, since) {
    version_ = version;
    is_marking_ = true;
    if (!query.order_) return;
    sorted_ = std::make_unique<SortedRows>(query);
    sorted_->collect(version, since);
}

FilteredVisit::~FilteredVisit() {
    if (sorted_) sorted_->write_back();
}

bool FilteredVisit::next() {
    if (!sorted_) return next_chunk();
    if (!sorted_->next()) return false;
    view_ = sorted_->view();
    return true;
}

bool FilteredVisit::next_chunk() noexcept {
    first_row_ += passing_rows_;
    for (; match_ != end_; ++match_, next_chunk_ = 0) {
        Archetype& archetype = *match_->archetype;
        while (next_chunk_ < archetype.chunk_count()) {
            const std::uint32_t chunk = next_chunk_++;
            const ChunkSlot& slot = archetype.chunks()[chunk];
            view_ = ChunkView(*match_, slot, chunk, index_, first_row_);
            if (!passes(slot)) continue;
            ++index_;
            if (is_marking_) query_.mark_written(*match_, chunk, version_);
            return true;
        }
    }
    passing_rows_ = 0;
    return false;
}

bool FilteredVisit::passes(const ChunkSlot& slot) noexcept {
    passing_rows_ = 0;
    if (!has_values(slot) || !has_changed()) return false;
    if (match_->rows == nullptr) {
        passing_rows_ = query_.desc().related.empty() ? slot.row_count : keep_related(slot);
        if (passing_rows_ != slot.row_count) view_.enabled_ = enabled_.data();
        return passing_rows_ != 0;
    }
    passing_rows_ = perigee::passing_rows(*match_->rows, slot, enabled_);
    if (!query_.desc().related.empty()) passing_rows_ = keep_related(slot);
    if (passing_rows_ != slot.row_count) view_.enabled_ = enabled_.data();
    return passing_rows_ != 0;
}

// Clears the bits of rows that are not related. Without other filters all rows passed until now.
std::uint32_t FilteredVisit::keep_related(const ChunkSlot& slot) noexcept {
    RowBits kept{};
    std::uint32_t count = 0;
    const bool had_filter = match_->rows != nullptr;
    const auto first = std::lower_bound(related_.begin(), related_.end(), Location(slot.unit, 0),
                                        [](Location a, Location b) { return a.bits() < b.bits(); });
    for (auto at = first; at != related_.end() && at->unit() == slot.unit; ++at) {
        if (had_filter && !internal::row_bit(enabled_.data(), at->row())) continue;
        internal::set_row_bit(kept.data(), at->row(), true);
        ++count;
    }
    enabled_ = kept;
    return count;
}

bool FilteredVisit::has_values(const ChunkSlot& slot) const noexcept {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
        if (match_->archetype->shared_value(slot.partition, match_->shared[i].side_index) != wanted_[i])
            return false;
    }
    return true;
}

bool FilteredVisit::has_changed() const noexcept {
    const std::size_t changed = query_.desc().changed.size();
    if (changed == 0) return true;
    return std::any_of(match_->changed, match_->changed + changed, [&](const TermPlace& place) {
        return place.is_present && place.version(*match_->archetype, view_.chunk_index()) > since_;
    });
}

namespace {

// On processors without an instruction for it, the library's version is a call per word.
constexpr std::uint32_t count_bits(std::uint64_t bits) noexcept {
    bits -= bits >> 1 & 0x5555555555555555;
    bits = (bits & 0x3333333333333333) + (bits >> 2 & 0x3333333333333333);
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F;
    return static_cast<std::uint32_t>(bits * 0x0101010101010101 >> 56);
}

// Writes the bits of `word_at` for all rows of the chunk and returns how many are set.
template <typename WordAt>
std::uint32_t collect_bits(std::uint32_t row_count, RowBits& bits, WordAt word_at) noexcept {
    std::uint32_t count = 0;
    for (std::uint32_t word = 0; word * 64 < row_count; ++word) {
        const std::uint32_t rows = row_count - word * 64;
        const std::uint64_t all = rows >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows) - 1;
        const std::uint64_t passing = word_at(word) & all;
        bits[word] = passing;
        // Most words are whole.
        if (passing == all) {
            count += std::min(rows, 64u);
        } else if (passing != 0) {
            count += count_bits(passing);
        }
    }
    return count;
}

}  // namespace

std::uint32_t passing_rows(const RowFilter& filter, const ChunkSlot& slot, RowBits& bits) noexcept {
    const auto words_at = [&](std::uint32_t offset) {
        return reinterpret_cast<const std::uint64_t*>(slot.data + offset);
    };
    if (filter.required.size() == 1 && filter.excluded.empty() && filter.any.empty()) {
        const std::uint64_t* words = words_at(filter.required.front());
        return collect_bits(slot.row_count, bits, [words](std::uint32_t word) { return words[word]; });
    }
    return collect_bits(slot.row_count, bits, [&](std::uint32_t word) {
        std::uint64_t passing = ~std::uint64_t{0};
        for (const std::uint32_t offset : filter.required) passing &= words_at(offset)[word];
        for (const std::uint32_t offset : filter.excluded) passing &= ~words_at(offset)[word];
        if (!filter.any.empty()) {
            std::uint64_t any = 0;
            for (const std::uint32_t offset : filter.any) any |= words_at(offset)[word];
            passing &= any;
        }
        return passing;
    });
}

}  // namespace perigee
