// The code in README.md and docs/ works when it is pasted: each block that names a file is written to a
// game's folder, and each main.lua is played headless. The quoted minimal host is the file itself.
#include "ecs/archetype/chunk_layout.h"
#include "ecs/schedule/schedule.h"
#include "ecs/world/world.h"
#include "engine/assets/image_table.h"
#include "engine/draw/color.h"
#include "engine/engine.h"
#include "engine/input/input_code.h"
#include "engine/mods/mod_manifest.h"
#include "engine/session/game_session.h"
#include "engine/tools/console.h"
#include "scripting/mods/runtime.h"
#include "scripting/sandbox/state.h"
#include "scripting/tools/console.h"
#include "tests/support/annotated_api.h"
#include "tests/support/markdown.h"
#include "tests/support/sound_files.h"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using test::Block;
using test::blocks_of;
using test::text_of;

std::string page(const char* name) { return test::page_of_docs(name); }

class GameFolder {
public:
    GameFolder() : path_(fs::temp_directory_path() / ("perigee_docs_" + std::to_string(::getpid()))) {
        fs::remove_all(path_);
        fs::create_directories(path_);
    }
    ~GameFolder() { fs::remove_all(path_); }
    GameFolder(const GameFolder&) = delete;
    GameFolder& operator=(const GameFolder&) = delete;

