// One node of the schedule's tree: a system, or a group with its members.
//
// Invariant: `order` and `stages` follow from the members' declarations once is_stale is false. The results
// of a run (version, outcome, times) are written by the thread that ran the system and read by the group's
// thread, after all systems of the stage have ended.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/random.h"
#include "ecs/commands/command_buffer.h"
#include "ecs/events/system_events.h"
#include "ecs/parallel/jobs.h"
#include "ecs/query/internal/access_log.h"
#include "ecs/query/query.h"
#include "ecs/schedule/internal/step_timer.h"
#include "ecs/schedule/system.h"
#include "ecs/schedule/system_status.h"
#include "ecs/world/internal/id_pool.h"
#include "ecs/world/run_scope.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace perigee::internal {

/// Changes that wait for the end of the step; see Schedule::at_step_end.
struct StepEndChanges {
    std::vector<std::function<Result<void>()>> list;
};

struct ScheduleNode {
    ScheduleNode(SystemDesc&& description, World& world, std::uint64_t game_seed)
        : desc(std::move(description)),
          commands(world),
          events(world),
          jobs(world),
          random(stream_seed(game_seed, desc.name)),
          timer(desc.every) {
        status.name = desc.name;
        status.group = desc.group;
        status.is_enabled = desc.is_enabled;
    }

    SystemDesc desc;  ///< for a group: name, group, before, after, every, run_if
    SystemStatus status;
    CommandBuffer commands;
    SystemEvents events;
    Jobs jobs;
    Random random;
    Query* query = nullptr;
    StepTimer timer;
    ChangeVersion last_run_version = 0;
    IdPool ids;
    AccessLog log;
    ScheduleNode* parent = nullptr;
    std::uint32_t index = 0;
    bool is_started = false;
    std::uint64_t steps_wanted = 0;  ///< runs to make while paused
    bool is_late_comer = false;      ///< added at the end of a step
    /// The world was taken back to a time before it was added. Until it is added again, it does not exist.
    bool is_in_future = false;

    // ---- of the current run
    ChangeVersion version = 0;
    Result<void> outcome;
    std::uint32_t lane = 0;
    std::int64_t start_nanoseconds = 0;
    std::int64_t end_nanoseconds = 0;

    bool is_late = false;  ///< due, but not run yet
    StepEndChanges changes;

    // ---- of a reaction
    bool is_pending = false;
    ReactionBatch batch;
    bool is_playing_back = false;  ///< its commands, and not its events

    // ---- of a group
    bool is_group = false;
    bool is_presentation = false;        ///< it or an enclosing group is
    std::vector<ScheduleNode*> members;  ///< as added
    std::vector<ScheduleNode*> order;
    std::vector<ScheduleNode*> playback;  ///< systems whose commands are played back when it ends
    std::uint32_t place_in_step = 0;      ///< of the top-level group that it is or is in
    bool has_ended = false;               ///< while playback is planned
    std::vector<std::vector<ScheduleNode*>> stages;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> declared;  ///< indices into `order`: earlier, later
    StageTurns turns;
    std::vector<ScheduleNode*> due;  ///< of the running stage
    bool is_stale = false;
    bool has_run = false;
    double elapsed = 0;  ///< seconds since its last run, for its members
    std::uint64_t last_tick = 0;

    /// Neither disabled nor left out, and not yet to be added.
    bool is_on() const noexcept { return status.is_enabled && !status.is_left_out && !is_in_future; }
    bool is_active() const noexcept {
        return is_on() && !status.is_suspended && (!status.is_paused || steps_wanted != 0);
    }

    /// Steps since the last run. Frames are not steps: in presentation the tick decides.
    std::uint64_t take_steps(const TickTime& time) noexcept {
        if (!is_presentation)
            return std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::lround(elapsed / time.dt)));
        const std::uint64_t steps = !has_run ? 1 : time.tick > last_tick ? time.tick - last_tick : 0;
        has_run = true;
        last_tick = time.tick;
        return steps;
    }
};

}  // namespace perigee::internal
