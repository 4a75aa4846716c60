// One writer at a time, of files that are there and of files that change their names.
#include "engine/internal/locked_file.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>

using namespace perigee;
using internal::LockedFile;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

constexpr char kCannot[] = "cannot write '{}'";

}  // namespace

TEST_CASE("a file has one writer, and what stands in it stays until that is settled") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.write("a.log", "before");
    {
        Result<LockedFile> first = LockedFile::create(file, kCannot);
        REQUIRE(first.ok());
        first.value().write("first");
        first.value().flush();
        const Result<LockedFile> second = LockedFile::create(file, kCannot);
        REQUIRE_FALSE(second.ok());
        CHECK(second.error().message ==
              "cannot write '" + file.string() + "': another program is writing it");
        CHECK(bytes_of(file) == "first");
        CHECK(first.value().close());
    }
    Result<LockedFile> later = LockedFile::create(file, kCannot);
    REQUIRE(later.ok());
    CHECK(bytes_of(file).empty());
}

TEST_CASE("a file that is given its name is free for the next one, and is not touched by it") {
    const test::TemporaryFolder folder;
    const std::filesystem::path part = folder.path() / "a.part", file = folder.path() / "a";
    Result<LockedFile> first = LockedFile::create(part, kCannot);
    REQUIRE(first.ok());
    first.value().write("first");
    REQUIRE(first.value().finish_as(file));
    Result<LockedFile> second = LockedFile::create(part, kCannot);
    REQUIRE(second.ok());
    second.value().write("second");
    CHECK(second.value().close());
    CHECK(bytes_of(file) == "first");
    CHECK(bytes_of(part) == "second");
}

TEST_CASE("what the disk refuses is remembered until the file is closed") {
    Result<LockedFile> full = LockedFile::create("/dev/full", kCannot);
    REQUIRE(full.ok());
    full.value().write("lost");
    full.value().flush();
    CHECK_FALSE(full.value().close());
    const Result<LockedFile> nowhere = LockedFile::create("/nowhere/a", kCannot);
    REQUIRE_FALSE(nowhere.ok());
    CHECK(nowhere.error().message == "cannot write '/nowhere/a'");
    // Devices are for everybody.
    Result<LockedFile> one = LockedFile::create("/dev/null", kCannot);
    Result<LockedFile> two = LockedFile::create("/dev/null", kCannot);
    CHECK((one.ok() && two.ok()));
}

TEST_CASE("a file keeps its name when what was written is lost") {
    const test::TemporaryFolder folder;
    Result<LockedFile> file = LockedFile::create(folder.path() / "a.part", kCannot);
    REQUIRE(file.ok());
    file.value().write("bytes");
    CHECK_FALSE(file.value().finish_as(folder.path() / "none" / "a"));
    CHECK(bytes_of(folder.path() / "a.part") == "bytes");
}
