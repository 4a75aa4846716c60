// Paths that leave the mod, in every spelling, and links that do.
#include "scripting/base/file_source.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace perigee {
namespace {

TEST_CASE("inner paths are plain and relative") {
    for (const char* path : {"main.lua", "lib/util.lua", "a.b/c d", "..a", "a.."}) CHECK(is_inner_path(path));
    for (const char* path : {"", "/", "/a", "a/", "a//b", ".", "..", "a/../b", "./a", "a/.", "c:a", "a\\b"}) {
        CAPTURE(path);
        CHECK_FALSE(is_inner_path(path));
    }
    CHECK_FALSE(is_inner_path(std::string_view("a\0b", 3)));
}

TEST_CASE("a directory source reads files below its root and nothing else") {
    namespace fs = std::filesystem;
    const fs::path root = fs::temp_directory_path() / "perigee_file_source_test";
    fs::remove_all(root);
    fs::create_directories(root / "mod/lib");
    std::ofstream(root / "secret.txt") << "secret";
    std::ofstream(root / "mod/lib/a.lua", std::ios::binary) << "return 1";
    fs::create_symlink(root / "secret.txt", root / "mod/link.lua");
    fs::create_symlink(root, root / "mod/up");
    fs::create_symlink("lib/a.lua", root / "mod/inner.lua");
    REQUIRE(mkfifo((root / "mod/pipe.lua").c_str(), 0600) == 0);

    const DirectorySource source(root / "mod");
    CHECK(source.read("lib/a.lua").value() == "return 1");
    CHECK(source.read("inner.lua").value() == "return 1");
    CHECK(source.has("lib/a.lua"));
    CHECK_FALSE(source.has("lib/b.lua"));
    CHECK(source.read("lib/b.lua").error().message == "does not exist");
    CHECK(source.read("lib/b.lua").error().kind == ErrorKind::not_found);
    CHECK(source.read("../b.lua").error().kind == ErrorKind::refused);
    CHECK(source.read("pipe.lua").error().message == "is a pipe, not a file");
    CHECK(source.read("lib").error().message == "is a directory, not a file");
    CHECK(source.read("../secret.txt").error().message == "is not a path inside the mod");
    CHECK(source.read("link.lua").error().message == "is not a path inside the mod");
    CHECK(source.read("up/secret.txt").error().message == "is not a path inside the mod");
    fs::remove_all(root);
}

TEST_CASE("a memory source returns its files") {
    const MemorySource source(MemorySource::Files{{"main.lua", "x"}});
    CHECK(source.read("main.lua").value() == "x");
    CHECK(source.has("main.lua"));
    CHECK_FALSE(source.read("other.lua").ok());
    CHECK_FALSE(source.read("../main.lua").ok());
}

}  // namespace
}  // namespace perigee
