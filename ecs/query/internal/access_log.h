// The memory ranges that one run of a system read or wrote. For tests and debug runs.
//
// Invariant: it contains the ranges of the columns shown by a visit and of the cells looked up, recorded
// before the system can use them. Logs of two systems that run in parallel must not overlap unless both only
// read. May be used from several threads at once.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/schema/component.h"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace perigee {

class Query;

namespace internal {

class AccessLog {
public:
    struct Range {
        const std::byte* first;
        const std::byte* last;  ///< past the end
        ComponentId component;
        bool is_written;
    };

    void add(const std::byte* first, std::size_t bytes, ComponentId component, bool is_written);
    /// Adds all columns that a visit of the query would show.
    void add(const Query& query, ChangeVersion since);

    void clear() noexcept { ranges_.clear(); }
    std::span<const Range> ranges() const noexcept { return ranges_; }

private:
    std::mutex mutex_;
    std::vector<Range> ranges_;
};

/// Two members of a stage, and memory that both accessed and at least one wrote.
struct AccessOverlap {
    std::uint32_t first;
    std::uint32_t second;
    ComponentId component;
};

/// The first overlap between different logs, if there is one. Cost: sorts all ranges.
std::optional<AccessOverlap> find_overlap(std::span<const AccessLog* const> logs);

}  // namespace internal
}  // namespace perigee
