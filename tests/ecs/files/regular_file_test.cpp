// What counts as a file, what does not, and that nothing blocks.
#include "ecs/files/regular_file.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>

namespace perigee {
namespace {

namespace fs = std::filesystem;

std::string why_unread(const fs::path& file) { return read_regular_file(file).error().message; }

TEST_CASE("a regular file is read whole, through links as well") {
    const test::TemporaryFolder folder;
    const std::string bytes(200000, 'x');
    const fs::path file = folder.write("a", bytes);
    fs::create_symlink(file, folder.path() / "link");
    CHECK(read_regular_file(file).value() == bytes);
    CHECK(read_regular_file(folder.path() / "link").value() == bytes);
    CHECK(read_regular_file(folder.write("empty", "")).value().empty());
    const Result<RegularFile> opened = RegularFile::open(file);
    REQUIRE(opened.ok());
    CHECK(opened.value().size() == 200000);
    CHECK(opened.value().read(199998, 10).value() == "xx");
    CHECK(opened.value().read(300000, 10).value().empty());
}

TEST_CASE("a file without a known size is read to its end") {
    CHECK(read_regular_file("/proc/self/stat").value().size() > 10);
}

TEST_CASE("a path that is not a regular file is refused, without waiting for a writer") {
    const test::TemporaryFolder folder;
    const fs::path pipe = folder.path() / "pipe", socket = folder.path() / "socket";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK(why_unread(pipe) == "is a pipe, not a file");
    CHECK(why_unread(folder.path()) == "is a directory, not a file");
    CHECK(why_unread("/dev/zero") == "is a device, not a file");
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket.c_str(), sizeof address.sun_path - 1);
    const int descriptor = ::socket(AF_UNIX, SOCK_STREAM, 0);
    REQUIRE(::bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
    CHECK(why_unread(socket) == "is a socket, not a file");
    ::close(descriptor);
}

TEST_CASE("a file that cannot be read is refused with the system's reason") {
    const test::TemporaryFolder folder;
    CHECK(why_unread(folder.path() / "none") == "does not exist");
    CHECK(why_unread(folder.write("a", "") / "b") == "does not exist");
    fs::create_symlink("loop", folder.path() / "loop");
    CHECK(why_unread(folder.path() / "loop") == "cannot be read: Too many levels of symbolic links");
    CHECK(why_unread(std::string(300, 'n')) == "cannot be read: File name too long");
    CHECK(why_unread("/proc/self/mem") == "cannot be read: Input/output error");
}

TEST_CASE("the size limit also holds for files without a known size") {
    const test::TemporaryFolder folder;
    const fs::path file = folder.write("a", "12345");
    CHECK(read_regular_file(file, 5).value() == "12345");
    CHECK(read_regular_file(file, 4).error().message == "has 5 bytes; the limit is 4");
    CHECK(read_regular_file("/proc/self/stat", 4).error().message.ends_with("the limit is 4"));
}

}  // namespace
}  // namespace perigee
