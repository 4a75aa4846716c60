// Player data on a disk that fails, fills up, and has other writers.
#include "engine/save/save_folder.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>

using namespace perigee;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPlace = "stars/stars";

struct Disk {
    test::TemporaryFolder folder;
    SaveFolder data{folder.path() / "saves"};

    fs::path file(const std::string& name) const { return folder.path() / "saves" / kPlace / name; }
    std::string bytes(const std::string& name) const {
        std::ifstream stream{file(name), std::ios::binary};
        return {std::istreambuf_iterator<char>{stream}, {}};
    }
    void put(const std::string& name, std::string_view bytes) const {
        folder.write("saves/" + std::string(kPlace) + "/" + name, bytes);
    }
    std::string write(const std::string& name, std::string_view bytes) {
        const Result<void> written = data.write(kPlace, name, bytes);
        return written ? "" : written.error().message;
    }
    // What is read, with '<' before a previous version, "-" for none, and "!" before an error.
    std::string read(const std::string& name,
                     PlayerData::Version version = PlayerData::Version::newest_intact) {
        const auto read = data.read(kPlace, name, version);
        if (!read) return "!" + read.error().message;
        if (!read.value()) return "-";
        return (read.value()->is_previous ? "<" : "") + read.value()->bytes;
    }
};

}  // namespace

TEST_CASE("a save is a header with a checksum and the bytes, and nothing is created before the first") {
    Disk disk;
    CHECK(disk.read("best") == "-");
    CHECK(disk.data.list(kPlace).value().empty());
    CHECK_FALSE(fs::exists(disk.folder.path() / "saves"));
    REQUIRE(disk.write("best", "{score=7}") == "");
    CHECK_THAT(disk.bytes("best.save"), Contains("perigee save 1\n"));
    CHECK(disk.bytes("best.save").ends_with("\n{score=7}"));
    CHECK_FALSE(fs::exists(disk.file("best.save.part")));
    CHECK(disk.read("best") == "{score=7}");
    CHECK(disk.read("best", PlayerData::Version::previous) == "-");
    REQUIRE(disk.write("best", std::string("a\0b", 3)) == "");
    CHECK(disk.read("best") == std::string("a\0b", 3));
    CHECK(disk.read("best", PlayerData::Version::previous) == "<{score=7}");
}

TEST_CASE("a save with any damaged byte gives the previous version") {
    Disk disk;
    REQUIRE(disk.write("best", "old") == "");
    REQUIRE(disk.write("best", "new") == "");
    const std::string intact = disk.bytes("best.save");
    for (std::size_t at = 0; at < intact.size(); ++at) {
        std::string damaged = intact;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        disk.put("best.save", damaged);
        CAPTURE(at);
        CHECK(disk.read("best") == "<old");
        disk.put("best.save", intact.substr(0, at));
        CHECK(disk.read("best") == "<old");
    }
    disk.put("best.save", intact + "x");
    CHECK(disk.read("best") == "<old");
    disk.put("best.save.old", "nonsense");
    CHECK(disk.read("best") == "!is damaged, and there is no previous version");
    disk.put("best.save", intact);
    CHECK(disk.read("best") == "new");
    CHECK(disk.read("best", PlayerData::Version::previous) ==
          "!is damaged, and there is no previous version");
}

TEST_CASE("a damaged save never replaces the intact previous version") {
    Disk disk;
    REQUIRE(disk.write("best", "one") == "");
    REQUIRE(disk.write("best", "two") == "");
    disk.put("best.save", "torn");
    REQUIRE(disk.write("best", "three") == "");
    CHECK(disk.read("best") == "three");
    CHECK(disk.read("best", PlayerData::Version::previous) == "<one");
}

TEST_CASE("wherever writing stops, one complete version can be read") {
    Disk disk;
    REQUIRE(disk.write("best", "one") == "");
    disk.put("best.save.part", "perigee save 1\nhalf");  // before the part was whole
    CHECK(disk.read("best") == "one");
    fs::rename(disk.file("best.save"), disk.file("best.save.old"));  // between the two renames
    CHECK(disk.read("best") == "<one");
    REQUIRE(disk.data.list(kPlace).value().size() == 1);
    REQUIRE(disk.write("best", "two") == "");
    CHECK(disk.read("best") == "two");
    CHECK(disk.read("best", PlayerData::Version::previous) == "<one");
}

