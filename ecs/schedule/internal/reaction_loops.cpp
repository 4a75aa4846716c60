// The graph of reactions and triggers, and its strongly connected components (Tarjan, "Depth-first search and
// linear graph algorithms", 1972; without recursion, since a loop may be thousands of reactions long).
#include "ecs/schedule/internal/reaction_loops.h"

#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee::internal {

namespace {

using Numbers = std::vector<std::uint32_t>;

// By node: the number of its strongly connected component.
Numbers components_of(const std::vector<Numbers>& edges) {
    constexpr std::uint32_t kNone = UINT32_MAX;
    struct Visit {
        std::uint32_t node, edge;
    };
    Numbers component(edges.size(), kNone), order(edges.size(), kNone), lowest(edges.size(), kNone);
    Numbers open;
    std::vector<Visit> path;
    std::uint32_t next_order = 0, next_component = 0;
    const auto enter = [&](std::uint32_t node) {
        order[node] = lowest[node] = next_order++;
        open.push_back(node);
        path.push_back({node, 0});
    };
    for (std::uint32_t start = 0; start < edges.size(); ++start) {
        if (order[start] == kNone) enter(start);
        while (!path.empty()) {
            Visit& visit = path.back();
            const std::uint32_t node = visit.node;
            if (visit.edge < edges[node].size()) {
                const std::uint32_t next = edges[node][visit.edge++];
                if (order[next] == kNone) {
                    enter(next);
                } else if (component[next] == kNone) {
                    lowest[node] = std::min(lowest[node], order[next]);
                }
                continue;
            }
            path.pop_back();
            if (!path.empty()) lowest[path.back().node] = std::min(lowest[path.back().node], lowest[node]);
            if (lowest[node] != order[node]) continue;
            for (std::uint32_t member = kNone; member != node; open.pop_back()) {
                member = open.back();
                component[member] = next_component;
            }
            ++next_component;
        }
    }
    return component;
}

}  // namespace

void ReactionLoops::begin(std::span<ScheduleNode* const> reactions) {
    end();
    since_ = world_.change_version();
    for (ScheduleNode* const reaction : reactions) {
        const Trigger trigger = *reaction->desc.reacts_to;
        auto place = std::find(triggers_.begin(), triggers_.end(), trigger);
        if (place == triggers_.end()) place = triggers_.insert(place, trigger);
        waits_for_.push_back(static_cast<std::uint32_t>(place - triggers_.begin()));
        number_of_.emplace(reaction, reactions_.size());
        reactions_.push_back(reaction);
    }
    causes_.assign(reactions_.size(), std::vector<bool>(triggers_.size()));
    has_recorded_commands_.assign(reactions_.size(), false);
}

void ReactionLoops::end() noexcept {
    reactions_.clear();
    number_of_.clear();
    triggers_.clear();
    waits_for_.clear();
    causes_.clear();
}

void ReactionLoops::count(std::vector<std::uint64_t>& counts) const {
    counts.clear();
    for (const Trigger& trigger : triggers_) {
        counts.push_back(trigger.kind == Trigger::Kind::event ? world_.events().next_number(trigger.component)
                                                              : world_.observers().pending_count(trigger));
    }
}

void ReactionLoops::record(const ScheduleNode& node) {
    const auto found = number_of_.find(&node);
    if (found == number_of_.end()) return;
    count(after_);
    for (std::size_t trigger = 0; trigger < triggers_.size(); ++trigger) {
        if (after_[trigger] != before_[trigger]) causes_[found->second][trigger] = true;
    }
    if (node.is_playing_back) has_recorded_commands_[found->second] = true;
}

// Reactions first, then triggers.
std::vector<ReactionLoops::Numbers> ReactionLoops::edges() const {
    std::vector<Numbers> edges(reactions_.size() + triggers_.size());
    for (std::size_t i = 0; i < reactions_.size(); ++i) {
        const ScheduleNode& reaction = *reactions_[i];
        if (!reaction.is_active()) continue;
        edges[reactions_.size() + waits_for_[i]].push_back(static_cast<std::uint32_t>(i));
        const bool has_run = reaction.last_run_version > since_;
        for (std::size_t trigger = 0; trigger < triggers_.size(); ++trigger) {
            const auto [kind, component] = triggers_[trigger];
            const bool may_have_changed =
                kind == Trigger::Kind::changed &&
                (has_recorded_commands_[i] || (has_run && declares(reaction.desc, component, Access::write)));
            if (causes_[i][trigger] || may_have_changed)
                edges[i].push_back(static_cast<std::uint32_t>(reactions_.size() + trigger));
        }
    }
    return edges;
}

std::vector<std::vector<ScheduleNode*>> ReactionLoops::loops() const {
    const Numbers component = components_of(edges());
    // Every cycle contains a trigger, since reactions do not lead to reactions directly.
    std::map<std::uint32_t, bool> has_trigger;
    for (std::size_t i = reactions_.size(); i < component.size(); ++i) has_trigger[component[i]] = true;
    std::map<std::uint32_t, std::vector<ScheduleNode*>> members;
    std::map<std::uint32_t, bool> is_pending;
    for (std::size_t i = 0; i < reactions_.size(); ++i) {
        if (!has_trigger.contains(component[i])) continue;
        members[component[i]].push_back(reactions_[i]);
        if (reactions_[i]->is_pending) is_pending[component[i]] = true;
    }
    std::vector<std::vector<ScheduleNode*>> loops;
    for (auto& [number, loop] : members) {
        if (is_pending.contains(number)) loops.push_back(std::move(loop));
    }
    return loops;
}

}  // namespace perigee::internal
