// Arguments and the options they become; wrong arguments and their messages.
#include "game/commands/all_commands.h"

#include "game/commands/bisect.h"
#include "game/commands/check.h"
#include "game/commands/diff.h"
#include "game/commands/mods.h"
#include "game/commands/repl.h"
#include "game/commands/stubs.h"
#include "game/program/command_line.h"
#include "game/program/error_codes.h"
#include "game/program/run_options.h"
#include "game/testing/test_options.h"

#include <catch2/catch.hpp>

#include <sstream>
#include <string>
#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

CommandLine parse(std::vector<const char*> words) {
    words.insert(words.begin(), "perigee");
    return parse_command_line(all_commands(), static_cast<int>(words.size()), words.data());
}

template <typename Options> Options parsed(const std::vector<const char*>& words) {
    const CommandLine line = parse(words);
    INFO(line.answer.text);
    REQUIRE(line.command != nullptr);
    return std::any_cast<Options>(line.options);
}

RunOptions options_of(const std::vector<const char*>& words) { return parsed<RunOptions>(words); }

CommandLineAnswer answer_to(const std::vector<const char*>& words) {
    const CommandLine line = parse(words);
    REQUIRE(line.command == nullptr);
    return line.answer;
}

}  // namespace

TEST_CASE("without arguments the demo is played in a window") {
    for (const std::vector<const char*>& words : {std::vector<const char*>{}, {"run"}}) {
        const RunOptions options = options_of(words);
        CHECK(options.game.empty());
        CHECK_FALSE(options.is_headless);
        CHECK_FALSE(options.frame_limit.has_value());
        CHECK_FALSE(options.seed.has_value());
        CHECK(options.drawing == Backend::Drawing::automatic);
    }
}

TEST_CASE("a game may be given without the command run, also after options") {
    CHECK(options_of({"some/game"}).game == "some/game");
    CHECK(options_of({"run", "some/game"}).game == "some/game");
    CHECK(options_of({"--headless", "some/game"}).game == "some/game");
    CHECK(options_of({"--frames", "7", "some/game"}).frame_limit == 7U);
}

TEST_CASE("each --mods takes one folder, for a run and for the list of mods") {
    const std::vector<std::filesystem::path> folders = {"a", "b/c"};
    CHECK(options_of({"game", "--mods", "a", "--mods", "b/c"}).mod_folders == folders);
    const auto mods = parsed<ModsOptions>({"mods", "--mods", "a", "--mods", "b/c", "game"});
    CHECK(mods.mod_folders == folders);
    CHECK(mods.game == "game");
    CHECK(parsed<ModsOptions>({"mods"}).game.empty());
}

TEST_CASE("each --plugin takes one file, and --allow-native allows a game's own") {
    const RunOptions options = options_of({"run", "--plugin", "a.so", "--plugin", "b/c.so", "game"});
    CHECK(options.plugins == std::vector<std::filesystem::path>{"a.so", "b/c.so"});
    CHECK(options.game == "game");
    CHECK_FALSE(options.allows_native_code);
    CHECK(options_of({"game", "--allow-native"}).allows_native_code);
    CHECK_FALSE(options.trusts_game);
    CHECK(options_of({"game", "--trusted"}).trusts_game);
}

TEST_CASE("all options together") {
    const RunOptions options =
        options_of({"run",          "g",          "--headless", "--frames",  "60",
                    "--screenshot", "s.png",      "--hash",     "--seed",    "18446744073709551615",
                    "--record",     "r.log",      "--renderer", "software",  "--mute",
                    "--stats",      "--hash-log", "h.log",      "--workers", "3",
                    "--profile",    "p.json"});
    CHECK(options.is_headless);
    CHECK(options.frame_limit == 60U);
    CHECK(options.screenshot_file == "s.png");
    CHECK(options.prints_hash);
    CHECK(options.seed == 18446744073709551615U);
    CHECK(options.record_file == "r.log");
    CHECK(options.drawing == Backend::Drawing::software);
    CHECK(options.is_muted);
    CHECK(options.workers == 3);
    CHECK(options.profile_file == "p.json");
    CHECK(options.hash_log_file == "h.log");
    CHECK(options.shows_figures);
}

TEST_CASE("the options --watch and --no-watch decide whether files are watched") {
    CHECK_FALSE(options_of({"g"}).watches_files);
    CHECK(options_of({"g", "--watch"}).watches_files == true);
    CHECK(options_of({"g", "--no-watch"}).watches_files == false);
    CHECK(answer_to({"run", "g", "--watch", "--no-watch"}).exit_status == 2);
}

TEST_CASE("the renderer none is headless") { CHECK(options_of({"g", "--renderer", "none"}).is_headless); }

TEST_CASE("inspect is a run without picture or window that prints the chunks") {
    const RunOptions options = options_of({"inspect", "g", "--stats", "--frames", "7", "--seed", "2"});
    CHECK(options.prints_usage);
    CHECK(options.is_headless);
    CHECK(options.game == "g");
    CHECK(options.frame_limit == 7u);
    CHECK_FALSE(options_of({"g"}).prints_usage);
    const RunOptions picture = options_of({"inspect", "g", "--svg", "chunks.svg"});
    CHECK(picture.usage_picture_file == "chunks.svg");
    CHECK_FALSE(picture.prints_usage);
    CHECK(options_of({"inspect", "g", "--svg", "chunks.svg", "--stats"}).prints_usage);
}

