// One entry per node; restoring copies it back and allocates nothing.
#include "ecs/schedule/schedule_state.h"

#include "ecs/base/contract.h"
#include "ecs/schedule/internal/schedule_node.h"
#include "ecs/schedule/schedule.h"

#include <utility>

namespace perigee {

struct ScheduleState::Entry {
    std::string name;
    internal::StepTimer timer;
    Random random;
    ChangeVersion last_run_version;
    std::uint32_t wanted_ids;
    SystemEvents::Places places;
    std::string error;
    ErrorKind error_kind;
    double elapsed;
    std::uint64_t last_tick;
    bool is_late, has_run, is_enabled, is_suspended;
};

ScheduleState::ScheduleState() = default;
ScheduleState::~ScheduleState() = default;
ScheduleState::ScheduleState(ScheduleState&&) noexcept = default;
ScheduleState& ScheduleState::operator=(ScheduleState&&) noexcept = default;

ScheduleState Schedule::state() const {
    ECS_EXPECTS(!is_running_, "the state of a schedule while a group runs");
    ScheduleState state;
    state.time_ = last_time_;
    for (const std::unique_ptr<Node>& node : nodes_) {
        state.entries_.emplace_back();
        if (node == nullptr) continue;
        const SystemStatus& status = node->status;
        state.entries_.back() = std::make_unique<ScheduleState::Entry>(ScheduleState::Entry{
            node->desc.name, node->timer, node->random, node->last_run_version, node->ids.wanted(),
            node->events.places(), status.error, status.error_kind, node->elapsed, node->last_tick,
            node->is_late, node->has_run, status.is_enabled, status.is_suspended});
    }
    return state;
}

void Schedule::restore(const ScheduleState& state) noexcept {
    ECS_EXPECTS(!is_running_, "a schedule is restored while a group runs");
    last_time_ = state.time_;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        if (nodes_[i] == nullptr) continue;
        Node& node = *nodes_[i];
        node.is_pending = false;  // its batch is in memory that is gone
        node.batch = {};
        node.events.forget_read();
        const ScheduleState::Entry* const entry =
            i < state.entries_.size() ? state.entries_[i].get() : nullptr;
        if (entry == nullptr) {
            node.timer.reset();
            node.random = Random(stream_seed(seed_, node.desc.name));
            node.last_run_version = 0;
            node.ids.forget_last_run();
            node.is_late = node.has_run = false;
            node.elapsed = 0;
            continue;
        }
        node.timer.continue_from(entry->timer);
        node.random = entry->random;
        node.last_run_version = entry->last_run_version;
        node.ids.want(entry->wanted_ids);
        node.events.resume_from(entry->places);
        node.elapsed = entry->elapsed;
        node.last_tick = entry->last_tick;
        node.is_late = entry->is_late;
        node.has_run = entry->has_run;
        node.status.is_enabled = entry->is_enabled;
        node.status.is_suspended = entry->is_suspended;
        if (!entry->is_suspended) node.status.error.clear();
    }
}

}  // namespace perigee
