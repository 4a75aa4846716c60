// Files are written, replaced, moved and removed, and the watch reports each once, with inotify and with
// polling.
#include "engine/base/file_watch.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace perigee {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Names = std::vector<std::string>;

FileWatchConfig quick(bool uses_polling) { return {uses_polling, 5ms, 5ms}; }

// Waits for the first changes, and then until there are no more.
Names changes_of(FileWatch& watch, const fs::path& root) {
    Names names;
    const auto give_up = FileWatch::Clock::now() + 3s;
    auto last = FileWatch::Clock::now();
    while (FileWatch::Clock::now() < give_up) {
        for (const fs::path& file : watch.take_changes()) {
            names.push_back(file.lexically_relative(root).string());
            last = FileWatch::Clock::now();
        }
        if (!names.empty() && FileWatch::Clock::now() - last > 60ms) break;
        std::this_thread::sleep_for(2ms);
    }
    std::sort(names.begin(), names.end());
    return names;
}

TEST_CASE("a watch reports saved, new, deleted and replaced files, each once") {
    const bool uses_polling = GENERATE(false, true);
    const test::TemporaryFolder folder;
    folder.write("main.lua", "1");
    folder.write("lib/util.lua", "1");
    FileWatch watch(quick(uses_polling));
    REQUIRE(watch.add(folder.path()).ok());
    CHECK(watch.is_polling() == uses_polling);
    CHECK(watch.take_changes().empty());

    folder.write("main.lua", "22");
    CHECK(changes_of(watch, folder.path()) == Names{"main.lua"});
    folder.write("lib/util.lua", "22");
    folder.write("lib/new.lua", "1");
    CHECK(changes_of(watch, folder.path()) == Names{"lib/new.lua", "lib/util.lua"});

    // As editors save: written beside it, then put in its place.
    folder.write("main.lua~", "333");
    folder.write(".main.lua.swp", "333");
    fs::rename(folder.write(".tmp", "333"), folder.path() / "main.lua");
    CHECK(changes_of(watch, folder.path()) == Names{"main.lua"});

    fs::remove(folder.path() / "lib/new.lua");
    CHECK(changes_of(watch, folder.path()) == Names{"lib/new.lua"});
    CHECK(watch.take_changes().empty());
}

TEST_CASE("a watch sees files in folders created later, and a folder that is moved in") {
    const bool uses_polling = GENERATE(false, true);
    const test::TemporaryFolder folder, elsewhere;
    FileWatch watch(quick(uses_polling));
    REQUIRE(watch.add(folder.path() / "").ok());
    folder.write("assets/deep/one.png", "1");
    CHECK(changes_of(watch, folder.path()) == Names{"assets/deep/one.png"});
    folder.write("assets/deep/two.png", "1");
    CHECK(changes_of(watch, folder.path()) == Names{"assets/deep/two.png"});
    elsewhere.write("mod/mod.json", "{}");
    elsewhere.write("mod/lib/a.lua", "1");
    fs::rename(elsewhere.path() / "mod", folder.path() / "mod");
    CHECK(changes_of(watch, folder.path()) == Names{"mod/lib/a.lua", "mod/mod.json"});
}

TEST_CASE("a single file is watched without its neighbours") {
    const bool uses_polling = GENERATE(false, true);
    const test::TemporaryFolder folder;
    const fs::path archive = folder.write("mod.zip", "1");
    FileWatch watch(quick(uses_polling));
    REQUIRE(watch.add(archive).ok());
    folder.write("other.zip", "1");
    folder.write("mod.zip", "22");
    CHECK(changes_of(watch, folder.path()) == Names{"mod.zip"});
}

TEST_CASE("a file that is still being written is not reported until it is quiet") {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("main.lua", "1");
    FileWatch watch({false, 500ms, 5ms});
    REQUIRE(watch.add(folder.path()).ok());
    folder.write("main.lua", "2");
    const auto now = FileWatch::Clock::now();
    CHECK(watch.take_changes(now).empty());
    folder.write("main.lua", "3");
    CHECK(watch.take_changes(now + 400ms).empty());
    CHECK(watch.take_changes(now + 800ms).empty());  // it was written again meanwhile
    CHECK(watch.take_changes(now + 901ms) == std::vector<fs::path>{file});
}

TEST_CASE("a missing path cannot be watched") {
    FileWatch watch;
    const Result<void> added = watch.add("/nowhere/at/all");
    REQUIRE_FALSE(added.ok());
    CHECK(added.error().message == "watch: there is no file or folder '/nowhere/at/all'");
}

}  // namespace
}  // namespace perigee
