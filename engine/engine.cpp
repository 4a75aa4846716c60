// The frame: how many steps it runs, and where their input comes from, the player or a recording.
#include "engine/engine.h"

#include "ecs/base/contract.h"
#include "ecs/parallel/worker_pool.h"
#include "engine/audio/audio.h"
#include "engine/base/error_codes.h"
#include "engine/base/stopwatch.h"
#include "engine/mods/mod_manifest.h"
#include "engine/modules/app_requests.h"
#include "engine/replay/recorded_data.h"
#include "engine/save/save_folder.h"
#include "engine/session/game_session.h"
#include "engine/session/live_reload.h"
#include "engine/session/rewind.h"
#include "engine/session/run_outputs.h"
#include "engine/session/run_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace perigee {

namespace e = engine_errors;

// ---- start ------------------------------------------------------------------------------------------------

Engine::Engine(EngineConfig config) : config_(std::move(config)), clock_(config_.clock) {
    const std::uint32_t threads =
        config_.workers != 0 ? config_.workers : std::max(1U, std::thread::hardware_concurrency());
    if (threads > 1) workers_ = std::make_unique<WorkerPool>(std::min(threads, kMaxWorkers) - 1);
}

Engine::~Engine() {
    if (Result<void> finished = finish_recording(); !finished) log(LogLevel::error, finished.error().message);
    if (Result<void> finished = finish_hash_log(); !finished) log(LogLevel::error, finished.error().message);
    if (Result<void> finished = finish_profile(); !finished) log(LogLevel::error, finished.error().message);
}

Result<std::unique_ptr<Engine>> Engine::create(EngineConfig config) {
    // Threads take address space before the session checks how much is left.
    if (Result<void> enough = GameSession::expect_address_space(); !enough) return enough.error();
    std::unique_ptr<Engine> engine{new Engine(std::move(config))};
    if (Result<void> opened = engine->open_replay(); !opened) return opened.error();
    engine->open_player_data();
    Result<std::unique_ptr<GameSession>> session = engine->start_session();
    if (!session) return session.error();
    engine->session_ = std::move(session).value();
    if (engine->replay_ && !engine->config_.accept_other_mods) {
        const Result<void> fits =
            engine->replay_->expect_game(*engine->session_, engine->clock_.steps_per_second());
        if (!fits) return fits.error();
    }
    if (!engine->config_.load_file.empty()) {
        if (Result<void> loaded = engine->load_world(engine->config_.load_file); !loaded)
            return loaded.error();
    }
    if (Result<void> opened = engine->open_outputs(); !opened) return opened.error();
    engine->watch_files();
    engine->keep_steps();
    if (engine->config_.provenance) {
        engine->provenance_ = std::make_unique<Provenance>(*engine->config_.provenance);
        engine->provenance_->follow(*engine->session_, engine->session_->tick());
    }
    return engine;
}

Result<void> Engine::open_replay() {
    if (config_.replay_file.empty()) return {};
    Result<std::unique_ptr<RunReplay>> replay =
        RunReplay::open(config_.replay_file, config_.accept_truncated_replay, config_.seed);
    if (!replay) return replay.error();
    replay_ = std::move(replay).value();
    config_.seed = replay_->seed();
    for (const std::string& warning : replay_->warnings()) log(LogLevel::warning, warning);
    return {};
}

void Engine::open_player_data() {
    if (!replay_ && !config_.save_folder.empty()) {
        player_data_ = std::make_unique<SaveFolder>(config_.save_folder);
    } else if (!replay_) {
        player_data_ = std::make_unique<MemoryData>();
    }
    recorded_data_ = std::make_unique<RecordedData>(replay_ ? replay_->player_data() : *player_data_);
}

Result<void> Engine::open_outputs() {
    const RunOutputFiles files{config_.record_file, config_.hash_log_file, config_.profile_file,
                               config_.steps_per_world};
    Result<std::unique_ptr<RunOutputs>> outputs =
        RunOutputs::open(files, *session_, seed(), clock_.steps_per_second());
    if (!outputs) return outputs.error();
    outputs_ = std::move(outputs).value();
    outputs_->add_answers(recorded_data_->take_answers());
    return {};
}

// A replay uses the files as they are.
void Engine::watch_files() {
    if (!config_.watches_files || is_replaying()) return;
    live_ = std::make_unique<LiveReload>(config_.watch, config_.log);
    live_->follow(*session_);
}

