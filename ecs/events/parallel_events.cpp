// A writer per sort key and worker.
#include "ecs/events/parallel_events.h"

#include <algorithm>
#include <utility>

namespace perigee {

ParallelEvents::ParallelEvents(EventWriter& target, std::uint32_t lane_count)
    : target_(target), lanes_(lane_count) {
    ECS_EXPECTS(lane_count > 0);
}

EventWriter& ParallelEvents::at(std::uint32_t worker_index, std::uint64_t sort_key) {
    ECS_EXPECTS(worker_index < lanes_.size() && !is_finished_, worker_index, lanes_.size());
    std::vector<Part>& lane = lanes_[worker_index];
    if (lane.empty() || lane.back().key != sort_key) {
        lane.push_back({sort_key, std::make_unique<EventWriter>(EventWriter::SameRestrictions{target_})});
    }
    return *lane.back().events;
}

void ParallelEvents::finish() {
    ECS_EXPECTS(!is_finished_);
    is_finished_ = true;
    std::vector<Part> parts;
    for (std::vector<Part>& lane : lanes_) {
        for (Part& part : lane) parts.push_back(std::move(part));
    }
    std::stable_sort(parts.begin(), parts.end(), [](const Part& a, const Part& b) { return a.key < b.key; });
    for (const Part& part : parts) static_cast<void>(target_.append(*part.events));
}

}  // namespace perigee
