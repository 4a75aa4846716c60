// The texts of one world: each distinct text is stored once, and rows refer to it by a 32-bit handle.
//
// Invariant: equal handle means equal content, and handle 0 is "". A handle stays valid while the sweep finds
// it in the world; a sweep frees texts that no row refers to any more (content_sweep.h says when, and
// docs/decisions/0005 why there are no reference counts). A text interned since the last sweep survives the
// next one, because its handle may be in a pending command.
// Any number of threads may intern, find and read; only the handle of a new text then depends on which thread
// is first. Sweeping needs exclusive access.
// Not here: finding the handles in a world.
#pragma once

#include "ecs/base/internal/stable_array.h"
#include "ecs/base/result.h"
#include "ecs/schema/field_type.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace perigee {

struct TextStats {
    std::size_t texts = 0;  ///< distinct ones, without ""
    std::size_t bytes = 0;  ///< of the texts and the pool's index
    std::size_t uses = 0;   ///< references in the world found by the last sweep
};

class TextPool {
public:
    /// Bytes of the longest text.
    static constexpr std::size_t kMaxTextBytes = 65536;
    static constexpr std::size_t kMaxBytes = std::size_t{256} << 20;

    explicit TextPool(std::size_t max_bytes = kMaxBytes) : max_bytes_(max_bytes) {}
    TextPool(const TextPool&) = delete;
    TextPool& operator=(const TextPool&) = delete;

    /// The handle of this content, valid at least until the second sweep from now.
    /// Errors: longer than kMaxTextBytes; the pool is full, or the quota of the thread used up.
    /// Cost: hashing the text and one look-up; a copy when it is new.
    Result<TextHandle> intern(std::string_view text);

    /// The handle of this content; 0 if it was never interned.
    TextHandle find(std::string_view text) const noexcept;

    /// "" for handle 0 and for an unknown handle. Lifetime: the text's.
    std::string_view text(TextHandle handle) const noexcept {
        return has(handle) ? std::string_view(entries_[handle.index].bytes.get(), entries_[handle.index].size)
                           : std::string_view();
    }
    bool has(TextHandle handle) const noexcept {
        return handle.index < entries_.size() && entries_[handle.index].bytes != nullptr;
    }

    /// A hash of the content alone: the same in every world and run; 0 for "".
    std::uint64_t content_hash(TextHandle handle) const noexcept {
        return has(handle) ? entries_[handle.index].hash : 0;
    }

    std::size_t max_bytes() const noexcept { return max_bytes_; }
    /// Expects: no thread is interning.
    TextStats stats() const noexcept { return {count_, bytes_, uses_}; }

    // ---- sweeping; see content_sweep.h ----

    /// Cost of interning a byte, in cells that sweeps visit: a sweep visits all cells of text fields, and new
    /// texts bring the next sweep nearer.
    double sweep_cost_per_byte() const noexcept { return sweep_cost_per_byte_; }

    /// True when enough was interned to make a sweep worthwhile.
    /// Expects: no thread is interning.
    bool wants_sweep() const noexcept { return bytes_ >= sweep_at_; }

    /// Registers a holder of handles outside the world (such as script values). Each sweep calls `root`,
    /// which marks its handles. Returns a number for remove_root.
    using Root = std::function<void(TextPool&)>;
    std::size_t add_root(Root root);
    void remove_root(std::size_t number) noexcept;

    /// A sweep: begin_marking, then mark or keep for each stored handle, then sweep.
    void begin_marking();
    void mark(TextHandle handle) noexcept {
        ++visited_cells_;
        if (!has(handle)) return;
        ++entries_[handle.index].uses;
        ++uses_;
    }
    /// Protects a text from this sweep. The world does not use it, so it brings no later sweep nearer.
    void keep(TextHandle handle) noexcept {
        if (has(handle)) entries_[handle.index].is_kept = true;
    }
    void mark_all() noexcept {
        for (std::uint32_t index = 1; index < entries_.size(); ++index) mark(TextHandle{index});
    }
    /// Frees texts that were neither marked nor kept, nor interned since the last sweep. Returns their
    /// number.
    std::size_t sweep();

private:
    struct Entry {
        std::unique_ptr<char[]> bytes;  ///< null: a free entry
        std::uint32_t size = 0;
        std::uint32_t uses = 0;  ///< marks of the last sweep
        std::uint64_t hash = 0;
        bool is_young = false;  ///< returned by intern since the last sweep
        bool is_kept = false;   ///< by the current or last sweep, for a holder outside the world
    };

    static std::size_t bytes_of(std::size_t size) noexcept { return size + sizeof(Entry); }
    std::size_t slot_of(std::uint64_t hash, std::string_view text) const noexcept;
    void widen_slots(std::size_t slot_count);
    void refill_slots() noexcept;

    mutable std::mutex mutex_;              ///< for everything below except reading entries
    internal::StableArray<Entry> entries_;  ///< by handle; entry 0 stays free
    std::vector<std::uint32_t> slots_;      ///< open addressing by hash; 0: empty; at most half full
    std::vector<std::uint32_t> free_;       ///< handles to reuse
    std::vector<Root> roots_;
    std::size_t max_bytes_;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
    std::size_t uses_ = 0;
    std::size_t sweep_at_ = kFirstSweep;
    std::size_t visited_cells_ = 0;  ///< of the current or last sweep
    double sweep_cost_per_byte_ = 0;

    static constexpr std::size_t kFirstSweep = std::size_t{1} << 20;
};

}  // namespace perigee