TEST_CASE("a list has only saves, in order, and removing a save removes both versions") {
    Disk disk;
    REQUIRE(disk.write("b", "12345") == "");
    REQUIRE(disk.write("b", "1234567") == "");
    REQUIRE(disk.write("a", "") == "");
    disk.put("notes.txt", "x");
    disk.put(".hidden.save", "x");
    disk.put("no name.save", "x");
    fs::create_directory(disk.file("folder.save"));
    fs::create_symlink("/nowhere", disk.file("link.save"));
    const auto files = disk.data.list(kPlace).value();
    REQUIRE(files.size() == 2);
    CHECK((files[0].name == "a" && files[0].bytes == 0));
    CHECK((files[1].name == "b" && files[1].bytes == 7));
    REQUIRE(disk.data.remove(kPlace, "b").ok());
    CHECK(disk.read("b") == "-");
    CHECK_FALSE(fs::exists(disk.file("b.save.old")));
    CHECK(disk.data.remove(kPlace, "b").ok());
    CHECK(disk.data.remove("nobody/nothing", "b").ok());
    for (std::size_t i = 0; i < kMaxSaveFiles + 5; ++i) disk.put("n" + std::to_string(i) + ".save", "");
    CHECK(disk.data.list(kPlace).value().size() == kMaxSaveFiles);
}

TEST_CASE("files that are too long or not regular are not read") {
    Disk disk;
    REQUIRE(disk.write("best", "one") == "");
    fs::remove(disk.file("best.save"));
    REQUIRE(::mkfifo(disk.file("best.save").c_str(), 0600) == 0);
    CHECK_THAT(disk.read("best"), Contains("!cannot be read: it is"));
    fs::remove(disk.file("best.save"));
    disk.put("best.save", std::string(kMaxSaveBytes + 100, 'x'));
    CHECK_THAT(disk.read("best"), Contains("!cannot be read: it"));
    REQUIRE(disk.write("best", std::string(kMaxSaveBytes, 'x')) == "");
    CHECK(disk.read("best").size() == kMaxSaveBytes);
}

TEST_CASE("a disk error contains no path of the machine, and the previous version stays") {
    Disk disk;
    REQUIRE(disk.write("best", "one") == "");
    SECTION("another program is writing the same save") {
        const int other = ::open(disk.file("best.save.part").c_str(), O_WRONLY | O_CREAT, 0600);
        REQUIRE(::flock(other, LOCK_EX) == 0);
        CHECK(disk.write("best", "two") == "cannot be written: another program is writing it");
        ::close(other);
    }
    SECTION("no room") {
        const auto handler = std::signal(SIGXFSZ, SIG_IGN);
        rlimit before{};
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
        rlimit small = before;
        small.rlim_cur = 1000;
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
        const std::string refused = disk.write("best", std::string(5000, 'x'));
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &before) == 0);
        std::signal(SIGXFSZ, handler);
        CHECK(refused == "cannot be written: File too large");
        CHECK_FALSE(fs::exists(disk.file("best.save.part")));
    }
    SECTION("a file has the name of the folder") {
        SaveFolder blocked{disk.file("best.save")};
        CHECK_THAT(blocked.write(kPlace, "best", "x").error().message,
                   Contains("cannot be written: Not a directory"));
        CHECK_THAT(blocked.list(kPlace).error().message,
                   Contains("the folder cannot be listed: Not a directory"));
        CHECK(blocked.read(kPlace, "best", PlayerData::Version::newest_intact).ok());
    }
    SECTION("a folder has the name of the save") {
        fs::create_directories(disk.file("other.save/inside"));
        CHECK_THAT(disk.write("other", "x"), Contains("cannot be written: "));
        CHECK_THAT(disk.data.remove(kPlace, "other").error().message,
                   Contains("cannot be deleted: Directory not empty"));
        CHECK_FALSE(fs::exists(disk.file("other.save.part")));
    }
    CHECK(disk.read("best") == "one");
}

TEST_CASE("player data is in the XDG data folder, or below the home folder, or nowhere") {
    const auto kept = [](const char* name) {
        const char* const value = std::getenv(name);
        return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
    };
    const std::optional<std::string> data = kept("XDG_DATA_HOME"), home = kept("HOME");
    ::setenv("XDG_DATA_HOME", "/data", 1);
    CHECK(player_data_folder() == "/data/perigee");
    ::setenv("XDG_DATA_HOME", "relative", 1);
    ::setenv("HOME", "/home/ada", 1);
    CHECK(player_data_folder() == "/home/ada/.local/share/perigee");
    ::unsetenv("XDG_DATA_HOME");
    CHECK(player_data_folder() == "/home/ada/.local/share/perigee");
    ::unsetenv("HOME");
    CHECK(player_data_folder().empty());
    if (data) ::setenv("XDG_DATA_HOME", data->c_str(), 1);
    if (home) ::setenv("HOME", home->c_str(), 1);
}