void Engine::keep_steps() {
    if (config_.rewind_bytes == 0 || is_replaying()) return;
    if (!rewind_) rewind_ = std::make_unique<Rewind>(config_.rewind_bytes);
    note_kept(rewind_->follow(*session_));
}

Result<std::unique_ptr<GameSession>> Engine::start_session() {
    GameSessionConfig session{static_cast<const GameConfig&>(config_)};
    session.seed = seed();
    session.step_seconds = clock_.step_seconds();
    session.puts_off_by_clock = config_.puts_off_by_clock && !is_replaying();
    session.workers = workers_.get();
    session.player_data = recorded_data_.get();
    if (!is_replaying()) session.picture_folder = config_.save_folder;
    return GameSession::start(std::move(session));
}

// ---- the frame --------------------------------------------------------------------------------------------

void Engine::step(const FrameInput& frame) {
    session_->audio().begin_frame();
    apply_controls(frame);
    if (live_) live_->update(*session_);
    collector_.feed(frame.raw, session_->actions());
    screen_ = frame.screen == manifest().screen() ? ScreenSize{} : frame.screen;
    const ClockFrame time = time_for(frame);
    const char* note = is_replay_finished() ? e::kReplayEnded : is_paused_ ? e::kPaused : "";
    if (frame.hides_note) note = "";
    const Stopwatch watch;
    for (int i = 0; i < time.steps && !is_replay_finished() && !wants_quit(); ++i) run_step();
    const std::uint64_t step_nanoseconds = watch.elapsed();
    session_->present(static_cast<float>(time.alpha), note, draw_list_,
                      is_replaying() ? session_->step_screen() : screen_);
    frame_times_ = session_->presentation_times();
    frame_times_.steps = step_nanoseconds;
}

void Engine::apply_controls(const FrameInput& frame) {
    if (frame.toggle_pause) is_paused_ = !is_paused_;
    // While a recording plays, restarts come from it.
    if (frame.restart && !is_replaying()) restart();
}

ClockFrame Engine::time_for(const FrameInput& frame) noexcept {
    if (is_paused_ || is_replay_finished()) {
        clock_.reset();
        collector_.forget_presses();
        return {frame.single_step ? 1 : 0, 1.0, 0};
    }
    if (frame.exact_steps) return {*frame.exact_steps, 1.0, 0};
    return clock_.advance(frame.elapsed_nanoseconds);
}

void Engine::run_step() {
    while (replay_ && replay_->take_restart()) restart();
    if (replay_) {
        step_input_ = replay_->take_step(session_->actions());
    } else {
        collector_.take_step(session_->actions(), step_input_);
        step_input_.screen = screen_;
    }
    outputs_->begin_step(step_input_);
    if (provenance_) provenance_->begin_step();
    const std::uint64_t loaded_worlds = session_->loaded_worlds();
    session_->step(step_input_);
    if (provenance_ && session_->loaded_worlds() == loaded_worlds)
        provenance_->end_step();
    else if (provenance_)
        provenance_->follow(*session_, replay_ ? replay_->steps_played() : session_->tick());
    outputs_->add_answers(recorded_data_->take_answers());
    note_limits();
    if (replay_) replay_->note_step(*session_);
    if (const Result<void> ended = outputs_->end_step(); !ended)
        log(LogLevel::warning, fmt::format(e::kWorldNotRecorded, ended.error().message));
    if (rewind_) note_kept(rewind_->keep());
}

void Engine::note_limits() {
    const std::string& reason = session_->not_replayable();
    if (reason.empty() || std::exchange(has_noted_limit_, true)) return;
    // Users who edit files during a run, load a world or go back know about it; only recordings must be
    // marked.
    const bool is_known = live_ != nullptr || reason == e::kLoadedWorld || reason == e::kRewound;
    if (!is_known || outputs_->is_repeatable())
        log(LogLevel::warning, fmt::format(e::kNotReplayable, reason, session_->tick()));
    outputs_->mark_not_replayable(reason);
}

void Engine::restart() {
    Result<std::unique_ptr<GameSession>> fresh = start_session();
    if (!fresh) {
        log(LogLevel::error, fmt::format(e::kCannotRestart, fresh.error().message));
        return;
    }
    session_ = std::move(fresh).value();
    ++session_number_;
    if (live_) live_->follow(*session_);
    if (provenance_) provenance_->follow(*session_, replay_ ? replay_->steps_played() : 0);
    collector_.reset();
    clock_.reset();
    is_paused_ = false;
    outputs_->restart(*session_);
    outputs_->add_answers(recorded_data_->take_answers());
    keep_steps();
}

