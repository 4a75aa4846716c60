// Computes the order of systems and groups, and which systems may run at the same time.
#include "ecs/base/contract.h"
#include "ecs/base/error_codes.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/internal/stage_plan.h"
#include "ecs/schedule/internal/system_order.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace perigee {

namespace {

// Names of siblings, in place of what the members and everything inside them name.
struct Relations {
    std::vector<internal::OrderRelation> before, after;
};

using Node = internal::ScheduleNode;
using Index = std::unordered_map<std::string_view, Node*>;

// The member of the group (null: of the step) that the node is or is inside; null if it is elsewhere.
const Node* member_of(const Node& node, const Node* group) noexcept {
    const Node* at = &node;
    while (at != nullptr && at->parent != group) at = at->parent;
    return at;
}

bool is_reaction(const Node& node) noexcept {
    return node.desc.reacts_to.has_value() || node.desc.name == kReactions;
}

// Collects the relations between the members of one group.
class Lifting {
public:
    Lifting(const Node* group, const Index& by_name) noexcept : group_(group), by_name_(by_name) {}

    Relations of(const Node& member) {
        Relations relations;
        add(member, member, relations);
        return relations;
    }
    std::vector<Mistake>& mistakes() noexcept { return mistakes_; }

private:
    void add(const Node& node, const Node& member, Relations& to) {
        for (const std::string& name : node.desc.before) add(node, member, "before", name, to.before);
        for (const std::string& name : node.desc.after) add(node, member, "after", name, to.after);
        for (const Node* inside : node.members) add(*inside, member, to);
    }

    void add(const Node& node, const Node& member, std::string_view relation, const std::string& name,
             std::vector<internal::OrderRelation>& to) {
        const auto found = by_name_.find(name);
        const bool is_direct = &node == &member;
        // Unknown names, and reactions among systems, are mistakes of the group that the node is in.
        if (found == by_name_.end() || is_reaction(*found->second) != is_reaction(node)) {
            if (is_direct) to.push_back({name});
            return;
        }
        const Node* const other = member_of(*found->second, group_);
        if (other == nullptr) return;  // the groups around this one are ordered
        if (other != &member) {
            const bool is_own = is_direct && other == found->second;
            to.push_back(
                {other->desc.name, is_own ? "" : errors::declared_order(node.desc.name, relation, name)});
        } else if (is_direct) {
            to.push_back({name});  // itself, or something inside it
        } else if (found->second == &member) {
            mistakes_.push_back({errors::ordered_by_own_group(node.desc.name, relation, name),
                                 Mistake::About::system, node.desc.name});
        }
    }

    const Node* group_;
    const Index& by_name_;
    std::vector<Mistake> mistakes_;
};

bool has(const std::vector<internal::OrderRelation>& relations, std::string_view name) {
    return std::any_of(relations.begin(), relations.end(),
                       [name](const internal::OrderRelation& relation) { return relation.name == name; });
}

// The engine's groups follow each other, presentation follows all. A group that names none of its siblings
// comes between simulation and transforms, unless something inside it asks for another place.
void order_step(const std::vector<Node*>& members, std::vector<Relations>& relations) {
    for (std::size_t i = 0; i < members.size(); ++i) {
        const std::string& name = members[i]->desc.name;
        Relations& own = relations[i];
        if (name == kSimulation) {
            own.after.push_back(
                {std::string(kInitialization), errors::order_of_engine(kInitialization, kSimulation)});
        } else if (name == kTransforms) {
            own.after.push_back(
                {std::string(kSimulation), errors::order_of_engine(kSimulation, kTransforms)});
        } else if (name == kPresentation) {
            for (const Node* other : members)
                if (other != members[i]) own.after.push_back({other->desc.name});
        } else if (name != kInitialization && members[i]->desc.before.empty() &&
                   members[i]->desc.after.empty()) {
            const std::string_view earlier = has(own.before, kSimulation) ? kInitialization : kSimulation;
            if (!has(own.before, kInitialization))
                own.after.push_back({std::string(earlier), errors::default_order(name, "after", earlier)});
            if (!has(own.after, kTransforms))
                own.before.push_back(
                    {std::string(kTransforms), errors::default_order(name, "before", kTransforms)});
        }
    }
}

}  // namespace

void Schedule::mark_stale(Node* group) noexcept {
    for (; group != nullptr; group = group->parent) group->is_stale = true;
    is_step_stale_ = true;
}

Result<void> Schedule::resolve_order() {
    if (Result<void> resolved = resolve_step(); !resolved) return resolved;
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node == nullptr || node->parent != nullptr) continue;
        if (Result<void> resolved = resolve_group(*node); !resolved) return resolved;
    }
    return is_playback_stale_ ? plan_playback() : Result<void>{};
}

// Everything that a run of the group needs.
Result<void> Schedule::prepare(Node& group) {
    if (Result<void> resolved = resolve_step(); !resolved) return resolved;
    if (Result<void> resolved = resolve_group(group); !resolved) return resolved;
    if (Result<void> resolved = resolve_group(*reactions_); !resolved) return resolved;
    return is_playback_stale_ ? plan_playback() : Result<void>{};
}

