// CLI11's side of the options, and the texts of --help.
#include "game/program/command_line.h"

#include "engine/engine.h"
#include "game/program/error_codes.h"
#include "game/program/exit_status.h"
#include "scripting/lua/luajit_version.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <sstream>
#include <string_view>
#include <system_error>
#include <vector>

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
        if (is_count && count >= 1 && count <= kMostWorkers) return "";
        return fmt::format(game_errors::kWorkers, kMostWorkers, word);
    },
    ""};

void add_game(CLI::App& command, std::filesystem::path& game,
              std::vector<std::filesystem::path>& mod_folders) {
    command.add_option("GAME_DIR", game, "Folder or zip archive of a game; the demo if left away");
    command
        .add_option("--mods", mod_folders,
                    "A folder of mods besides the game's own mods/; may stand several times")
        ->type_name("DIR")
        ->allow_extra_args(false);
}

void add_risk(CLI::App& command, bool& accepts_risk) {
    command.add_flag(
        "--accept-risk", accepts_risk,
        "Run mods, and games in archives, also where scripts can crash the LuaJIT that this program "
        "has: perigee --version names it");
}

void add_compiler(CLI::App& command, bool& is_interpreted) {
    const auto is_word = [](const std::string& word) {
        return word == "on" || word == "off" ? std::string() : fmt::format(game_errors::kCompilerWord, word);
    };
    command
        .add_option_function<std::string>(
            "--jit", [&is_interpreted](const std::string& word) { is_interpreted = word == "off"; },
            "off: scripts are interpreted, slower and with the same results")
        ->check(CLI::Validator(is_word, ""))
        ->type_name("on|off");
}

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

void add_diff_options(CLI::App& diff, DiffOptions& options) {
    diff.add_option("A", options.first, "Hash log of a run: see perigee run --hash-log")->required();
    diff.add_option("B", options.second, "Hash log of the other run")->required();
    diff.footer(
        "\nNames the first tick, system, component, entity and field in which the runs differ.\n"
        "Exit status: 0 no difference, 1 the runs differ, 2 a log cannot be read.");
}

void add_mods_options(CLI::App& mods, ModsOptions& options) {
    add_game(mods, options.game, options.mod_folders);
    mods.footer(
        "\nLists the mods in the order in which they load, each with the reason for its place, and those "
        "that "
        "cannot.\nExit status: 0 all load, 1 some are left out or the game cannot be read.");
}

void add_new_options(CLI::App& command, NewOptions& options) {
    command.add_option("FOLDER", options.folder, "The folder to make; its name becomes the game's")
        ->required();
    command.add_flag("--mod", options.is_mod, "A mod instead of a game");
    command.footer("\nWhat is there already is never touched: the folder must not exist, or be empty.");
}

void add_pack_options(CLI::App& command, PackOptions& options) {
    command.add_option("FOLDER", options.folder, "A game or mod")->required();
    command.add_option("ARCHIVE.zip", options.archive, "What to write; ID-VERSION.zip here if left away");
    command.footer(
        "\nThe archive runs like the folder: perigee run ARCHIVE.zip. Hidden files, logs, archives and "
        "screenshots/ stay behind. The same files give the same archive.");
}

void add_repl_options(CLI::App& command, ReplOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--mod", options.mod, "Whose names lines see; the game's if left away")
        ->type_name("ID");
    command.add_option("--seed", options.seed, "Decides all chance in the game; 0 if left away")
        ->type_name("N");
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nEach line is Lua; an expression shows its value. Time stands still but for ':step N'. ':help' "
        "lists the "
        "commands. In a terminal, tab completes.");
}

void add_stubs_options(CLI::App& command, StubsOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--to", options.folder, "Where to write; GAME_DIR/.perigee/stubs if left away")
        ->type_name("DIR");
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nWrites annotations that lua-language-server reads: of the engine, and of each component, event, "
        "resource and prefab of the game and its mods. Run it again when schemas have changed.");
}

void add_check_options(CLI::App& command, CheckOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_flag("--allow-native", options.allows_native_code,
                     "Load the native plugins that the game's mod.json names, for what they declare");
    command.add_flag("--trusted", options.trusts_game,
                     "The game is one for run --trusted: it may use all of Lua, also while it is checked");
    command.add_flag(
        "--perf", options.measures,
        "When there are no mistakes: run 600 steps, and say what each mod costs and what LuaJIT cannot "
        "compile");
    add_compiler(command, options.is_interpreted);
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nA line for each mistake, FILE:LINE: MESSAGE. schema.lua and main.lua are loaded for what they "
        "declare; no function of a system is called.\nExit status: 0 nothing found but notes, 1 mistakes.");
}

