// Engine: the frame loop of one game, headless. A back end (a window, a test, the command line) calls step()
// once per frame with the player's input, and shows the output.
//
//   FrameInput -> StepInput per fixed step -> GameSession -> DrawList, AudioQueue
//
// Invariant: the simulation sees only StepInputs and the seed; frame lengths decide how many steps run,
// never what a step does. So a recorded session replays to the same world hash, in any build, with or without
// a window.
#pragma once

#include "ecs/base/result.h"
#include "engine/base/file_watch.h"
#include "engine/draw/draw_list.h"
#include "engine/input/input.h"
#include "engine/session/clock.h"
#include "engine/session/frame_times.h"
#include "engine/session/game_config.h"
#include "engine/session/provenance.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace perigee {

class AssetStore;
class AudioQueue;
class GameSession;
class ImageTable;
class LiveReload;
class PlayerData;
class RecordedData;
class Rewind;
class RunOutputs;
class RunReplay;
class SurfaceTable;
class WorkerPool;
struct ModManifest;

inline constexpr std::uint32_t kMaxWorkers = 64;

struct EngineConfig : GameConfig {
    std::optional<std::uint64_t> seed;     ///< default 0; a replay has its own, which must be equal
    std::filesystem::path record_file;     ///< empty: not recorded
    std::filesystem::path replay_file;     ///< empty: live input
    bool accept_truncated_replay = false;  ///< replay an incomplete recording (after a crash) as far as it
                                           ///< goes
    bool accept_other_mods = false;        ///< replay with other mods than the recording's, to compare runs
    std::uint64_t steps_per_world = 0;     ///< see RunOutputFiles; of the recording
    std::filesystem::path load_file;       ///< a saved world to begin with; empty: none
    std::filesystem::path profile_file;    ///< empty: no trace is written (engine/profile/trace_file.h)
    std::filesystem::path hash_log_file;   ///< empty: no hashes are logged (engine/replay/hash_log.h)
    /// Threads that run systems, including this one: 1 .. kMaxWorkers; 0: as many as the machine has. The
    /// game's behaviour does not depend on it.
    std::uint32_t workers = 0;
    /// Save data of games and mods, in <save_folder>/<game id>/<mod id>; empty: kept in memory, initially
    /// empty. A replay uses the recorded data and writes nothing.
    std::filesystem::path save_folder;
    /// Memory for recent steps, to go back to (engine/session/rewind.h); 0: none are kept. Not in a replay.
    std::size_t rewind_bytes = 0;
    /// Which system wrote which value is recorded from the start (engine/session/provenance.h). Slower.
    std::optional<WatchedValues> provenance;
    bool watches_files = false;  ///< saved files are reloaded at once (docs/modding.md); not in a replay
    FileWatchConfig watch;
    FixedClock::Desc clock;
};

/// The back end's input for one frame.
struct FrameInput {
    std::uint64_t elapsed_nanoseconds = 0;
    /// If set, exactly this many steps run and the frame shows the last one; the clock is ignored. Headless
    /// runs and tests use 1.
    std::optional<int> exact_steps;
    RawInput raw;
    ScreenSize screen{};  ///< in the window; empty: as in mod.json. A replay has the recorded one.
    bool toggle_pause = false;
    bool single_step = false;  ///< a paused game runs one step
    bool hides_note = false;   ///< the picture of a paused game does not say so
    bool restart = false;      ///< Ctrl+R: reload the game's files
};

class Engine {
public:
    /// Errors: the game, its mod.json, the replay or the recording cannot be used. Errors in scripts are not
    /// errors here: the game starts, shows them, and waits for a restart (see error_count).
    static Result<std::unique_ptr<Engine>> create(EngineConfig config);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// Runs the steps that are due, then presents. Errors of scripts are shown and counted (error_count).
    void step(const FrameInput& frame);

    // ---- output for the back end; valid until the next step ----
    const DrawList& draw_list() const noexcept { return draw_list_; }
    const ImageTable& images() const noexcept;
    const AssetStore& assets() const noexcept;
    /// The back end takes out of it what has changed.
    SurfaceTable& surfaces() noexcept;
    const AudioQueue& audio() const noexcept;
    const ModManifest& manifest() const noexcept;
    /// The size of the screen for which the picture is drawn.
    ScreenSize screen_size() const noexcept;
    /// Grows with each restart. Asset handles are valid for one session only: then clear caches by handle.
    std::uint32_t session_number() const noexcept { return session_number_; }

