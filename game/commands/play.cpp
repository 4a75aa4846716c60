// The steps of a run; each may end it with an error message.
#include "game/commands/play.h"

#include "ecs/files/output_file.h"
#include "ecs/inspect/chunk_picture.h"
#include "ecs/inspect/chunk_usage.h"
#include "ecs/schedule/schedule.h"
#include "ecs/schedule/schedule_report.h"
#include "ecs/world/world.h"
#include "engine/assets/decoder.h"
#include "engine/engine.h"
#include "engine/mods/mod_manifest.h"
#include "engine/mods/mod_set.h"
#include "engine/plugin/native_systems.h"
#include "engine/profile/mod_stats.h"
#include "engine/profile/run_stats.h"
#include "engine/save/save_folder.h"
#include "engine/session/game_session.h"
#include "game/loop/run_loop.h"
#include "game/program/command_output.h"
#include "game/program/confined_run.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/game_folder.h"
#include "game/program/native_systems.h"
#include "game/program/stop_signal.h"
#include "scripting/mods/runtime.h"

#include <fmt/format.h>

#include <random>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kDefaultHeadlessFrames = 600;

// Checked before the game runs for an hour. `cannot_write` is a message with places for the file's
// name and the reason.
Result<void> check_output_file(const fs::path& file, const char* cannot_write) {
    std::error_code ignored;
    if (file.empty()) return {};
    const auto refuse = [&](std::string_view reason) {
        return Error{fmt::format(fmt::runtime(cannot_write), file.string(), reason)};
    };
    if (const Result<void> writable = expect_replaceable(file); !writable)
        return refuse(writable.error().message);
    if (file.has_parent_path() && !fs::is_directory(file.parent_path(), ignored))
        return refuse(game_errors::kNoFolder);
    return {};
}

Result<void> save_picture(const World& world, const ModManifest& game, const fs::path& file) {
    const std::string svg = svg_of(chunk_usage(world), "Chunks of " + game.title);
    const Result<void> written = write_regular_file(file, svg);
    if (written) return written;
    return Error{fmt::format(game_errors::kNoPicture, file.string(), written.error().message)};
}

// A replay reads its data from the recording; a headless run writes nothing unless requested.
Result<fs::path> chosen_save_folder(const RunOptions& options) {
    if (!options.replay_file.empty()) return fs::path{};
    if (!options.save_folder) return options.is_headless ? fs::path{} : player_data_folder();
    std::error_code ignored;
    if (fs::exists(*options.save_folder, ignored) && !fs::is_directory(*options.save_folder, ignored))
        return Error{fmt::format(game_errors::kNoSaveFolder, options.save_folder->string())};
    return *options.save_folder;
}

// With a window each run gets a new seed; headless runs use the same one.
std::optional<std::uint64_t> chosen_seed(const RunOptions& options) {
    if (options.seed || !options.replay_file.empty() || options.is_headless) return options.seed;
    const std::uint64_t seed = std::random_device{}();
    say(fmt::format(game_errors::kSeed, seed));
    return seed;
}

void settle_display(RunOptions& options) {
    if (!options.is_headless && !Backend::has_display()) {
        options.is_headless = true;
        say(game_errors::kNoDisplay);
    }
    if (options.is_headless && !options.frame_limit && options.replay_file.empty()) {
        options.frame_limit = kDefaultHeadlessFrames;
        say(fmt::format(game_errors::kDefaultFrames, kDefaultHeadlessFrames));
    }
}

// What a window needs before any game code runs.
struct GameHead {
    ModManifest manifest;
    bool has_assets = false;
};

Result<GameHead> head_of(const fs::path& game) {
    AssetStore assets;
    if (const Result<MountId> mounted = assets.mount("game", game); !mounted) return mounted.error();
    Result<ModManifest> manifest = read_game_manifest(assets, game);
    if (!manifest) return manifest.error();
    return GameHead{std::move(manifest).value(), assets.handle_count() != 0};
}

