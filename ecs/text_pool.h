// The texts of one world: each content once, referred to by a 32-bit handle in the rows.
//
// Invariant: equal handle means equal content, and handle 0 is "". A handle stays good while the sweep finds
// it in the world; what no row refers to any more is freed by a sweep (text_sweep.h says when, and
// docs/decisions/0005 why rows are not counted one by one). A text that was interned since the last sweep
// outlives the next one: its handle may be under way in a command.
// Interning, finding and reading are for any number of threads; the number of a new text then depends on who
// came first, but nothing else does. Sweeping is for one thread that is alone.
// Not here: finding the handles in a world.
#pragma once

#include "ecs/field_type.h"
#include "ecs/internal/stable_array.h"
#include "ecs/result.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace perigee {

struct TextStats {
    std::size_t texts = 0;  ///< different ones, "" not counted
    std::size_t bytes = 0;  ///< of them, with what the pool needs to find them
    std::size_t uses = 0;   ///< places in the world that referred to one of them when the last sweep looked
};

class TextPool {
public:
    /// Bytes of the longest text.
    static constexpr std::size_t kMostTextBytes = 65536;
    static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

    explicit TextPool(std::size_t most_bytes = kMostBytes) : most_bytes_(most_bytes) {}
    TextPool(const TextPool&) = delete;
    TextPool& operator=(const TextPool&) = delete;

    /// The handle of this content, now surely good until the sweep after the next one.
    /// Errors: longer than kMostTextBytes; the pool is full, or the quota of the thread used up.
    /// Cost: hashing the text and one look-up; a copy when it is new.
    Result<TextHandle> intern(std::string_view text);

    /// The handle of this content; 0 when nobody interned it.
    TextHandle find(std::string_view text) const noexcept;

    /// "" for handle 0 and for a number that no text has. Lifetime: the text's.
    std::string_view text(TextHandle handle) const noexcept {
        return has(handle) ? std::string_view(entries_[handle.index].bytes.get(), entries_[handle.index].size)
                           : std::string_view();
    }
    bool has(TextHandle handle) const noexcept {
        return handle.index < entries_.size() && entries_[handle.index].bytes != nullptr;
    }

    /// A number of the content alone: the same in every world and run; 0 for "".
    std::uint64_t content_hash(TextHandle handle) const noexcept {
        return has(handle) ? entries_[handle.index].hash : 0;
    }

    std::size_t most_bytes() const noexcept { return most_bytes_; }
    /// Expects: nobody is interning.
    TextStats stats() const noexcept { return {count_, bytes_, uses_}; }

    // ---- sweeping; see text_sweep.h ----

    /// True when so much was interned that a sweep is worth its while.
    /// Expects: nobody is interning.
    bool wants_sweep() const noexcept { return bytes_ >= sweep_at_; }

    /// Holders of handles outside the world (a script's values) that want to be asked at each sweep: `root`
    /// marks what it holds. Returns a number for remove_root.
    using Root = std::function<void(TextPool&)>;
    std::size_t add_root(Root root);
    void remove_root(std::size_t number) noexcept;

    /// A sweep: begin_marking, then mark for each place that holds a handle, then sweep.
    void begin_marking();
    void mark(TextHandle handle) noexcept {
        if (!has(handle)) return;
        ++entries_[handle.index].uses;
        ++uses_;
    }
    void mark_all() noexcept {
        for (std::uint32_t index = 1; index < entries_.size(); ++index) mark(TextHandle{index});
    }
    /// Frees what was neither marked nor interned since the last sweep. Returns how many texts.
    std::size_t sweep();

private:
    struct Entry {
        std::unique_ptr<char[]> bytes;  ///< null: a free entry
        std::uint32_t size = 0;
        std::uint32_t uses = 0;  ///< marks of the last sweep
        std::uint64_t hash = 0;
        bool is_young = false;  ///< handed out since the last sweep
    };

    static std::size_t bytes_of(std::size_t size) noexcept { return size + sizeof(Entry); }
    std::size_t slot_of(std::uint64_t hash, std::string_view text) const noexcept;
    void widen_slots(std::size_t slot_count);
    void refill_slots() noexcept;

    mutable std::mutex mutex_;              ///< for all below but reading entries
    internal::StableArray<Entry> entries_;  ///< by handle; entry 0 stays free
    std::vector<std::uint32_t> slots_;      ///< open addressing by hash; 0: empty; at most half full
    std::vector<std::uint32_t> free_;       ///< handles to give out again
    std::vector<Root> roots_;
    std::size_t most_bytes_;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
    std::size_t uses_ = 0;
    std::size_t sweep_at_ = kFirstSweep;

    static constexpr std::size_t kFirstSweep = std::size_t{1} << 20;
};

}  // namespace perigee
