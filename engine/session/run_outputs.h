// RunOutputs: the files that a run writes: the recording, the hash log and the trace.
//
// Invariant: a file covers the run from its first step to finish, over all restarts, and writing it never
// changes the run. What is not asked for costs nothing. Not here: playing a recording back (run_replay.h).
#pragma once

#include "ecs/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

namespace perigee {

class GameSession;
class HashRecorder;
class InputRecorder;
class TraceFile;
struct SaveAnswer;
struct StepInput;

/// Empty: not written.
struct RunOutputFiles {
    std::filesystem::path recording;  ///< engine/replay/input_log.h
    std::filesystem::path hash_log;   ///< engine/replay/hash_log.h
    std::filesystem::path trace;      ///< engine/profile/trace_file.h
    /// The recording also stores the world after each step whose number this divides; 0: it does not.
    std::uint64_t steps_per_world = 0;
};

class RunOutputs {
public:
    /// `session`: the first one of the run, which has loaded. It and each later one must live until the next
    /// follow or until all files are finished. Its schedule refers to this object.
    /// Errors: a file cannot be created, or another program is writing it.
    static Result<std::unique_ptr<RunOutputs>> open(const RunOutputFiles& files, GameSession& session,
                                                    std::uint64_t seed, std::uint32_t steps_per_second);
    ~RunOutputs();
    RunOutputs(const RunOutputs&) = delete;
    RunOutputs& operator=(const RunOutputs&) = delete;

    /// The run restarts with this session, which has loaded.
    void restart(GameSession& session);

    /// Called before a step, with its input.
    void begin_step(const StepInput& input);
    /// The player data that scripts have read, while loading or in the last step.
    void add_answers(std::span<const SaveAnswer> answers);
    /// Called after a step, and after its answers and limits. Errors: those of GameSession::write_world; then
    /// the recording stores no more worlds.
    Result<void> end_step();

    /// True if a later run is expected to repeat this one: there is a recording or a hash log.
    bool is_repeatable() const noexcept { return recorder_ || hashes_; }
    /// Records that a replay may differ from here on, and why.
    void mark_not_replayable(std::string_view reason);

    // Each ends a file, if there is one, with the world as it is. Errors: a write has failed since open.
    Result<void> finish_recording();
    Result<void> finish_hash_log();
    Result<void> finish_trace();

private:
    RunOutputs(GameSession& session, std::uint64_t steps_per_world) noexcept;
    void follow(GameSession& session);

    Result<void> store_world();

    GameSession* session_;
    std::uint64_t steps_per_world_;
    std::unique_ptr<InputRecorder> recorder_;
    std::unique_ptr<HashRecorder> hashes_;
    std::unique_ptr<TraceFile> trace_;
};

}  // namespace perigee
