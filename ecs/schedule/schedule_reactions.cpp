// Reactions: runs triggered reactions in rounds, until none is triggered or the limit is reached.
#include "ecs/base/error_codes.h"
#include "ecs/schedule/internal/reaction_loops.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schema/registry.h"
#include "ecs/world/observe.h"
#include "ecs/world/observers.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

Result<void> Schedule::check_reaction(const SystemDesc& desc) const {
    if (!desc.reacts_to) {
        if (desc.group == kReactions) return Error{errors::group_of_reactions(desc.name)};
        return {};
    }
    if (desc.every != 0) return Error{errors::reaction_with_interval(desc.name)};
    if (desc.is_exclusive) return Error{errors::reaction_exclusive(desc.name)};
    const auto [kind, component] = *desc.reacts_to;
    ECS_EXPECTS(component.index < world_.registry().size(), component.index);
    const std::optional<std::string> refused =
        observing_refused(kind, world_.registry().info(component).schema);
    if (refused) return Error{errors::reaction_refused(desc.name, *refused)};
    return {};
}

// A reaction is observed from the time it is added until it is removed.
void Schedule::observe(const SystemDesc& reaction) {
    const std::optional<Trigger>& trigger = reaction.reacts_to;
    if (trigger && trigger->kind != Trigger::Kind::event)
        start_observing(world_, *trigger, reaction.payer).value();
}

void Schedule::unobserve(const SystemDesc& reaction) {
    const std::optional<Trigger>& trigger = reaction.reacts_to;
    if (trigger && trigger->kind != Trigger::Kind::event) stop_observing(world_, *trigger, reaction.payer);
}

// Runs the rounds after a group has ended.
void Schedule::react(const TickTime& time) {
    Node& group = *reactions_;
    if (group.order.empty()) return;
    for (int round = 0; collect_batches(); ++round) {
        if (round == kMaxRounds) {
            suspend_loops();
            round = 0;
        }
        if (round == kRoundsUnwatched) loops_->begin(group.order);
        for (const Nodes& stage : group.stages) run_stage(group, stage, 1, time);
        for (Node* reaction : group.order) {
            // A reaction that is disabled, or whose condition is false, misses the trigger.
            if (reaction->is_pending) discard_batch(*reaction);
        }
        play_back(group);
    }
    loops_->end();
}

bool Schedule::collect_batches() {
    if (!world_.observers().is_empty()) world_.observers().publish(world_);
    bool is_any_pending = false;
    for (Node* reaction : reactions_->order) {
        reaction->is_pending = collect_batch(*reaction);
        is_any_pending |= reaction->is_pending;
    }
    return is_any_pending;
}

// Collects the batch of a reaction. True if it is not empty.
bool Schedule::collect_batch(Node& reaction) {
    const Trigger trigger = *reaction.desc.reacts_to;
    reaction.batch = {};
    if (trigger.kind != Trigger::Kind::event) {
        if (world_.observers().lost_count(trigger) != 0 && !reaction.status.is_suspended) {
            fail(reaction, Error{errors::observation_lost(
                               reaction.desc.name, world_.registry().info(trigger.component).schema.name)});
        }
        reaction.batch.observed = world_.observers().batch(trigger);
        return !reaction.batch.observed.entities.empty();
    }
    reaction.batch.events = reaction.events.read(trigger.component);
    return reaction.batch.events.count != 0;
}

void Schedule::discard_batch(Node& reaction) {
    reaction.is_pending = false;
    reaction.events.mark_read();
}

// Suspends the loops. Reactions outside a loop continue, and so does the game if optional mods are in it.
void Schedule::suspend_loops() {
    std::vector<Nodes> loops = loops_->loops();
    loops_->end();
    // The loop is longer than the watched rounds.
    if (loops.empty()) {
        Nodes& pending = loops.emplace_back();
        std::copy_if(reactions_->order.begin(), reactions_->order.end(), std::back_inserter(pending),
                     [](const Node* reaction) { return reaction->is_pending && reaction->is_active(); });
    }
    for (Nodes& loop : loops) {
        const auto is_kept = [](const Node* reaction) { return !reaction->desc.is_optional; };
        if (!std::all_of(loop.begin(), loop.end(), is_kept)) std::erase_if(loop, is_kept);
        std::vector<std::string_view> names;
        for (Node* reaction : loop) {
            discard_batch(*reaction);
            names.push_back(reaction->desc.name);
        }
        const std::string message = errors::reaction_loop(names, kMaxRounds);
        for (Node* reaction : loop) fail(*reaction, Error{message});
    }
}

}  // namespace perigee