    // ---- control ----
    void set_paused(bool is_paused) noexcept { is_paused_ = is_paused; }
    bool is_paused() const noexcept { return is_paused_; }
    /// Restarts the game from its files, with the same seed. If the files cannot be read any more, the
    /// running session continues and the reason is logged.
    void restart();
    /// Writes the world with its systems, and makes the world what it was when a file was written
    /// (GameSession::save_world, load_world). Expects: between frames. Errors: as there; a replay loads no
    /// file.
    Result<void> save_world(const std::filesystem::path& file);
    Result<void> load_world(const std::filesystem::path& file);
    /// The steps that rewind_to can go back to; null if none are kept. Lifetime: until the next step.
    const Rewind* recent_steps() const noexcept;
    /// Keeps the current step, which Rewind::keep may have left out. Expects: between frames.
    void keep_step();
    /// Makes the game what it was after this step; see Rewind::go_to. Errors: as there. Expects: between
    /// frames; recent_steps() is not null.
    Result<void> rewind_to(std::uint64_t step);
    /// The record of writes; null unless the configuration asks for it. Lifetime: the engine's.
    Provenance* provenance() const noexcept { return provenance_.get(); }
    /// True if the game ended the run (app.quit). Then no further step runs until a restart. In a replay,
    /// which ends with the recording, only calls from simulation count.
    bool wants_quit() const;
    bool is_replaying() const noexcept;
    bool is_replay_finished() const noexcept;
    /// Makes a replay begin with the last world that its recording stores at or before this step; without one
    /// nothing changes. Returns the step. Variables of scripts keep their first values, so the run may
    /// diverge. Errors: those of load_world. Expects: replaying, no step has run.
    Result<std::uint64_t> begin_replay_near(std::uint64_t step);
    /// Runs a replay up to this step of its recording, counted over all restarts, as fast as possible;
    /// `is_stopped` is asked before each step and ends it. The frames are the same as when the steps run one
    /// by one. Errors: the recording or the game ends before that step. Expects: replaying.
    Result<void> replay_to(std::uint64_t step, const std::function<bool()>& is_stopped = {});
    /// Fails ("replay: diverged …") if the replay ended at another step or with another world than its
    /// recording.
    Result<void> check_replay() const;
    /// Ends the recording, if there is one, with the current world. The destructor calls it too, but can only
    /// log errors.
    Result<void> finish_recording();
    /// Ends the hash log, if there is one. The destructor calls it too, but can only log errors.
    Result<void> finish_hash_log();
    /// Ends the trace, if there is one. The destructor calls it too, but can only log errors.
    Result<void> finish_profile();

    // ---- statistics; see GameSession ----
    /// Threads that run systems, this one included.
    std::uint32_t worker_count() const noexcept;
    std::uint64_t seed() const noexcept { return config_.seed.value_or(0); }
    std::uint64_t tick() const noexcept;
    std::uint64_t hash() const;
    /// The times of the last frame.
    const FrameTimes& frame_times() const noexcept { return frame_times_; }
    std::uint64_t error_count() const noexcept;
    bool has_loaded() const noexcept;
    std::string errors_as_text() const;
    GameSession& session() noexcept { return *session_; }

private:
    explicit Engine(EngineConfig config);
    Result<void> open_replay();
    void open_player_data();
    Result<void> open_outputs();
    void watch_files();
    Result<std::unique_ptr<GameSession>> start_session();
    void apply_controls(const FrameInput& frame);
    ClockFrame time_for(const FrameInput& frame) noexcept;
    void run_step();
    void note_limits();
    void keep_steps();
    void note_kept(const Result<void>& kept) const;
    Result<void> go_on_after(Result<void> replaced);
    void log(LogLevel level, std::string_view text) const;

    EngineConfig config_;
    FixedClock clock_;
    InputCollector collector_;
    StepInput step_input_;                     // its memory is used by every step
    std::unique_ptr<RunReplay> replay_;        // null: live input
    std::unique_ptr<PlayerData> player_data_;  // null in a replay, which has its own
    std::unique_ptr<RecordedData> recorded_data_;
    std::unique_ptr<RunOutputs> outputs_;     // null until the first session has loaded
    std::unique_ptr<WorkerPool> workers_;     // null: one thread
    std::unique_ptr<Provenance> provenance_;  // null: writes are not recorded. Outlives the sessions
    std::unique_ptr<GameSession> session_;
    std::unique_ptr<LiveReload> live_;
    std::unique_ptr<Rewind> rewind_;  // null: no steps are kept
    DrawList draw_list_;
    FrameTimes frame_times_;
    ScreenSize screen_;  // in the window; empty: as in mod.json
    std::uint32_t session_number_ = 1;
    bool is_paused_ = false;
    bool has_noted_limit_ = false;
};

}  // namespace perigee
