// Histograms of all twelve bytes in one pass, then one scatter per byte that differs.
#include "engine/internal/draw_sort.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace perigee {

namespace {

constexpr std::size_t kTieBytes = sizeof(DrawList::Entry::tie);
constexpr std::size_t kBytes = kTieBytes + sizeof(DrawList::Entry::key);
constexpr std::size_t kSmall = 64;  // below this a comparison sort wins over clearing the histograms

// Byte 0 is the least significant byte of the tie, byte 11 the most significant of the key.
std::uint8_t byte_of(const DrawList::Entry& entry, std::size_t byte) noexcept {
    return byte < kTieBytes ? static_cast<std::uint8_t>(entry.tie >> (8 * byte))
                            : static_cast<std::uint8_t>(entry.key >> (8 * (byte - kTieBytes)));
}

}  // namespace

void sort_draw_entries(std::vector<DrawList::Entry>& entries, std::vector<DrawList::Entry>& scratch) {
    const auto before = [](const DrawList::Entry& a, const DrawList::Entry& b) {
        return a.key != b.key ? a.key < b.key : a.tie < b.tie;
    };
    if (std::ranges::is_sorted(entries, before)) return;
    if (entries.size() < kSmall) {
        std::ranges::stable_sort(entries, before);
        return;
    }

    std::array<std::array<std::uint32_t, 256>, kBytes> counts{};
    for (const DrawList::Entry& entry : entries)
        for (std::size_t byte = 0; byte < kBytes; ++byte) ++counts[byte][byte_of(entry, byte)];

    scratch.resize(entries.size());
    for (std::size_t byte = 0; byte < kBytes; ++byte) {
        auto& slots = counts[byte];
        if (slots[byte_of(entries.front(), byte)] == entries.size()) continue;  // all equal
        std::uint32_t sum = 0;
        for (std::uint32_t& slot : slots) sum += std::exchange(slot, sum);
        for (const DrawList::Entry& entry : entries) scratch[slots[byte_of(entry, byte)]++] = entry;
        entries.swap(scratch);
    }
}

}  // namespace perigee
