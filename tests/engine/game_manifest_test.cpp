// Defaults, every key, and the words for what is wrong.
#include "engine/game_manifest.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

std::string error_of(std::string_view json) {
    const auto manifest = parse_manifest(json, "folder");
    return manifest ? "no error" : manifest.error().message;
}

}  // namespace

TEST_CASE("a game without a manifest is named after its folder") {
    const GameManifest manifest = default_manifest("My Game!");
    CHECK(manifest.id == "My_Game_");
    CHECK(manifest.title == "My Game!");
    CHECK(manifest.width == 1280);
    CHECK(manifest.height == 720);
    CHECK(default_manifest("").id == "game");
    CHECK(parse_manifest("{}", "pong").value().id == "pong");
}

TEST_CASE("every key of a manifest is read") {
    const GameManifest manifest = parse_manifest(R"({"id": "swarm-2", "title": "Schwärme", "version": "1.5",
        "native": ["swarm", "grid"], "width": 320, "height": 180})",
                                                 "folder")
                                      .value();
    CHECK(manifest.id == "swarm-2");
    CHECK(manifest.title == "Schwärme");
    CHECK(manifest.version == "1.5");
    CHECK(manifest.native == std::vector<std::string>{"swarm", "grid"});
    CHECK(manifest.width == 320);
    CHECK(manifest.height == 180);
    CHECK(parse_manifest(R"({"id": "x"})", "folder").value().title == "x");
}

TEST_CASE("a manifest that is wrong says where") {
    CHECK(error_of("{").starts_with("mod.json: not valid JSON: "));
    CHECK(error_of("[1]") == "mod.json: expected an object { … }");
    CHECK(error_of(R"({"ttle": "x"})") == "mod.json: unknown key 'ttle', did you mean 'title'?");
    CHECK(error_of(R"({"qqqqqqq": 1})") == "mod.json: unknown key 'qqqqqqq'");
    CHECK(error_of(R"({"title": 5})") == "mod.json: 'title': expected a text of at most 200 bytes, got 5");
    CHECK(error_of(R"({"id": "a b"})") ==
          "mod.json: 'id': expected 1 to 64 letters, digits, '_' or '-', got \"a b\"");
    CHECK(error_of(R"({"native": "swarm"})") ==
          "mod.json: 'native': expected a list of names, got \"swarm\"");
    CHECK(error_of(R"({"native": [1]})") == "mod.json: 'native': expected a list of names, got [1]");
    for (const char* side : {"15", "8193", "1.5", "\"640\"", "-1", "1e99"})
        CHECK(error_of(std::string{"{\"width\": "} + side + "}")
                  .starts_with("mod.json: 'width': expected a whole number from 16 to 8192, got "));
}

TEST_CASE("no cut of a manifest does more than fail") {
    const std::string whole = R"({"id": "swarm", "native": ["a"], "width": 640})";
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK(error_of(whole.substr(0, length)) != "no error");
}
