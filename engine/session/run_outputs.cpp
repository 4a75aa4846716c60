// The handlers stay in the schedule when a file is finished, so each checks that its file is still open.
#include "engine/session/run_outputs.h"

#include "ecs/schedule/schedule.h"
#include "engine/base/error_codes.h"
#include "engine/profile/trace_file.h"
#include "engine/replay/hash_recorder.h"
#include "engine/replay/input_recorder.h"
#include "engine/replay/log_header.h"
#include "engine/replay/recorded_data.h"
#include "engine/session/game_session.h"
#include "scripting/lua/luajit_version.h"

#include <fmt/format.h>

#include <utility>

namespace perigee {

RunOutputs::RunOutputs(GameSession& session, std::uint64_t steps_per_world) noexcept
    : session_(&session), steps_per_world_(steps_per_world) {}
RunOutputs::~RunOutputs() = default;

Result<std::unique_ptr<RunOutputs>> RunOutputs::open(const RunOutputFiles& files, GameSession& session,
                                                     std::uint64_t seed, std::uint32_t steps_per_second) {
    std::unique_ptr<RunOutputs> outputs{new RunOutputs(session, files.steps_per_world)};
    const LogHeader header{session.identity(), seed, steps_per_second, luajit_version().text};
    if (!files.recording.empty()) {
        Result<InputRecorder> recorder =
            InputRecorder::open(files.recording, header, files.steps_per_world != 0);
        if (!recorder) return recorder.error();
        outputs->recorder_ = std::make_unique<InputRecorder>(std::move(recorder).value());
    }
    if (!files.hash_log.empty()) {
        Result<HashRecorder> recorder = HashRecorder::open(files.hash_log, header);
        if (!recorder) return recorder.error();
        outputs->hashes_ = std::make_unique<HashRecorder>(std::move(recorder).value());
    }
    if (!files.trace.empty()) {
        Result<TraceFile> trace = TraceFile::open(files.trace);
        if (!trace) return trace.error();
        outputs->trace_ = std::make_unique<TraceFile>(std::move(trace).value());
    }
    outputs->follow(session);
    return outputs;
}

void RunOutputs::follow(GameSession& session) {
    session_ = &session;
    if (hashes_) {
        const World& world = session.world();
        hashes_->start(world);
        session.on_moment([this, &world](const ScheduleMoment& moment) {
            if (hashes_) hashes_->after(world, moment);
        });
    }
    if (trace_) {
        session.schedule().on_trace([this](const TraceSpan& span) {
            if (trace_) trace_->add(span);
        });
    }
}

void RunOutputs::restart(GameSession& session) {
    if (recorder_) recorder_->restart();
    follow(session);
}

// ---- steps ------------------------------------------------------------------------------------------------

void RunOutputs::begin_step(const StepInput& input) {
    if (recorder_) recorder_->step(session_->actions(), input);
}

void RunOutputs::add_answers(std::span<const SaveAnswer> answers) {
    if (!recorder_) return;
    for (const SaveAnswer& answer : answers) recorder_->answer(answer);
}

Result<void> RunOutputs::end_step() {
    if (hashes_) hashes_->end_step(session_->world(), session_->tick() - 1);
    if (!recorder_ || steps_per_world_ == 0 || recorder_->step_count() % steps_per_world_ != 0) return {};
    Result<void> stored = store_world();
    if (!stored) steps_per_world_ = 0;
    return stored;
}

Result<void> RunOutputs::store_world() {
    // A saved world does not have it, so that its systems would run.
    const Schedule& schedule = session_->schedule();
    for (const SystemId id : schedule.all())
        if (const SystemStatus status = schedule.status(id); status.is_suspended)
            return Error{fmt::format(engine_errors::kSystemSuspended, status.name)};
    const Result<std::string> bytes = session_->write_world();
    if (!bytes) return bytes.error();
    recorder_->store_world(session_->hash(), bytes.value());
    return {};
}

void RunOutputs::mark_not_replayable(std::string_view reason) {
    if (recorder_) recorder_->mark_not_replayable(reason);
    if (hashes_) hashes_->mark_not_replayable(reason);
}

// ---- the end ----------------------------------------------------------------------------------------------

Result<void> RunOutputs::finish_recording() {
    if (!recorder_) return {};
    Result<void> finished = recorder_->finish(session_->hash());
    recorder_.reset();
    return finished;
}

Result<void> RunOutputs::finish_hash_log() {
    if (!hashes_) return {};
    Result<void> finished = hashes_->finish();
    hashes_.reset();
    return finished;
}

Result<void> RunOutputs::finish_trace() {
    if (!trace_) return {};
    Result<void> finished = trace_->finish();
    trace_.reset();
    return finished;
}

}  // namespace perigee
