// The frame, and the source of its steps' input: the player or a recording.
#include "engine/engine.h"

#include "ecs/parallel/worker_pool.h"
#include "ecs/schedule/schedule.h"
#include "engine/audio/audio.h"
#include "engine/base/error_codes.h"
#include "engine/modules/app_requests.h"
#include "engine/profile/trace_file.h"
#include "engine/replay/hash_recorder.h"
#include "engine/replay/input_log.h"
#include "engine/replay/input_recorder.h"
#include "engine/replay/recorded_data.h"
#include "engine/save/save_folder.h"
#include "engine/session/game_session.h"
#include "engine/session/live_reload.h"
#include "scripting/base/regular_file.h"
#include "scripting/lua/luajit_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

Result<std::string> read_replay(const std::filesystem::path& file) {
    Result<std::string> bytes = read_regular_file(file);
    if (bytes) return bytes;
    return Error{fmt::format(e::kCannotReadReplay, file.string(), bytes.error().message)};
}

// Older logs do not name the LuaJIT.
bool is_other_luajit(const std::string& recorded) {
    return !recorded.empty() && recorded != luajit_version().text;
}

}  // namespace

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
    if (engine->replay_) {
        const Result<void> fits =
            engine->replay_->expect_game(engine->session_->identity(), engine->clock_.steps_per_second());
        if (!fits) return fits.error();
    }
    if (Result<void> opened = engine->open_recording(); !opened) return opened.error();
    if (Result<void> opened = engine->open_hash_log(); !opened) return opened.error();
    if (Result<void> opened = engine->open_profile(); !opened) return opened.error();
    engine->watch_files();
    return engine;
}

Result<void> Engine::open_replay() {
    if (config_.replay_file.empty()) return {};
    Result<std::string> bytes = read_replay(config_.replay_file);
    if (!bytes) return bytes.error();
    Result<InputLog> log = InputLog::parse(std::move(bytes).value(), config_.accept_truncated_replay);
    if (!log) return Error{fmt::format(e::kInFile, config_.replay_file.string(), log.error().message)};
    const std::uint64_t seed = log.value().header().seed;
    if (config_.seed && *config_.seed != seed)
        return Error{fmt::format(e::kReplayOtherSeed, seed, *config_.seed)};
    config_.seed = seed;
    replay_ = std::make_unique<InputLog>(std::move(log).value());
    if (const std::string& luajit = replay_->header().luajit; is_other_luajit(luajit))
        this->log(LogLevel::warning, fmt::format(e::kReplayOtherLuaJit, luajit, luajit_version().text));
    if (const std::optional<ReplayLimit>& limit = replay_->limit())
        this->log(LogLevel::warning, fmt::format(e::kReplayLimit, limit->step_count, limit->reason));
    return {};
}

LogHeader Engine::log_header() const {
    return {session_->identity(), seed(), clock_.steps_per_second(), luajit_version().text};
}

Result<void> Engine::open_recording() {
    if (config_.record_file.empty()) return {};
    Result<InputRecorder> recorder = InputRecorder::open(config_.record_file, log_header());
    if (!recorder) return recorder.error();
    recorder_ = std::make_unique<InputRecorder>(std::move(recorder).value());
    record_answers();
    return {};
}

void Engine::open_player_data() {
    if (replay_) {
        auto recorded = std::make_unique<ReplayedData>();
        recorded->give(replay_->take_answers());
        player_data_ = std::move(recorded);
    } else if (!config_.save_folder.empty()) {
        player_data_ = std::make_unique<SaveFolder>(config_.save_folder);
    } else {
        player_data_ = std::make_unique<MemoryData>();
    }
    recorded_data_ = std::make_unique<RecordedData>(*player_data_);
}

// Expects: a replay.
ReplayedData& Engine::replayed_data() noexcept { return static_cast<ReplayedData&>(*player_data_); }

// The player data that scripts have read belongs to the recording.
void Engine::record_answers() {
    const std::vector<SaveAnswer> answers = recorded_data_->take_answers();
    if (!recorder_) return;
    for (const SaveAnswer& answer : answers) recorder_->answer(answer);
}

Result<void> Engine::open_hash_log() {
    if (config_.hash_log_file.empty()) return {};
    Result<HashRecorder> recorder = HashRecorder::open(config_.hash_log_file, log_header());
    if (!recorder) return recorder.error();
    hashes_ = std::make_unique<HashRecorder>(std::move(recorder).value());
    log_hashes();
    return {};
}

void Engine::log_hashes() {
    const World& world = session_->world();
    hashes_->start(world);
    session_->schedule().on_moment([this, &world](const ScheduleMoment& moment) {
        if (hashes_) hashes_->after(world, moment);
    });
}

Result<void> Engine::open_profile() {
    if (config_.profile_file.empty()) return {};
    Result<TraceFile> trace = TraceFile::open(config_.profile_file);
    if (!trace) return trace.error();
    trace_ = std::make_unique<TraceFile>(std::move(trace).value());
    trace_session();
    return {};
}

