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

TEST_CASE("an output that is written through its part is complete or unchanged") {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("a", "old");
    const auto write = [](const fs::path& part) { return write_regular_file(part, "new"); };
    const Result<void> failed = write_through_part(file, [&](const fs::path& part) -> Result<void> {
        REQUIRE(write(part).ok());
        return Error{"no space left"};
    });
    CHECK(failed.error().message == "no space left");
    CHECK(read_regular_file(file).value() == "old");
    CHECK_FALSE(fs::exists(part_of(file)));

    REQUIRE(write_through_part(file, write).ok());
    CHECK(read_regular_file(file).value() == "new");
    CHECK_FALSE(fs::exists(part_of(file)));
}

TEST_CASE("an output is not begun if its name or that of its part is taken") {
    const test::TemporaryFolder folder;
    const auto never = [](const fs::path&) -> Result<void> { return Error{"it was written"}; };
    for (const Taken& name : taken_names(folder))
        CHECK(write_through_part(name.file, never).error().message == name.reason);
    fs::create_directory(folder.path() / "b.part");
    CHECK(write_through_part(folder.path() / "b", never).error().message == "it is a directory, not a file");
    CHECK(fs::exists(folder.path() / "b.part"));
}
