// Ranges between whose items others come: cut where those are, or item by item if that would be many pieces.
#include "engine/draw/draw_list.h"

#include <algorithm>
#include <limits>

namespace perigee {

namespace {

// A smaller piece of kept items is copied: each that is not is a run of its own, and a copy costs 10 ns.
constexpr std::uint32_t kItemsOfPiece = 128;
// With fewer items an entry, or for a cut, sorting all of them again is less work.
constexpr std::size_t kItemsOfEntry = 16;
constexpr std::size_t kItemsOfCut = 64;

}  // namespace

bool DrawList::overlaps_next(std::size_t entry) const noexcept {
    const Entry& one = entries_[entry];
    if ((one.item & kRange) == 0 || entry + 1 == entries_.size()) return false;
    const Entry& next = entries_[entry + 1];
    const Range& range = ranges_[one.item & ~kRange];
    return next.key == one.key && range.has_ties && next.tie < range.last_tie;
}

bool DrawList::is_interleaved() const noexcept {
    for (std::size_t at = 0; at < entries_.size(); ++at)
        if (overlaps_next(at)) return true;
    return false;
}

// Expects sorted entries. False if they are not sorted any more.
bool DrawList::split_interleaved() {
    const auto count_of = [this](const Entry& entry) -> std::size_t {
        return (entry.item & kRange) != 0 ? ranges_[entry.item & ~kRange].count : 1;
    };
    RawVector<Entry>& out = sorted_entries_;
    out.clear();
    bool is_sorted = true;
    for (std::size_t first = 0, end = 0; first < entries_.size(); first = end) {
        std::size_t overlaps = 0;
        std::size_t items = 0;
        for (; end < entries_.size() && entries_[end].key == entries_[first].key; ++end) {
            overlaps += overlaps_next(end) ? 1U : 0U;
            items += count_of(entries_[end]);
        }
        const std::span<const Entry> group = std::span<const Entry>{entries_}.subspan(first, end - first);
        const std::size_t cuts = items / kItemsOfCut + 1;
        if (overlaps == 0) {
            out.insert(out.end(), group.begin(), group.end());
        } else if (overlaps <= cuts && group.size() * kItemsOfEntry <= items && find_pieces(group, cuts)) {
            for (const Piece& piece : pieces_)
                add_piece(group[piece.entry], piece.first, piece.end - piece.first);
        } else {
            for (const Entry& entry : group) add_each(entry);
            is_sorted = false;
        }
    }
    entries_.swap(out);
    return is_sorted;
}

// Takes the entry whose next item comes first, up to the next item of another one. False if that makes
// more cuts.
bool DrawList::find_pieces(std::span<const Entry> group, std::size_t cuts) {
    const auto is_later = [](const Piece& a, const Piece& b) {
        return a.tie != b.tie ? a.tie > b.tie : a.entry > b.entry;
    };
    const auto whole = [&](std::size_t number) {
        const Entry& entry = group[number];
        Piece piece{entry.tie, static_cast<std::uint32_t>(number), entry.item, entry.item + 1};
        if ((entry.item & kRange) != 0) {
            const Range& range = ranges_[entry.item & ~kRange];
            piece.first = range.first;
            piece.end = range.first + range.count;
        }
        return piece;
    };
    pieces_.clear();
    open_pieces_.clear();
    std::size_t next = 0;
    while (next < group.size() || !open_pieces_.empty()) {
        Piece piece;
        if (open_pieces_.empty() || (next < group.size() && group[next].tie < open_pieces_.front().tie)) {
            piece = whole(next++);
        } else {
            std::ranges::pop_heap(open_pieces_, is_later);
            piece = open_pieces_.back();
            open_pieces_.pop_back();
        }
        std::uint32_t other = std::numeric_limits<std::uint32_t>::max();
        if (next < group.size()) other = group[next].tie;
        if (!open_pieces_.empty()) other = std::min(other, open_pieces_.front().tie);

        const Entry& entry = group[piece.entry];
        Piece rest = piece;
        if ((entry.item & kRange) != 0 && ranges_[entry.item & ~kRange].has_ties) {
            const Range& range = ranges_[entry.item & ~kRange];
            const std::uint32_t* const ties = range.kept != nullptr ? range.kept->ties.data() : ties_.data();
            const std::uint32_t* const cut = std::upper_bound(ties + piece.first, ties + piece.end, other);
            piece.end = static_cast<std::uint32_t>(cut - ties);
            if (piece.end != rest.end) {
                rest.first = piece.end;
                rest.tie = *cut;
                open_pieces_.push_back(rest);
                std::ranges::push_heap(open_pieces_, is_later);
            }
        }
        if (pieces_.size() == next + cuts) return false;
        pieces_.push_back(piece);
    }
    return true;
}

void DrawList::add_piece(const Entry& entry, std::uint32_t first, std::uint32_t count) {
    RawVector<Entry>& out = sorted_entries_;
    if ((entry.item & kRange) == 0 || ranges_[entry.item & ~kRange].count == count) {
        out.push_back(entry);
        return;
    }
    Range piece = ranges_[entry.item & ~kRange];
    const std::uint32_t tie = piece.kept != nullptr ? piece.kept->ties[first] : ties_[first];
    if (piece.places != 0) piece.places += first - piece.first;
    piece.first = first;
    piece.count = count;
    piece.has_ties = false;
    if (piece.kept != nullptr && count < kItemsOfPiece) {
        const auto copied = static_cast<std::uint32_t>(items_.size());
        for (std::uint32_t i = first; i < first + count; ++i) copy_kept(piece, i);
        piece = {.first = copied, .count = static_cast<std::uint32_t>(items_.size()) - copied, .kept = {}};
        if (piece.count == 0) return;
    }
    if (piece.kept == nullptr && piece.count == 1) {
        out.push_back({entry.key, tie, piece.first});
        return;
    }
    out.push_back({entry.key, tie, kRange | static_cast<std::uint32_t>(ranges_.size())});
    ranges_.push_back(std::move(piece));
}

void DrawList::add_each(const Entry& entry) {
    RawVector<Entry>& out = sorted_entries_;
    if ((entry.item & kRange) == 0 || !ranges_[entry.item & ~kRange].has_ties) {
        out.push_back(entry);
        return;
    }
    const Range& range = ranges_[entry.item & ~kRange];
    for (std::uint32_t i = range.first; i < range.first + range.count; ++i) {
        const auto copied = static_cast<std::uint32_t>(items_.size());
        if (range.kept == nullptr)
            out.push_back({entry.key, ties_[i], i});
        else if (copy_kept(range, i))
            out.push_back({entry.key, range.kept->ties[i], copied});
    }
}

// False if the list is full. `item`: of the kept ones.
bool DrawList::copy_kept(const Range& range, std::uint32_t item) {
    --kept_count_;
    if (items_.size() >= kMaxItems) {
        ++dropped_;
        return false;
    }
    items_.push_back(range.kept->items[item]);
    if (range.places != 0) {
        const ItemPlace& place = places_[range.places - 1 + item - range.first];
        items_.back().x = place.x;
        items_.back().y = place.y;
    }
    return true;
}

}  // namespace perigee