Backend::Desc backend_desc(const RunOptions& options, const GameHead& head) {
    const ModManifest& game = head.manifest;
    Backend::Desc desc;
    desc.has_assets = head.has_assets;
    desc.title = game.title;
    desc.logical = {game.width, game.height};
    desc.fit = game.fit;
    desc.is_pixel_art = game.is_pixel_art;
    desc.window = {options.window_size.width, options.window_size.height};
    desc.drawing = options.drawing;
    desc.is_muted = options.is_muted;
    if (options.is_headless)
        desc.display = Backend::Display::hidden;
    else if (options.is_fullscreen)
        desc.display = Backend::Display::fullscreen;
    return desc;
}

// A game that is played as others made it keeps F6 for itself.
std::size_t rewind_bytes_of(const RunOptions& options) {
    const bool is_development = !options.is_headless && !is_confined_run(options);
    return std::size_t{options.rewind_megabytes.value_or(is_development ? kDefaultRewindMegabytes : 0)}
           << 20U;
}

// `saves`: the folder for player data, `game`: the id of the game. A game that is played as others made it
// keeps F5 and F9 for itself.
LoopDesc loop_desc(const RunOptions& options, const fs::path& saves, const std::string& game) {
    LoopDesc desc;
    if (!saves.empty() && !is_confined_run(options)) desc.world_file = saves / game / "quick.world";
    if (options.frame_limit) desc.frame_limit = *options.frame_limit;
    desc.is_headless = options.is_headless;
    desc.ends_with_replay = !options.frame_limit && !options.replay_file.empty();
    const bool is_asked_for =
        options.drawing == Backend::Drawing::software || options.drawing == Backend::Drawing::gl;
    const bool keeps_pictures = !options.screenshot_file.empty() || !saves.empty();
    desc.drawn = !options.is_headless || is_asked_for ? DrawnFrames::all
                 : keeps_pictures                     ? DrawnFrames::asked_for
                                                      : DrawnFrames::none;
    desc.shows_figures = options.shows_figures;
    return desc;
}

// Systems of a mod are named "mod:system"; all others are the game's.
bool is_of_mod(const std::string& system) { return system.find(':') != system.npos; }

// The outcome of the run for the game and its mods; the first failure is reported.
int health_of(GameSession& session) {
    if (!session.has_loaded()) return give_up(Error{game_errors::kDidNotLoad});
    int status = kExitDone;
    for (const SystemId id : session.schedule().all()) {
        const SystemStatus system = session.schedule().status(id);
        if (!system.is_suspended) continue;
        const Error error{fmt::format(game_errors::kSuspendedAtEnd, system.name, system.error)};
        if (!is_of_mod(system.name)) return give_up(error);
        if (status == kExitDone) status = give_up(error, kExitModFailed);
    }
    if (status != kExitDone) return status;
    const ModSet& mods = session.mods();
    if (!mods.order.problems.empty())
        return give_up(Error{fmt::format(game_errors::kModNotLoaded, mods.order.problems.front().mod)},
                       kExitModFailed);
    for (const ModPlace& place : mods.order.places) {
        const std::string& id = mods.mods[place.mod].manifest.id;
        if (!session.scripts().has_loaded(id))
            return give_up(Error{fmt::format(game_errors::kModNotLoaded, id)}, kExitModFailed);
    }
    return kExitDone;
}

Result<void> go_to_step(Engine& engine, const RunOptions& options) {
    const std::uint64_t step = *options.at_step;
    if (options.begins_near) {
        const Result<std::uint64_t> begun = engine.begin_replay_near(step);
        if (!begun) return begun.error();
        say(begun.value() != 0 ? fmt::format(game_errors::kBegunNear, begun.value())
                               : fmt::format(game_errors::kNothingNear, step));
    }
    if (Result<void> there = engine.replay_to(step, [] { return stop_signal() != 0; }); !there) return there;
    engine.set_paused(true);
    return {};
}

