// Walking the groups.
#include "engine/profile/run_stats.h"

#include "ecs/schedule/schedule.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace perigee {

namespace {

struct Line {
    SystemStatus status;
    std::size_t depth = 0;
    bool is_sync_point = false;
};

void add_lines(Schedule& schedule, SystemId id, std::size_t depth, std::vector<Line>& lines) {
    SystemStatus status = schedule.status(id);
    const bool is_group = status.is_group;
    const std::string name = status.name;
    lines.push_back({std::move(status), depth, schedule.description(id).is_exclusive});
    if (!is_group) return;
    for (const std::string& member : schedule.order(name))
        if (const auto found = schedule.find(member)) add_lines(schedule, *found, depth + 1, lines);
}

std::string state_of(const SystemStatus& status) {
    if (status.is_suspended) return "  failed";
    if (!status.is_enabled || status.is_left_out) return "  off";
    return status.is_paused ? "  paused" : "";
}

}  // namespace

std::string run_stats(Schedule& schedule) {
    std::vector<Line> lines;
    const bool has_order = schedule.resolve_order().ok();
    double frame = 0;
    for (const SystemId id : schedule.all()) {
        const SystemStatus status = schedule.status(id);
        if (status.group.empty() && status.is_group) frame += status.times.total();
        if (!has_order)
            lines.push_back({status, 0, schedule.description(id).is_exclusive});
        else if (status.group.empty())
            add_lines(schedule, id, 0, lines);
    }
    std::size_t width = 0;
    for (const Line& line : lines) width = std::max(width, 2 * line.depth + line.status.name.size());

    std::string text = fmt::format("{:<{}}  {:>8}  {:>10}  {:>10}  {:>8}  {:>6}  {:>7}\n", "", width, "runs",
                                   "median ms", "worst ms", "rows", "chunks", "share");
    for (const Line& line : lines) {
        const SystemStatus& status = line.status;
        const bool has_rows = !status.is_group && status.chunks > 0;
        text += fmt::format("{:<{}}  {:>8}  {:>10.4f}  {:>10.4f}  {:>8}  {:>6}  {:>5.1f} %{}{}\n",
                            std::string(2 * line.depth, ' ') + status.name, width, status.run_count,
                            status.times.median(), status.times.worst(),
                            has_rows ? std::to_string(status.rows) : "",
                            has_rows ? std::to_string(status.chunks) : "",
                            frame > 0 ? 100 * status.times.total() / frame : 0.0,
                            line.is_sync_point ? "  sync point" : "", state_of(status));
    }
    return text;
}

}  // namespace perigee
