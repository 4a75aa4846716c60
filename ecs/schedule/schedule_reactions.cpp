// Reactions: runs triggered reactions in rounds, until none is triggered or the limit is reached.
#include "ecs/base/error_codes.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/registry.h"
#include "ecs/world/world.h"

#include <algorithm>

namespace perigee {

Result<void> Schedule::check_reaction(const SystemDesc& desc) const {
    if (!desc.reacts_to) {
        if (desc.group == kReactions) return Error{errors::group_of_reactions(desc.name)};
        return {};
    }
    if (desc.every != 0) return Error{errors::reaction_with_interval(desc.name)};
    const auto [kind, component] = *desc.reacts_to;
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    const std::optional<std::string> refused =
        observing_refused(kind, world_.registry().info(component).schema);
    if (refused) return Error{errors::reaction_refused(desc.name, *refused)};
    return {};
}

// From when a reaction is added until it goes.
void Schedule::observe(const SystemDesc& reaction) {
    const std::optional<Trigger>& trigger = reaction.reacts_to;
    if (trigger && trigger->kind != Trigger::Kind::event) world_.observe(*trigger, reaction.payer).value();
}

void Schedule::forget(const SystemDesc& reaction) {
    const std::optional<Trigger>& trigger = reaction.reacts_to;
    if (trigger && trigger->kind != Trigger::Kind::event) world_.forget(*trigger, reaction.payer);
}

// The rounds after a group has ended.
void Schedule::react(const TickTime& time) {
    Node& group = *reactions_;
    if (group.order.empty()) return;
    for (int round = 0; gather_all(); ++round) {
        if (round == kMostRounds) {
            stop_loop();
            round = 0;
        }
        if (round == kRoundsBeforeLoop) {
            for (Node* reaction : group.order) {
                reaction->triggered.clear();
                reaction->has_commanded = false;
            }
            likely_since_ = world_.change_version();
        }
        is_loop_likely_ = round >= kRoundsBeforeLoop;
        for (const Nodes& stage : group.stages) run_stage(group, stage, 1, time);
        for (Node* reaction : group.order) {
            // A reaction that did not run, because it is disabled or its condition is false, misses the
            // trigger.
            if (reaction->is_pending) forget_news(*reaction);
        }
        play_back(group);
        is_loop_likely_ = false;
    }
}

bool Schedule::gather_all() {
    if (!world_.observers().is_empty()) world_.observers().turn(world_);
    bool is_any_pending = false;
    for (Node* reaction : reactions_->order) {
        reaction->is_pending = gather(*reaction);
        is_any_pending |= reaction->is_pending;
    }
    return is_any_pending;
}

// Is there something for a reaction? Then it is its batch.
bool Schedule::gather(Node& reaction) {
    const Trigger trigger = *reaction.desc.reacts_to;
    reaction.batch = {};
    if (trigger.kind != Trigger::Kind::event) {
        if (world_.observers().lost_count(trigger) != 0 && !reaction.status.is_suspended) {
            fail(reaction, errors::observation_lost(reaction.desc.name,
                                                    world_.registry().info(trigger.component).schema.name));
        }
        reaction.batch.observed = world_.observers().batch(trigger);
        return !reaction.batch.observed.entities.empty();
    }
    reaction.batch.events = reaction.events.read(trigger.component);
    return reaction.batch.events.count != 0;
}

void Schedule::forget_news(Node& reaction) {
    reaction.is_pending = false;
    reaction.events.mark_read();
}

// ---- loops ----

// Grows with what triggers a reaction. Changes of values are only known when they are compared.
std::uint64_t Schedule::news_count(Trigger trigger) const noexcept {
    if (trigger.kind == Trigger::Kind::event) return world_.events().next_number(trigger.component);
    return world_.observers().coming_count(trigger);
}

// Notes which reactions the node's events or commands trigger.
void Schedule::watch_for_loops(Node& node, const std::function<void()>& fn) {
    if (!is_loop_likely_) return fn();
    std::vector<std::uint64_t> before;
    for (const Node* reaction : reactions_->order) before.push_back(news_count(*reaction->desc.reacts_to));
    fn();
    for (std::size_t i = 0; i < before.size(); ++i) {
        Node* const reaction = reactions_->order[i];
        if (news_count(*reaction->desc.reacts_to) == before[i]) continue;
        if (std::find(node.triggered.begin(), node.triggered.end(), reaction) == node.triggered.end())
            node.triggered.push_back(reaction);
    }
}

bool Schedule::may_have_changed(const Node& node, ComponentId component) const noexcept {
    if (node.has_commanded) return true;
    return node.last_run_version > likely_since_ && declares(node.desc, component, Access::write);
}

// Also over others.
Schedule::Nodes Schedule::triggered_from(Node& start) const {
    Nodes found;
    const auto add = [&](Node* node) {
        if (std::find(found.begin(), found.end(), node) == found.end()) found.push_back(node);
    };
    const auto add_next = [&](const Node& node) {
        for (Node* next : node.triggered) add(next);
        for (Node* next : reactions_->order) {
            const Trigger trigger = *next->desc.reacts_to;
            if (trigger.kind == Trigger::Kind::changed && may_have_changed(node, trigger.component))
                add(next);
        }
    };
    add_next(start);
    for (std::size_t i = 0; i < found.size(); ++i) add_next(*found[i]);
    return found;
}

// Those on a way from a pending reaction back to itself.
Schedule::Nodes Schedule::loop_of(const Nodes& pending) const {
    std::vector<Nodes> reached;
    for (Node* start : pending) reached.push_back(triggered_from(*start));
    const auto has = [](const Nodes& nodes, const Node* node) {
        return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
    };
    Nodes loop;
    for (Node* node : reactions_->order) {
        if (!node->is_active()) continue;
        const Nodes next = triggered_from(*node);
        for (std::size_t i = 0; i < pending.size(); ++i) {
            if (!has(next, pending[i]) || !has(reached[i], node)) continue;
            loop.push_back(node);
            break;
        }
    }
    return loop;
}

// Reactions that only listen have their turn afterwards.
void Schedule::stop_loop() {
    Nodes pending;
    for (Node* reaction : reactions_->order) {
        if (reaction->is_pending && reaction->is_active()) pending.push_back(reaction);
    }
    Nodes loop = loop_of(pending);
    // A circle that is longer than the rounds that were watched.
    if (loop.empty()) loop = pending;
    std::string names;
    for (Node* reaction : loop) {
        forget_news(*reaction);
        names += (names.empty() ? "'" : ", '") + reaction->desc.name + "'";
    }
    for (Node* reaction : loop) fail(*reaction, errors::reaction_loop(names, kMostRounds));
}

}  // namespace perigee
