// HashRecorder: a hash log on disk that grows while a game runs.
//
// Invariant: after each call with a moment, the log has the changes since the previous call. Undeclared
// changes of a system and changes outside systems are recorded under the moment "other" at the end of the
// step. It reads the world and never changes it.
#pragma once

#include "ecs/base/result.h"
#include "ecs/files/locked_file.h"
#include "ecs/inspect/world_digest.h"
#include "ecs/schema/component.h"
#include "engine/replay/hash_log.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class World;
struct ScheduleMoment;

class HashRecorder {
public:
    /// Errors: the file cannot be created, or another program is writing it.
    static Result<HashRecorder> open(const std::filesystem::path& file, const LogHeader& header);

    /// Called when a session has loaded, for the first time or after a restart.
    void start(const World& world);
    /// Handler for Schedule::on_moment.
    void after(const World& world, const ScheduleMoment& moment);
    /// Called after a system that may have written these types.
    void after_system(const World& world, std::string_view system, std::span<const ComponentId> written);
    /// Called after a system that may have written anything.
    void after_system(const World& world, std::string_view system);
    /// Called after playback of a system's commands, which may have changed anything.
    void after_commands(const World& world, std::string_view system);
    void end_step(const World& world, std::uint64_t tick);
    /// Records that another run may differ from here on, and why.
    void mark_not_replayable(std::string_view reason);

    /// Errors: a write has failed since open().
    Result<void> finish();

private:
    struct Type {
        ComponentId id;  ///< not valid: the entities
        TypeDigest now;
    };
    HashRecorder(std::filesystem::path file, LockedFile stream, const LogHeader& header);
    void declare_new_types(const World& world);
    void add_change(const World& world, std::uint16_t number, HashLogState& state);
    HashLogState all_changes(const World& world, HashMoment moment, std::string_view system);

    std::filesystem::path file_;
    LockedFile stream_;
    HashLogWriter writer_;
    std::vector<Type> types_;               ///< by number in the log
    std::vector<std::uint16_t> number_of_;  ///< by component index
    std::uint64_t step_count_ = 0;
    bool has_started_ = false;
};

}  // namespace perigee
