// InputRecorder: an input log on disk that grows while the game runs.
//
// Invariant: the file under its final name is always complete. The session is written to "<file>.part", which
// finish() renames. A crash leaves the .part, which can be played as far as it goes, and keeps an older
// recording untouched.
#pragma once

#include "ecs/base/result.h"
#include "ecs/files/locked_file.h"
#include "engine/replay/input_log.h"

#include <filesystem>

namespace perigee {

class InputRecorder {
public:
    /// `stores_worlds`: store_world will be called.
    /// Errors: the file cannot be created, or another program is recording into it.
    static Result<InputRecorder> open(const std::filesystem::path& file, const LogHeader& header,
                                      bool stores_worlds = false);

    void step(const ActionMap& map, const StepInput& input);
    void restart() { writer_.restart(); }

    /// Records player data read by the game, in the previous step or while loading.
    void answer(const SaveAnswer& answer);

    /// Records the world after the last step; see InputLogWriter.
    void store_world(std::uint64_t world_hash, std::string_view bytes);

    void mark_not_replayable(std::string_view reason) { writer_.mark_not_replayable(reason); }

    /// Writes the end mark and renames the file. Errors: a write has failed since open().
    Result<void> finish(std::uint64_t world_hash);

    std::uint64_t step_count() const noexcept { return writer_.step_count(); }

private:
    void write_out();
    InputRecorder(std::filesystem::path file, LockedFile stream, const LogHeader& header, bool stores_worlds);

    std::filesystem::path file_;
    LockedFile stream_;  ///< "<file>.part"
    InputLogWriter writer_;
    bool has_newer_version_ = false;  // in the file
};

}  // namespace perigee
