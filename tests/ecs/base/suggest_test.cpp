// A misspelt word gets a suggestion, and an unrelated word gets none.
#include "ecs/base/suggest.h"

#include <catch2/catch.hpp>

#include <array>
#include <random>
#include <string>
#include <vector>

namespace perigee {
namespace {

TEST_CASE("swapped letters, missing letters and case still find the nearest name, within limits") {
    constexpr std::array<std::string_view, 4> kKnown = {"speed", "health", "x", "layer"};
    CHECK(nearest_name("sped", kKnown) == "speed");
    CHECK(nearest_name("psede", kKnown) == "");
    CHECK(nearest_name("helath", kKnown) == "health");
    CHECK(nearest_name("LAYER", kKnown) == "layer");
    CHECK(nearest_name("completely", kKnown) == "");
    CHECK(nearest_name("speed", {}) == "");
}

TEST_CASE("swapping two neighbouring letters counts as one typing error") {
    constexpr std::array<std::string_view, 2> kKnown = {"the", "pos"};
    CHECK(nearest_name("teh", kKnown) == "the");
    CHECK(nearest_name("ops", kKnown) == "pos");
    CHECK(nearest_name("eht", kKnown) == "");
}

TEST_CASE("a word with no letter in common is never suggested") {
    constexpr std::array<std::string_view, 3> kKnown = {"x", "ab", ""};
    CHECK(nearest_name("y", kKnown) == "");
    CHECK(nearest_name("", kKnown) == "");
    CHECK(nearest_name("X", kKnown) == "x");
    CHECK(nearest_name("ac", kKnown) == "ab");
}

TEST_CASE("the nearest word wins, and the first of equally near ones") {
    constexpr std::array<std::string_view, 3> kKnown = {"positive", "position", "positron"};
    CHECK(nearest_name("positon", kKnown) == "position");
    constexpr std::array<std::string_view, 2> kEqual = {"cat", "car"};
    CHECK(nearest_name("caz", kEqual) == "cat");
    CHECK(nearest_name("CAR", kEqual) == "car");
}

TEST_CASE("without a near name a short list is shown whole, and a long one is not") {
    const std::vector<std::string_view> two{"color", "scale"};
    CHECK(did_you_mean_or_all("scal", two) == "; did you mean 'scale'?");
    CHECK(did_you_mean_or_all("flip_y", two) == "; there are color, scale");
    CHECK(did_you_mean_or_all("flip_y", {}) == "");
    const std::vector<std::string_view> full(kMaxListed, "word"), long_list(kMaxListed + 1, "word");
    CHECK(did_you_mean_or_all("flip_y", full) != "");
    CHECK(did_you_mean_or_all("flip_y", long_list) == "");
    CHECK(there_are(two, 1) == "; there are color …");
    CHECK(there_are({}) == "");
}

TEST_CASE("a random word with one typing error is corrected") {
    std::mt19937 random(5);
    const auto letter = [&] { return static_cast<char>('a' + random() % 26); };
    std::vector<std::string> words;
    for (int i = 0; i < 40; ++i) {
        std::string word;
        for (std::size_t length = 8 + random() % 8; word.size() < length;) word += letter();
        words.push_back(word);
    }
    const std::vector<std::string_view> known(words.begin(), words.end());
    for (int round = 0; round < 400; ++round) {
        const std::string& meant = words[random() % words.size()];
        std::string slip = meant;
        const std::size_t at = random() % (slip.size() - 1);
        switch (random() % 4) {
            case 0:
                slip.erase(at, 1);
                break;
            case 1:
                slip.insert(at, 1, letter());
                break;
            case 2:
                slip[at] = letter();
                break;
            default:
                std::swap(slip[at], slip[at + 1]);
                break;
        }
        CAPTURE(slip);
        REQUIRE(nearest_name(slip, known) == meant);
    }
}

}  // namespace
}  // namespace perigee
