// GameSession: one run of a game, from its first step to its restart: files, world, schedule and scripts.
//
// Invariant: a session depends only on the game's files, the seed and its StepInputs. A game whose scripts
// fail to load is a session too: it shows its errors and waits for a restart. A mod that cannot load is left
// out, its errors are shown on the card, and the game continues. A session knows no wall clock and no
// recording files; Engine, RunOutputs and RunReplay do.
#pragma once

#include "ecs/base/result.h"
#include "engine/base/screen.h"
#include "engine/session/session_config.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class ActionMap;
class AppRequests;
class AssetStore;
class AudioQueue;
class DrawList;
class ImageTable;
class Schedule;
class ScheduleState;
class ScriptRuntime;
class SurfaceTable;
class SideWorldsState;
class World;
class WorldSnapshot;
struct FrameTimes;
struct LoadOptions;
struct SaveOptions;
struct ScheduleMoment;
struct StepInput;
struct ModManifest;
struct ModSet;
struct ScriptError;
struct SystemStatus;

class GameSession {
public:
    /// Fails when a limit of the process (ulimit -v) leaves less address space than a game needs.
    static Result<void> expect_address_space();
    /// Errors: those of expect_address_space; the game cannot be read; its mod.json is invalid. Errors in
    /// scripts are not errors here: see error_count().
    static Result<std::unique_ptr<GameSession>> start(GameSessionConfig config);
    ~GameSession();
    GameSession(const GameSession&) = delete;
    GameSession& operator=(const GameSession&) = delete;

    /// One fixed step: the groups initialization and simulation, then what the game asked of saved worlds.
    void step(const StepInput& input);

    /// Writes the world and the state of its systems to a file (ecs/save/save_file.h). `state` is in it, and
    /// what scripts keep in variables is not. Errors: those of save_world; the game did not load; a side
    /// world exists, since a file has one world. Expects: between steps.
    Result<void> save_world(const std::filesystem::path& file);
    /// Makes world, systems and tick those of a file; the run then has no replay. Errors: those of
    /// load_world; a side world exists; with nothing changed. Expects: between steps.
    Result<void> load_world(const std::filesystem::path& file);
    /// The same to bytes and from bytes, for a recording: the run stays replayable.
    Result<std::string> write_world();
    Result<void> read_world(std::string_view bytes);
    /// Makes world, systems, side worlds and tick what they were at an earlier step of this session; the run
    /// then has no replay. Errors: those of restore_snapshot, with nothing changed. Expects: between steps;
    /// the snapshot and the states were taken together, at `tick`.
    Result<void> restore(const WorldSnapshot& snapshot, const ScheduleState& state,
                         const SideWorldsState& side_worlds, std::uint64_t tick);

    /// Draws the frame at `alpha` (0 .. 1) from the previous step to the last one: runs the presentation
    /// group, then sorts. `note` (may be empty) is shown in the middle of the screen: "paused".
    /// `screen`: its size in the window; empty: as in mod.json.
    void present(float alpha, std::string_view note, DrawList& list, ScreenSize screen = {});
    /// The size of the screen, as the last step or picture had it.
    ScreenSize screen_size() const noexcept;
    /// The one in the input of the last step.
    ScreenSize step_screen() const noexcept;
    /// The times of the last picture, without its steps.
    const FrameTimes& presentation_times() const noexcept;

    /// Reloads saved files: code, schemas, images and sounds of the mod they belong to. Other files are
    /// ignored. See docs/modding.md, "Editing while it runs". Expects: between steps.
    void reload(const std::vector<std::filesystem::path>& saved);
    /// Folders and archives that the session reads from, to be watched for changes.
    std::vector<std::filesystem::path> roots() const;
    /// Grows when the contents of an image or sound have changed; caches by handle must be cleared.
    std::uint32_t asset_version() const noexcept;
    /// The contents of the error card, as text.
    std::string errors_as_text() const;

    /// Adds a handler for Schedule::on_moment; they are called in the order in which they were added.
    void on_moment(std::function<void(const ScheduleMoment&)> handler);

    /// Steps of the world: since the start, or since the start of the run that saved it.
    std::uint64_t tick() const noexcept;
    /// How many worlds the game has loaded in its steps.
    std::uint64_t loaded_worlds() const noexcept;
    /// The hash of the world (ecs/inspect/world_hash.h) and its side worlds. Cost: reads everything.
    std::uint64_t hash() const;
    /// Errors of scripts and native systems since the start.
    std::uint64_t error_count() const noexcept;
    /// True if the game itself has loaded; failed mods are only listed among the errors.
    bool has_loaded() const noexcept;
    /// All errors found while loading scripts.
    const std::vector<ScriptError>& load_errors() const noexcept;
    /// Identifies the game: its id, and each loaded mod with its version.
    const std::string& identity() const noexcept;

    /// Why a replay of this session may end with another world: a memory limit, a clock or a kill that
    /// changed what a script did. Empty if there is no reason.
    const std::string& not_replayable() const noexcept;
    /// Called by code that enforces such a limit; the first reason is kept. Shape: "the clock limit of mod
    /// 'swarm'".
    void mark_not_replayable(std::string_view reason);

    const ModManifest& manifest() const noexcept;
    const ModSet& mods() const noexcept;
    const AssetStore& assets() const noexcept;
    const ImageTable& images() const noexcept;
    SurfaceTable& surfaces() noexcept;
    AudioQueue& audio() noexcept;
    AppRequests& app() noexcept;
    ActionMap& actions() noexcept;
    World& world() noexcept;
    Schedule& schedule() noexcept;
    ScriptRuntime& scripts() noexcept;

private:
    explicit GameSession(GameSessionConfig config);
    Result<void> open_game();
    void load_game();
    void report_system(const SystemStatus& status);
    void reload_mod(const std::string& mod);
    void switch_off_failing();
    SaveOptions save_options() const;
    LoadOptions load_options();
    Result<void> expect_one_world() const;
    Result<void> expect_savable() const;
    void go_on_at(std::uint64_t tick);
    void carry_out_requests();

    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace perigee