    void write(const Block& block) const {
        fs::create_directories((path_ / block.file).parent_path());
        std::ofstream file(path_ / block.file, block.is_addition ? std::ios::app : std::ios::trunc);
        file << block.text;
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

// Plays `frames` frames; fails with the log when a script does.
struct Played {
    std::string log;
    std::uint64_t errors;
    std::size_t entities;
    std::size_t items;
};

Played play(const fs::path& game, int frames, std::vector<fs::path> plugins = {}) {
    Played played{};
    EngineConfig config;
    config.game = game;
    config.plugins = std::move(plugins);
    config.log = [&](const LogEntry& entry) { played.log += std::string(entry.text) + "\n"; };
    Result<std::unique_ptr<Engine>> engine = Engine::create(config);
    REQUIRE(engine.ok());
    FrameInput frame;
    frame.exact_steps = 1;
    for (int i = 0; i < frames; ++i) engine.value()->step(frame);
    played.errors = engine.value()->error_count();
    played.entities = engine.value()->session().world().entity_count();
    played.items = engine.value()->draw_list().item_count();
    return played;
}

void play_blocks(const std::string& document, int expected_games, std::size_t least_entities,
                 const std::vector<Block>& assets = {}) {
    const GameFolder folder;
    for (const Block& asset : assets) folder.write(asset);
    int games = 0;
    Played last{};
    for (const Block& block : blocks_of(text_of(document))) {
        if (block.file != "mod.json" && (block.language != "lua" || block.file.empty())) continue;
        folder.write(block);
        if (block.file != "main.lua") continue;
        ++games;
        INFO(document << ", game " << games);
        last = play(folder.path(), 300);
        INFO(last.log);
        CHECK(last.errors == 0);
        CHECK(last.items > 0);
    }
    CHECK(games == expected_games);
    CHECK(last.entities >= least_entities);
}

TEST_CASE("the first game of the README works when it is pasted") { play_blocks("README.md", 1, 15); }

TEST_CASE("the port of the page for users of LÖVE works when it is pasted") {
    play_blocks("docs/coming-from-love.md", 1, 0);
}

TEST_CASE("every step of the first-game page works when it is pasted") {
    play_blocks("docs/first-game.md", 3, 15);
}

TEST_CASE("the game of each page in docs/tasks works when it is pasted") {
    const fs::path tasks = fs::path(PERIGEE_SOURCE_DIR) / "docs/tasks";
    const std::vector<Block> assets{{"", "assets/bounce.wav", false, test::silent_wav()}};
    int pages = 0;
    for (const fs::directory_entry& entry : fs::directory_iterator(tasks)) {
        const std::string name = entry.path().filename();
        if (name == "debugging.md") continue;  // commands, and no game
        play_blocks("docs/tasks/" + name, name == "drawing.md" ? 2 : 1, 0, assets);
        ++pages;
    }
    CHECK(pages >= 7);
}

TEST_CASE("the games of the page on designing work when they are pasted") {
    play_blocks("docs/designing.md", 2, 1);
}

TEST_CASE("the game of the page on files of data works when it is pasted [C6]") {
    const GameFolder folder;
    fs::create_directories(folder.path() / "data");
    int files = 0;
    for (const Block& block : blocks_of(text_of("docs/data-files.md"))) {
        if (block.file.empty()) continue;
        folder.write(block);
        ++files;
    }
    CHECK(files == 4);
    const Played played = play(folder.path(), 5);
    INFO(played.log);
    CHECK(played.errors == 0);
    CHECK(played.entities == 6);
}

TEST_CASE("the plugin page quotes the example as it is, and its game is blown about by it") {
    const GameFolder folder;
    bool is_quoted = false;
    for (const Block& block : blocks_of(text_of("docs/plugins.md"))) {
        if (block.language == "lua") folder.write(block);
        if (block.language == "c") is_quoted = block.text == text_of("game/plugins/wind.c");
    }
    CHECK(is_quoted);
    const Played played = play(folder.path(), 60, {PERIGEE_BINARY_DIR "/plugins/wind.so"});
    INFO(played.log);
    CHECK(played.errors == 0);
    CHECK(played.entities >= 40);
    // main.lua orders itself after wind:blow, which only the plugin brings.
    CHECK(play(folder.path(), 1).errors > 0);
}

TEST_CASE("the line of text of the page on the Lua API is edited as the page says") {
    const GameFolder folder;
    for (const Block& block : blocks_of(page("lua/input.md")))
        if (block.file == "main.lua") folder.write(block);
    EngineConfig config;
    config.game = folder.path();
    Result<std::unique_ptr<Engine>> engine = Engine::create(config);
    REQUIRE(engine.ok());
    FrameInput frame;
    frame.exact_steps = 1;
    frame.raw.type("aßc");
    frame.raw.events.push_back({InputCode::key_backspace, 1});
    frame.raw.events.push_back({.code = InputCode::key_backspace, .value = 1, .is_repeat = true});
    frame.raw.type("d");
    engine.value()->step(frame);
    CHECK_THAT(engine.value()->draw_list().dump(engine.value()->images()), Contains("\"Your name: ad_\""));
    CHECK(engine.value()->error_count() == 0);
}

TEST_CASE("the game of the page about events works when it is pasted") {
    play_blocks("docs/events.md", 1, 0);
}

TEST_CASE("the game of docs/testing.md works; tests/game/testing/run_tests_test.cpp runs its tests") {
    play_blocks("docs/testing.md", 1, 1);
}

TEST_CASE("every example plays without an error and shows something") {
    int examples = 0;
    for (const fs::directory_entry& entry :
         fs::directory_iterator(fs::path(PERIGEE_SOURCE_DIR) / "scripts/examples")) {
        ++examples;
        const Played played = play(entry.path(), 300);
        INFO(entry.path() << "\n" << played.log);
        CHECK(played.errors == 0);
        CHECK(played.items > 0);
    }
    CHECK(examples >= 2);
}

TEST_CASE("the README quotes the minimal host as it is, and it does what it says") {
    const std::string host = text_of("game/minimal_host.cpp");
    bool is_quoted = false;
    for (const Block& block : blocks_of(text_of("README.md"))) {
        is_quoted = is_quoted || (block.language == "cpp" && block.text == host);
    }
    CHECK(is_quoted);

    std::FILE* pipe = popen(("\"" PERIGEE_BINARY_DIR "/minimal_host\" 2>&1"), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 256> line{};
    const bool has_line = std::fgets(line.data(), line.size(), pipe) != nullptr;
    CHECK(pclose(pipe) == 0);
    REQUIRE(has_line);
    // 60 steps of semi-implicit Euler: 100 - 9.81 / 2 * (1 + 1/60).
    CHECK_THAT(std::string(line.data()), Contains("after one second the body is at 95.01 m"));
}

// A block that names no file, as a game: inside a function that is never called, so that it is read but not
// run.
std::uint64_t mistakes_in(const GameFolder& folder, const std::string& text, std::string& log) {
    folder.write({"lua", "main.lua", false, "function never_called()\n" + text + "\nend\n"});
    const Played played = play(folder.path(), 1);
    log = played.log;
    return played.errors;
}

TEST_CASE("the Lua of every page that is no whole file is at least Lua") {
    const GameFolder folder;
    std::string log;
    CHECK(mistakes_in(folder, "local x == 1", log) != 0);
    std::vector<fs::path> pages{fs::path(PERIGEE_SOURCE_DIR) / "README.md"};
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(PERIGEE_SOURCE_DIR) / "docs")) {
        if (entry.path().extension() == ".md") pages.push_back(entry.path());
    }
    int count = 0;
    for (const fs::path& page : pages) {
        for (const Block& block : blocks_of(text_of(page))) {
            if (block.language != "lua" || !block.file.empty()) continue;
            ++count;
            const std::uint64_t mistakes = mistakes_in(folder, block.text, log);
            INFO(page << "\n" << block.text << log);
            CHECK(mistakes == 0);
        }
    }
    CHECK(count > 10);
}

// ---- what the code knows ----------------------------------------------------------------------------------

// From a heading to the next one of its level.
std::string section(const std::string& text, const std::string& heading) {
    const std::size_t begin = text.find("\n" + heading + "\n");
    INFO(heading);
    REQUIRE(begin != std::string::npos);
    const std::size_t end = text.find("\n## ", begin + 4);
    return text.substr(begin, end - begin);
}

// What the pages of the Lua API say about a module of the engine.
std::string pages_of_module(const std::string& name) {
    if (name == "input") return page("lua/input.md");
    if (name != "gfx") return section(test::lua_api_pages(), "## " + name);
    std::string text;
    for (const char* file : {"gfx", "text", "surfaces", "components", "views"})
        text += page((std::string("lua/") + file + ".md").c_str());
    return text;
}

bool has_word(const std::string& text, const std::string& word) {
    return std::regex_search(text, std::regex("(^|[^A-Za-z0-9_])" + word + "([^A-Za-z0-9_]|$)"));
}

TEST_CASE("every function, method and field that scripts can use stands in docs/lua-api.md [N15]") {
    const ApiTable api = annotated_api();
    const std::string text = test::lua_api_pages();
    const std::string systems = section(text, "## Systems"), commands = section(text, "## Commands"),
                      outside = section(text, "## Outside of systems");
    const std::string all_commands = commands + section(text, "## Buffers") + section(text, "## Objects");
    const std::map<std::string, std::string> kPlaces{{"perigee.World", outside},
                                                     {"perigee.Commands", all_commands},
                                                     {"perigee.Context", systems + all_commands},
                                                     {"perigee.Random", systems},
                                                     {"perigee.Chunk", systems},
                                                     {"perigee.NamedQuery", systems},
                                                     {"perigee.Buffer", section(text, "## Buffers")},
                                                     {"perigee.ecs", text},
                                                     {"perigee.PrintOptions", pages_of_module("gfx")},
                                                     {"perigee.ImageOptions", pages_of_module("gfx")},
                                                     {"perigee.PlayOptions", section(text, "## audio")},
                                                     {"perigee.MusicOptions", section(text, "## audio")}};
    int checked = 0;
    const auto check = [&](const std::string& name, const std::string& where) {
        const ApiClass* const entries = api.find(name);
        REQUIRE(entries != nullptr);
        for (const std::string_view entry : entries->names()) {
            INFO(name << ": " << entry);
            CHECK(has_word(where, std::string(entry)));
            ++checked;
        }
    };
    for (const auto& [name, where] : kPlaces) check(name, where);
    for (const auto& [name, entries] : api.classes())
        if (name.find('.') == name.npos) check(name, pages_of_module(name));
    CHECK(checked > 150);
}

TEST_CASE("the annotations have every function that the library registers, and no other [N15]") {
    const ApiTable api = annotated_api();
    const GameFolder folder;
    folder.write(
        {"lua", "main.lua", false, "local ecs = require 'ecs'\necs.system('s', { run = function() end })\n"});
    EngineConfig config;
    config.game = folder.path();
    const Result<std::unique_ptr<Engine>> engine = Engine::create(config);
    REQUIRE(engine.ok());
    ScriptRuntime& scripts = engine.value()->session().scripts();
    std::map<std::string, std::string> kObjects{{"world:", "perigee.World"}, {"ecs.", "perigee.ecs"}};
    for (const auto& [name, entries] : api.classes())
        if (name.find('.') == name.npos) kObjects[name + "."] = name;
    CHECK(kObjects.size() >= 5);
    for (const auto& [prefix, name] : kObjects) {
        std::set<std::string> annotated;
        for (const std::string_view entry : api.find(name)->names()) annotated.emplace(entry);
        const Completion found = complete(scripts, engine.value()->manifest().id, prefix);
        INFO(prefix);
        CHECK(std::set<std::string>(found.words.begin(), found.words.end()) == annotated);
    }
    // Those of ctx, its commands and buffers, where they are defined.
    std::set<std::string> known;
    for (const char* name :
         {"perigee.World", "perigee.Context", "perigee.Commands", "perigee.Buffer", "perigee.Random",
          "perigee.NamedQuery", "perigee.SideWorld", "perigee.Pixels", "perigee.Mesh"})
        for (const std::string_view entry : api.find(name)->names()) known.emplace(entry);
    const std::regex method{R"(function methods\.([a-z_]+)\()"};
    int methods = 0;
    for (const auto& file :
         fs::recursive_directory_iterator(fs::path(PERIGEE_SOURCE_DIR) / "scripts/runtime")) {
        if (file.path().extension() != ".lua") continue;
        const std::string text = text_of(file.path());
        for (std::sregex_iterator at{text.begin(), text.end(), method}, end; at != end; ++at, ++methods) {
            INFO(file.path() << ": " << (*at)[1]);
            CHECK(known.contains((*at)[1]));
        }
    }
    CHECK(methods > 60);
}

TEST_CASE("the reserved names of docs/lua-api.md are those of the code [N4]") {
    const GameFolder folder;
    folder.write({"lua", "main.lua", false, "function draw() end\n"});
    EngineConfig config;
    config.game = folder.path();
    const Result<std::unique_ptr<Engine>> engine = Engine::create(config);
    REQUIRE(engine.ok());
    const std::string text = test::lua_api_pages();
    const std::size_t begin = text.find("**Reserved names.**");
    REQUIRE(begin != text.npos);
    const std::string paragraph = text.substr(begin, text.find("A file of your game", begin) - begin);
    std::set<std::string> written;
    const std::regex quoted{"`([^`]+)`"};
    for (std::sregex_iterator at{paragraph.begin(), paragraph.end(), quoted}, end; at != end; ++at) {
        std::istringstream words((*at)[1]);
        for (std::string word; words >> word;)
            if (word != "require") written.insert(word);
    }
    const ScriptState* const state = engine.value()->session().scripts().state(engine.value()->manifest().id);
    REQUIRE(state != nullptr);
    const std::vector<std::string> reserved = state->reserved_names();
    CHECK(written == std::set<std::string>(reserved.begin(), reserved.end()));
}

TEST_CASE("numbers and lists of docs/concepts.md are those of the code [N16]") {
    const std::string text = page("concepts.md");
    World world;
    constexpr std::array<ColumnRequest, 2> kPositionAndVelocity{ColumnRequest{ComponentId{1}, 8},
                                                                ColumnRequest{ComponentId{2}, 8}};
    const ChunkShape shape;
    const ChunkLayout layout = layout_chunk(kPositionAndVelocity, shape).value();
    const std::string rows = std::to_string(layout.capacity);
    CHECK_THAT(text,
               Contains("{Position, Velocity}, " + rows.substr(0, 1) + "," + rows.substr(1) + " rows in " +
                        std::to_string(layout.unit_count * shape.unit_bytes / 1024) + " KiB"));
    const std::string unit = std::to_string(shape.unit_bytes / 1024);
    CHECK_THAT(text, Contains("of " + unit + ", " + std::to_string(shape.unit_bytes / 512) + " or " +
                              std::to_string(shape.unit_bytes / 256) + " KiB"));
    CHECK(kWantedChunkRows == 1024);
    CHECK_THAT(text, Contains("1,024 rows"));
    CHECK_THAT(text_of("README.md"), Contains("chunks of " + unit + " to 64 KiB"));
    CHECK_THAT(text, Contains("five groups"));
    const Schedule schedule(world, 1);
    for (const std::string_view group :
         {kInitialization, kSimulation, kTransforms, kPresentation, kReactions})
        CHECK_THAT(text, Contains("| `" + std::string(group) + "` |"));
}

TEST_CASE("the benchmarks that docs/designing.md takes its figures from exist [N16]") {
    const std::string text = page("designing.md");
    const std::string measured = text_of("bench/results/latest.json");
    const std::regex figure{R"(\n\| [^|]+ \| [0-9.]+ \| `([^`]+)` \|)"};
    int figures = 0;
    for (std::sregex_iterator at{text.begin(), text.end(), figure}, end; at != end; ++at, ++figures)
        CHECK_THAT(measured, Contains("\"row\": \"" + (*at)[1].str() + "\""));
    CHECK(figures >= 10);
}

TEST_CASE("colours and controls of docs/lua-api.md are those of the code") {
    const std::string text = test::lua_api_pages();
    const std::string colors = text.substr(text.find("or a name: ") + 11);
    std::istringstream names(colors.substr(0, colors.find('.')));
    int count = 0;
    for (std::string name; names >> name; ++count) {
        if (name.ends_with(',')) name.pop_back();
        INFO(name);
        CHECK(color_from_text(name));
    }
    CHECK(count == 21);
    const std::string input = pages_of_module("input");
    std::size_t controls = 0;
    for (std::size_t code = 0; code < kInputCodeCount; ++code) {
        const std::string name(input_code_name(static_cast<InputCode>(code)));
        const bool is_in_range =
            name.size() == 1 || (name[0] == 'f' && name.size() <= 3) || name.starts_with("kp");
        if (is_in_range) continue;
        INFO(name);
        CHECK(input.find(name) != std::string::npos);
        ++controls;
    }
    CHECK(controls > 60);
}

TEST_CASE("every command of the console stands in docs/modding.md [N15]") {
    const GameFolder folder;
    folder.write({"lua", "main.lua", false, "function draw() end\n"});
    EngineConfig config;
    config.game = folder.path();
    const Result<std::unique_ptr<Engine>> engine = Engine::create(config);
    REQUIRE(engine.ok());
    Console console;
    console.submit(":help", engine.value()->session());
    const std::string text = page("modding.md");
    const std::regex word{":[a-z]+"};
    int commands = 0;
    for (const ConsoleLine& line : console.output()) {
        if (line.text.starts_with(">")) continue;
        std::smatch found;
        if (!std::regex_search(line.text, found, std::regex("^:[a-z]+"))) continue;
        INFO(found.str());
        CHECK(text.find("`" + found.str()) != std::string::npos);
        ++commands;
    }
    CHECK(commands >= 4);
    CHECK_THAT(text, Contains("`:step N`"));
}

TEST_CASE("docs/requirements.md says what each id in a test stands for, and where it is tested [N16]") {
    const fs::path tests = fs::path(PERIGEE_SOURCE_DIR) / "tests";
    const std::regex id{R"(\[([A-Z][0-9]+)\])"};
    std::map<std::string, std::set<std::string>> folders, written;
    for (const auto& file : fs::recursive_directory_iterator(tests)) {
        if (!file.is_regular_file() ||
            (file.path().extension() != ".cpp" && file.path().extension() != ".lua"))
            continue;
        const fs::path inside = fs::relative(file.path(), tests);
        // The tests of the whole tree are in no folder.
        const std::string place =
            inside.has_parent_path() ? inside.parent_path().string() : inside.stem().string();
        const std::string text = text_of(file.path());
        for (std::sregex_iterator at{text.begin(), text.end(), id}, end; at != end; ++at)
            folders[(*at)[1]].insert(place);
    }
    const std::regex quoted{"`([^`]+)`"};
    std::istringstream lines(page("requirements.md"));
    std::smatch row;
    for (std::string line; std::getline(lines, line);) {
        if (!std::regex_match(line, row, std::regex(R"(\| ([A-Z][0-9]+) \| .+ \| ([^|]+) \|)"))) continue;
        const std::string places = row[2];
        INFO(line);
        CHECK_FALSE(written.contains(row[1]));
        for (std::sregex_iterator at{places.begin(), places.end(), quoted}, end; at != end; ++at)
            written[row[1]].insert((*at)[1]);
    }
    CHECK(folders.size() > 50);
    for (const auto& [name, places] : folders) {
        INFO(name);
        CHECK(written[name] == places);
    }
    for (const auto& [name, places] : written) {
        INFO(name << " is in the name of no test");
        CHECK(folders.contains(name));
    }
}

TEST_CASE("CHANGELOG.md has no entry twice, and its newest version is that of the build [N16]") {
    const fs::path root(PERIGEE_SOURCE_DIR);
    const std::string text = text_of(root / "CHANGELOG.md"), build = text_of(root / "CMakeLists.txt");
    std::istringstream lines(text);
    std::set<std::string> seen;
    for (std::string line; std::getline(lines, line);) {
        if (line.size() < 30) continue;
        INFO(line);
        CHECK(seen.insert(line).second);
    }
    CHECK(seen.size() > 50);
    std::smatch version;
    REQUIRE(std::regex_search(build, version, std::regex(R"(project\(perigee VERSION ([0-9.]+))")));
    const std::size_t unreleased = text.find("\n## Unreleased\n");
    REQUIRE(unreleased != text.npos);
    const std::size_t newest = text.find("\n## ", unreleased + 1);
    CHECK_THAT(text.substr(newest), Catch::Matchers::StartsWith("\n## " + version[1].str() + " ("));
}

}  // namespace
}  // namespace perigee
