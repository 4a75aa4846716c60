// Defaults, every key, and the messages for errors.
#include "engine/mods/mod_manifest.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

ModManifest manifest_of(std::string_view json) {
    ParsedManifest parsed = parse_manifest(json, "folder");
    CHECK(parsed.mistakes.empty());
    return std::move(parsed.manifest);
}

std::string error_of(std::string_view json) {
    const ParsedManifest parsed = parse_manifest(json, "folder");
    CHECK(parsed.mistakes.size() <= 1);
    return parsed.mistakes.empty() ? "no error" : parsed.mistakes.front().text;
}

}  // namespace

TEST_CASE("a game without a manifest is named after its folder") {
    const ModManifest manifest = default_manifest("My Game!");
    CHECK(manifest.id == "My_Game_");
    CHECK(manifest.title == "My Game!");
    CHECK(manifest.version.text() == "0.0.0");
    CHECK(manifest.width == 1280);
    CHECK(manifest.height == 720);
    CHECK(default_manifest("").id == "game");
    CHECK(parse_manifest("{}", "pong").manifest.id == "pong");
}

TEST_CASE("every key of a manifest is parsed") {
    const ModManifest manifest = manifest_of(R"({"id": "swarm-2", "title": "Schwärme", "version": "1.5",
        "author": "Ada", "license": "MIT", "description": "Many of them.", "api": "^1.0",
        "native": ["swarm", "grid"], "width": 320, "height": 180, "fit": "expand", "pixel_art": true,
        "depends": {"base": "^1.0", "art": "*"}, "optional": {"sounds": "2.x"}, "conflicts": {"calm": "*"},
        "load_after": ["a", "b"], "load_before": ["c"],
        "permissions": {"memory_mb": 128, "instructions": 50000000, "log_lines": 5, "save_mb": 7,
                        "entities": 9, "app": true}})");
    CHECK(manifest.id == "swarm-2");
    CHECK(manifest.title == "Schwärme");
    CHECK(manifest.version.text() == "1.5.0");
    CHECK(manifest.author == "Ada");
    CHECK(manifest.license == "MIT");
    CHECK(manifest.description == "Many of them.");
    CHECK(manifest.api.text() == "^1.0");
    CHECK(manifest.native == std::vector<std::string>{"swarm", "grid"});
    CHECK(manifest.width == 320);
    CHECK(manifest.height == 180);
    CHECK(manifest.fit == ScreenFit::expand);
    CHECK(manifest.is_pixel_art);
    REQUIRE(manifest.depends.size() == 2);
    CHECK(manifest.depends[0].id == "art");
    CHECK(manifest.depends[1].range.text() == "^1.0");
    CHECK(manifest.optional.at(0).id == "sounds");
    CHECK(manifest.conflicts.at(0).id == "calm");
    CHECK(manifest.load_after == std::vector<std::string>{"a", "b"});
    CHECK(manifest.load_before == std::vector<std::string>{"c"});
    CHECK(manifest.permissions.memory_mb == 128U);
    CHECK(manifest.permissions.instructions == 50'000'000U);
    CHECK(manifest.permissions.log_lines == 5U);
    CHECK(manifest.permissions.save_mb == 7U);
    CHECK(manifest.permissions.entities == 9U);
    CHECK(manifest.permissions.app == true);
    CHECK(manifest_of(R"({"id": "x"})").title == "x");
    CHECK_FALSE(manifest_of("{}").permissions.memory_mb);
}

TEST_CASE("settings are parsed, with a default value for each") {
    const ModManifest manifest = manifest_of(R"({"settings": {
        "blood": {"type": "bool", "default": true, "title": "Blood", "doc": "Red."},
        "difficulty": {"type": "choice", "choices": ["easy", "hard"], "default": "hard"},
        "mode": {"type": "choice", "choices": ["calm", "wild"]},
        "name": {"type": "string", "default": "Bob"},
        "speed": {"type": "number", "min": 0.5, "max": 3},
        "zoom": {"type": "number", "default": 2}}})");
    REQUIRE(manifest.settings.size() == 6);
    CHECK(manifest.settings[0].name == "blood");
    CHECK(manifest.settings[0].title == "Blood");
    CHECK(manifest.settings[0].doc == "Red.");
    CHECK(manifest.settings[0].initial == SettingValue{true});
    CHECK(manifest.settings[1].initial == SettingValue{std::string{"hard"}});
    CHECK(manifest.settings[2].initial == SettingValue{std::string{"calm"}});
    CHECK(manifest.settings[3].initial == SettingValue{std::string{"Bob"}});
    CHECK(manifest.settings[4].initial == SettingValue{0.5});
    CHECK(manifest.settings[5].initial == SettingValue{2.0});
}

