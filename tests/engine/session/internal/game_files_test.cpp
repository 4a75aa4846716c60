// The mod that a file belongs to.
#include "engine/session/internal/game_files.h"

#include "engine/session/game_config.h"
#include "engine/session/internal/session_log.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>

using namespace perigee;

namespace {

void write(const std::filesystem::path& file, const char* text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream{file} << text;
}

}  // namespace

TEST_CASE("a path below a root is relative to the root") {
    CHECK(path_below("/games/swarm", "/games/swarm/assets/a.png") == "assets/a.png");
    CHECK(path_below("/games/swarm/", "/games/./swarm/main.lua") == "main.lua");
    CHECK(path_below("/games/swarm", "/games/swarm2/main.lua") == std::nullopt);
    CHECK(path_below("/games/swarm", "/games") == std::nullopt);
}

TEST_CASE("a file of a mod in the game's folder belongs to the mod") {
    const test::TemporaryFolder folder;
    write(folder.path() / "main.lua", "");
    write(folder.path() / "mod.json", R"({ "id": "swarm", "version": "1.0.0" })");
    write(folder.path() / "mods/storms/main.lua", "");
    write(folder.path() / "mods/storms/mod.json", R"({ "version": "1.0.0" })");
    GameFiles files;
    const SessionLog log{{}, files.manifest()};
    GameConfig config;
    config.game = folder.path();
    REQUIRE(files.open(config, log).ok());
    REQUIRE(files.mods().order.places.size() == 1);
    REQUIRE(files.mount(files.mods().order.places.front()).ok());
    files.add_game_root();

    CHECK(files.root_of(folder.path() / "mods/storms/main.lua")->mod == "storms");
    CHECK(files.root_of(folder.path() / "main.lua")->mod == "swarm");
    CHECK(files.root_of("/elsewhere/main.lua") == nullptr);
    CHECK(files.mount_of("swarm") == kGame);
    CHECK(files.mount_of("storms") != kGame);
    CHECK(files.mount_of("unknown") == kGame);
    CHECK(files.find_manifest("storms")->version.text() == "1.0.0");
    CHECK(files.find_manifest("unknown") == nullptr);
}
