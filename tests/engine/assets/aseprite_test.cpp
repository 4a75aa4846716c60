// Both forms of the export, and files that are something else.
#include "engine/assets/aseprite.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;

namespace {

constexpr char kHash[] = R"({ "frames": {
  "hero 10.aseprite": { "frame": { "x": 0, "y": 0, "w": 16, "h": 24 }, "trimmed": false, "duration": 100 },
  "hero 2.aseprite": { "frame": { "x": 16, "y": 0, "w": 16, "h": 24 }, "duration": 250 },
  "hero 3.aseprite": { "frame": { "x": 32, "y": 8, "w": 16, "h": 24 } } },
  "meta": { "app": "https://www.aseprite.org/", "image": "hero.png", "frameTags": [
    { "name": "walk", "from": 0, "to": 1, "direction": "forward" },
    { "name": "turn", "from": 1, "to": 2, "direction": "pingpong_reverse" },
    { "name": "die", "from": 0, "to": 2, "direction": "reverse", "repeat": "1" } ] } })";

std::string failure(std::string_view json) {
    const Result<AsepriteSheet> sheet = read_aseprite(json, "a.json");
    return sheet ? "no error" : sheet.error().message;
}

}  // namespace

TEST_CASE("frames are in the order of the file, with their durations, and tags are lists of frames") {
    const Result<AsepriteSheet> read = read_aseprite(kHash, "a.json");
    REQUIRE(read);
    const AsepriteSheet& sheet = read.value();
    CHECK(sheet.image == "hero.png");
    REQUIRE(sheet.frames.size() == 3);
    CHECK(sheet.frames[1].x == 16);
    CHECK(sheet.frames[1].height == 24);
    CHECK(sheet.frames[1].seconds == 0.25F);
    CHECK(sheet.frames[2].seconds == 0.1F);
    REQUIRE(sheet.tags.size() == 3);
    CHECK(sheet.tags[0].frames == std::vector<std::uint16_t>{0, 1});
    CHECK(sheet.tags[0].times == 0);
    CHECK_FALSE(sheet.tags[0].returns);
    CHECK(sheet.tags[1].frames == std::vector<std::uint16_t>{2, 1});
    CHECK(sheet.tags[1].returns);
    CHECK(sheet.tags[2].frames == std::vector<std::uint16_t>{2, 1, 0});
    CHECK(sheet.tags[2].times == 1);
}

TEST_CASE("the frames may be a list, and tags may be missing") {
    const Result<AsepriteSheet> read = read_aseprite(
        R"({ "frames": [ { "filename": "a", "frame": { "x": 1, "y": 2, "w": 3, "h": 4 }, "duration": 50 } ],
             "meta": { "image": "a.png" } })",
        "a.json");
    REQUIRE(read);
    CHECK(read.value().frames[0].y == 2);
    CHECK(read.value().tags.empty());
}

TEST_CASE("other files are errors that name the file") {
    const std::string other =
        "'a.json' is not a sheet that Aseprite exported as JSON: expected \"frames\" and \"meta\"";
    for (const char* json : {"", "[", "[]", "{}", R"({ "frames": [], "meta": {} })",
                             R"({ "frames": [ 1 ], "meta": {} })", R"({ "frames": "x", "meta": {} })"})
        CHECK(failure(json) == other);
    CHECK(failure(R"({ "frames": [ { "frame": {}, "trimmed": true } ], "meta": {} })") ==
          "'a.json' has trimmed frames; export the sheet without trimming");
    CHECK(failure(R"({ "frames": [ { "frame": {} } ],
                       "meta": { "frameTags": [ { "name": "t", "from": 0, "to": 1 } ] } })") ==
          "'a.json': tag 't' is from frame 0 to 1, and there are 1 frames");
}

TEST_CASE("a damaged file gives a sheet or an error") {
    std::mt19937 random{5};
    for (int i = 0; i < 2000; ++i) {
        std::string json = kHash;
        for (unsigned n = random() % 4 + 1; n > 0; --n)
            json[random() % json.size()] = static_cast<char>(random() % 128);
        const Result<AsepriteSheet> sheet = read_aseprite(json, "a.json");
        CHECK((sheet || !sheet.error().message.empty()));
    }
}
