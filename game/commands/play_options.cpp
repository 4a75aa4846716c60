// The words, and which of them exclude each other.
#include "game/commands/play_options.h"

#include "engine/engine.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "game/program/shared_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <system_error>

namespace perigee {

namespace {

constexpr char kFooter[] = R"(
Without a display a game runs headless: one fixed step per frame, as fast as it can, 600 frames unless --frames or
--replay says otherwise. The game's own output and all messages go to standard error.

Keys: F3 figures, F11 or Alt+Enter full screen, F12 screenshot (into screenshots/), Ctrl+R start again from the
files, Pause hold the game, Alt+F4 quit. All other keys are the game's.
)";

// CLI11 lets -1 and 2^64 pass as unsigned numbers.
const CLI::Validator kWholeNumber{
    [](std::string& word) -> std::string {
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
        if (error == std::errc{} && end == word.data() + word.size()) return "";
        return "expected a whole number from 0 to 18446744073709551615, got '" + word + "'";
    },
    ""};

const CLI::Validator kWorkerCount{
    [](std::string& word) -> std::string {
        std::uint32_t count = 0;
        const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
        const bool is_count = error == std::errc{} && end == word.data() + word.size();
        if (is_count && count >= 1 && count <= kMaxWorkers) return "";
        return fmt::format(game_errors::kWorkers, kMaxWorkers, word);
    },
    ""};

std::string what_is_wrong(const RunOptions& options) {
    if (options.drawing == Backend::Drawing::none && !options.screenshot_file.empty())
        return game_errors::kPictureOfNothing;
    if (options.seed && !options.replay_file.empty()) return game_errors::kReplaySeed;
    const std::filesystem::path* const written[] = {&options.record_file, &options.hash_log_file,
                                                    &options.profile_file, &options.screenshot_file};
    for (const auto* const file : written) {
        const bool is_first = std::ranges::find(written, *file, [](const auto* other) { return *other; }) ==
                              std::ranges::find(written, file);
        if (!file->empty() && !is_first) return fmt::format(game_errors::kSameFile, file->string());
    }
    return "";
}

}  // namespace

