// Engine: the frame loop of one game, headless. A back end (a window, a test, the command line) calls step()
// once per frame with what the player did, and shows what comes out.
//
//   FrameInput -> InputFrame per fixed step -> GameSession -> DrawList, AudioQueue
//
// Invariant: the simulation sees only InputFrames and the seed; frame lengths decide how many steps run,
// never what a step does. So a session that was recorded plays again to the same world hash, in any build,
// with or without a window.
#pragma once

#include "ecs/result.h"
#include "ecs/worker_pool.h"
#include "engine/audio.h"
#include "engine/clock.h"
#include "engine/draw_list.h"
#include "engine/game_session.h"
#include "engine/hash_recorder.h"
#include "engine/input.h"
#include "engine/input_log.h"
#include "engine/input_recorder.h"
#include "engine/live_reload.h"
#include "engine/native_systems.h"
#include "engine/recorded_data.h"
#include "engine/trace_file.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace perigee {

inline constexpr std::uint32_t kMostWorkers = 64;

struct EngineConfig {
    std::filesystem::path game;         ///< folder or zip archive
    std::optional<std::uint64_t> seed;  ///< 0 if not given; a replay brings its own, which must be the same
    std::filesystem::path record_file;  ///< empty: not recorded
    std::filesystem::path replay_file;  ///< empty: the player plays
    bool accept_truncated_replay = false;  ///< play what a crash left behind as far as it goes
    std::filesystem::path profile_file;    ///< empty: no trace is written (engine/trace_file.h)
    std::filesystem::path hash_log_file;   ///< empty: no hashes are kept (engine/hash_log.h)
    /// Threads that run systems, this one included: 1 .. kMostWorkers; 0: as many as the machine has. What
    /// happens in the game does not depend on it.
    std::uint32_t workers = 0;
    const NativeSystems* native = nullptr;           ///< outlives the engine; may be null
    std::vector<std::filesystem::path> mod_folders;  ///< with mods besides the game's own mods/
    std::filesystem::path settings_file;  ///< what the player chose for mods (engine/player_settings.h)
    /// What games and mods keep for the player, in <save_folder>/<game id>/<mod id>; empty: in memory,
    /// nothing at first. A replay has what was recorded and writes nothing.
    std::filesystem::path save_folder;
    bool watches_compiler = false;  ///< usage of mods tells what LuaJIT cannot compile
    /// The clock, besides fuel, decides which systems of a mod wait (ScriptRuntimeConfig). Never in a replay.
    bool puts_off_by_clock = true;
    bool is_interpreted = false;       ///< LuaJIT compiles nothing; slower, with the same results
    bool checks_presentation = false;  ///< see ScriptRuntimeConfig: for development
    bool trusts_game = false;          ///< the game, not its mods, may use all of Lua: io, os, ffi…
    std::vector<std::filesystem::path> plugins;  ///< native code to load besides (engine/plugin.h)
    bool allows_native_code = false;             ///< the game may name plugins in its mod.json
    bool watches_files = false;  ///< what is saved is read again at once (docs/modding.md); not in a replay
    FileWatchConfig watch;
    LogSink log;  ///< may be empty
    FixedClock::Desc clock;
};

/// What the back end knows of one frame.
struct FrameInput {
    std::uint64_t elapsed_nanoseconds = 0;
    /// If set, exactly this many steps run and the picture shows the last one; the clock is not asked.
    /// Headless runs and tests use 1.
    std::optional<int> exact_steps;
    RawInput raw;
    bool toggle_pause = false;
    bool restart = false;  ///< Ctrl+R: the game's files are read again
};

class Engine {
public:
    /// Errors: the game, its mod.json, the replay or the recording cannot be used. Mistakes in scripts are no
    /// error here: the game starts, shows them, and waits for a restart (see error_count).
    static Result<std::unique_ptr<Engine>> create(EngineConfig config);
    ~Engine();
    Engine(const Engine&) = delete;
    Engine& operator=(const Engine&) = delete;

    /// One frame.
    void step(const FrameInput& frame);

    // ---- what a back end shows; valid until the next step ----
    const DrawList& picture() const noexcept { return picture_; }
    const ImageTable& images() const noexcept { return session_->images(); }
    const AssetStore& assets() const noexcept { return session_->assets(); }
    const AudioQueue& audio() const noexcept { return session_->audio(); }
    const ModManifest& manifest() const noexcept { return session_->manifest(); }
    /// Grows with each restart: asset handles of another session mean nothing, caches by handle must be
    /// emptied.
    std::uint32_t session_number() const noexcept { return session_number_; }

    // ---- control ----
    void set_paused(bool is_paused) noexcept { is_paused_ = is_paused; }
    bool is_paused() const noexcept { return is_paused_; }
    /// Starts the game again from its files, with the same seed. If the files cannot be read any more, the
    /// running session goes on and the log says why.
    void restart();
    /// Has the game ended the run (app.quit)? Then no further step runs until it is started again. In a
    /// replay, which ends where the recording does, only simulation counts.
    bool wants_quit() const;
    bool is_replaying() const noexcept { return replay_.has_value(); }
    bool is_replay_finished() const noexcept { return replay_ && replay_->is_finished(); }
    /// Fails if the replay has ended elsewhere, or with another world, than the recording: "replay: diverged
    /// …".
    Result<void> check_replay() const;
    /// Ends the recording, if there is one, with the present world. Called by the destructor too, which can
    /// only log.
    Result<void> finish_recording();
    /// Ends the hash log, if there is one. Called by the destructor too, which can only log.
    Result<void> finish_hash_log();
    /// Ends the trace, if there is one. Called by the destructor too, which can only log.
    Result<void> finish_profile();

    // ---- figures ----
    /// Threads that run systems, this one included.
    std::uint32_t worker_count() const noexcept { return workers_ ? workers_->lane_count() : 1; }
    std::uint64_t seed() const noexcept { return config_.seed.value_or(0); }
    std::uint64_t tick() const noexcept { return session_->tick(); }
    std::uint64_t hash() const { return session_->hash(); }
    std::uint64_t error_count() const noexcept { return session_->error_count(); }
    bool has_loaded() const noexcept { return session_->has_loaded(); }
    std::string errors_as_text() const { return session_->errors_as_text(); }
    GameSession& session() noexcept { return *session_; }

private:
    explicit Engine(EngineConfig config);
    Result<void> open_replay();
    void open_player_data();
    ReplayedData& replayed_data() noexcept;
    void keep_answers();
    Result<void> open_recording();
    Result<void> open_hash_log();
    LogHeader log_header() const;
    void log_hashes();
    Result<void> open_profile();
    void trace_session();
    void watch_files();
    Result<std::unique_ptr<GameSession>> start_session();
    void obey(const FrameInput& frame);
    ClockFrame time_for(const FrameInput& frame) noexcept;
    void run_step();
    void note_limits();
    void log(LogLevel level, std::string_view text) const;

    EngineConfig config_;
    FixedClock clock_;
    InputCollector collector_;
    std::optional<InputLog> replay_;
    std::optional<InputRecorder> recorder_;
    std::unique_ptr<PlayerData> player_data_;  // asked by recorded_data_
    std::optional<RecordedData> recorded_data_;
    std::optional<HashRecorder> hashes_;
    std::optional<TraceFile> trace_;
    std::unique_ptr<WorkerPool> workers_;  // null: one thread
    std::unique_ptr<GameSession> session_;
    std::optional<LiveReload> live_;
    DrawList picture_;
    std::uint32_t session_number_ = 1;
    bool is_paused_ = false;
    bool has_noted_limit_ = false;
};

}  // namespace perigee
