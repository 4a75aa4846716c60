// Which sound is replaced: examples, and random sounds.
#include "engine/audio/voices.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

using namespace perigee;

namespace {

void fill(Voices& voices, const SoundRequest& sound, std::size_t owner = 0,
          std::size_t count = Voices::kCount) {
    for (std::size_t i = 0; i < count; ++i) REQUIRE(voices.take(sound, owner));
}

}  // namespace

TEST_CASE("each sound gets its own voice while there are free ones") {
    Voices voices;
    std::set<std::size_t> seen;
    for (std::size_t i = 0; i < Voices::kCount; ++i) seen.insert(voices.take({.sound = 1}, 0).value());
    CHECK(seen.size() == Voices::kCount);
    voices.free(7);
    CHECK(voices.take({.sound = 1, .volume = 0.01F}, 0) == 7);
    voices.free_all();
    CHECK(voices.take({.sound = 1}, 0) == 0);
}

TEST_CASE(
    "[P4] when all voices are busy the oldest of the quietest sounds is replaced, and a quieter sound is not "
    "played") {
    Voices voices;
    fill(voices, {.sound = 1, .volume = 0.5F}, 0, 10);
    fill(voices, {.sound = 2, .volume = 0.3F}, 0, 22);
    CHECK(voices.take({.sound = 3, .volume = 1}, 0) == 10);
    CHECK(voices.take({.sound = 3, .volume = 0.3F}, 0) == 11);
    CHECK(voices.take({.sound = 3, .volume = 0.2F}, 0) == std::nullopt);
}

TEST_CASE("[P4] a sound with priority is played whatever else plays, and is not replaced") {
    Voices voices;
    fill(voices, {.sound = 1});
    const auto hurt = voices.take({.sound = 2, .volume = 0.1F, .priority = 1}, 0);
    REQUIRE(hurt);
    for (int i = 0; i < 100; ++i) CHECK(voices.take({.sound = 1}, 0) != hurt);
    fill(voices, {.sound = 3, .priority = 2});
    CHECK(voices.take({.sound = 2, .priority = 1}, 0) == std::nullopt);
}

TEST_CASE("a game gets half of the voices that mods use, whatever their priority") {
    Voices voices;
    fill(voices, {.sound = 1, .priority = 100}, 1);
    for (std::size_t i = 0; i < Voices::kCount - Voices::kMaxOfMods; ++i)
        CHECK(voices.take({.sound = 2, .volume = 0.1F}, 0));
    CHECK(voices.take({.sound = 1, .priority = 100}, 2));  // of another mod's
    int lost = 0;
    for (int i = 0; i < 100; ++i) lost += voices.take({.sound = 2, .volume = 0.1F}, 0) ? 0 : 1;
    CHECK(lost == 0);  // the game's own are equal, and older
}

TEST_CASE("for any sounds, one is refused only when every voice that it could take is more important") {
    std::mt19937 random{9};
    for (int program = 0; program < 200; ++program) {
        Voices voices;
        std::vector<std::pair<bool, SoundRequest>> playing(Voices::kCount);
        for (int i = 0; i < 300; ++i) {
            const SoundRequest sound{.sound = 1,
                                     .volume = static_cast<float>(random() % 5) / 4.0F,
                                     .priority = static_cast<std::int8_t>(random() % 3)};
            const std::size_t ended = random() % Voices::kCount;
            if (random() % 4 == 0) {
                voices.free(ended);
                playing[ended].first = false;
            }
            const auto voice = voices.take(sound, 0);
            if (!voice) {
                for (const auto& [is_busy, other] : playing)
                    REQUIRE((is_busy && is_more_important(other, sound)));
                continue;
            }
            for (const auto& [is_busy, other] : playing)
                REQUIRE((!playing[*voice].first ||
                         (is_busy && !is_more_important(playing[*voice].second, other))));
            playing[*voice] = {true, sound};
        }
    }
}