// ---- earlier worlds ---------------------------------------------------------------------------------------

Result<void> Engine::save_world(const std::filesystem::path& file) { return session_->save_world(file); }

Result<void> Engine::load_world(const std::filesystem::path& file) {
    if (is_replaying()) return Error{e::kLoadInReplay};
    Result<void> loaded = go_on_after(session_->load_world(file));
    if (loaded && provenance_) provenance_->follow(*session_, session_->tick());
    return loaded;
}

const Rewind* Engine::recent_steps() const noexcept {
    return rewind_ && !rewind_->is_empty() ? rewind_.get() : nullptr;
}

void Engine::keep_step() {
    if (rewind_) note_kept(rewind_->keep_now());
}

Result<void> Engine::rewind_to(std::uint64_t step) {
    Result<void> gone = go_on_after(rewind_->go_to(step));
    if (gone && provenance_) provenance_->go_back(session_->tick());
    return gone;
}

// After the world was replaced between two frames, or could not be.
Result<void> Engine::go_on_after(Result<void> replaced) {
    if (!replaced) return replaced;
    collector_.forget_presses();
    clock_.reset();
    if (outputs_) note_limits();
    return {};
}

void Engine::note_kept(const Result<void>& kept) const {
    if (!kept) log(LogLevel::warning, fmt::format(e::kNoRewind, kept.error().message));
}

// ---- endings ----------------------------------------------------------------------------------------------

bool Engine::wants_quit() const {
    const AppRequests& app = session_->app();
    return app.simulation_quits() || (app.presentation_quits() && !is_replaying());
}

Result<void> Engine::check_replay() const {
    return replay_ ? replay_->check(*session_, wants_quit()) : Result<void>{};
}

Result<std::uint64_t> Engine::begin_replay_near(std::uint64_t step) {
    ECS_EXPECTS(replay_ && replay_->steps_played() == 0, "a replay that has not begun");
    if (Result<void> begun = replay_->begin_near(step, *session_); !begun) return begun.error();
    if (provenance_) provenance_->follow(*session_, replay_->steps_played());
    return replay_->steps_played();
}

Result<void> Engine::replay_to(std::uint64_t step, const std::function<bool()>& is_stopped) {
    ECS_EXPECTS(replay_);
    if (step > replay_->step_count())
        return Error{fmt::format(e::kReplayTooShort, replay_->step_count(), step)};
    FrameInput frame;
    frame.exact_steps = 0;
    this->step(frame);
    frame.exact_steps = 1;
    while (replay_->steps_played() < step && !(is_stopped && is_stopped())) {
        if (wants_quit()) return Error{fmt::format(e::kReplayEndedByGame, replay_->steps_played(), step)};
        this->step(frame);
    }
    return {};
}

Result<void> Engine::finish_recording() { return outputs_ ? outputs_->finish_recording() : Result<void>{}; }
Result<void> Engine::finish_hash_log() { return outputs_ ? outputs_->finish_hash_log() : Result<void>{}; }
Result<void> Engine::finish_profile() { return outputs_ ? outputs_->finish_trace() : Result<void>{}; }

// ---- output and statistics --------------------------------------------------------------------------------

bool Engine::is_replaying() const noexcept { return replay_ != nullptr; }
bool Engine::is_replay_finished() const noexcept { return replay_ && replay_->is_finished(); }
const ImageTable& Engine::images() const noexcept { return session_->images(); }
const AssetStore& Engine::assets() const noexcept { return session_->assets(); }
SurfaceTable& Engine::surfaces() noexcept { return session_->surfaces(); }
const AudioQueue& Engine::audio() const noexcept { return session_->audio(); }
const ModManifest& Engine::manifest() const noexcept { return session_->manifest(); }
ScreenSize Engine::screen_size() const noexcept { return session_->screen_size(); }
std::uint32_t Engine::worker_count() const noexcept { return workers_ ? workers_->lane_count() : 1; }
std::uint64_t Engine::tick() const noexcept { return session_->tick(); }
std::uint64_t Engine::hash() const { return session_->hash(); }
std::uint64_t Engine::error_count() const noexcept { return session_->error_count(); }
bool Engine::has_loaded() const noexcept { return session_->has_loaded(); }
std::string Engine::errors_as_text() const { return session_->errors_as_text(); }

void Engine::log(LogLevel level, std::string_view text) const {
    if (config_.log) config_.log({level, "perigee", text});
}

}  // namespace perigee
