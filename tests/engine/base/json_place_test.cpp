// Lines of keys, and arbitrary text as input.
#include "engine/base/json_place.h"

#include <catch2/catch.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

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

TEST_CASE("a key is found by its path, or else its innermost existing parent") {
    CHECK(line_of_path(kJson, "") == 1);
    CHECK(line_of_path(kJson, "id") == 2);
    CHECK(line_of_path(kJson, "settings.speed.min") == 5);
    CHECK(line_of_path(kJson, "settings.speed.max") == 5);
    CHECK(line_of_path(kJson, "settings.min") == 7);
    CHECK(line_of_path(kJson, "min") == 9);
    CHECK(line_of_path(kJson, "settings.speed.none") == 4);
    CHECK(line_of_path(kJson, "nowhere") == 1);
}

TEST_CASE("an element of a list is found by its index") {
    constexpr char kList[] = R"({ "entities": [
  { "name": "a" },
  { "name": "b, [",
    "at": [ 1, 2,
            3 ] },
  5, [ [ ],
       [ { "x": 1 } ] ]
] })";
    CHECK(line_of_path(kList, "entities[0]") == 2);
    CHECK(line_of_path(kList, "entities[1].name") == 3);
    CHECK(line_of_path(kList, "entities[1].at[1]") == 4);
    CHECK(line_of_path(kList, "entities[1].at[2]") == 5);
    CHECK(line_of_path(kList, "entities[1].none[2]") == 3);
    CHECK(line_of_path(kList, "entities[2]") == 6);
    CHECK(line_of_path(kList, "entities[3][1][0].x") == 7);
    CHECK(line_of_path(kList, "entities[10]") == 1);
    CHECK(line_of_path("[\n1,\n2]", "[1]") == 3);
    const std::array<std::string_view, 3> paths{"entities[3]", "", "entities[0].name"};
    CHECK(lines_of_paths(kList, paths) == std::vector<int>{6, 1, 2});
}

TEST_CASE("a line is found in any text, however broken") {
    const std::string json = kJson;
    for (std::size_t length = 0; length <= json.size(); ++length) {
        CHECK(line_of_path(json.substr(0, length), "settings.speed.min") >= 1);
        CHECK(line_of_path(json.substr(length), "settings.speed.min") >= 1);
    }
}
