// Finds reactions that trigger each other in a loop, among those that are triggered in round after round.
//
// While it watches, it records which triggers the events and commands of each reaction cause. Triggers and
// reactions are then the nodes of a graph: a reaction leads to what it causes, a trigger to the reactions
// that wait for it. A reaction belongs to a loop if it is on a cycle of that graph. Changes of values are
// only known when they are compared, so a reaction that may have written a component counts as causing its
// change. Cost: nothing until begin(). Afterwards each delivery asks for the count of each observed trigger,
// and loops() takes time linear in the edges of the graph. Not here: suspending the reactions
// (schedule_reactions.cpp).
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/world/observers.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace perigee {
class World;
}

namespace perigee::internal {

struct ScheduleNode;

class ReactionLoops {
public:
    explicit ReactionLoops(World& world) noexcept : world_(world) {}

    /// Begins to watch these reactions. Lifetime: they stay until end().
    void begin(std::span<ScheduleNode* const> reactions);
    void end() noexcept;
    bool is_watching() const noexcept { return !reactions_.empty(); }

    /// Calls fn(), which delivers the node's events or plays its commands back, and records what it causes.
    template <typename Function> void watch(const ScheduleNode& node, Function&& fn) {
        if (!is_watching()) return fn();
        count(before_);
        fn();
        record(node);
    }

    /// The loops with a reaction that is pending now, each in the order of the reactions.
    std::vector<std::vector<ScheduleNode*>> loops() const;

private:
    using Numbers = std::vector<std::uint32_t>;

    void count(std::vector<std::uint64_t>& counts) const;
    void record(const ScheduleNode& node);
    std::vector<Numbers> edges() const;

    World& world_;
    std::vector<ScheduleNode*> reactions_;
    std::map<const ScheduleNode*, std::size_t> number_of_;
    std::vector<Trigger> triggers_;              ///< distinct
    std::vector<std::uint32_t> waits_for_;       ///< by reaction: number of its trigger
    std::vector<std::vector<bool>> causes_;      ///< by reaction and trigger
    std::vector<bool> has_recorded_commands_;    ///< by reaction
    std::vector<std::uint64_t> before_, after_;  ///< by trigger: what came so far
    ChangeVersion since_ = 0;
};

}  // namespace perigee::internal