TEST_CASE("an error in a manifest names its place") {
    CHECK(error_of("{").starts_with("mod.json:1:2: not valid JSON: "));
    CHECK(error_of(std::string(100, '[')) ==
          "mod.json:1:21: not valid JSON: more than 20 levels of brackets");
    CHECK(error_of("[1]") == "mod.json: expected an object { … }");
    CHECK(error_of(R"({"ttle": "x"})") == "mod.json: unknown key 'ttle'; did you mean 'title'?");
    CHECK(error_of(R"({"qqqqqqq": 1})") == "mod.json: unknown key 'qqqqqqq'");
    CHECK(error_of(R"({"title": 5})") == "mod.json: 'title': expected a text of at most 200 bytes, got 5");
    CHECK(error_of(R"({"id": "a b"})") ==
          "mod.json: 'id': expected 1 to 64 letters, digits, '_' or '-', got \"a b\"");
    CHECK(error_of(R"({"version": "new"})") ==
          "mod.json: 'version': expected a version such as \"1.2.0\", got \"new\"");
    CHECK(error_of(R"({"version": 1})") ==
          "mod.json: 'version': expected a version such as \"1.2.0\", got 1");
    CHECK(error_of(R"({"api": "?"})") ==
          "mod.json: 'api': expected a range of versions such as \"^1.2\" or \">=1.2 <3\", got \"?\"");
    CHECK(error_of(R"({"native": "swarm"})") ==
          "mod.json: 'native': expected a list of names, got \"swarm\"");
    CHECK(error_of(R"({"native": [1]})") == "mod.json: 'native': expected a list of names, got [1]");
    CHECK(error_of(R"({"depends": ["base"]})") ==
          "mod.json: 'depends': expected an object { \"mod\": \"^1.0\", … }, got [\"base\"]");
    CHECK(error_of(R"({"depends": {"base": 1}})") ==
          "mod.json: 'depends.base': expected a range of versions such as \"^1.2\" or \">=1.2 <3\", got 1");
    CHECK(error_of(R"({"optional": {"a b": "*"}})") ==
          "mod.json: 'optional': 'a b' is not a mod id: 1 to 64 letters, digits, '_' or '-'");
    CHECK(error_of(R"({"permissions": {"memorymb": 1}})") ==
          "mod.json: unknown key 'permissions.memorymb'; did you mean 'memory_mb'?");
    CHECK(error_of(R"({"permissions": {"app": "yes"}})") ==
          "mod.json: 'permissions.app': expected true or false, got \"yes\"");
    CHECK(error_of(R"({"permissions": {"memory_mb": -1}})") ==
          "mod.json: 'permissions.memory_mb': expected a whole number from 1 to 4096, got -1");
    for (const char* fit : {"\"expnd\"", "1", "null"})
        CHECK(error_of(std::string{"{\"fit\": "} + fit + "}") ==
              std::string{"mod.json: 'fit': expected letterbox, integer, stretch or expand, got "} + fit);
    CHECK(error_of(R"({"pixel_art": 1})") == "mod.json: 'pixel_art': expected true or false, got 1");
    for (const char* side : {"15", "8193", "1.5", "\"640\"", "-1", "1e99", "18446744073709551615"})
        CHECK(error_of(std::string{"{\"width\": "} + side + "}")
                  .starts_with("mod.json: 'width': expected a whole number from 16 to 8192, got "));
}

TEST_CASE("an error in a setting names its place") {
    const auto of = [](std::string_view setting) {
        return error_of(R"({"settings": {"s": )" + std::string{setting} + "}}");
    };
    CHECK(error_of(R"({"settings": {"2x": {"type": "bool"}}})") ==
          "mod.json: 'settings': '2x' is not a setting name: letters, digits and '_', not starting with a "
          "digit");
    CHECK(of("{}") == "mod.json: 'settings.s': a setting needs a 'type'");
    CHECK(of("3") == "mod.json: 'settings.s': expected an object { … }, got 3");
    CHECK(of(R"({"type": "float"})") ==
          "mod.json: 'settings.s.type': expected bool, number, string or choice, got \"float\"");
    CHECK(of(R"({"type": "choice"})") == "mod.json: 'settings.s': a choice needs 'choices'");
    CHECK(of(R"({"type": "number", "min": 2, "max": 1})") ==
          "mod.json: 'settings.s': 'min' is larger than 'max'");
    CHECK(of(R"({"type": "number", "min": true})") ==
          "mod.json: 'settings.s.min': expected a number, got true");
    CHECK(of(R"({"type": "number", "min": 1, "max": 2, "default": 3})") ==
          "mod.json: 'settings.s.default': expected a number from 1 to 2, got 3");
    CHECK(of(R"({"type": "choice", "choices": ["a", "b"], "default": "c"})") ==
          "mod.json: 'settings.s.default': expected one of 'a', 'b', got \"c\"");
    CHECK(of(R"({"type": "bool", "default": 1})") ==
          "mod.json: 'settings.s.default': expected true or false, got 1");
}

TEST_CASE("all errors of a manifest are reported at once") {
    const ParsedManifest parsed = parse_manifest(
        R"({"version": 1, "depends": {"a": "?", "b": "1"}, "titel": "", "settings": {"x": {"type": "boo"}}})",
        "folder");
    CHECK(parsed.mistakes.size() == 4);
    REQUIRE(parsed.manifest.depends.size() == 2);
    CHECK(parsed.manifest.depends[1].range.text() == "1");
}

TEST_CASE("an error of a manifest has the path of its value, or the place of the broken JSON") {
    const ManifestMistake wrong =
        parse_manifest(R"({"settings": {"s": {"type": "boo"}}})", "folder").mistakes.at(0);
    CHECK(wrong.place() == "mod.json");
    CHECK(wrong.path == "settings.s.type");
    CHECK(wrong.message().starts_with("'settings.s.type': expected"));
    const ManifestMistake unknown = parse_manifest(R"({"titel": ""})", "folder").mistakes.at(0);
    CHECK(unknown.path == "titel");
    const ManifestMistake broken = parse_manifest("{\n \"id\" 1 }", "folder").mistakes.at(0);
    CHECK(broken.place() == "mod.json:2:7");
    CHECK(broken.message().starts_with("not valid JSON: expected ':'"));
}

TEST_CASE("a truncated manifest is an error and never crashes") {
    const std::string whole = R"({"id": "swarm", "native": ["a"], "width": 640})";
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(parse_manifest(whole.substr(0, length), "folder").mistakes.empty());
}
