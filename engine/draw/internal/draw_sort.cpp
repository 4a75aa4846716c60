// One pass finds the bytes that differ; each of them costs a histogram and a scatter.
#include "engine/draw/internal/draw_sort.h"

#include <array>
#include <cstdint>
#include <utility>

namespace perigee {

namespace {

constexpr std::size_t kTieBytes = sizeof(DrawList::Entry::tie);
constexpr std::size_t kBytes = kTieBytes + sizeof(DrawList::Entry::key);
constexpr std::size_t kSmall = 64;  // below this a comparison sort wins over the histograms

// Byte 0 is the least significant byte of the tie, byte 11 the most significant of the key.
std::uint8_t byte_of(const DrawList::Entry& entry, std::size_t byte) noexcept {
    return byte < kTieBytes ? static_cast<std::uint8_t>(entry.tie >> (8 * byte))
                            : static_cast<std::uint8_t>(entry.key >> (8 * (byte - kTieBytes)));
}

}  // namespace

bool sort_draw_entries(RawVector<DrawList::Entry>& entries, RawVector<DrawList::Entry>& scratch) {
    const auto before = [](const DrawList::Entry& a, const DrawList::Entry& b) {
        return a.key != b.key ? a.key < b.key : a.tie < b.tie;
    };
    if (entries.size() < kSmall) {
        bool is_sorted = true;
        // By insertion: std::stable_sort asks for memory.
        for (std::size_t i = 1; i < entries.size(); ++i) {
            const DrawList::Entry entry = entries[i];
            std::size_t at = i;
            for (; at > 0 && before(entry, entries[at - 1]); --at) entries[at] = entries[at - 1];
            entries[at] = entry;
            is_sorted = is_sorted && at == i;
        }
        return !is_sorted;
    }

    DrawList::Entry differing;  // bits in which not all entries agree
    bool ties_ascend = true;
    bool is_sorted = true;
    for (std::size_t i = 1; i < entries.size(); ++i) {
        differing.key |= entries[i].key ^ entries[0].key;
        differing.tie |= entries[i].tie ^ entries[0].tie;
        ties_ascend &= entries[i].tie >= entries[i - 1].tie;
        is_sorted &= !before(entries[i], entries[i - 1]);
    }
    if (is_sorted) return false;
    // The entities of a chunk are mostly in order; the sort is stable, so ties then need no work.
    if (ties_ascend) differing.tie = 0;

    scratch.resize(entries.size());
    for (std::size_t byte = 0; byte < kBytes; ++byte) {
        if (byte_of(differing, byte) == 0) continue;
        std::array<std::uint32_t, 256> slots{};
        for (const DrawList::Entry& entry : entries) ++slots[byte_of(entry, byte)];
        std::uint32_t sum = 0;
        for (std::uint32_t& slot : slots) sum += std::exchange(slot, sum);
        for (const DrawList::Entry& entry : entries) scratch[slots[byte_of(entry, byte)]++] = entry;
        entries.swap(scratch);
    }
    return true;
}

}  // namespace perigee
