// Scripts are read through a mount, and error texts complete a sentence.
#include "engine/assets/asset_file_source.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;
using perigee::test::TemporaryFolder;

TEST_CASE("a mod reads files from its own mount, and error texts complete a sentence") {
    const TemporaryFolder folder;
    folder.write("a/main.lua", "return 1");
    folder.write("b/lib/x.lua", "return 2");
    AssetStore store;
    REQUIRE(store.mount("a", folder.path() / "a"));
    REQUIRE(store.mount("b", folder.path() / "b"));
    CHECK(store.find_mount("b") == 1U);
    CHECK_FALSE(store.find_mount("c"));
    const AssetFileSource a{store, 0};
    const AssetFileSource b{store, 1};
    CHECK(a.read("main.lua").value() == "return 1");
    CHECK(b.read("lib/x.lua").value() == "return 2");
    CHECK(a.has("main.lua"));
    CHECK_FALSE(b.has("main.lua"));
    CHECK(b.read("main.lua").error().message == "does not exist");
    CHECK(b.read("lib").error().message == "is a directory");
    CHECK(b.read("../a/main.lua").error().message ==
          "contains '.' or '..' as a part; paths never leave the game's folder");
}
