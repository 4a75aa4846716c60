// Requested limits, what is granted automatically, and what the player allows.
#include "engine/mods/mod_limits.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

ModManifest requesting(std::string_view permissions) {
    const ParsedManifest parsed =
        parse_manifest(R"({"id": "storms", "permissions": )" + std::string(permissions) + "}", "");
    REQUIRE(parsed.mistakes.empty());
    return parsed.manifest;
}

PlayerSettings player(std::string_view permissions) {
    return parse_player_settings(R"({"storms": {"permissions": )" + std::string(permissions) + "}}", "x")
        .value();
}

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

}  // namespace

TEST_CASE("a mod without requests has the defaults") {
    const ScriptLimits initial;
    const GrantedLimits granted = granted_limits(requesting("{}"), {});
    CHECK(granted.limits.fuel_per_run == initial.fuel_per_run);
    CHECK(granted.limits.fuel_per_load == initial.fuel_per_load);
    CHECK(granted.limits.memory_soft == initial.memory_soft);
    CHECK(granted.limits.memory_hard == initial.memory_hard);
    CHECK(granted.limits.memory_per_run == initial.memory_per_run);
    CHECK(granted.limits.seconds_per_run == initial.seconds_per_run);
    CHECK(granted.limits.log_lines == initial.log_lines);
    CHECK(granted.notes.empty());
    CHECK(granted.choices.empty());
}

TEST_CASE("the limits of all mods together are the player's, or grow with what one mod is granted") {
    const LimitsOfAllMods initial;
    CHECK(limits_of_all({}).lua_memory == initial.lua_memory);
    CHECK(limits_of_all({}).load_seconds == initial.load_seconds);
    CHECK(limits_of_all(player(R"({"memory_mb": 2000})")).lua_memory ==
          initial.lua_memory + 2000 * kMegabyte);
    const PlayerSettings words =
        parse_player_settings(R"({"*": {"permissions": {"memory_mb": 300, "load_seconds": 60}}})", "x")
            .value();
    CHECK(limits_of_all(words).lua_memory == 300 * kMegabyte);
    CHECK(limits_of_all(words).load_seconds == 60);
}

