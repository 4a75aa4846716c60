// Valid and invalid settings files, and the resulting values of a mod.
#include "engine/mods/player_settings.h"

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

TEST_CASE("a mod gets the player's choices, and its own defaults for the rest") {
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

TEST_CASE("an invalid choice is reported, and the mod's default is used") {
    const PlayerSettings player =
        parse_player_settings(R"({"storms": {"settings": {"power": 9, "ngiht": true, "zzzzz": 1}}})", "x")
            .value();
    std::vector<std::string> mistakes;
    const ModSettings settings = chosen_settings(storms(), player, mistakes);
    CHECK(settings[1].second == SettingValue{2.0});
    CHECK(mistakes ==
          std::vector<std::string>{
              "x:1: 'storms.settings.power': expected a number from 1 to 5; the mod's own value is used",
              "x:1: mod 'storms' has no setting 'ngiht'; did you mean 'night'?",
              "x:1: mod 'storms' has no setting 'zzzzz'"});
}

TEST_CASE("a file without settings is an error") {
    CHECK(error_of("{") ==
          "my.json:1:2: not valid JSON: expected a key in double quotes, found the end of the file");
    CHECK(error_of(std::string(50, '[')) == "my.json:1:21: not valid JSON: more than 20 levels of brackets");
    const std::string both = R"({ "settings": { … }, "permissions": { … } })";
    CHECK(
        error_of("[]") ==
        R"(my.json: 'the file': expected { "mod": { "settings": { … }, "permissions": { … } }, … }, got array)");
    CHECK(error_of(R"({"a": 1})") == "my.json:1: 'a': expected " + both + ", got 1");
    CHECK(error_of("{\"a\": {\n\"setings\": {}}}") ==
          "my.json:2: unknown key 'a.setings'; did you mean 'settings'?");
    CHECK(error_of(R"({"a": {"settings": []}})") ==
          R"(my.json:1: 'a.settings': expected { "name": value, … }, got array)");
    CHECK(error_of(R"({"a": {"settings": {"x": null}}})") ==
          "my.json:1: 'a.settings.x': expected a number, a text, true or false, got null");
    CHECK(error_of(R"({"a": {"permissions": 5}})") ==
          R"(my.json:1: 'a.permissions': expected { "name": value, … }, got 5)");
    CHECK(read_player_settings("/nowhere.json").error().message ==
          "settings: '/nowhere.json' does not exist");
    const test::TemporaryFolder folder;
    CHECK(read_player_settings(folder.write("s.json", R"({"a": {"settings": {"x": 1}}})"))
              .value()
              .mods.size() == 1);
}

TEST_CASE("all errors in the file are reported at once, each with its line and the nearest key [N8]") {
    CHECK(
        error_of("{\n\"a\": {\n \"permisions\": {}\n},\n\"b\": { \"permissions\": {\n\"memory\": 5 } } }") ==
        "my.json:3: unknown key 'a.permisions'; did you mean 'permissions'?\n"
        "my.json:6: unknown key 'b.permissions.memory'");
    CHECK(error_of("{ \"a\": { \"permissions\": { \"memory_bm\": 5 } } }") ==
          "my.json:1: unknown key 'a.permissions.memory_bm'; did you mean 'memory_mb'?");
}

TEST_CASE("settings for a missing mod are reported with the nearest mod [N8]") {
    const PlayerSettings player =
        parse_player_settings("{ \"*\": {},\n\"strom\": {},\n\"game\": { \"settings\": { \"a\": 1 } } }",
                              "my.json")
            .value();
    const std::vector<std::string> ids{"game", "storm"};
    CHECK(choices_of_no_mod(player, ids) ==
          std::vector<std::string>{"my.json:2: there is no mod 'strom'; did you mean 'storm'?"});
    CHECK(choices_of_no_mod(parse_player_settings("{}", "x").value(), ids).empty());
}

TEST_CASE("the limits of all mods together are read within their ranges") {
    const auto why = [](std::string_view permissions) {
        return parse_player_settings(R"({"*": )" + std::string(permissions) + "}", "my.json").error().message;
    };
    CHECK(why(R"({"permissions": {"memory_mb": 0}})") ==
          "my.json:1: '*.permissions.memory_mb': expected a whole number from 1 to 65536, got 0");
    CHECK(why(R"({"permissions": {"load_seconds": 1.5}})") ==
          "my.json:1: '*.permissions.load_seconds': expected a whole number from 1 to 86400, got 1.5");
    CHECK(why(R"({"permissions": {"log_lines": 5}})") == "my.json:1: unknown key '*.permissions.log_lines'");
    CHECK(why(R"({"settings": {}})") == "my.json:1: unknown key '*.settings'");
    CHECK_THAT(why(R"({"permissions": 5})"), Catch::Contains("expected {"));
    CHECK_THAT(why("5"), Catch::Contains("expected {"));
}

TEST_CASE("the limits of a mod are read within their ranges") {
    const PlayerSettings player =
        parse_player_settings(
            R"({"storms": {"permissions": {"memory_mb": 65536, "instructions": 1e15, "log_lines": 0, "save_mb": 9, "entities": 0, "app": true}}})",
            "x")
            .value();
    const ModPermissions& read = player.permissions.at("storms");
    CHECK(read.memory_mb == 65536U);
    CHECK(read.instructions == 1'000'000'000'000'000U);
    CHECK(read.log_lines == 0U);
    CHECK(read.save_mb == 9U);
    CHECK(read.entities == 0U);
    CHECK(read.app == true);
    for (const char* wrong :
         {R"("memory_mb": 0)", R"("memory_mb": 65537)", R"("memory_mb": 1.5)", R"("memory_mb": "1")",
          R"("instructions": 999)", R"("instructions": 1e16)", R"("log_lines": -1)", R"("save_mb": 0)",
          R"("entities": -1)", R"("app": 1)", R"("memory": 5)"}) {
        INFO(wrong);
        CHECK(error_of(R"({"storms": {"permissions": {)" + std::string(wrong) + "}}}")
                  .starts_with("my.json:1: "));
    }
}