void add_test_options(CLI::App& command, TestOptions& options) {
    add_game(command, options.game, options.mod_folders);
    command.add_option("--filter", options.filter, "Only tests that have this text in their names")
        ->type_name("TEXT");
    command.add_flag("--update", options.updates,
                     "Write the golden values and pictures in tests/golden/ instead of comparing with them");
    add_compiler(command, options.is_interpreted);
    add_risk(command, options.accepts_risk);
    command.footer(
        "\nRuns tests/*.lua of the game and of each mod that loads, without a window and a clock.\n"
        "Exit status: 0 all passed, 1 some failed, or there are none.");
}

// "perigee GAME_DIR" is "perigee run GAME_DIR".
std::vector<std::string> with_run(int argc, const char* const* argv) {
    std::vector<std::string> words(argv + std::min(argc, 1), argv + argc);
    constexpr std::array<std::string_view, 13> kOwn = {"run",  "inspect", "diff",     "mods",  "new",
                                                       "pack", "repl",    "stubs",    "check", "test",
                                                       "-h",   "--help",  "--version"};
    if (words.empty() || std::ranges::find(kOwn, words.front()) == kOwn.end())
        words.insert(words.begin(), "run");
    return words;
}

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

CommandLine parse_command_line(int argc, const char* const* argv) {
    CLI::App app{"Perigee: games whose data is declared in Lua and lives in native chunks.", "perigee"};
    app.set_version_flag("--version", [] {
        return fmt::format("perigee " PERIGEE_VERSION ", {}", text_of(luajit_version()));
    });
    app.footer(
        "perigee run --help lists the options; 'perigee GAME_DIR' is short for 'perigee run GAME_DIR'.");
    app.require_subcommand(1);
    RunOptions options;
    add_run_options(*app.add_subcommand("run", "Play a game"), options);
    CLI::App& inspect = *app.add_subcommand("inspect", "Run a game without a window and print figures");
    add_inspect_options(inspect, options);
    DiffOptions diff_options;
    CLI::App& diff = *app.add_subcommand("diff", "Compare the hash logs of two runs");
    add_diff_options(diff, diff_options);
    ModsOptions mods_options;
    CLI::App& mods = *app.add_subcommand("mods", "List the mods of a game and the order in which they load");
    add_mods_options(mods, mods_options);
    NewOptions new_options;
    CLI::App& fresh = *app.add_subcommand("new", "Make a game that runs and wants to be changed");
    add_new_options(fresh, new_options);
    PackOptions pack_options;
    CLI::App& pack = *app.add_subcommand("pack", "Make one archive of a game or mod");
    add_pack_options(pack, pack_options);
    ReplOptions repl_options;
    CLI::App& repl = *app.add_subcommand("repl", "Run lines of Lua in a game without a window");
    add_repl_options(repl, repl_options);
    StubsOptions stubs_options;
    CLI::App& stubs = *app.add_subcommand("stubs", "Write annotations of a game's data for editors");
    add_stubs_options(stubs, stubs_options);
    CheckOptions check_options;
    CLI::App& check = *app.add_subcommand("check", "Find mistakes in a game and its mods without running it");
    add_check_options(check, check_options);
    TestOptions test_options;
    CLI::App& test = *app.add_subcommand("test", "Run the tests of a game and its mods");
    add_test_options(test, test_options);

    std::vector<std::string> words = with_run(argc, argv);
    std::ranges::reverse(words);  // CLI11 takes them from the back
    try {
        app.parse(std::move(words));
    } catch (const CLI::ParseError& answer) {
        std::ostringstream out;
        std::ostringstream err;
        const bool is_question = app.exit(answer, out, err) == 0;
        return CommandLineAnswer{is_question ? out.str() : err.str(),
                                 is_question ? kExitDone : kExitWrongUse};
    }
    if (diff.parsed()) return diff_options;
    if (mods.parsed()) return mods_options;
    if (fresh.parsed()) return new_options;
    if (pack.parsed()) return pack_options;
    if (repl.parsed()) return repl_options;
    if (stubs.parsed()) return stubs_options;
    if (check.parsed()) return check_options;
    if (test.parsed()) return test_options;
    if (std::string wrong = what_is_wrong(options); !wrong.empty())
        return CommandLineAnswer{wrong + "\n", kExitWrongUse};
    if (inspect.parsed()) {
        options.prints_usage |= !options.prints_order;
        options.drawing = Backend::Drawing::none;
    }
    // Nothing to show means nowhere to show it.
    if (options.drawing == Backend::Drawing::none) options.is_headless = true;
    return options;
}

}  // namespace perigee