// `group` null: the top-level groups.
Result<Schedule::Nodes> Schedule::ordered(const Nodes& members, const Node* group) const {
    Index by_name;
    std::vector<internal::ForeignSystem> elsewhere;
    for (const std::unique_ptr<Node>& node : nodes_) {
        if (node == nullptr) continue;
        by_name.emplace(node->desc.name, node.get());
        if (node->parent != group) elsewhere.push_back({node->desc.name, node->desc.group});
    }
    Lifting lifting(group, by_name);
    std::vector<Relations> relations;
    relations.reserve(members.size());
    for (const Node* member : members) relations.push_back(lifting.of(*member));
    if (!lifting.mistakes().empty()) return joined(std::move(lifting.mistakes()));
    if (group == nullptr) order_step(members, relations);
    std::vector<internal::OrderedSystem> systems;
    systems.reserve(members.size());
    for (std::size_t i = 0; i < members.size(); ++i)
        systems.push_back({members[i]->desc.name, relations[i].before, relations[i].after,
                           members[i]->desc.ignores_unknown_names});
    const Result<std::vector<std::uint32_t>> order =
        internal::order_systems(systems, group != nullptr ? group->desc.name : kStep, elsewhere);
    if (!order) return order.error();
    Nodes nodes;
    for (const std::uint32_t index : order.value()) nodes.push_back(members[index]);
    return nodes;
}

Result<void> Schedule::resolve_step() {
    if (!is_step_stale_) return {};
    ECS_EXPECTS(!is_running_, "the order asked for by a running system");
    Nodes members;
    for (const std::unique_ptr<Node>& node : nodes_)
        if (node != nullptr && node->parent == nullptr && node.get() != reactions_)
            members.push_back(node.get());
    Result<Nodes> order = ordered(members, nullptr);
    if (!order) return order.error();
    step_ = std::move(order).value();
    std::erase_if(step_, [](const Node* node) { return node->is_presentation; });
    is_step_stale_ = false;
    is_playback_stale_ = true;
    return {};
}

Result<void> Schedule::resolve_group(Node& group) {
    ECS_EXPECTS(!is_running_, "the order asked for by a running system");
    for (Node* member : group.members) {
        if (!member->is_group) continue;
        if (Result<void> resolved = resolve_group(*member); !resolved) return resolved;
    }
    if (!group.is_stale) return {};
    Result<Nodes> order = ordered(group.members, &group);
    if (!order) return order.error();
    group.order = std::move(order).value();
    plan_group(group);
    group.is_stale = false;
    is_playback_stale_ = true;
    return {};
}

std::vector<std::string> Schedule::step_groups() {
    resolve_order().value();
    std::vector<std::string> names;
    for (const Node* group : step_) names.push_back(group->desc.name);
    return names;
}

void Schedule::plan_group(Node& group) const {
    std::vector<internal::StageMember> members;
    group.declared.clear();
    std::unordered_map<std::string_view, std::uint32_t> places;
    for (std::uint32_t place = 0; place < group.order.size(); ++place)
        places.emplace(group.order[place]->desc.name, place);
    // An unknown name comes last.
    const auto place_of_name = [&](const std::string& name) {
        const auto found = places.find(name);
        return found != places.end() ? found->second : static_cast<std::uint32_t>(group.order.size());
    };
    for (std::uint32_t place = 0; place < group.order.size(); ++place) {
        const Node& node = *group.order[place];
        members.push_back(internal::stage_member(node.desc, world_.registry()));
        if (node.is_group || group.is_presentation) members.back().is_alone = true;
        for (const std::string& name : node.desc.before)
            group.declared.emplace_back(place, place_of_name(name));
        for (const std::string& name : node.desc.after)
            group.declared.emplace_back(place_of_name(name), place);
    }
    std::erase_if(group.declared, [&](const auto& pair) {
        return pair.first == group.order.size() || pair.second == group.order.size();
    });
    group.stages.clear();
    for (const std::vector<std::uint32_t>& stage : internal::plan_stages(members, group.declared)) {
        Nodes& nodes = group.stages.emplace_back();
        for (const std::uint32_t place : stage) nodes.push_back(group.order[place]);
    }
}

std::vector<std::string> Schedule::order(std::string_view name) {
    std::vector<std::string> names;
    Node* const group = find_group(name);
    ECS_EXPECTS(group != nullptr, name);
    resolve_group(*group).value();
    names.reserve(group->order.size());
    for (const Node* node : group->order) names.push_back(node->desc.name);
    return names;
}

std::vector<std::vector<std::string>> Schedule::stages(std::string_view name) {
    std::vector<std::vector<std::string>> names;
    Node* const group = find_group(name);
    ECS_EXPECTS(group != nullptr, name);
    resolve_group(*group).value();
    for (const Nodes& stage : group->stages) {
        names.emplace_back();
        for (const Node* node : stage) names.back().push_back(node->desc.name);
    }
    return names;
}

std::vector<UnorderedWrites> Schedule::unordered_writes() {
    resolve_order().value();
    std::vector<UnorderedWrites> pairs;
    for (const std::unique_ptr<Node>& group : nodes_) {
        if (group == nullptr || !group->is_group) continue;
        std::vector<internal::StageMember> members;
        for (const Node* node : group->order)
            members.push_back(internal::stage_member(node->desc, world_.registry()));
        for (const internal::UnorderedPair& pair : internal::unordered_writes(members, group->declared)) {
            pairs.push_back({group->order[pair.first]->desc.name, group->order[pair.second]->desc.name,
                             world_.registry().info(pair.component).schema.name});
        }
    }
    return pairs;
}

}  // namespace perigee
