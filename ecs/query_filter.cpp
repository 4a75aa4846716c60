// The walk: archetypes, their chunks, and the tests that a chunk must pass.
#include "ecs/query_filter.h"

#include "ecs/query.h"
#include "ecs/sorted_rows.h"

#include <algorithm>

namespace perigee {

namespace {

// Shown by nobody: next() comes before view().
const QueryMatch kNoMatch{};
const ChunkSlot kNoChunk{nullptr, 0, kNoUnit, 0};

}  // namespace

FilteredVisit::FilteredVisit(const Query& query, std::uint32_t since)
    : query_(query),
      version_(0),
      since_(since),
      is_marking_(false),
      match_(query.matches().data()),
      end_(match_ + query.matches().size()),
      view_(kNoMatch, kNoChunk, 0) {}

FilteredVisit::FilteredVisit(const Query& query, std::uint32_t version, std::uint32_t since)
    : FilteredVisit(query, since) {
    version_ = version;
    is_marking_ = true;
    if (!query.order_) return;
    sorted_ = query.spare_rows_ ? std::move(query.spare_rows_) : std::make_unique<SortedRows>(query);
    sorted_->collect(version, since);
}

FilteredVisit::~FilteredVisit() {
    if (!sorted_) return;
    sorted_->write_back();
    query_.spare_rows_ = std::move(sorted_);
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
    passing_rows_ = slot.row_count;
    const std::size_t changed = query_.desc().changed.size();
    if (changed == 0) return true;
    return std::any_of(match_->changed, match_->changed + changed, [&](const TermPlace& place) {
        return place.is_present && place.version(*match_->archetype, view_.chunk_index()) > since_;
    });
}

}  // namespace perigee
