// Walks down from the top-level groups.
#include "ecs/schedule/schedule_report.h"

#include <fmt/format.h>

namespace perigee {

namespace {

void append_group(Schedule& schedule, const std::string& name, int depth, std::string& text) {
    text += fmt::format("{:{}}{}\n", "", depth * 2, name);
    int number = 0;
    for (const std::vector<std::string>& stage : schedule.stages(name)) {
        // A group runs alone in its stage.
        if (schedule.status(*schedule.find(stage.front())).is_group) {
            append_group(schedule, stage.front(), depth + 1, text);
            continue;
        }
        const bool is_sync_point = schedule.description(*schedule.find(stage.front())).is_exclusive;
        text += fmt::format("{:{}}{:3}  {}{}\n", "", depth * 2, ++number, fmt::join(stage, " | "),
                            is_sync_point ? "  (sync point)" : "");
    }
    if (number == 0 && schedule.order(name).empty()) {
        text += fmt::format("{:{}}     no systems\n", "", depth * 2);
    }
}

}  // namespace

Result<std::string> order_report(Schedule& schedule) {
    if (const Result<void> resolved = schedule.resolve_order(); !resolved) return resolved.error();
    std::string text = "systems in order; those on one line may run at the same time\n";
    for (const std::string& group : schedule.step_groups()) append_group(schedule, group, 0, text);
    append_group(schedule, std::string(kPresentation), 0, text);
    if (!schedule.order(kReactions).empty()) append_group(schedule, std::string(kReactions), 0, text);
    const std::vector<UnorderedWrites> pairs = schedule.unordered_writes();
    if (pairs.empty()) return text + "no two systems write the same without a declared order\n";
    text += "these write the same, and only their names decide which is first; say before or after:\n";
    for (const UnorderedWrites& pair : pairs) {
        text += fmt::format("  {} and {}: {}\n", pair.first, pair.second, pair.component);
    }
    return text;
}

}  // namespace perigee
