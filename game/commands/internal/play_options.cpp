// The options of run and inspect, and which of them exclude each other.
#include "game/commands/internal/play_options.h"

#include "engine/engine.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/shared_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>

namespace perigee {

namespace {

constexpr char kFooter[] = R"(
Without a display a game runs headless: one fixed step per frame, as fast as it can, 600 frames unless --frames or
--replay says otherwise. The game's own output and all messages go to standard error.

Keys: F3 statistics, F11 or Alt+Enter full screen, F12 screenshot (into screenshots/), Ctrl+R restart from the
files, Pause pause and resume, Alt+F4 quit. All other keys are the game's. If the game is a folder, F5 also saves the
whole world, F9 loads it, and F6 goes back to recent steps.
)";

constexpr char kReplayFooter[] = R"(
Plays a recording, then ends and checks that the world is the one that was recorded. Steps count from the start
of the recording, over all restarts: --at 600 shows the picture of 'run --headless --frames 600 --replay FILE'.
With --screenshot, --svg, --save, --record, --hash or --hash-log there is no window.

With --at and a window, the game pauses at that step, and the key Pause plays on.
)";

std::string what_is_wrong(const RunOptions& options) {
    if (options.drawing == Backend::Drawing::none && !options.screenshot_file.empty())
        return game_errors::kPictureOfNothing;
    if (options.seed && !options.replay_file.empty()) return game_errors::kReplaySeed;
    if (!options.load_file.empty() && !options.replay_file.empty()) return game_errors::kReplayWorld;
    const std::filesystem::path* const written[] = {&options.record_file,        &options.hash_log_file,
                                                    &options.profile_file,       &options.screenshot_file,
                                                    &options.usage_picture_file, &options.world_file};
    for (const auto* const file : written) {
        const bool is_first = std::ranges::find(written, *file, [](const auto* other) { return *other; }) ==
                              std::ranges::find(written, file);
        if (!file->empty() && !is_first) return fmt::format(game_errors::kSameFile, file->string());
    }
    if (options.steps_per_world != 0 && options.record_file.empty()) return game_errors::kStoreNothing;
    if (options.begins_near && !options.at_step) return game_errors::kNearNothing;
    if (options.begins_near && (!options.record_file.empty() || !options.hash_log_file.empty()))
        return game_errors::kNearIsPart;
    return "";
}

ScreenSize window_size_from(const std::string& words) {
    unsigned width = 0, height = 0;
    const char* const end = words.data() + words.size();
    const auto first = std::from_chars(words.data(), end, width);
    if (first.ec == std::errc{} && first.ptr != end && *first.ptr == 'x') {
        const auto second = std::from_chars(first.ptr + 1, end, height);
        const bool is_whole = second.ec == std::errc{} && second.ptr == end;
        if (is_whole && width > 0 && height > 0 && width <= kMaxWindowSide && height <= kMaxWindowSide)
            return {static_cast<std::uint16_t>(width), static_cast<std::uint16_t>(height)};
    }
    throw CLI::ValidationError("--window-size", fmt::format(game_errors::kWindowSize, kMaxWindowSide, words));
}

// The game, its mods, and what they may do.
void add_trust(CLI::App& run, RunOptions& options) {
    add_game(run, options.game, options.mod_folders);
    add_left_out(run, options.left_out_mods);
    run.add_option("--settings", options.settings_file,
                   "Your choices for mods: { \"mod\": { \"settings\": { \"name\": value }, "
                   "\"permissions\": { … } } }")
        ->type_name("FILE.json");
    run.add_flag("--trusted", options.trusts_game,
                 "The game, not its mods, may use all of Lua: files, the system, C. It can then do anything "
                 "that you can");
    auto* confine = run.add_flag_callback(
        "--confine", [&options] { options.confines = true; },
        "The run opens only its own files, makes no connections and starts no programs; the default for "
        "games and mods in archives");
    run.add_flag_callback(
           "--no-confine", [&options] { options.confines = false; }, "Trust games and mods in archives, too")
        ->excludes(confine);
    add_risk(run, options.accepts_risk);
    add_compiler(run, options.is_interpreted);
    run.add_option("--plugin", options.plugins,
                   "Load a native plugin; may be given several times. It is machine code and can do anything "
                   "that you can")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    run.add_flag("--allow-native", options.allows_native_code,
                 "Let the game's mod.json load native plugins from its folder");
}