void add_run_options(CLI::App& run, RunOptions& options) {
    add_game(run, options.game, options.mod_folders);
    run.add_option("--settings", options.settings_file,
                   "What you choose for mods: { \"mod\": { \"settings\": { \"name\": value }, "
                   "\"permissions\": { … } } }")
        ->type_name("FILE.json");
    run.add_flag(
        "--trusted", options.trusts_game,
        "The game, not its mods, may use all of Lua: files, the system, C. It can then do all that you can");
    auto* confine = run.add_flag_callback(
        "--confine", [&options] { options.confines = true; },
        "The whole run opens its own files only, makes no connections and starts no programs; so it is for a "
        "game or "
        "mod in an archive");
    run.add_flag_callback(
           "--no-confine", [&options] { options.confines = false; },
           "Trust games and mods in archives as well")
        ->excludes(confine);
    add_risk(run, options.accepts_risk);
    add_compiler(run, options.is_interpreted);
    run.add_flag("--check-presentation", options.checks_presentation,
                 "Say which variables of the simulation presentation systems change, as 'perigee test' does; "
                 "slower");
    run.add_flag("--headless", options.is_headless,
                 "No window: one fixed step per frame, as fast as possible");
    run.add_option("--frames", options.frame_limit, "End after N frames")
        ->type_name("N")
        ->check(kWholeNumber);
    run.add_option("--screenshot", options.screenshot_file, "Write the last frame as PNG")
        ->type_name("FILE.png");
    run.add_flag("--hash", options.prints_hash,
                 "Print 'hash <16 hex digits>' of the whole world as the last line");
    run.add_option("--seed", options.seed,
                   "Decides all chance in the game; 0 when headless, else new each time")
        ->type_name("S")
        ->check(kWholeNumber);
    run.add_option("--record", options.record_file, "Keep the input of this session")->type_name("FILE");
    run.add_option("--replay", options.replay_file, "Play a recorded session, and end with it")
        ->type_name("FILE");
    run.add_flag("--accept-truncated", options.accepts_truncated_replay,
                 "Play a recording that a crash cut off as far as it goes");
    run.add_option_function<std::string>(
           "--save-dir", [&options](const std::string& folder) { options.save_folder = folder; },
           "Where games keep what they keep for you, best scores and the like; ~/.local/share/perigee if "
           "left away, and "
           "nowhere when headless. A replay writes nothing")
        ->type_name("DIR");
    run.add_option("--hash-log", options.hash_log_file,
                   "Keep hashes of every step, system and component: 'perigee diff' compares two such files")
        ->type_name("FILE");
    run.add_option("--profile", options.profile_file,
                   "Write what ran when and on which thread, as a Chrome trace: load it into ui.perfetto.dev")
        ->type_name("FILE.json");
    run.add_option("--workers", options.workers,
                   "Threads that run systems, 1 to 64; as many as the machine has if left away. What happens "
                   "in the game does not depend on it")
        ->type_name("N")
        ->check(kWorkerCount);
    run.add_option(
           "--plugin", options.plugins,
           "Load a native plugin; may stand several times. It is machine code and can do all that you can")
        ->type_name("FILE.so")
        ->allow_extra_args(false);
    run.add_flag("--allow-native", options.allows_native_code,
                 "Let the game's mod.json load native plugins from its folder");
    const std::map<std::string, Backend::Drawing> drawings = {{"auto", Backend::Drawing::automatic},
                                                              {"software", Backend::Drawing::software},
                                                              {"none", Backend::Drawing::none}};
    run.add_option("--renderer", options.drawing,
                   "auto: the graphics card, or when headless only the picture that --screenshot keeps; "
                   "software: every frame, without the card; none: no picture and no window")
        ->transform(CLI::CheckedTransformer(drawings).description(""))
        ->type_name("auto|software|none");
    auto* watch = run.add_flag_callback(
        "--watch", [&options] { options.watches_files = true; },
        "Read again what is saved while the game runs; so it is without --headless");
    run.add_flag_callback(
           "--no-watch", [&options] { options.watches_files = false; },
           "Keep to the files as they were at the start")
        ->excludes(watch);
    auto* fullscreen = run.add_flag("--fullscreen", options.is_fullscreen, "Start in full screen");
    run.add_flag("--windowed")
        ->description("Start in a window, as it does without --fullscreen")
        ->excludes(fullscreen);
    run.add_flag("--mute", options.is_muted, "No sound");
    run.add_flag("--stats", options.shows_figures,
                 "Start with the figures shown (F3), and print the times of all systems at the end");
    run.footer(fmt::format("{}\n{}", kFooter, kExitStatusHelp));
}

void add_inspect_options(CLI::App& inspect, RunOptions& options) {
    add_game(inspect, options.game, options.mod_folders);
    inspect.add_flag("--stats", options.prints_usage,
                     "How full the chunks are: archetypes, rows, bytes, shared values, and what wastes them");
    inspect.add_flag(
        "--systems", options.prints_order,
        "In what order systems run, which may run at the same time, and which somebody should order");
    inspect.add_option("--frames", options.frame_limit, "Look after N frames; 600 if left away")
        ->type_name("N")
        ->check(kWholeNumber);
    inspect.add_option("--seed", options.seed, "Decides all chance in the game; 0 if left away")
        ->type_name("S")
        ->check(kWholeNumber);
    inspect.add_option("--replay", options.replay_file, "Look at the end of a recorded session")
        ->type_name("FILE");
    add_risk(inspect, options.accepts_risk);
    inspect.footer(fmt::format(
        "\nWithout an option the chunks are shown. The figures go to standard output.\n{}", kExitStatusHelp));
}

std::string settle_run(RunOptions& options) {
    std::string wrong = what_is_wrong(options);
    // Nothing to show means nowhere to show it.
    if (options.drawing == Backend::Drawing::none) options.is_headless = true;
    return wrong;
}

std::string settle_inspect(RunOptions& options) {
    std::string wrong = what_is_wrong(options);
    options.prints_usage |= !options.prints_order;
    options.drawing = Backend::Drawing::none;
    options.is_headless = true;
    return wrong;
}

}  // namespace perigee
