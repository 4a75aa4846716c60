// One writer at a time, for existing files and for files that are renamed.
#include "ecs/files/locked_file.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

using namespace perigee;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream stream{file, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

constexpr char kCannot[] = "cannot write '{}': {}";

}  // namespace

TEST_CASE("a file has one writer, and its contents stay until the lock is taken") {
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
        CHECK(first.value().close().ok());
    }
    Result<LockedFile> later = LockedFile::create(file, kCannot);
    REQUIRE(later.ok());
    CHECK(bytes_of(file).empty());
}

TEST_CASE("a renamed file is unlocked, and the next writer leaves it unchanged") {
    const test::TemporaryFolder folder;
    const std::filesystem::path part = folder.path() / "a.part", file = folder.path() / "a";
    Result<LockedFile> first = LockedFile::create(part, kCannot);
    REQUIRE(first.ok());
    first.value().write("first");
    REQUIRE(first.value().finish_as(file).ok());
    Result<LockedFile> second = LockedFile::create(part, kCannot);
    REQUIRE(second.ok());
    second.value().write("second");
    CHECK(second.value().close().ok());
    CHECK(bytes_of(file) == "first");
    CHECK(bytes_of(part) == "second");
}

TEST_CASE("a failed write is remembered until the file is closed") {
    Result<LockedFile> full = LockedFile::create("/dev/full", kCannot);
    REQUIRE(full.ok());
    full.value().write("lost");
    full.value().flush();
    CHECK(full.value().close().error().message == "No space left on device");
    const Result<LockedFile> nowhere = LockedFile::create("/nowhere/a", kCannot);
    REQUIRE_FALSE(nowhere.ok());
    CHECK(nowhere.error().message == "cannot write '/nowhere/a': No such file or directory");
    // Devices are not locked.
    Result<LockedFile> one = LockedFile::create("/dev/null", kCannot);
    Result<LockedFile> two = LockedFile::create("/dev/null", kCannot);
    CHECK((one.ok() && two.ok()));
}

TEST_CASE("a file keeps its name when a write was lost") {
    const test::TemporaryFolder folder;
    Result<LockedFile> file = LockedFile::create(folder.path() / "a.part", kCannot);
    REQUIRE(file.ok());
    file.value().write("bytes");
    CHECK(file.value().finish_as(folder.path() / "none" / "a").error().message ==
          "No such file or directory");
    CHECK(bytes_of(folder.path() / "a.part") == "bytes");
}

TEST_CASE("a finished file replaces only regular files") {
    const test::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "pipe", taken = folder.path() / "taken";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::filesystem::create_directory(taken);
    const auto finished_as = [&folder](const std::filesystem::path& name) {
        Result<LockedFile> part = LockedFile::create(folder.path() / "a.part", kCannot);
        REQUIRE(part.ok());
        part.value().write("bytes");
        const Result<void> finished = part.value().finish_as(name);
        CHECK(bytes_of(folder.path() / "a.part") == "bytes");
        return finished.error().message;
    };
    CHECK(finished_as(pipe) == "it is a pipe, not a file");
    CHECK(finished_as(taken) == "it is a directory, not a file");
    CHECK(finished_as("/dev/null") == "it is a device, not a file");
    CHECK(std::filesystem::is_fifo(pipe));
    CHECK(std::filesystem::is_directory(taken));
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("a pipe with a reader is written, and a pipe without one is an error at once") {
    const test::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const Result<LockedFile> unread = LockedFile::create(pipe, kCannot);
    REQUIRE_FALSE(unread.ok());
    CHECK(unread.error().message ==
          "cannot write '" + pipe.string() + "': it is a pipe that no program reads");
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    Result<LockedFile> read = LockedFile::create(pipe, kCannot);
    REQUIRE(read.ok());
    read.value().write("bytes");
    CHECK(read.value().close().ok());
    char got[8] = {};
    CHECK(::read(reader, got, sizeof got) == 5);
    ::close(reader);
}

TEST_CASE("bytes that were written are replaced in place, and writing goes on at the end") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a";
    Result<LockedFile> created = LockedFile::create(file, kCannot);
    REQUIRE(created.ok());
    created.value().write("version 3, ");
    created.value().overwrite(8, "5");
    created.value().write("and more");
    REQUIRE(created.value().close().ok());
    CHECK(bytes_of(file) == "version 5, and more");

    const std::filesystem::path pipe = folder.path() / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    Result<LockedFile> piped = LockedFile::create(pipe, kCannot);
    REQUIRE(piped.ok());
    piped.value().overwrite(0, "x");
    CHECK(piped.value().check().error().message == "Illegal seek");
    ::close(reader);
}

TEST_CASE("a whole file replaces an older one, and a failure leaves the older one") {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "a";
    for (const std::string bytes : {"a longer text", "short", ""}) {
        REQUIRE(write_whole_file(file, bytes).ok());
        CHECK(bytes_of(file) == bytes);
    }
    REQUIRE(write_whole_file(file, "kept").ok());
    {
        const Result<LockedFile> other = LockedFile::create(folder.path() / "a.part", kCannot);
        REQUIRE(other.ok());
        CHECK(write_whole_file(file, "lost").error().message == "another program is writing it");
    }
    CHECK(bytes_of(file) == "kept");
    std::filesystem::remove(folder.path() / "a.part");
    CHECK(write_whole_file(folder.path(), "lost").error().message == "it is a directory, not a file");
    CHECK(write_whole_file(folder.path() / "none" / "a", "lost").error().message ==
          "No such file or directory");
    // Whether the disk is full shows when the bytes go there.
    std::filesystem::create_symlink("/dev/full", folder.path() / "full.part");
    CHECK_FALSE(write_whole_file(folder.path() / "full", "lost").ok());
    CHECK_FALSE(std::filesystem::exists(folder.path() / "full"));
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}
