// Interning by open addressing; freeing by rebuilding the table, since sweeps are rare.
#include "ecs/schema/text_pool.h"

#include "ecs/base/error_codes.h"
#include "ecs/base/internal/reserve_more.h"
#include "ecs/base/memory_quota.h"

#include <algorithm>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace perigee {

// The slot of the text, or the empty slot where it belongs. Expects: there are slots.
std::size_t TextPool::slot_of(std::uint64_t hash, std::string_view text) const noexcept {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != 0) {
        const Entry& entry = entries_[slots_[slot]];
        if (entry.hash == hash && std::string_view(entry.bytes.get(), entry.size) == text) break;
        slot = (slot + 1) & mask;
    }
    return slot;
}

void TextPool::widen_slots(std::size_t slot_count) {
    slots_.resize(slot_count);
    refill_slots();
}

void TextPool::refill_slots() noexcept {
    std::fill(slots_.begin(), slots_.end(), 0);
    const std::size_t mask = slots_.size() - 1;
    for (std::uint32_t handle = 1; handle < entries_.size(); ++handle) {
        if (entries_[handle].bytes == nullptr) continue;
        std::size_t slot = entries_[handle].hash & mask;
        while (slots_[slot] != 0) slot = (slot + 1) & mask;
        slots_[slot] = handle;
    }
}

TextHandle TextPool::find(std::string_view text) const noexcept {
    if (text.empty()) return TextHandle{};
    const std::lock_guard lock(mutex_);
    if (slots_.empty()) return TextHandle{};
    return TextHandle{slots_[slot_of(XXH3_64bits(text.data(), text.size()), text)]};
}

Result<TextHandle> TextPool::intern(std::string_view text) {
    if (text.empty()) return TextHandle{};
    if (text.size() > kMaxTextBytes) return Error{errors::text_beyond_limit(text.size(), kMaxTextBytes)};
    const std::uint64_t hash = XXH3_64bits(text.data(), text.size());
    const std::lock_guard lock(mutex_);
    if (slots_.size() < 2 * (count_ + 1)) widen_slots(std::max<std::size_t>(16, slots_.size() * 2));
    const std::size_t slot = slot_of(hash, text);
    if (slots_[slot] != 0) {
        entries_[slots_[slot]].is_young = true;
        return TextHandle{slots_[slot]};
    }
    const std::size_t bytes = bytes_of(text.size());
    if (bytes_ + bytes > max_bytes_) {
        sweep_at_ = 0;
        internal::note_refused(MemoryKind::texts);
        return Error{errors::texts_full(max_bytes_)};
    }
    if (!internal::may_take(MemoryKind::texts, bytes))
        return Error{errors::memory_refused(MemoryKind::texts)};
    // Everything that can fail comes before the first change.
    std::unique_ptr<char[]> copy = std::make_unique<char[]>(text.size());
    std::memcpy(copy.get(), text.data(), text.size());
    if (entries_.empty()) entries_.add();
    if (free_.empty()) {
        internal::reserve_more(free_, 1);
        entries_.add();
        free_.push_back(static_cast<std::uint32_t>(entries_.size() - 1));
    }
    const std::uint32_t handle = free_.back();
    free_.pop_back();
    entries_[handle] = Entry{std::move(copy), static_cast<std::uint32_t>(text.size()), 0, hash, true};
    slots_[slot] = handle;
    bytes_ += bytes;
    ++count_;
    return TextHandle{handle};
}

std::size_t TextPool::add_root(Root root) {
    roots_.push_back(std::move(root));
    return roots_.size() - 1;
}

void TextPool::remove_root(std::size_t number) noexcept { roots_[number] = nullptr; }

void TextPool::begin_marking() {
    uses_ = visited_cells_ = 0;
    for (std::size_t handle = 0; handle < entries_.size(); ++handle) {
        entries_[handle].uses = 0;
        entries_[handle].is_kept = false;
    }
    for (const Root& root : roots_) {
        if (root) root(*this);
    }
}

std::size_t TextPool::sweep() {
    std::size_t freed = 0;
    std::size_t used_bytes = 0, kept_bytes = 0;
    free_.reserve(entries_.size());
    for (std::size_t handle = entries_.size(); handle-- > 1;) {
        Entry& entry = entries_[handle];
        if (entry.bytes == nullptr) continue;
        if (entry.uses != 0) {
            used_bytes += bytes_of(entry.size);
        } else if (entry.is_kept) {
            kept_bytes += bytes_of(entry.size);
        } else if (!entry.is_young) {
            bytes_ -= bytes_of(entry.size);
            internal::gave_back(MemoryKind::texts, bytes_of(entry.size));
            entry = Entry{};
            free_.push_back(static_cast<std::uint32_t>(handle));
            ++freed;
        }
        entry.is_young = false;
    }
    count_ -= freed;
    if (freed != 0) refill_slots();
    // Twice the bytes in use, more where a sweep takes long, but in smaller steps close to the limit.
    const std::size_t room = max_bytes_ - std::min(used_bytes, max_bytes_);
    const std::size_t step = std::min(std::max({used_bytes, kFirstSweep, visited_cells_}), room / 2);
    sweep_at_ = used_bytes + kept_bytes + step;
    sweep_cost_per_byte_ =
        static_cast<double>(visited_cells_) / static_cast<double>(std::max<std::size_t>(step, 1));
    return freed;
}

}  // namespace perigee
