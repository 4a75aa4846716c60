// The code in README.md and docs/ works when it is pasted: each block that names a file is written to a
// game's folder, and each main.lua is played headless. The quoted minimal host is the file itself.
#include "engine/engine.h"
#include "tests/support/markdown.h"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using Catch::Matchers::Contains;
using test::Block;
using test::blocks_of;

std::string read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

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
    played.items = engine.value()->picture().items().size();
    return played;
}

void play_blocks(const std::string& document, int expected_games, std::size_t least_entities) {
    const GameFolder folder;
    int games = 0;
    Played last{};
    for (const Block& block : blocks_of(read(fs::path(PERIGEE_SOURCE_DIR) / document))) {
        if (block.language != "lua" || block.file.empty()) continue;
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

TEST_CASE("every step of the first-game page works when it is pasted") {
    play_blocks("docs/first-game.md", 3, 15);
}

TEST_CASE("the game of the page on files of data works when it is pasted [C6]") {
    const GameFolder folder;
    fs::create_directories(folder.path() / "data");
    int files = 0;
    for (const Block& block : blocks_of(read(fs::path(PERIGEE_SOURCE_DIR) / "docs/data-files.md"))) {
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
    for (const Block& block : blocks_of(read(fs::path(PERIGEE_SOURCE_DIR) / "docs/plugins.md"))) {
        if (block.language == "lua") folder.write(block);
        if (block.language == "c")
            is_quoted = block.text == read(fs::path(PERIGEE_SOURCE_DIR) / "game/plugins/wind.c");
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
    for (const Block& block : blocks_of(read(fs::path(PERIGEE_SOURCE_DIR) / "docs/lua-api.md")))
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
    CHECK_THAT(engine.value()->picture().dump(engine.value()->images()), Contains("\"Your name: ad_\""));
    CHECK(engine.value()->error_count() == 0);
}

TEST_CASE("the game of the page about events works when it is pasted") {
    play_blocks("docs/events.md", 1, 0);
}

TEST_CASE("the game of docs/testing.md works; tests/game/run_tests_test.cpp runs its tests") {
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
    const std::string host = read(fs::path(PERIGEE_SOURCE_DIR) / "game/minimal_host.cpp");
    bool is_quoted = false;
    for (const Block& block : blocks_of(read(fs::path(PERIGEE_SOURCE_DIR) / "README.md"))) {
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
        for (const Block& block : blocks_of(read(page))) {
            if (block.language != "lua" || !block.file.empty()) continue;
            ++count;
            const std::uint64_t mistakes = mistakes_in(folder, block.text, log);
            INFO(page << "\n" << block.text << log);
            CHECK(mistakes == 0);
        }
    }
    CHECK(count > 10);
}

// The page without its blocks of code, where "](" begins the parameters of a lambda.
std::string without_code(const std::string& text) {
    std::string prose;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t block = std::min(text.find("```", at), text.size());
        prose += text.substr(at, block - at);
        const std::size_t end = block < text.size() ? text.find("```", block + 3) : text.npos;
        at = end == text.npos ? text.size() : end + 3;
    }
    return prose;
}

TEST_CASE("links between the pages lead to files") {
    for (const char* document :
         {"README.md", "docs/README.md", "docs/first-game.md", "docs/concepts.md", "docs/security.md",
          "docs/lua-api.md", "docs/events.md", "docs/determinism.md", "docs/profile.md", "docs/data-files.md",
          "docs/embedding.md", "docs/plugins.md"}) {
        const fs::path page = fs::path(PERIGEE_SOURCE_DIR) / document;
        const std::string text = without_code(read(page));
        for (std::size_t at = text.find("]("); at != std::string::npos; at = text.find("](", at + 1)) {
            const std::string target = text.substr(at + 2, text.find_first_of(")#", at + 2) - at - 2);
            if (target.empty() || target.starts_with("http")) continue;
            INFO(document << " -> " << target);
            CHECK(fs::exists(page.parent_path() / target));
        }
    }
}

}  // namespace
}  // namespace perigee
