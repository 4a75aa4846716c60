// Words and the options they become; wrong words and what is answered.
#include "game/program/command_line.h"

#include "game/program/error_codes.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace perigee;
using Catch::Matchers::Contains;

namespace {

CommandLine parse(std::vector<const char*> words) {
    words.insert(words.begin(), "perigee");
    return parse_command_line(static_cast<int>(words.size()), words.data());
}

RunOptions options_of(const std::vector<const char*>& words) {
    const auto parsed = parse(words);
    const auto* answer = std::get_if<CommandLineAnswer>(&parsed);
    INFO((answer != nullptr ? answer->text : ""));
    REQUIRE(answer == nullptr);
    return std::get<RunOptions>(parsed);
}

CommandLineAnswer answer_to(const std::vector<const char*>& words) {
    const auto parsed = parse(words);
    REQUIRE(std::holds_alternative<CommandLineAnswer>(parsed));
    return std::get<CommandLineAnswer>(parsed);
}

}  // namespace

TEST_CASE("without words the demo is played in a window") {
    for (const std::vector<const char*>& words : {std::vector<const char*>{}, {"run"}}) {
        const RunOptions options = options_of(words);
        CHECK(options.game.empty());
        CHECK_FALSE(options.is_headless);
        CHECK_FALSE(options.frame_limit.has_value());
        CHECK_FALSE(options.seed.has_value());
        CHECK(options.drawing == Backend::Drawing::automatic);
    }
}

TEST_CASE("a game may stand without the word run, also behind options") {
    CHECK(options_of({"some/game"}).game == "some/game");
    CHECK(options_of({"run", "some/game"}).game == "some/game");
    CHECK(options_of({"--headless", "some/game"}).game == "some/game");
    CHECK(options_of({"--frames", "7", "some/game"}).frame_limit == 7U);
}

TEST_CASE("folders of mods are named one by one, for a run and for the list of mods") {
    const std::vector<std::filesystem::path> folders = {"a", "b/c"};
    CHECK(options_of({"game", "--mods", "a", "--mods", "b/c"}).mod_folders == folders);
    const auto mods = std::get<ModsOptions>(parse({"mods", "--mods", "a", "--mods", "b/c", "game"}));
    CHECK(mods.mod_folders == folders);
    CHECK(mods.game == "game");
    CHECK(std::get<ModsOptions>(parse({"mods"})).game.empty());
}

TEST_CASE("plugins are named one by one, and a game's own are allowed by a word") {
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

TEST_CASE("files are watched or not, as one says") {
    CHECK_FALSE(options_of({"g"}).watches_files);
    CHECK(options_of({"g", "--watch"}).watches_files == true);
    CHECK(options_of({"g", "--no-watch"}).watches_files == false);
    CHECK(answer_to({"run", "g", "--watch", "--no-watch"}).exit_status == 2);
}

TEST_CASE("drawing nothing is headless") { CHECK(options_of({"g", "--renderer", "none"}).is_headless); }

TEST_CASE("inspect is a run without picture or window that prints the chunks") {
    const RunOptions options = options_of({"inspect", "g", "--stats", "--frames", "7", "--seed", "2"});
    CHECK(options.prints_usage);
    CHECK(options.is_headless);
    CHECK(options.game == "g");
    CHECK(options.frame_limit == 7u);
    CHECK_FALSE(options_of({"g"}).prints_usage);
}

TEST_CASE("options --jit off and --accept-risk are those of each command that runs scripts") {
    CHECK_FALSE(options_of({"g"}).is_interpreted);
    CHECK_FALSE(options_of({"g", "--jit", "on"}).is_interpreted);
    CHECK(options_of({"g", "--jit", "off"}).is_interpreted);
    CHECK(std::get<CheckOptions>(parse({"check", "g", "--perf", "--jit", "off"})).is_interpreted);
    CHECK(std::get<TestOptions>(parse({"test", "g", "--jit", "off"})).is_interpreted);
    CHECK_FALSE(options_of({"g"}).accepts_risk);
    CHECK(options_of({"g", "--accept-risk"}).accepts_risk);
    CHECK(options_of({"inspect", "g", "--accept-risk"}).accepts_risk);
    CHECK(std::get<CheckOptions>(parse({"check", "g", "--accept-risk"})).accepts_risk);
    CHECK(std::get<TestOptions>(parse({"test", "g", "--accept-risk"})).accepts_risk);
    CHECK(std::get<ReplOptions>(parse({"repl", "g", "--accept-risk"})).accepts_risk);
    CHECK(std::get<StubsOptions>(parse({"stubs", "g", "--accept-risk"})).accepts_risk);
    CHECK_THAT(answer_to({"g", "--jit", "maybe"}).text, Contains("--jit: expected on or off, got 'maybe'"));
}

TEST_CASE("diff takes two logs and nothing else") {
    const auto parsed = parse({"diff", "a.hashes", "b.hashes"});
    REQUIRE(std::holds_alternative<DiffOptions>(parsed));
    CHECK(std::get<DiffOptions>(parsed).first == "a.hashes");
    CHECK(std::get<DiffOptions>(parsed).second == "b.hashes");
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
    CHECK_THAT(help.text, Contains("--renderer auto|software|none") && !Contains("->"));
    CHECK(answer_to({"--help"}).exit_status == 0);
    CHECK_THAT(answer_to({"--help"}).text, Contains("perigee run --help"));
    const CommandLineAnswer version = answer_to({"--version"});
    CHECK(version.exit_status == 0);
    CHECK_THAT(version.text, Catch::Matchers::Matches("perigee [0-9]+\\.[0-9]+\\.[0-9]+, LuaJIT [^\n]+\n"));
}

TEST_CASE("wrong use is an error with status 2 that names the word") {
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
    refused({"run", "--seed", "-1"}, "--seed");
    refused({"run", "--seed", "18446744073709551616"}, "--seed");
    refused({"run", "--frames"}, "--frames");
    refused({"run", "--renderer", "vulkan"}, "vulkan");
    refused({"run", "--fullscreen", "--windowed"}, "--windowed");
    refused({"run", "--renderer", "none", "--screenshot", "a.png"}, game_errors::kPictureOfNothing);
    refused({"run", "--replay", "r", "--seed", "1"}, game_errors::kReplaySeed);
}
