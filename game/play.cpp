// The steps of a run, each of which may end it with one sentence.
#include "game/play.h"

#include "ecs/chunk_usage.h"
#include "ecs/schedule_report.h"
#include "engine/engine.h"
#include "engine/mod_set.h"
#include "engine/mod_stats.h"
#include "engine/run_stats.h"
#include "game/confined_run.h"
#include "game/error_codes.h"
#include "game/game_folder.h"
#include "game/native_systems.h"
#include "game/run_loop.h"

#include <fmt/format.h>

#include <cstdio>
#include <random>
#include <utility>

namespace perigee {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kDefaultHeadlessFrames = 600;

void say(std::string_view text) { fmt::print(stderr, "perigee: {}\n", text); }

// After everything that went to standard error.
void print_out(std::string_view text) {
    std::fflush(stderr);
    fmt::print("{}", text);
    std::fflush(stdout);
}

void print_log(const LogEntry& entry) {
    constexpr const char* kLevels[] = {"", "warning: ", "error: "};
    fmt::print(stderr, "[{}] {}{}\n", entry.mod, kLevels[static_cast<int>(entry.level)], entry.text);
}

// Found out before the game runs for an hour.
Result<void> check_screenshot_file(const fs::path& file) {
    if (file.empty()) return {};
    std::error_code ignored;
    if (fs::is_directory(file, ignored))
        return Error{fmt::format(game_errors::kScreenshotIsFolder, file.string())};
    if (file.has_parent_path() && !fs::is_directory(file.parent_path(), ignored))
        return Error{fmt::format(game_errors::kNoScreenshotFolder, file.string())};
    return {};
}

// A player wants a new game each time; a machine wants the same.
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

// What a window needs of a game before any of its code runs.
Result<ModManifest> manifest_of(const fs::path& game) {
    AssetStore assets;
    if (const Result<MountId> mounted = assets.mount("game", game); !mounted) return mounted.error();
    return read_game_manifest(assets, game);
}

Backend::Desc backend_desc(const RunOptions& options, const ModManifest& game) {
    Backend::Desc desc;
    desc.title = game.title;
    desc.logical = {game.width, game.height};
    desc.drawing = options.drawing;
    desc.is_muted = options.is_muted;
    if (options.is_headless)
        desc.display = Backend::Display::hidden;
    else if (options.is_fullscreen)
        desc.display = Backend::Display::fullscreen;
    return desc;
}

LoopDesc loop_desc(const RunOptions& options) {
    LoopDesc desc;
    if (options.frame_limit) desc.frame_limit = *options.frame_limit;
    desc.is_headless = options.is_headless;
    desc.ends_with_replay = !options.frame_limit && !options.replay_file.empty();
    desc.draws_every_frame = !options.is_headless || options.drawing == Backend::Drawing::software;
    desc.shows_figures = options.shows_figures;
    return desc;
}

// A machine that runs a game wants to know that it did not run to its end as it should.
Result<void> expect_none_suspended(const Schedule& schedule) {
    for (const SystemId id : schedule.all()) {
        const SystemStatus status = schedule.status(id);
        if (status.is_suspended)
            return Error{fmt::format(game_errors::kSuspendedAtEnd, status.name, status.error)};
    }
    return {};
}

Result<void> run(RunOptions& options) {
    Result<fs::path> game = find_game(options.game, source_trees());
    if (!game) return game.error();
    if (Result<void> writable = check_screenshot_file(options.screenshot_file); !writable)
        return writable.error();
    settle_display(options);
    options.game = std::move(game).value();
    const bool is_confined = is_confined_run(options);
    if (is_confined) close_to_system_folders(options);
    const Result<ModManifest> manifest = manifest_of(options.game);
    if (!manifest) return manifest.error();
    Result<std::unique_ptr<Backend>> opened = Backend::open(backend_desc(options, manifest.value()));
    if (!opened) return opened.error();
    Backend& backend = *opened.value();
    if (is_confined)
        for (const std::string& note : close_to_game(options)) say(note);

    const NativeSystems native = native_systems();
    EngineConfig config;
    config.game = options.game;
    config.seed = chosen_seed(options);
    config.record_file = options.record_file;
    config.replay_file = options.replay_file;
    config.workers = options.workers;
    config.profile_file = options.profile_file;
    config.hash_log_file = options.hash_log_file;
    config.accept_truncated_replay = options.accepts_truncated_replay;
    config.native = &native;
    config.mod_folders = options.mod_folders;
    config.watches_compiler = options.shows_figures;
    config.settings_file = options.settings_file;
    config.puts_off_by_clock = !options.is_headless;
    config.is_interpreted = options.is_interpreted;
    config.trusts_game = options.trusts_game;
    config.plugins = options.plugins;
    config.allows_native_code = options.allows_native_code;
    config.watches_files = options.watches_files.value_or(!options.is_headless);
    config.log = print_log;
    Result<std::unique_ptr<Engine>> created = Engine::create(std::move(config));
    if (!created) return created.error();
    Engine& engine = *created.value();

    run_loop(engine, backend, loop_desc(options), print_log);

    Result<void> saved;
    if (!options.screenshot_file.empty()) {
        draw_picture(engine, backend);
        saved = backend.save_screenshot(options.screenshot_file);
    }
    const Result<void> recorded = engine.finish_recording();
    const Result<void> hashed = engine.finish_hash_log();
    const Result<void> profiled = engine.finish_profile();
    const Result<void> replayed = engine.check_replay();
    GameSession& session = engine.session();
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
    if (options.prints_hash) print_out(fmt::format("hash {:016x}\n", engine.hash()));
    for (const Result<void>* end : {&std::as_const(saved), &recorded, &hashed, &profiled, &replayed})
        if (!*end) return end->error();
    if (!options.is_headless) return {};
    if (!engine.has_loaded()) return Error{game_errors::kDidNotLoad};
    return expect_none_suspended(session.schedule());
}

}  // namespace

int play(RunOptions options) {
    const Result<void> done = run(options);
    if (done) return 0;
    say(done.error().message);
    return 1;
}

}  // namespace perigee