// A replay uses the files as they are.
void Engine::watch_files() {
    if (!config_.watches_files || is_replaying()) return;
    live_ = std::make_unique<LiveReload>(config_.watch, config_.log);
    live_->follow(*session_);
}

void Engine::trace_session() {
    session_->schedule().on_trace([this](const TraceSpan& span) {
        if (trace_) trace_->add(span);
    });
}

Result<std::unique_ptr<GameSession>> Engine::start_session() {
    GameSessionConfig session{static_cast<const GameConfig&>(config_)};
    session.seed = seed();
    session.step_seconds = clock_.step_seconds();
    session.puts_off_by_clock = config_.puts_off_by_clock && !is_replaying();
    session.workers = workers_.get();
    session.player_data = recorded_data_.get();
    return GameSession::start(std::move(session));
}

// ---- the frame --------------------------------------------------------------------------------------------

void Engine::step(const FrameInput& frame) {
    session_->audio().begin_frame();
    apply_controls(frame);
    if (live_) live_->update(*session_);
    collector_.feed(frame.raw, session_->actions());
    const ClockFrame time = time_for(frame);
    const char* note = is_replay_finished() ? e::kReplayEnded : is_paused_ ? e::kPaused : "";
    for (int i = 0; i < time.steps && !is_replay_finished() && !wants_quit(); ++i) run_step();
    session_->present(static_cast<float>(time.alpha), note, draw_list_);
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
        return {0, 1.0, 0};
    }
    if (frame.exact_steps) return {*frame.exact_steps, 1.0, 0};
    return clock_.advance(frame.elapsed_nanoseconds);
}

void Engine::run_step() {
    while (replay_ && replay_->is_restart_next()) {
        replay_->take_restart();
        replayed_data().give(replay_->take_answers());
        restart();
    }
    const StepInput input =
        replay_ ? replay_->take_step(session_->actions()) : collector_.take_step(session_->actions());
    if (replay_) replayed_data().give(replay_->take_answers());
    if (recorder_) recorder_->step(session_->actions(), input);
    session_->step(input);
    record_answers();
    record_limits();
    if (hashes_) hashes_->end_step(session_->world(), session_->tick() - 1);
}

void Engine::record_limits() {
    const std::string& reason = session_->not_replayable();
    if (reason.empty() || std::exchange(has_noted_limit_, true)) return;
    // Users who edit files during a run know about it; only recordings must be marked.
    if (!live_ || recorder_ || hashes_)
        log(LogLevel::warning, fmt::format(e::kNotReplayable, reason, session_->tick()));
    if (recorder_) recorder_->mark_not_replayable(reason);
    if (hashes_) hashes_->mark_not_replayable(reason);
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
    collector_.reset();
    clock_.reset();
    is_paused_ = false;
    if (recorder_) recorder_->restart();
    record_answers();
    if (hashes_) log_hashes();
    if (trace_) trace_session();
}

// ---- endings ----------------------------------------------------------------------------------------------

bool Engine::wants_quit() const {
    const AppRequests& app = session_->app();
    return app.simulation_quits() || (app.presentation_quits() && !is_replaying());
}

Result<void> Engine::check_replay() const {
    if (replay_ && !is_replay_finished() && wants_quit())
        return Error{fmt::format(e::kReplayQuit, tick(), replay_->step_count())};
    if (!is_replay_finished() || !replay_->world_hash() || *replay_->world_hash() == hash()) return {};
    if (const std::optional<ReplayLimit>& limit = replay_->limit())
        return Error{fmt::format(e::kReplayDivergedByLimit, limit->reason, limit->step_count,
                                 *replay_->world_hash(), hash())};
    if (const std::string& luajit = replay_->header().luajit; is_other_luajit(luajit))
        return Error{fmt::format(e::kReplayDivergedByLuaJit, luajit, luajit_version().text,
                                 *replay_->world_hash(), hash())};
    return Error{fmt::format(e::kReplayDiverged, *replay_->world_hash(), hash(), tick())};
}

Result<void> Engine::finish_recording() {
    if (!recorder_) return {};
    Result<void> finished = recorder_->finish(hash());
    recorder_.reset();
    return finished;
}

Result<void> Engine::finish_hash_log() {
    if (!hashes_) return {};
    Result<void> finished = hashes_->finish();
    hashes_.reset();
    return finished;
}

Result<void> Engine::finish_profile() {
    if (!trace_) return {};
    Result<void> finished = trace_->finish();
    trace_.reset();
    return finished;
}

// ---- output and statistics --------------------------------------------------------------------------------

bool Engine::is_replaying() const noexcept { return replay_ != nullptr; }
bool Engine::is_replay_finished() const noexcept { return replay_ && replay_->is_finished(); }
const ImageTable& Engine::images() const noexcept { return session_->images(); }
const AssetStore& Engine::assets() const noexcept { return session_->assets(); }
const AudioQueue& Engine::audio() const noexcept { return session_->audio(); }
const ModManifest& Engine::manifest() const noexcept { return session_->manifest(); }
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
