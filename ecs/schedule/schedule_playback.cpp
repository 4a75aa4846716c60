// Decides which commands are played back at the end of which group, and plays back those that have missed it.
#include "ecs/base/error_codes.h"
#include "ecs/base/suggest.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

Result<void> Schedule::check_commands(const SystemDesc& desc, const Node& group) const {
    if (desc.commands.empty()) return {};
    if (desc.reacts_to) return Error{errors::reaction_with_point(desc.name)};
    if (group.is_presentation) return Error{errors::presentation_with_point(desc.name)};
    const std::string_view name = playback_group(desc.commands);
    const Node* const point = find_group(name);
    if (point != nullptr && !point->is_presentation && point != reactions_) return {};
    std::vector<std::string> points;
    for (const std::unique_ptr<Node>& node : nodes_)
        if (node != nullptr && node->is_group && !node->is_presentation && node.get() != reactions_)
            points.push_back("end of " + node->desc.name);
    const std::vector<std::string_view> known(points.begin(), points.end());
    return Error{errors::unknown_point(desc.name, desc.commands, nearest_name(desc.commands, known))};
}

// ---- the plan ---------------------------------------------------------------------------------------------

Result<void> Schedule::plan_playback() {
    detached_.clear();
    Nodes tops = step_;
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node == nullptr) continue;
        node->playback.clear();
        node->has_ended = false;
        if (node->is_presentation && node->parent == nullptr) tops.push_back(node.get());
    }
    tops.push_back(reactions_);
    for (std::uint32_t place = 0; place < tops.size(); ++place) tops[place]->place_in_step = place;
    for (const std::unique_ptr<Node>& node : nodes_) {
        const Node* top = node.get();
        while (top != nullptr && top->parent != nullptr) top = top->parent;
        if (top != nullptr) node->place_in_step = top->place_in_step;
    }
    for (Node* const top : tops)
        if (Result<void> planned = plan_playback_of(*top); !planned) return planned;
    is_playback_stale_ = false;
    return {};
}

bool Schedule::is_order_known() const noexcept {
    return std::ranges::none_of(nodes_, [](const auto& node) { return node != nullptr && node->is_stale; });
}

// In the order of a whole step, as far as it is known: a group that runs alone does not need that of others.
Result<void> Schedule::plan_playback_of(Node& group) {
    for (Node* const member : group.is_stale ? group.members : group.order) {
        if (member->is_group) {
            if (Result<void> planned = plan_playback_of(*member); !planned) return planned;
            continue;
        }
        const std::string& commands = member->desc.commands;
        Node& point = commands.empty() ? group : *find_group(playback_group(commands));
        if (point.has_ended && is_order_known())
            return joined({{errors::point_has_passed(member->desc.name, commands), Mistake::About::system,
                            member->desc.name}});
        point.playback.push_back(member);
        if (&point != &group) detached_.push_back(member);
    }
    group.has_ended = true;
    return {};
}

// ---- while groups run -------------------------------------------------------------------------------------

// Commands whose group has not run in its turn. True if there were any.
bool Schedule::play_back_late(const Node& ended) {
    bool has_played = false;
    for (Node* const node : detached_) {
        const Node& point = *find_group(playback_group(node->desc.commands));
        if (node->commands.is_empty() || point.place_in_step > ended.place_in_step) continue;
        if (!has_played) world_.advance_change_version();
        play_back_node(*node);
        has_played = true;
    }
    if (has_played) clock_ = std::chrono::steady_clock::now().time_since_epoch().count();
    return has_played;
}

bool Schedule::has_waiting_commands() const noexcept {
    return std::ranges::any_of(detached_, [](const Node* node) { return !node->commands.is_empty(); });
}

// Before an exclusive system of the group: what was recorded before it takes effect, outer groups first.
void Schedule::synchronise(Node& group) {
    if (group.parent != nullptr) synchronise(*group.parent);
    const std::int64_t start = clock_;
    bool has_played = false;
    for (Node* const node : group.order) {
        if (node->commands.is_empty() || !node->desc.commands.empty()) continue;
        if (!has_played) world_.advance_change_version();
        play_back_node(*node);
        has_played = true;
    }
    if (!has_played) return;
    clock_ = std::chrono::steady_clock::now().time_since_epoch().count();
    trace(TraceSpan::Kind::playback, group, start, clock_, 0);
}

}  // namespace perigee
