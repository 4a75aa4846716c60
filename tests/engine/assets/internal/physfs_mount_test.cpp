// Shared mounts, and when they end.
#include "engine/assets/internal/physfs_mount.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>
#include <physfs.h>

#include <optional>

using namespace perigee;
using perigee::test::TemporaryFolder;

TEST_CASE("a folder has one prefix however its path is spelled, and two folders have two") {
    const TemporaryFolder folder;
    folder.write("a/x", "");
    folder.write("b/x", "");
    const auto a = PhysfsMount::open(folder.path() / "a");
    const auto same = PhysfsMount::open(folder.path() / "b" / ".." / "a");
    const auto b = PhysfsMount::open(folder.path() / "b");
    REQUIRE((a && same && b));
    CHECK(a.value().prefix() == same.value().prefix());
    CHECK(a.value().prefix() != b.value().prefix());
}

TEST_CASE("a mount ends with its last user, and the library shuts down with the last mount") {
    const TemporaryFolder folder;
    folder.write("x", "");
    REQUIRE(PHYSFS_isInit() == 0);
    std::optional<Result<PhysfsMount>> first{PhysfsMount::open(folder.path())};
    std::optional<Result<PhysfsMount>> second{PhysfsMount::open(folder.path())};
    const std::string file = second->value().prefix() + "x";
    first.reset();
    CHECK(PHYSFS_exists(file.c_str()) != 0);
    second.reset();
    CHECK(PHYSFS_isInit() == 0);
    CHECK_FALSE(PhysfsMount::open(folder.path() / "absent"));
    CHECK(PHYSFS_isInit() == 0);
}
