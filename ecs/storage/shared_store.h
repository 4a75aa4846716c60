// The values of shared components: each distinct value is stored once, with a reference count.
//
// Invariant: two values of one component share an entry if and only if their fields are bytewise equal (pad
// bytes do not count). An entry lives while it is referenced; the number of a free entry is reused, in no
// particular order. Archetypes know which rows have a value: a partition of chunks counts as one reference.
#pragma once

#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace perigee {

struct ComponentInfo;

class SharedStore {
public:
    /// The values of one component.
    class Pool;

    /// The entry of this value, created if necessary, with one more reference for the caller.
    /// Expects: `component` is of a shared kind, `value` has its schema.size bytes.
    SharedIndex intern(const ComponentInfo& component, const std::byte* value);

    /// The entry of this value, without a new reference; nothing if there is none.
    std::optional<SharedIndex> find(const ComponentInfo& component, const std::byte* value) const;

    void retain(ComponentId component, SharedIndex index) noexcept;
    /// Releases one reference; the entry is freed with the last.
    void release(ComponentId component, SharedIndex index) noexcept;

    /// The value's bytes. Lifetime: while it is referenced.
    const std::byte* value(ComponentId component, SharedIndex index) const noexcept;

    /// Numbers of all entries of a component, ascending.
    std::vector<SharedIndex> indices(ComponentId component) const;
    std::uint32_t reference_count(ComponentId component, SharedIndex index) const noexcept;

    /// Must precede exchange. Throws std::bad_alloc; then nothing changed.
    void prepare_exchange(ComponentId component);
    /// Swaps the values of a component, including their numbers, with `other`.
    void exchange(ComponentId component, Pool& other) noexcept;

private:
    struct Entry {
        std::unique_ptr<std::byte[]> bytes;  ///< null: free
        std::uint64_t hash = 0;
        std::uint32_t references = 0;
    };

    std::vector<Pool> pools_;  ///< by component index
};

class SharedStore::Pool {
public:
    Pool() = default;
    Pool(Pool&&) noexcept = default;
    Pool& operator=(Pool&&) noexcept = default;

private:
    friend class SharedStore;
    std::uint32_t value_bytes = 0;
    std::vector<Entry> entries;
    std::vector<SharedIndex> free;
    std::unordered_multimap<std::uint64_t, SharedIndex> by_hash;
};

inline const std::byte* SharedStore::value(ComponentId component, SharedIndex index) const noexcept {
    return pools_[component.index].entries[index].bytes.get();
}

inline std::uint32_t SharedStore::reference_count(ComponentId component, SharedIndex index) const noexcept {
    return pools_[component.index].entries[index].references;
}

}  // namespace perigee