// What a run writes and prints.
void add_outputs(CLI::App& run, RunOptions& options) {
    run.add_option("--screenshot", options.screenshot_file, "Write the last frame as PNG")
        ->type_name("FILE.png");
    run.add_flag("--hash", options.prints_hash,
                 "Print 'hash <16 hex digits>' of the whole world as the last line");
    run.add_option("--record", options.record_file, "Save the input of this run for 'perigee replay'")
        ->type_name("FILE");
    run.add_option("--store-worlds", options.steps_per_world,
                   "The recording also stores the whole world, every N steps; see 'perigee replay'")
        ->type_name("N")
        ->check(whole_number());
    run.add_option("--save", options.world_file, "Write the whole world at the end, for --load")
        ->type_name("FILE");
    run.add_option("--hash-log", options.hash_log_file,
                   "Write hashes of every step, system and component; 'perigee diff' compares two such files")
        ->type_name("FILE");
    run.add_option("--profile", options.profile_file,
                   "Write what ran when and on which thread, as a Chrome trace: open it in ui.perfetto.dev")
        ->type_name("FILE.json");
    run.add_flag("--stats", options.shows_figures,
                 "Show statistics from the start (F3), and print the times of all systems at the end");
}

void add_usage_picture(CLI::App& run, RunOptions& options) {
    run.add_option("--svg", options.usage_picture_file,
                   "Write how full the chunks are as a picture for browsers")
        ->type_name("FILE.svg");
}

// Window, sound, threads and the console.
void add_machine(CLI::App& run, RunOptions& options) {
    run.add_flag("--provenance", options.records_writes,
                 "Record which system wrote which value: ':why' in the console (F2) then shows it for the "
                 "entity under the mouse. Slower");
    run.add_flag("--headless", options.is_headless,
                 "No window: one fixed step per frame, as fast as possible");
    run.add_option("--workers", options.workers,
                   "Threads that run systems, 1 to 64; by default as many as the machine has. The game's "
                   "results do not depend on it")
        ->type_name("N")
        ->check(number_between(1, kMaxWorkers, game_errors::kWorkers));
    auto* fullscreen = run.add_flag("--fullscreen", options.is_fullscreen, "Start in full screen");
    run.add_option_function<std::string>(
           "--window-size",
           [&options](const std::string& words) { options.window_size = window_size_from(words); },
           "Size of the window, which the game's screen is fitted into; by default that of the screen. Also "
           "without a window, for screenshots")
        ->type_name("WxH");
    run.add_flag("--windowed")->description("Start in a window; the default")->excludes(fullscreen);
    run.add_flag("--mute", options.is_muted, "No sound");
}

}  // namespace

