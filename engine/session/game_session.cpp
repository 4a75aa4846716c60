// The order in which a game starts, and what happens between its steps.
#include "engine/session/game_session.h"

#include "ecs/base/address_space.h"
#include "ecs/base/contract.h"
#include "ecs/base/counted.h"
#include "ecs/inspect/world_hash.h"
#include "ecs/save/save_file.h"
#include "ecs/save/world_snapshot.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/world/world.h"
#include "engine/base/error_codes.h"
#include "engine/extract/components.h"
#include "engine/modules/world_saves.h"
#include "engine/session/internal/game_files.h"
#include "engine/session/internal/native_code.h"
#include "engine/session/internal/presenter.h"
#include "engine/session/internal/saved_files.h"
#include "engine/session/internal/script_config.h"
#include "engine/session/internal/session_log.h"
#include "engine/session/internal/session_mods.h"
#include "engine/surfaces/canvas_drawing.h"
#include "scripting/mods/runtime.h"
#include "scripting/mods/saved_migration.h"
#include "scripting/mods/side_world.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <utility>

namespace perigee {

namespace {

namespace e = engine_errors;

constexpr std::size_t kMinAddressSpace = std::size_t{512} << 20;

}  // namespace

// Each part refers only to parts before it.
struct GameSession::Parts {
    explicit Parts(GameSessionConfig of_session)
        : config(std::move(of_session)), schedule(world, config.seed) {
        schedule.use_workers(config.workers);
    }

    TickTime time_at(double alpha) const noexcept {
        return {config.step_seconds, shared.tick, static_cast<double>(shared.tick) * config.step_seconds,
                alpha};
    }

    GameSessionConfig config;
    GameFiles files;
    SharedByMods shared;
    SessionLog log{config.log, files.manifest()};
    SessionMods mods{files, shared, config.player_data, config.picture_folder, log};
    World world;
    EngineComponents components;
    Schedule schedule;
    NativeCode native{world, schedule};
    std::optional<Presenter> presenter;  // once the scripts have declared their components
    std::unique_ptr<ScriptRuntime> scripts;

