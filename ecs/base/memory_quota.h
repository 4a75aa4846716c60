// Limits the memory that a world may take on behalf of a mod.
//
// Invariant: while a quota is entered on a thread, each pool of a world asks it before taking memory and
// reports memory that it releases; without one, only the pool's own limit applies. Memory that the world took
// earlier and that is free again is already accounted for: see docs/decisions/0025. Pools record on
// the thread what they refused, so that a failed change can report the reason.
//
//     quota.take(texts, n)      first from the pool's free memory below its peak, then from `own`;
//                               never more units than `units[texts]`, so shares of other mods stay intact
//
// Not here: the owner of a quota, and the division of pools (scripting/mods/internal/world_share.h).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace perigee {

/// The purposes for which a world takes memory.
enum class MemoryKind : std::uint8_t {
    chunks,      ///< rows of entities
    archetypes,  ///< and the edges between them
    types,       ///< components, resources and events
    buffers,     ///< elements outside rows
    texts,
    blobs,
    events,
    prefabs,
    queries,
};
inline constexpr std::size_t kMemoryKinds = 9;

/// "chunks"
std::string_view name_of(MemoryKind kind) noexcept;

/// A number for each kind.
template <typename T> class PerMemoryKind {
public:
    T& operator[](MemoryKind kind) noexcept { return values_[static_cast<std::size_t>(kind)]; }
    const T& operator[](MemoryKind kind) const noexcept { return values_[static_cast<std::size_t>(kind)]; }
    T sum() const noexcept {
        T all{};
        for (const T& value : values_) all += value;
        return all;
    }
    auto begin() const noexcept { return values_.begin(); }
    auto end() const noexcept { return values_.end(); }

private:
    std::array<T, kMemoryKinds> values_{};
};

/// All kinds, in order.
inline constexpr std::array<MemoryKind, kMemoryKinds> kAllMemoryKinds{
    MemoryKind::chunks, MemoryKind::archetypes, MemoryKind::types,   MemoryKind::buffers, MemoryKind::texts,
    MemoryKind::blobs,  MemoryKind::events,     MemoryKind::prefabs, MemoryKind::queries};

class MemoryQuota {
public:
    /// `own`: bytes of all kinds together. `free`: bytes of each kind that are already accounted for and free
    /// now. `units`: limit of each kind, in the pool's unit (a count for archetypes and types, bytes for
    /// others); SIZE_MAX: no limit.
    void restart(std::size_t own, const PerMemoryKind<std::size_t>& free,
                 const PerMemoryKind<std::size_t>& units) noexcept;

    /// Returns false and takes nothing when there is not enough.
    bool take(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept {
        const std::size_t from_free = bytes < free_[kind] ? bytes : free_[kind];
        if (bytes - from_free > own_ || units > units_[kind]) [[unlikely]]
            return refuse(kind, units);
        free_[kind] -= from_free;
        own_ -= bytes - from_free;
        if (units_[kind] != SIZE_MAX) units_[kind] -= units;
        return true;
    }
    bool take(MemoryKind kind, std::size_t bytes) noexcept { return take(kind, bytes, bytes); }
    void give_back(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept;

    /// For memory that belongs to no pool.
    bool take_own(std::size_t bytes) noexcept;
    /// The first kind refused since restart, and whether units rather than bytes ran out.
    std::optional<MemoryKind> refused() const noexcept { return refused_; }
    bool is_pool_full() const noexcept { return is_pool_full_; }
    /// From now on until restart, nothing more is taken.
    void close() noexcept;

private:
    bool refuse(MemoryKind kind, std::size_t units) noexcept;

    std::size_t own_ = 0;
    PerMemoryKind<std::size_t> free_;
    PerMemoryKind<std::size_t> units_;
    std::optional<MemoryKind> refused_;
    bool is_pool_full_ = false;
};

namespace internal {

inline constinit thread_local MemoryQuota* t_memory_quota = nullptr;
inline constinit thread_local std::optional<MemoryKind> t_memory_refused = std::nullopt;

/// Records that a pool could not take the requested memory.
inline void note_refused(MemoryKind kind) noexcept {
    if (!t_memory_refused) t_memory_refused = kind;
}

/// Called by pools before they take memory.
inline bool may_take(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept {
    if (t_memory_quota == nullptr || t_memory_quota->take(kind, bytes, units)) return true;
    note_refused(kind);
    return false;
}
inline bool may_take(MemoryKind kind, std::size_t bytes) noexcept { return may_take(kind, bytes, bytes); }
/// Called by pools after they release memory.
inline void gave_back(MemoryKind kind, std::size_t bytes, std::size_t units) noexcept {
    if (t_memory_quota != nullptr) t_memory_quota->give_back(kind, bytes, units);
}
inline void gave_back(MemoryKind kind, std::size_t bytes) noexcept { gave_back(kind, bytes, bytes); }

}  // namespace internal

/// The kind that pools refused on this thread since the last call; nothing if none.
inline std::optional<MemoryKind> take_memory_refusal() noexcept {
    return std::exchange(internal::t_memory_refused, std::nullopt);
}

/// While it exists, pools ask `quota` (null: none) on this thread.
class EnterQuota {
public:
    explicit EnterQuota(MemoryQuota* quota) noexcept
        : before_(std::exchange(internal::t_memory_quota, quota)) {}
    ~EnterQuota() { internal::t_memory_quota = before_; }
    EnterQuota(const EnterQuota&) = delete;
    EnterQuota& operator=(const EnterQuota&) = delete;

private:
    MemoryQuota* before_;
};

}  // namespace perigee
