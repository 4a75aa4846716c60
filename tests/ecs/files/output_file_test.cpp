// What an output replaces, and what it leaves unchanged.
#include "ecs/files/output_file.h"

#include "ecs/files/regular_file.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <sys/stat.h>

#include <vector>

using namespace perigee;

namespace {

namespace fs = std::filesystem;

struct Taken {
    fs::path file;
    std::string reason;
};

// A pipe, a directory and a device, and links to them.
std::vector<Taken> taken_names(const test::TemporaryFolder& folder) {
    const fs::path at = folder.path();
    REQUIRE(::mkfifo((at / "pipe").c_str(), 0600) == 0);
    fs::create_directory(at / "folder");
    fs::create_symlink("pipe", at / "link");
    return {{at / "pipe", "it is a pipe, not a file"},
            {at / "folder", "it is a directory, not a file"},
            {at / "link", "it is a pipe, not a file"},
            {"/dev/null", "it is a device, not a file"}};
}

}  // namespace

TEST_CASE("an output can have a new name or that of a regular file") {
    const test::TemporaryFolder folder;
    CHECK(expect_replaceable(folder.path() / "new").ok());
    CHECK(expect_replaceable(folder.write("old", "")).ok());
    for (const Taken& name : taken_names(folder))
        CHECK(expect_replaceable(name.file).error().message == name.reason);
}

TEST_CASE("a finished part replaces only regular files") {
    const test::TemporaryFolder folder;
    const fs::path part = folder.write("part", "new"), old = folder.write("old", "old");
    for (const Taken& name : taken_names(folder)) {
        const fs::file_type before = fs::symlink_status(name.file).type();
        CHECK(replace_file(part, name.file).error().message == name.reason);
        CHECK(fs::symlink_status(name.file).type() == before);
    }
    CHECK(replace_file(part, folder.path() / "none" / "a").error().message == "No such file or directory");
    REQUIRE(replace_file(part, old).ok());
    CHECK(read_regular_file(old).value() == "new");
    CHECK_FALSE(fs::exists(part));
}

TEST_CASE("a written file replaces the whole contents of a regular file, and nothing else") {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("a", "a longer text");
    REQUIRE(write_regular_file(file, "short").ok());
    CHECK(read_regular_file(file).value() == "short");
    for (const Taken& name : taken_names(folder))
        CHECK(write_regular_file(name.file, "x").error().message == name.reason);
    CHECK(write_regular_file(folder.path() / "none" / "a", "x").error().message ==
          "No such file or directory");
}
