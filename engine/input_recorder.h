// InputRecorder: an input log on disk that grows while the game runs.
//
// Invariant: the file under its final name is always whole. The session goes to "<file>.part" and takes its
// name at finish(); a crash leaves the .part, which can be played as far as it goes, and an older recording
// untouched.
#pragma once

#include "ecs/result.h"
#include "engine/input_log.h"
#include "engine/internal/locked_file.h"

#include <filesystem>

namespace perigee {

class InputRecorder {
public:
    /// Errors: the file cannot be created, or another program is recording into it.
    static Result<InputRecorder> open(const std::filesystem::path& file, const LogHeader& header);

    void step(const ActionMap& map, const InputFrame& frame);
    void restart() { writer_.restart(); }

    /// What the game learned of the player's data, in the step before or as it was loaded.
    void answer(const SaveAnswer& answer) { writer_.answer(answer); }

    void mark_not_replayable(std::string_view reason) { writer_.mark_not_replayable(reason); }

    /// Writes the end mark and gives the file its name. Errors: the disk refused anything since open().
    Result<void> finish(std::uint64_t world_hash);

    std::uint64_t step_count() const noexcept { return writer_.step_count(); }

private:
    InputRecorder(std::filesystem::path file, internal::LockedFile stream, const LogHeader& header);

    std::filesystem::path file_;
    internal::LockedFile stream_;  ///< "<file>.part"
    InputLogWriter writer_;
};

}  // namespace perigee