TEST_CASE("each command that runs scripts has --jit and --accept-risk") {
    CHECK_FALSE(options_of({"g"}).is_interpreted);
    CHECK_FALSE(options_of({"g", "--jit", "on"}).is_interpreted);
    CHECK(options_of({"g", "--jit", "off"}).is_interpreted);
    CHECK(parsed<CheckOptions>({"check", "g", "--perf", "--jit", "off"}).is_interpreted);
    CHECK(parsed<TestOptions>({"test", "g", "--jit", "off"}).is_interpreted);
    CHECK_FALSE(options_of({"g"}).accepts_risk);
    CHECK(options_of({"g", "--accept-risk"}).accepts_risk);
    CHECK(options_of({"inspect", "g", "--accept-risk"}).accepts_risk);
    CHECK(parsed<CheckOptions>({"check", "g", "--accept-risk"}).accepts_risk);
    CHECK(parsed<TestOptions>({"test", "g", "--accept-risk"}).accepts_risk);
    CHECK(parsed<ReplOptions>({"repl", "g", "--accept-risk"}).accepts_risk);
    CHECK(parsed<StubsOptions>({"stubs", "g", "--accept-risk"}).accepts_risk);
    CHECK_THAT(answer_to({"g", "--jit", "maybe"}).text, Contains("--jit: expected on or off, got 'maybe'"));
}

TEST_CASE("diff takes exactly two logs") {
    const auto logs = parsed<DiffOptions>({"diff", "a.hashes", "b.hashes"});
    CHECK(logs.first == "a.hashes");
    CHECK(logs.second == "b.hashes");
    for (const std::vector<const char*>& words : {std::vector<const char*>{"diff"},
                                                  {"diff", "a"},
                                                  {"diff", "a", "b", "c"},
                                                  {"diff", "a", "b", "--hash"}})
        CHECK(answer_to(words).exit_status == 2);
    CHECK_THAT(answer_to({"diff", "--help"}).text,
               Contains("the first tick, system, component, entity and field"));
}

TEST_CASE("help and version are answers, not errors") {
    const CommandLineAnswer help = answer_to({"run", "--help"});
    CHECK(help.exit_status == 0);
    for (const char* option :
         {"--headless", "--frames", "--screenshot", "--hash", "--seed", "--record", "--replay", "--hash-log",
          "--profile", "--renderer", "--fullscreen", "--windowed", "--mute", "--stats", "--watch",
          "--no-watch", "--workers", "Ctrl+R", "600 frames"})
        CHECK_THAT(help.text, Contains(option));
    CHECK_THAT(help.text, Contains("--renderer auto|gl|software|none") && !Contains("->"));
    CHECK(answer_to({"--help"}).exit_status == 0);
    CHECK_THAT(answer_to({"--help"}).text, Contains("perigee run --help"));
    const CommandLineAnswer version = answer_to({"--version"});
    CHECK(version.exit_status == 0);
    CHECK_THAT(version.text, Catch::Matchers::Matches("perigee [0-9]+\\.[0-9]+\\.[0-9]+, LuaJIT [^\n]+\n"));
}

TEST_CASE("wrong use is an error with status 2 that names the argument") {
    const auto refused = [](const std::vector<const char*>& words, const char* named) {
        const CommandLineAnswer answer = answer_to(words);
        CHECK(answer.exit_status == 2);
        CHECK_THAT(answer.text, Contains(named));
    };
    refused({"run", "--colour"}, "--colour");
    refused({"run", "a", "b"}, "b");
    refused({"run", "--frames", "many"}, "--frames");
    refused({"run", "--frames", "-1"}, "--frames");
    refused({"run", "--workers", "0"}, "--workers: expected a number of threads from 1 to 64, got '0'");
    for (const char* count : {"-1", "65", "two", "1.5", "4294967297"})
        refused({"run", "--workers", count}, "expected a number of threads from 1 to 64");
    for (const char* size : {"-1", "65537", "much", "0.5"})
        refused({"run", "--rewind", size}, "--rewind: expected megabytes from 0 to 65536, got");
    refused({"run", "--seed", "-1"}, "--seed");
    refused({"run", "--seed", "18446744073709551616"}, "--seed");
    refused({"run", "--frames"}, "--frames");
    refused({"run", "--renderer", "vulkan"}, "vulkan");
    refused({"run", "--fullscreen", "--windowed"}, "--windowed");
    refused({"run", "--renderer", "none", "--screenshot", "a.png"}, game_errors::kPictureOfNothing);
    refused({"run", "--replay", "r", "--seed", "1"}, game_errors::kReplaySeed);
}

TEST_CASE("each command is listed by --help, an inner one by that of its command, and has its own help") {
    for (const Command& command : all_commands()) {
        std::vector<std::string> names;
        std::istringstream all{std::string(command.name)};
        for (std::string name; all >> name;) names.push_back(name);
        std::vector<const char*> words;
        for (const std::string& name : names) words.push_back(name.c_str());
        words.back() = "--help";
        const std::string list = answer_to(words).text;
        CHECK_THAT(list, Contains(names.back()) && Contains(std::string(command.summary)));
        words.insert(words.end() - 1, names.back().c_str());
        const CommandLineAnswer help = answer_to(words);
        CHECK(help.exit_status == 0);
        CHECK_THAT(help.text, Contains(std::string(command.summary)));
    }
    CHECK(parse({"inspect"}).command->name == "inspect");
    CHECK(parse({"mods", "some/game"}).command->name == "mods");
    CHECK(parsed<BisectOptions>({"mods", "bisect", "some/game", "--filter", "x"}).game == "some/game");
    CHECK(options_of({"some/game", "--without", "a", "--without", "b"}).left_out_mods ==
          std::vector<std::string>{"a", "b"});
    CHECK(parse({"some/game"}).command == &all_commands().front());
}
