// Names, and the store in memory for runs that leave no files.
#include "engine/save/player_data.h"

#include <catch2/catch.hpp>

using namespace perigee;

TEST_CASE("names of saves are letters, digits and a few signs, and never leave the folder") {
    for (const char* name : {"best", "slot-1", "a.b", "_x", "-", "9"}) CHECK(is_save_name(name));
    for (const char* name : {"", ".", "..", ".hidden", "a/b", "a\\b", "../x", "ä", "a b", "x\n", "a:b"})
        CHECK_FALSE(is_save_name(name));
    CHECK(is_save_name(std::string(kMaxSaveNameBytes, 'a')));
    CHECK_FALSE(is_save_name(std::string(kMaxSaveNameBytes + 1, 'a')));
    CHECK_FALSE(is_save_name(std::string_view{"a\0b", 3}));
}

TEST_CASE("memory keeps the newest and the previous version, separately for each place") {
    MemoryData data;
    REQUIRE(data.list("game/game").value().empty());
    CHECK_FALSE(data.read("game/game", "best", PlayerData::Version::newest_intact).value());
    REQUIRE(data.write("game/game", "best", "1").ok());
    CHECK_FALSE(data.read("game/game", "best", PlayerData::Version::previous).value());
    REQUIRE(data.write("game/game", "best", "22").ok());
    REQUIRE(data.write("game/game", "a", "").ok());
    const auto newest = data.read("game/game", "best", PlayerData::Version::newest_intact).value();
    CHECK(newest->bytes == "22");
    CHECK_FALSE(newest->is_previous);
    const auto before = data.read("game/game", "best", PlayerData::Version::previous).value();
    CHECK(before->bytes == "1");
    CHECK(before->is_previous);
    const auto files = data.list("game/game").value();
    REQUIRE(files.size() == 2);
    CHECK(files[0].name == "a");
    CHECK(files[1].bytes == 2);
    CHECK(data.list("game/other").value().empty());
    REQUIRE(data.remove("game/game", "best").ok());
    CHECK_FALSE(data.read("game/game", "best", PlayerData::Version::previous).value());
}

TEST_CASE("saved worlds have a place and a limit of their own, whatever a mod is called") {
    CHECK(world_place("game/mod") == "game/mod/worlds");
    CHECK(is_world_place("game/mod/worlds"));
    CHECK_FALSE(is_world_place("game/worlds"));
    CHECK_FALSE(is_world_place("game/mod"));
    CHECK(max_save_bytes("game/mod/worlds") == kMaxWorldBytes);
    CHECK(max_save_bytes("game/worlds") == kMaxSaveBytes);
}
