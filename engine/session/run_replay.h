// RunReplay: a recording that is played back in place of the player: seed, input, restarts and player data.
//
// Invariant: everything comes from the recording, so the run does not depend on the machine. Not here:
// starting sessions and running steps (engine.h), writing recordings (run_outputs.h).
//
//     while (replay.take_restart()) start a new session
//     const StepInput input = replay.take_step(session.actions());
#pragma once

#include "ecs/base/result.h"
#include "engine/input/input.h"
#include "engine/replay/input_log.h"
#include "engine/replay/recorded_data.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perigee {

class GameSession;

class RunReplay {
public:
    /// `seed`: what the host asks for, if anything; `accepts_truncated`: see InputLog::parse.
    /// Errors: the file cannot be read, is no recording, or has another seed.
    static Result<std::unique_ptr<RunReplay>> open(const std::filesystem::path& file, bool accepts_truncated,
                                                   std::optional<std::uint64_t> seed);

    std::uint64_t seed() const noexcept { return log_.header().seed; }
    /// Why the replay may differ from the recorded run, a sentence each; usually empty.
    std::vector<std::string> warnings() const;
    /// Fails unless the recording is of this session's game and of this rate.
    Result<void> expect_game(const GameSession& session, std::uint32_t steps_per_second) const;

    std::uint64_t step_count() const noexcept { return log_.step_count(); }
    std::uint64_t steps_played() const noexcept { return log_.steps_played(); }
    /// Makes a session that has just loaded what it was after the last world that the recording stores at or
    /// before this step; without one it stays as it is. Variables of scripts keep their first values. Errors:
    /// those of load_world, with nothing changed. Expects: no step has been taken; between steps.
    Result<void> begin_near(std::uint64_t step, GameSession& session);

    /// The recorded player data, for RecordedData. Lifetime: the replay's.
    PlayerData& player_data() noexcept { return data_; }

    bool is_finished() const noexcept { return log_.is_finished(); }
    /// True if the game was restarted before the next step: the caller restarts it and asks again.
    bool take_restart();
    /// The input of the next step. Expects: not finished, take_restart has returned false.
    StepInput take_step(ActionMap& actions);

    /// Called after a step: compares the world with the one that the recording stores there, if any.
    void note_step(const GameSession& session);

    /// Fails if the replay ended at another step or with another world than the recording: "replay: diverged
    /// …". `wants_quit`: the game has ended the run.
    Result<void> check(const GameSession& session, bool wants_quit) const;

private:
    explicit RunReplay(InputLog log);

    /// The first stored world that differs, and the step of the last one that is equal.
    struct Divergence {
        std::uint64_t equal_at, different_at;
    };

    InputLog log_;
    ReplayedData data_;
    std::uint64_t equal_at_ = 0;
    std::optional<Divergence> divergence_;
};

}  // namespace perigee