void add_run_options(CLI::App& run, RunOptions& options) {
    add_trust(run, options);
    run.add_flag(
        "--check-presentation", options.checks_presentation,
        "Report variables of the simulation that presentation systems change, as 'perigee test' does; "
        "slower");
    run.add_option("--frames", options.frame_limit, "End after N frames")
        ->type_name("N")
        ->check(whole_number());
    run.add_option("--seed", options.seed,
                   "Seed of all random numbers in the game; by default 0 when headless, else new each time")
        ->type_name("S")
        ->check(whole_number());
    add_outputs(run, options);
    run.add_option("--replay", options.replay_file, "Play a recording, and end with it")->type_name("FILE");
    add_truncated(run, options.accepts_truncated_replay);
    run.add_option_function<std::string>(
           "--save-dir", [&options](const std::string& folder) { options.save_folder = folder; },
           "Folder for player data such as high scores; ~/.local/share/perigee by default, and none when "
           "headless. A replay writes nothing")
        ->type_name("DIR");
    run.add_option("--load", options.load_file,
                   "Begin with a world that --save wrote, also by an older version of the game")
        ->type_name("FILE");
    run.add_option("--rewind", options.rewind_megabytes,
                   fmt::format("Memory in MB for rewinding with F6; by default {} with a window, unless "
                               "the game is an archive. 0: none",
                               kDefaultRewindMegabytes))
        ->type_name("MB")
        ->check(number_between(0, kMaxRewindMegabytes, game_errors::kMegabytes));
    const std::map<std::string, Backend::Drawing> drawings = {{"auto", Backend::Drawing::automatic},
                                                              {"gl", Backend::Drawing::gl},
                                                              {"software", Backend::Drawing::software},
                                                              {"none", Backend::Drawing::none}};
    run.add_option("--renderer", options.drawing,
                   "auto: OpenGL where there is one, or when headless only the frame that --screenshot "
                   "writes, on the CPU; gl: OpenGL, also when headless; software: every frame, on the CPU; "
                   "none: no picture and no window")
        ->transform(CLI::CheckedTransformer(drawings).description(""))
        ->type_name("auto|gl|software|none");
    auto* watch = run.add_flag_callback(
        "--watch", [&options] { options.watches_files = true; },
        "Reload files that are saved while the game runs; the default without --headless");
    run.add_flag_callback(
           "--no-watch", [&options] { options.watches_files = false; }, "Do not reload files")
        ->excludes(watch);
    add_machine(run, options);
    run.footer(fmt::format("{}\n{}", kFooter, kExitStatusHelp));
}

void add_replay_options(CLI::App& replay, RunOptions& options) {
    add_recording(replay, options.replay_file);
    add_trust(replay, options);
    replay
        .add_option_function<std::uint64_t>(
            "--at", [&options](std::uint64_t step) { options.at_step = step; },
            "Go to the moment after this step: pause there, or end if there is no window")
        ->type_name("STEP")
        ->check(whole_number());
    replay.add_flag("--near", options.begins_near,
                    "With --at: begin with the last world that the recording stores before it. Faster; Lua "
                    "variables then have their first values");
    add_truncated(replay, options.accepts_truncated_replay);
    add_outputs(replay, options);
    add_usage_picture(replay, options);
    add_machine(replay, options);
    replay.footer(fmt::format("{}\n{}", kReplayFooter, kExitStatusHelp));
}

void add_inspect_options(CLI::App& inspect, RunOptions& options) {
    add_game(inspect, options.game, options.mod_folders);
    add_left_out(inspect, options.left_out_mods);
    inspect.add_flag(
        "--stats", options.prints_usage,
        "How full the chunks are: archetypes, rows, bytes, shared values, and what wastes space");
    add_usage_picture(inspect, options);
    inspect.add_flag("--systems", options.prints_order,
                     "The order in which systems run, which may run in parallel, and which need an order");
    inspect.add_option("--frames", options.frame_limit, "Run N frames first; 600 by default")
        ->type_name("N")
        ->check(whole_number());
    inspect.add_option("--seed", options.seed, "Seed of all random numbers in the game; 0 by default")
        ->type_name("S")
        ->check(whole_number());
    inspect.add_option("--replay", options.replay_file, "Inspect the end of a recording")->type_name("FILE");
    add_risk(inspect, options.accepts_risk);
    inspect.footer(fmt::format("\nWithout an option it shows the chunks. Results go to standard output.\n{}",
                               kExitStatusHelp));
}

std::string settle_run(RunOptions& options) {
    std::string wrong = what_is_wrong(options);
    // Without pictures there is no window.
    if (options.drawing == Backend::Drawing::none) options.is_headless = true;
    return wrong;
}

// A replay for its results needs no window.
std::string settle_replay(RunOptions& options) {
    std::string wrong = what_is_wrong(options);
    const std::filesystem::path* const written[] = {&options.record_file, &options.hash_log_file,
                                                    &options.screenshot_file, &options.usage_picture_file,
                                                    &options.world_file};
    options.is_headless |= options.prints_hash;
    for (const auto* const file : written) options.is_headless |= !file->empty();
    return wrong;
}

std::string settle_inspect(RunOptions& options) {
    std::string wrong = what_is_wrong(options);
    options.prints_usage |= !options.prints_order && options.usage_picture_file.empty();
    options.drawing = Backend::Drawing::none;
    options.is_headless = true;
    return wrong;
}

}  // namespace perigee
