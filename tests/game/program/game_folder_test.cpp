// Folders that are games and folders that are not.
#include "game/program/game_folder.h"

#include "game/program/error_codes.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace perigee;

TEST_CASE("a folder with a main.lua is a game, and the engine checks archives") {
    const test::TemporaryFolder folder;
    folder.write("game/main.lua", "");
    const std::filesystem::path archive = folder.write("game.zip", "zip");
    CHECK(find_game(folder.path() / "game", {}).value() == folder.path() / "game");
    CHECK(find_game(archive, {}).value() == archive);
}

TEST_CASE("a path that is not a game is refused with the reason") {
    const test::TemporaryFolder folder;
    const auto refusal = [&](const char* name) {
        return find_game(folder.path() / name, {}).error().message;
    };
    CHECK(refusal("missing") == "'" + (folder.path() / "missing").string() + "': no such folder or archive");
    std::filesystem::create_directories(folder.path() / "empty");
    CHECK_THAT(refusal("empty"), Catch::Matchers::EndsWith("is not a game: it has no main.lua"));
    std::filesystem::create_directories(folder.path() / "odd" / "main.lua");
    CHECK_THAT(refusal("odd"),
               Catch::Matchers::EndsWith("is not a game: its main.lua is a directory, not a file"));
}

TEST_CASE("without a name the game is the demo of the first tree that has one") {
    const test::TemporaryFolder first;
    const test::TemporaryFolder second;
    CHECK(find_game("", {}).error().message == game_errors::kNoDemo);
    CHECK(find_game("", {first.path(), second.path()}).error().message == game_errors::kNoDemo);
    second.write("scripts/games/swarm/main.lua", "");
    const auto demo_of = [](const test::TemporaryFolder& tree) {
        return std::filesystem::canonical(tree.path() / "scripts/games/swarm");
    };
    CHECK(find_game("", {first.path(), second.path()}).value() == demo_of(second));
    first.write("scripts/games/swarm/main.lua", "");
    CHECK(find_game("", {first.path(), second.path()}).value() == demo_of(first));
}

TEST_CASE("an installed program has its games in share, and a built one uses those of the source") {
    using Paths = std::vector<std::filesystem::path>;
    CHECK(source_trees("/opt/games/bin/perigee") == Paths{"/opt/games/share/perigee", "/opt"});
    const Paths built = source_trees();
    CHECK(std::ranges::find(built, std::filesystem::path{PERIGEE_SOURCE_DIR}) != built.end());
}
