// Keys are found where they stand, and any text may come in.
#include "engine/json_place.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

namespace {

constexpr char kJson[] = R"({
  "id": "demo",
  "settings": {
    "speed": {
      "min": 1, "max": "a \" { quote"
    },
    "min": 3
  },
  "min": [ { "x": 1 } ]
})";

}  // namespace

TEST_CASE("a key is found by its path, or the innermost one that is there") {
    CHECK(line_of_key(kJson, "") == 1);
    CHECK(line_of_key(kJson, "id") == 2);
    CHECK(line_of_key(kJson, "settings.speed.min") == 5);
    CHECK(line_of_key(kJson, "settings.speed.max") == 5);
    CHECK(line_of_key(kJson, "settings.min") == 7);
    CHECK(line_of_key(kJson, "min") == 9);
    CHECK(line_of_key(kJson, "settings.speed.none") == 4);
    CHECK(line_of_key(kJson, "nowhere") == 1);
}

TEST_CASE("the line of a mistake is the one it names, or that of the path in quotes") {
    CHECK(line_of_mistake(kJson, "'settings.speed.max': expected a number, got 'a'") == 5);
    CHECK(line_of_mistake(kJson, "needs 'min'") == 9);
    CHECK(line_of_mistake(kJson, "something else") == 1);
}

TEST_CASE("no text is too broken to look for a line in it") {
    const std::string json = kJson;
    for (std::size_t length = 0; length <= json.size(); ++length) {
        CHECK(line_of_key(json.substr(0, length), "settings.speed.min") >= 1);
        CHECK(line_of_key(json.substr(length), "settings.speed.min") >= 1);
    }
}
