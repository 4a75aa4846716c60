// Messages about invalid JSON: where it is, what was expected and what was found, always in our own words.
#include "engine/base/internal/shallow_json.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <random>
#include <string>

namespace perigee::internal {
namespace {

std::string error_of(std::string_view text, std::size_t levels = kShallow) {
    const Result<nlohmann::json> read = parse_json(text, "a.json", levels);
    return read ? "" : read.error().message;
}

TEST_CASE("a JSON error is reported with file, line, column and what was expected [N8]") {
    const std::string no = ": not valid JSON: ";
    CHECK(error_of("") == "a.json:1:1" + no + "expected a value, found the end of the file");
    CHECK(error_of("{ \"a\": 1,\n  \"b\" 2 }") ==
          "a.json:2:7" + no + "expected ':' behind the key, found '2'");
    CHECK(error_of("{ \"a\": 1 \"b\": 2 }") == "a.json:1:10" + no + "expected ',' or '}', found a text");
    CHECK(error_of("[1 2]") == "a.json:1:4" + no + "expected ',' or ']', found '2'");
    CHECK(error_of("{ a: 1 }") == "a.json:1:3" + no + "expected a key in double quotes, found 'a'");
    CHECK(error_of("[True]") == "a.json:1:2" + no + "expected a value, found 'True'");
    CHECK(error_of("[1,\n]") == "a.json:2:1" + no + "there is a comma before the closing bracket");
    CHECK(error_of("{\"a\": 1,}") == "a.json:1:9" + no + "there is a comma before the closing bracket");
    CHECK(error_of("{ // x\n}") == "a.json:1:3" + no + "JSON has no comments");
    CHECK(error_of("[ /* x */ ]") == "a.json:1:3" + no + "JSON has no comments");
    CHECK(error_of("['x']") == "a.json:1:2" + no + "texts are written in double quotes");
    CHECK(error_of("[\"x\n\"]") == "a.json:1:2" + no + "this text has no closing quote in its line");
    CHECK(error_of("[\"x") == "a.json:1:2" + no + "this text has no closing quote in its line");
    CHECK(error_of(R"(["a\d"])") ==
          "a.json:1:5" + no + R"(there is no such escape; a backslash itself is written \\)");
    CHECK(error_of(R"(["\u12x4"])").find("no such escape") != std::string::npos);
    CHECK(error_of("[01]") == "a.json:1:2" + no + "this is not a JSON number");
    CHECK(error_of("[1.]") == "a.json:1:2" + no + "this is not a JSON number");
    CHECK(error_of("[-]") == "a.json:1:2" + no + "this is not a JSON number");
    CHECK(error_of("[.5]") == "a.json:1:2" + no + "expected a value, found '.'");
    CHECK(error_of("{} x") == "a.json:1:4" + no + "there is text after the end");
    CHECK(error_of("[\"\xFF\"]").ends_with("a text that is not UTF-8, or a number that is too large"));
    CHECK(error_of("[1e999]").ends_with("a text that is not UTF-8, or a number that is too large"));
    CHECK(error_of("[[[[]]]]", 3) == "a.json:1:4" + no + "more than 3 levels of brackets");
    CHECK(error_of("[\x01]") ==
          "a.json:1:2" + no + "expected a value, found a character that has no place there");
}

TEST_CASE("valid JSON is read, also with a byte order mark") {
    CHECK(error_of("\xEF\xBB\xBF{ \"a\": [1, -2.5e3, true, false, null, \"\\u00e4\"] }") == "");
    CHECK(error_of(std::string(500, '[') + std::string(500, ']'), kDeep) == "");
}

TEST_CASE("levels and values of JSON are counted in one pass, and brackets in texts do not count") {
    const auto size = [](std::string_view text) {
        const JsonSize found = size_of_json(text);
        return std::to_string(found.levels) + " " + std::to_string(found.values);
    };
    CHECK(size("5") == "0 1");
    CHECK(size("[1, 2]") == "1 3");
    CHECK(size(R"({ "a": [{}], "b": 1 })") == "3 5");
    CHECK(size(R"(["[[[,,,{\"[[\\", 1])") == "1 3");
    CHECK(size(R"(["open [[[ \)") == "1 2");
    CHECK(error_of(R"(["]]]", [[["}"]]]])", 3) ==
          "a.json:1:11: not valid JSON: more than 3 levels of brackets");
}

TEST_CASE("too many values are refused before any is created") {
    std::string text = "[1";
    for (std::size_t i = 2; i < kMaxJsonValues; ++i) text += ",1";
    CHECK(error_of(text + "]") == "");
    CHECK(error_of(text + ",1]") == "a.json: not valid JSON: more than 2000000 values");
}

TEST_CASE("many objects in one list take linear time") {
    const auto seconds = [](int count) {
        std::string text = "[{}";
        for (int i = 1; i < count; ++i) text += ",{}";
        text += "]";
        const auto begin = std::chrono::steady_clock::now();
        CHECK(error_of(text) == "");
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    // Quadratic time would be a hundred times as long: 60 seconds.
    CHECK(seconds(300'000) < 50 * (seconds(30'000) + 0.01));
}

TEST_CASE("every kind of damaged JSON gets a place and one of our messages") {
    const std::string whole =
        R"({ "a": [1, 2.5, -3e4, true, false, null], "b": { "c": "x\n\u00e4", "d": [] }, "e": "" })";
    REQUIRE(error_of(whole) == "");
    std::mt19937 random(1);
    int refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        std::string text = whole;
        for (int change = 0; change < 1 + i % 3; ++change) {
            const std::size_t at = random() % text.size();
            if (random() % 2 == 0)
                text.erase(at, 1);
            else
                text[at] = R"({}[]",:\x0.e+t)"[random() % 14];
        }
        const std::string error = error_of(text);
        if (error.empty()) continue;
        ++refused;
        INFO(text);
        CHECK(error.starts_with("a.json:1:"));
        CHECK(error.find("json.exception") == std::string::npos);
        CHECK(error.find("too large") == std::string::npos);
    }
    CHECK(refused > 10'000);
}

}  // namespace
}  // namespace perigee::internal