    std::vector<std::function<void(const ScheduleMoment&)>> moment_handlers;
    bool has_loaded = false;
    std::vector<ScriptError> load_errors;
    std::string identity;
    std::string not_replayable;
    std::uint32_t asset_version = 0;
    std::uint64_t loaded_worlds = 0;
};

// ---- starting ---------------------------------------------------------------------------------------------

GameSession::GameSession(GameSessionConfig config) : parts_(std::make_unique<Parts>(std::move(config))) {}

// Callbacks of systems that end with the session are not reported.
GameSession::~GameSession() { parts_->schedule.on_moment(nullptr); }

Result<void> GameSession::expect_address_space() {
    const std::size_t left = address_space_left();
    if (left >= kMinAddressSpace) return {};
    return Error{fmt::format(e::kNoAddressSpace, left >> 20U, kMinAddressSpace >> 20U)};
}

Result<std::unique_ptr<GameSession>> GameSession::start(GameSessionConfig config) {
    if (Result<void> enough = expect_address_space(); !enough) return enough.error();
    std::unique_ptr<GameSession> session{new GameSession(std::move(config))};
    if (Result<void> opened = session->open_game(); !opened) return opened.error();
    session->load_game();
    return session;
}

Result<void> GameSession::open_game() {
    Parts& p = *parts_;
    if (Result<void> opened = p.files.open(p.config, p.log); !opened) return opened;
    const ModManifest& game = manifest();
    const Result<EngineComponents> declared = declare_engine_components(p.world, game.width, game.height);
    ECS_INVARIANT(declared.ok(), "a fresh world refused the engine's components");
    p.components = declared.value();
    p.shared.camera = {game.width / 2.0F, game.height / 2.0F, 1.0F};
    p.shared.screen = game.screen();
    return {};
}

void GameSession::load_game() {
    Parts& p = *parts_;
    ScriptRuntimeConfig config = script_config(p.config, p.files, p.log);
    config.place_picture = [&p](const PicturePlace& at, const std::function<void()>& draw) {
        const ScreenSize screen = p.shared.screen;
        const auto width = static_cast<float>(screen.width), height = static_cast<float>(screen.height);
        if (!p.shared.painter.is_open()) return;
        p.shared.painter.draw_placed({at.x, at.y, at.scale, width, height}, draw);
        CanvasDrawing{p.shared.painter, p.shared.surfaces, p.files.images()}.go_on();
    };
    p.shared.particles.set_seed(p.config.seed);
    p.scripts = std::make_unique<ScriptRuntime>(p.world, p.schedule, std::move(config));
    p.load_errors = p.scripts->load(p.mods.configs(p.config.trusts_game),
                                    [&p] { return p.native.install(p.config, p.files.manifest()); });
    for (const ScriptError& error : p.load_errors) p.log.report(error);
    p.has_loaded = p.scripts->has_loaded(manifest().id);
    p.identity = p.mods.identity(*p.scripts);
    if (p.has_loaded && p.load_errors.empty() && p.schedule.system_count() == 0 &&
        p.world.entity_count() == 0)
        p.log.notice(e::kNothingToDo);

    p.presenter.emplace(p.world, p.schedule, p.components, p.files, p.shared, p.log,
                        static_cast<float>(p.config.step_seconds));
    p.presenter->systems_needed();
    p.schedule.on_error([this](const SystemStatus& status) { report_system(status); });
    if (const Result<void> ordered = p.schedule.resolve_order(); !ordered) {
        p.log.report(manifest().id, ordered.error().message);
        p.has_loaded = false;
    }
    p.log.notice(p.files.take_reports());
    p.files.assets().reserve_presentation_handles();
}

// Errors of scripts were reported with file and line already; these are the others.
void GameSession::report_system(const SystemStatus& status) {
    // The available memory does not depend on the game, so another run need not fail there.
    if (status.error_kind == ErrorKind::out_of_memory)
        mark_not_replayable(fmt::format(e::kMemoryOfSystem, status.name));
    const auto& scripts = parts_->scripts->recent_errors();
    if (scripts.empty() || scripts.back().system != status.name)
        parts_->log.report(fmt::format(e::kSystemSuspended, status.name), status.error);
}

// ---- running ----------------------------------------------------------------------------------------------

void GameSession::step(const StepInput& input) {
    Parts& p = *parts_;
    p.shared.input = input;
    p.shared.screen = input.screen.is_empty() ? manifest().screen() : input.screen;
    p.presenter->begin_step();
    const TickTime time = p.time_at(1.0);
    // An order that cannot be resolved was reported at load; then nothing runs.
    [[maybe_unused]] const Result<void> ran = p.schedule.run_step(time);
    p.presenter->end_step();
    ++p.shared.tick;
    ++p.shared.steps;
    mark_not_replayable(p.scripts->limit_reached());
    switch_off_failing();
    if (p.mods.worlds().has_requests()) carry_out_requests();
}

void GameSession::present(float alpha, std::string_view note, DrawList& list, ScreenSize screen) {
    parts_->shared.screen = screen.is_empty() ? manifest().screen() : screen;
    parts_->mods.begin_frame();
    parts_->presenter->present(parts_->time_at(alpha), note, list);
}

ScreenSize GameSession::screen_size() const noexcept { return parts_->shared.screen; }
ScreenSize GameSession::step_screen() const noexcept { return parts_->shared.input.screen; }

const FrameTimes& GameSession::presentation_times() const noexcept { return parts_->presenter->times(); }

void GameSession::on_moment(std::function<void(const ScheduleMoment&)> handler) {
    std::vector<std::function<void(const ScheduleMoment&)>>& handlers = parts_->moment_handlers;
    handlers.push_back(std::move(handler));
    if (handlers.size() > 1) return;
    parts_->schedule.on_moment([&handlers](const ScheduleMoment& moment) {
        for (const auto& each : handlers) each(moment);
    });
}

void GameSession::mark_not_replayable(std::string_view reason) {
    if (parts_->not_replayable.empty()) parts_->not_replayable = reason;
}

// ---- worlds in files --------------------------------------------------------------------------------------

SaveOptions GameSession::save_options() const {
    const Parts& p = *parts_;
    SaveOptions options;
    options.schedule = &p.schedule;
    options.assets.name_of = [&p](std::uint32_t handle) { return p.files.assets().name_of(handle); };
    return options;
}

// A missing file gets a handle too, and the log says so.
LoadOptions GameSession::load_options() {
    Parts& p = *parts_;
    LoadOptions options;
    options.schedule = &p.schedule;
    options.assets.handle_of = [&p](std::string_view name) -> Result<std::uint32_t> {
        if (name == p.files.assets().name_of(0)) return 0U;
        return p.files.assets().intern_for(kGame, name);
    };
    options.migrate = [&p](const Schema& before, const ComponentInfo& now, World& saved) {
        return migration_of_saved(*p.scripts, before, now, saved);
    };
    // Of a mod. A world without types of the game itself is that of another game.
    options.keep_absent = [&p](const Schema& absent) {
        const bool is_of_mod = absent.name.find(':') != absent.name.npos;
        if (is_of_mod)
            p.log.log(LogLevel::warning, fmt::format(e::kAbsentType, kind_name(absent.kind), absent.name));
        return is_of_mod;
    };
    return options;
}

// What a file does not have would be lost without notice.
Result<void> GameSession::expect_one_world() const {
    const std::vector<SideWorld*> sides = parts_->scripts->side_worlds().all();
    if (sides.empty()) return {};
    return Error{fmt::format(e::kSideWorldExists, sides.front()->name())};
}

Result<void> GameSession::expect_savable() const {
    if (!has_loaded()) return Error{e::kNothingToSave};
    return expect_one_world();
}

Result<void> GameSession::save_world(const std::filesystem::path& file) {
    if (Result<void> possible = expect_savable(); !possible) return possible;
    return perigee::save_world(parts_->world, file, save_options());
}

Result<void> GameSession::load_world(const std::filesystem::path& file) {
    if (Result<void> alone = expect_one_world(); !alone) return alone;
    if (Result<void> loaded = perigee::load_world(parts_->world, file, load_options()); !loaded)
        return loaded;
    go_on_at(parts_->schedule.next_tick());
    mark_not_replayable(e::kLoadedWorld);
    return {};
}

Result<std::string> GameSession::write_world() {
    if (Result<void> possible = expect_savable(); !possible) return possible.error();
    return world_to_bytes(parts_->world, save_options());
}

Result<void> GameSession::read_world(std::string_view bytes) {
    if (Result<void> alone = expect_one_world(); !alone) return alone;
    if (Result<void> loaded = world_from_bytes(parts_->world, bytes, load_options()); !loaded) return loaded;
    go_on_at(parts_->schedule.next_tick());
    return {};
}

Result<void> GameSession::restore(const WorldSnapshot& snapshot, const ScheduleState& state,
                                  const SideWorldsState& side_worlds, std::uint64_t tick) {
    SideWorlds& sides = parts_->scripts->side_worlds();
    const auto before = sides.state();
    if (!before) return before.error();
    if (Result<void> restored = sides.restore(side_worlds); !restored) return restored;
    if (Result<void> restored = restore_snapshot(parts_->world, snapshot); !restored) {
        const Result<void> undone = sides.restore(*before.value());
        ECS_INVARIANT(undone.ok(), "a side world did not go back to a snapshot that was just taken");
        return restored;
    }
    parts_->schedule.restore(state);
    go_on_at(tick);
    mark_not_replayable(e::kRewound);
    return {};
}

// After the world was replaced: what is shown does not move there from where it was.
void GameSession::go_on_at(std::uint64_t tick) {
    parts_->shared.tick = tick;
    parts_->scripts->world_replaced();
    parts_->presenter->begin_world();
}

// A load of the game is part of its recording, so it can be replayed.
void GameSession::carry_out_requests() {
    Parts& p = *parts_;
    const auto load = [&](std::string_view bytes) {
        Result<void> loaded = read_world(bytes);
        if (loaded) ++p.loaded_worlds;
        return loaded;
    };
    const std::vector<WorldResult> results =
        p.mods.worlds().carry_out([this] { return write_world(); }, load);
    for (const WorldResult& result : results) {
        if (result.error.empty()) continue;
        p.log.log(LogLevel::warning, fmt::format(e::kWorldRequest, result.request.name, result.error));
    }
}

void GameSession::switch_off_failing() {
    for (const std::string& mod : parts_->scripts->switch_off_failing())
        parts_->log.report_mod(mod, fmt::format(e::kSwitchedOff, mod, ScriptRuntime::kMaxFailures));
}

// ---- reloading --------------------------------------------------------------------------------------------

void GameSession::reload(const std::vector<std::filesystem::path>& saved) {
    Parts& p = *parts_;
    SavedFiles changes(p.files, *p.scripts, p.log);
    for (const std::filesystem::path& file : saved) changes.apply(file);
    if (changes.has_new_assets()) {
        ++p.asset_version;
        p.shared.shaders.reload(p.files.assets());
    }
    for (const ModRoot& root : p.files.mod_roots())
        if (changes.has_changed(root.mod)) reload_mod(root.mod);
    p.log.notice(p.files.take_reports());
}

void GameSession::reload_mod(const std::string& mod) {
    Parts& p = *parts_;
    const auto start = std::chrono::steady_clock::now();
    mark_not_replayable(fmt::format(e::kReloadOf, mod));
    p.shared.layers.begin_load();
    p.shared.shaders.begin_load();
    const ReloadReport report = p.scripts->reload(mod);
    p.mods.end_load_of_layers(report.mods);
    p.presenter->systems_needed();
    p.log.card().forget_files(mod);
    for (const std::string& reloaded : report.mods) p.log.card().forget(reloaded);
    for (const ScriptError& error : report.errors) p.log.report(error);
    if (mod == manifest().id || !p.has_loaded) p.has_loaded = p.scripts->has_loaded(manifest().id);
    if (!report.is_ok()) return;
    const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
    p.log.log(LogLevel::info, fmt::format(e::kReloaded, mod, spent.count()));
    if (report.changes.types != 0)
        p.log.log(LogLevel::info, fmt::format(e::kReloadedRows, counted(report.changes.rows, "row")));
}

std::vector<std::filesystem::path> GameSession::roots() const { return parts_->files.watched(); }

// ---- parts ------------------------------------------------------------------------------------------------

std::uint32_t GameSession::asset_version() const noexcept { return parts_->asset_version; }
std::string GameSession::errors_as_text() const { return parts_->log.card().text(); }
std::uint64_t GameSession::tick() const noexcept { return parts_->shared.tick; }
std::uint64_t GameSession::loaded_worlds() const noexcept { return parts_->loaded_worlds; }
std::uint64_t GameSession::hash() const {
    return parts_->scripts->side_worlds().hash_with(world_hash(parts_->world));
}
std::uint64_t GameSession::error_count() const noexcept { return parts_->log.card().error_count(); }
bool GameSession::has_loaded() const noexcept { return parts_->has_loaded; }
const std::vector<ScriptError>& GameSession::load_errors() const noexcept { return parts_->load_errors; }
const std::string& GameSession::identity() const noexcept { return parts_->identity; }
const std::string& GameSession::not_replayable() const noexcept { return parts_->not_replayable; }
const ModManifest& GameSession::manifest() const noexcept { return parts_->files.manifest(); }
const ModSet& GameSession::mods() const noexcept { return parts_->files.mods(); }
const AssetStore& GameSession::assets() const noexcept { return parts_->files.assets(); }
const ImageTable& GameSession::images() const noexcept { return parts_->files.images(); }
SurfaceTable& GameSession::surfaces() noexcept { return parts_->shared.surfaces; }
AudioQueue& GameSession::audio() noexcept { return parts_->shared.audio; }
AppRequests& GameSession::app() noexcept { return parts_->shared.app; }
ActionMap& GameSession::actions() noexcept { return parts_->shared.actions; }
World& GameSession::world() noexcept { return parts_->world; }
Schedule& GameSession::schedule() noexcept { return parts_->schedule; }
ScriptRuntime& GameSession::scripts() noexcept { return *parts_->scripts; }

}  // namespace perigee