Result<int> run(RunOptions options) {
    Result<fs::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    if (Result<void> writable = check_output_file(options.screenshot_file, game_errors::kNoScreenshot);
        !writable)
        return writable.error();
    if (Result<void> writable = check_output_file(options.usage_picture_file, game_errors::kNoPicture);
        !writable)
        return writable.error();
    if (Result<void> writable = check_output_file(options.world_file, game_errors::kNoWorld); !writable)
        return writable.error();
    settle_display(options);
    options.game = std::move(game).value();
    const Result<fs::path> saves = chosen_save_folder(options);
    if (!saves) return saves.error();
    const bool is_confined = is_confined_run(options);
    if (is_confined) close_to_system_folders(options, saves.value());
    const Result<GameHead> head = head_of(options.game);
    if (!head) return head.error();
    Result<std::unique_ptr<Backend>> opened = Backend::open(backend_desc(options, head.value()));
    if (!opened) return opened.error();
    Backend& backend = *opened.value();
    if (is_confined) {
        backend.open_everything();
        for (const std::string& note : close_to_game(
                 options, saves.value().empty() ? fs::path{} : saves.value() / head.value().manifest.id))
            say(note);
    }

    const NativeSystems native = native_systems();
    EngineConfig config;
    config.game = options.game;
    config.seed = chosen_seed(options);
    config.record_file = options.record_file;
    config.steps_per_world = options.steps_per_world;
    config.replay_file = options.replay_file;
    config.workers = options.workers;
    config.profile_file = options.profile_file;
    config.hash_log_file = options.hash_log_file;
    config.load_file = options.load_file;
    config.save_folder = saves.value();
    if (options.records_writes) config.provenance = WatchedValues{};
    config.rewind_bytes = rewind_bytes_of(options);
    config.accept_truncated_replay = options.accepts_truncated_replay;
    config.native = &native;
    config.decoder = &backend.decoder();
    config.mod_folders = options.mod_folders;
    config.left_out_mods = options.left_out_mods;
    config.watches_compiler = options.shows_figures;
    config.settings_file = options.settings_file;
    config.puts_off_by_clock = !options.is_headless;
    config.is_interpreted = options.is_interpreted;
    config.checks_presentation = options.checks_presentation;
    config.trusts_game = options.trusts_game;
    config.plugins = options.plugins;
    config.allows_native_code = options.allows_native_code;
    config.watches_files = options.watches_files.value_or(!options.is_headless);
    config.log = print_log;
    Result<std::unique_ptr<Engine>> created = Engine::create(std::move(config));
    if (!created) return created.error();
    Engine& engine = *created.value();

    if (options.at_step) {
        if (Result<void> there = go_to_step(engine, options); !there) return there.error();
    }
    if (!options.at_step || !options.is_headless)
        run_loop(engine, backend, loop_desc(options, saves.value(), engine.manifest().id), print_log);

    Result<void> saved;
    if (!options.screenshot_file.empty()) {
        draw_picture(engine, backend);
        saved = backend.save_screenshot(options.screenshot_file);
        for (const std::string& report : backend.take_reports())
            print_log({LogLevel::warning, "perigee", report});
    }
    const Result<void> recorded = engine.finish_recording();
    const Result<void> hashed = engine.finish_hash_log();
    const Result<void> profiled = engine.finish_profile();
    const Result<void> replayed = engine.check_replay();
    GameSession& session = engine.session();
    const Result<void> kept =
        options.world_file.empty() ? Result<void>{} : engine.save_world(options.world_file);
    if (options.shows_figures) {
        print_out(run_stats(session.schedule()));
        print_out("\n" + mod_stats(session.schedule(), session.scripts()));
    }
    if (options.prints_order) {
        const Result<std::string> order = order_report(session.schedule());
        if (!order) return order.error();
        print_out(order.value());
    }
    if (options.prints_usage) print_out(text_of(chunk_usage(session.world())));
    Result<void> pictured;
    if (!options.usage_picture_file.empty())
        pictured = save_picture(session.world(), engine.manifest(), options.usage_picture_file);
    if (options.prints_hash) print_out(fmt::format("hash {:016x}\n", engine.hash()));
    for (const Result<void>* end :
         {&std::as_const(saved), &std::as_const(pictured), &kept, &recorded, &hashed, &profiled, &replayed})
        if (!*end) return end->error();
    if (const int signal = stop_signal(); signal != 0)
        return give_up(Error{fmt::format(game_errors::kEndedBySignal, signal)}, kExitSignal + signal);
    return health_of(session);
}

}  // namespace

int play(const RunOptions& options) {
    note_stop_signals();
    const Result<int> done = run(options);
    return done ? done.value() : give_up(done.error());
}

}  // namespace perigee
