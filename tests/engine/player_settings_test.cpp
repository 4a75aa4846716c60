// Files of settings, good and bad, and which value a mod ends up with.
#include "engine/player_settings.h"

#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

ModManifest storms() {
    return parse_manifest(R"({"id": "storms", "settings": {
        "night": {"type": "bool"},
        "power": {"type": "number", "min": 1, "max": 5, "default": 2},
        "sky": {"type": "choice", "choices": ["grey", "red"]}}})",
                          "")
        .manifest;
}

std::string error_of(std::string_view json) {
    const auto parsed = parse_player_settings(json, "my.json");
    return parsed ? "no error" : parsed.error().message;
}

}  // namespace

TEST_CASE("a mod gets what the player chose, and its own values for the rest") {
    const PlayerSettings player =
        parse_player_settings(R"({"storms": {"settings": {"power": 3, "sky": "red"}}, "other": {}})", "x")
            .value();
    std::vector<std::string> mistakes;
    const ModSettings settings = chosen_settings(storms(), player, mistakes);
    CHECK(settings == ModSettings{{"night", false}, {"power", 3.0}, {"sky", std::string{"red"}}});
    CHECK(mistakes.empty());
    CHECK(text_of_choices(storms(), settings) == " storms.power=3.0 storms.sky=\"red\"");
    CHECK(text_of_choices(storms(), chosen_settings(storms(), {}, mistakes)) == "");
}

TEST_CASE("a wrong choice is told, and the mod's own value holds") {
    const PlayerSettings player =
        parse_player_settings(R"({"storms": {"settings": {"power": 9, "ngiht": true, "zzzzz": 1}}})", "x")
            .value();
    std::vector<std::string> mistakes;
    const ModSettings settings = chosen_settings(storms(), player, mistakes);
    CHECK(settings[1].second == SettingValue{2.0});
    CHECK(mistakes ==
          std::vector<std::string>{
              "settings: 'storms.power': expected a number from 1 to 5; the mod's own value is used",
              "settings: mod 'storms' has no setting 'ngiht', did you mean 'night'?",
              "settings: mod 'storms' has no setting 'zzzzz'"});
}

TEST_CASE("a file that holds no settings says so") {
    const std::string shape =
        "'my.json': expected { \"mod\": { \"settings\": { \"name\": value, … }, "
        "\"permissions\": { … } }, … }";
    CHECK(error_of("{").starts_with("'my.json': not valid JSON: "));
    CHECK(error_of(std::string(50, '[')) == "'my.json': not valid JSON: more than 20 levels of brackets");
    for (const char* json : {"[]", R"({"a": 1})", R"({"a": {"setings": {}}})", R"({"a": {"settings": []}})",
                             R"({"a": {"settings": {"x": null}}})", R"({"a": {"permissions": 5}})"})
        CHECK(error_of(json) == shape);
    CHECK(read_player_settings("/nowhere.json").error().message ==
          "settings: '/nowhere.json' does not exist");
    const test::TemporaryFolder folder;
    CHECK(read_player_settings(folder.write("s.json", R"({"a": {"settings": {"x": 1}}})"))
              .value()
              .mods.size() == 1);
}

TEST_CASE("what all mods may use together is read within its ranges") {
    const auto why = [](std::string_view permissions) {
        return parse_player_settings(R"({"*": )" + std::string(permissions) + "}", "my.json").error().message;
    };
    const std::string expected =
        ": expected memory_mb (1 to 65536) or load_seconds (1 to 86400), as a whole number";
    CHECK(why(R"({"permissions": {"memory_mb": 0}})") == "'my.json': '*.permissions.memory_mb'" + expected);
    CHECK(why(R"({"permissions": {"load_seconds": 1.5}})") ==
          "'my.json': '*.permissions.load_seconds'" + expected);
    CHECK(why(R"({"permissions": {"log_lines": 5}})") == "'my.json': '*.permissions.log_lines'" + expected);
    CHECK_THAT(why(R"({"settings": {}})"), Catch::Contains("expected {"));
    CHECK_THAT(why(R"({"permissions": 5})"), Catch::Contains("expected {"));
    CHECK_THAT(why("5"), Catch::Contains("expected {"));
}

TEST_CASE("what a mod may use is read within its ranges") {
    const PlayerSettings player =
        parse_player_settings(
            R"({"storms": {"permissions": {"memory_mb": 65536, "instructions": 1e15, "log_lines": 0, "save_mb": 9, "app": true}}})",
            "x")
            .value();
    const ModPermissions& read = player.permissions.at("storms");
    CHECK(read.memory_mb == 65536U);
    CHECK(read.instructions == 1'000'000'000'000'000U);
    CHECK(read.log_lines == 0U);
    CHECK(read.save_mb == 9U);
    CHECK(read.app == true);
    for (const char* wrong : {R"("memory_mb": 0)", R"("memory_mb": 65537)", R"("memory_mb": 1.5)",
                              R"("memory_mb": "1")", R"("instructions": 999)", R"("instructions": 1e16)",
                              R"("log_lines": -1)", R"("save_mb": 0)", R"("app": 1)", R"("memory": 5)"}) {
        INFO(wrong);
        CHECK(error_of(R"({"storms": {"permissions": {)" + std::string(wrong) + "}}}")
                  .starts_with("'my.json': 'storms.permissions."));
    }
    CHECK(error_of(R"({"a": {"permissions": {"memory": 5}}})") ==
          "'my.json': 'a.permissions.memory': expected memory_mb or save_mb (1 to 65536), instructions (1000 "
          "to "
          "1e15) or log_lines (0 to 1000000), as a whole number, or app, true or false");
}
