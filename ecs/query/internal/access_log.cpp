// A sweep over all ranges in order of address.
#include "ecs/query/internal/access_log.h"

#include "ecs/query/query.h"
#include "ecs/query/query_filter.h"

#include <algorithm>

namespace perigee::internal {

void AccessLog::add(const std::byte* first, std::size_t bytes, ComponentId component, bool is_written) {
    if (first == nullptr || bytes == 0) return;
    const std::lock_guard lock(mutex_);
    ranges_.push_back({first, first + bytes, component, is_written});
}

void AccessLog::add(const Query& query, ChangeVersion since) {
    const std::vector<QueryTerm>& terms = query.desc().terms;
    for (FilteredVisit visit(query, since); visit.next();) {
        const ChunkView& view = visit.view();
        for (std::size_t term = 0; term < terms.size(); ++term) {
            if (!view.has(term) || view.column_data(term) == nullptr) continue;
            add(view.column_data(term), std::size_t{view.row_count()} * view.row_bytes(term),
                terms[term].component, terms[term].access == Access::write);
        }
    }
}

std::optional<AccessOverlap> find_overlap(std::span<const AccessLog* const> logs) {
    struct Event {
        AccessLog::Range range;
        std::uint32_t log;
    };
    std::vector<Event> events;
    for (std::uint32_t log = 0; log < logs.size(); ++log) {
        for (const AccessLog::Range& range : logs[log]->ranges()) events.push_back({range, log});
    }
    std::sort(events.begin(), events.end(),
              [](const Event& a, const Event& b) { return a.range.first < b.range.first; });
    // Few ranges are open at a time, since columns do not nest.
    std::vector<Event> open;
    for (const Event& event : events) {
        std::erase_if(open, [&](const Event& other) { return other.range.last <= event.range.first; });
        for (const Event& other : open) {
            if (other.log == event.log || (!other.range.is_written && !event.range.is_written)) continue;
            return AccessOverlap{std::min(other.log, event.log), std::max(other.log, event.log),
                                 event.range.component};
        }
        open.push_back(event);
    }
    return std::nullopt;
}

}  // namespace perigee::internal