TEST_CASE("living entities are granted like memory, and the player's limit is part of a recording") {
    CHECK(granted_limits(requesting("{}"), {}).limits.entities == 500'000);
    CHECK(granted_limits(requesting(R"({"entities": 2000000})"), {}).limits.entities == 2'000'000);
    const GrantedLimits cut = granted_limits(requesting(R"({"entities": 2000001})"), {});
    CHECK(cut.limits.entities == 2'000'000);
    CHECK(cut.notes.size() == 1);
    const GrantedLimits less = granted_limits(requesting("{}"), player(R"({"entities": 100})"));
    CHECK(less.limits.entities == 100);
    CHECK(less.choices == " storms.entities=100");
    CHECK(limits_of_all({}).entities == 1'000'000);
    CHECK(limits_of_all(player(R"({"entities": 3000})")).entities == 1'003'000);
    CHECK(limits_of_all(parse_player_settings(R"({"*": {"permissions": {"entities": 7}}})", "x").value())
              .entities == 7);
}

TEST_CASE("a request is granted up to four times the default, and a larger one is reported") {
    const GrantedLimits fine =
        granted_limits(requesting(R"({"memory_mb": 512, "instructions": 40000000, "log_lines": 5})"), {});
    CHECK(fine.limits.memory_soft == 512 * kMegabyte);
    CHECK(fine.limits.memory_hard == 8 * 512 * kMegabyte);
    CHECK(fine.limits.fuel_per_run == 40e6);
    CHECK(fine.limits.fuel_per_load == 4 * ScriptLimits{}.fuel_per_load);
    CHECK(fine.limits.log_lines == 5);
    CHECK(fine.notes.empty());

    const GrantedLimits cut =
        granted_limits(requesting(R"({"memory_mb": 513, "instructions": 900000000, "log_lines": 4001})"), {});
    CHECK(cut.limits.memory_soft == 512 * kMegabyte);
    CHECK(cut.limits.fuel_per_run == 40e6);
    CHECK(cut.limits.log_lines == 4000);
    CHECK(
        cut.notes ==
        std::vector<std::string>{
            "mod 'storms' requests memory_mb 513 and gets 512; to allow more, add this to your settings: { "
            "\"storms\": { \"permissions\": { \"memory_mb\": 513 } } }",
            "mod 'storms' requests instructions 900000000 and gets 40000000; to allow more, add this to your "
            "settings: { \"storms\": { \"permissions\": { \"instructions\": 900000000 } } }",
            "mod 'storms' requests log_lines 4001 and gets 4000; to allow more, add this to your settings: { "
            "\"storms\": { \"permissions\": { \"log_lines\": 4001 } } }"});
}

TEST_CASE("save space is granted like memory, and the window only by the player") {
    const GrantedLimits initial = granted_limits(requesting("{}"), {});
    CHECK(initial.save_bytes == 8 * kMegabyte);
    CHECK_FALSE(initial.may_use_app);
    CHECK(granted_limits(requesting(R"({"save_mb": 32})"), {}).save_bytes == 32 * kMegabyte);
    const GrantedLimits cut = granted_limits(requesting(R"({"save_mb": 33, "app": true})"), {});
    CHECK(cut.save_bytes == 32 * kMegabyte);
    CHECK_FALSE(cut.may_use_app);
    CHECK(cut.notes.size() == 2);
    CHECK(cut.choices == "");
    const GrantedLimits more =
        granted_limits(requesting(R"({"app": true})"), player(R"({"save_mb": 100, "app": true})"));
    CHECK(more.save_bytes == 100 * kMegabyte);
    CHECK(more.may_use_app);
    CHECK(more.notes.empty());
    CHECK(more.choices == " storms.save_mb=100 storms.app");
    CHECK_FALSE(granted_limits(requesting(R"({"app": true})"), player(R"({"app": false})")).may_use_app);
}

TEST_CASE("a mod brings shaders only if the player allows it") {
    const GrantedLimits asked = granted_limits(requesting(R"({"shaders": true})"), {});
    CHECK_FALSE(asked.may_use_shaders);
    CHECK(asked.notes == std::vector<std::string>{
                             "mod 'storms' requests to bring shaders, which can make the graphics driver "
                             "hang; to allow it, add this to your settings: { \"storms\": { "
                             "\"permissions\": { \"shaders\": true } } }"});
    const GrantedLimits allowed = granted_limits(requesting("{}"), player(R"({"shaders": true})"));
    CHECK(allowed.may_use_shaders);
    CHECK(allowed.choices == " storms.shaders");
    CHECK_FALSE(
        granted_limits(requesting(R"({"shaders": true})"), player(R"({"shaders": false})")).may_use_shaders);
}

TEST_CASE("the player's limit applies, higher or lower than the request") {
    const ModManifest mod = requesting(R"({"memory_mb": 200, "instructions": 20000000})");
    const GrantedLimits more =
        granted_limits(mod, player(R"({"memory_mb": 3000, "instructions": 900000000, "log_lines": 0})"));
    CHECK(more.limits.memory_soft == 3000 * kMegabyte);
    CHECK(more.limits.fuel_per_run == 900e6);
    CHECK(more.limits.seconds_per_run == 90 * ScriptLimits{}.seconds_per_run);
    CHECK(more.limits.log_lines == 0);
    CHECK(more.notes.empty());
    // Fuel stops code at the same place each time, so the limit is part of a recording.
    CHECK(more.choices == " storms.instructions=900000000");

    const GrantedLimits less = granted_limits(mod, player(R"({"memory_mb": 2, "instructions": 5000})"));
    CHECK(less.limits.memory_soft == 2 * kMegabyte);
    CHECK(less.limits.fuel_per_run == 5000);
    // Loading is not a run.
    CHECK(less.limits.fuel_per_load == ScriptLimits{}.fuel_per_load);
    CHECK(granted_limits(mod, player(R"({"instructions": 20000000})")).choices == "");
    PlayerSettings other;
    other.permissions["rain"].memory_mb = 1;
    CHECK(granted_limits(mod, other).limits.memory_soft == 200 * kMegabyte);
}
