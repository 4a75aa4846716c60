// The caps of a frame hold for random requests, and music is a state.
#include "engine/audio/audio.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <limits>
#include <map>
#include <random>

using namespace perigee;

TEST_CASE("a hundred equal shots in a frame are one shot, as loud as the loudest") {
    AudioQueue queue;
    for (int i = 0; i < 100; ++i) queue.play({7, static_cast<float>((i * 37) % 100) / 100.0F, 0, 1});
    REQUIRE(queue.sounds().size() == 1);
    CHECK(queue.sounds()[0].volume == 0.99F);
    queue.begin_frame();
    CHECK(queue.sounds().empty());
}

TEST_CASE("for any requests a frame keeps at most sixteen distinct sounds, and never loses the loudest") {
    std::mt19937 random{3};
    for (int program = 0; program < 200; ++program) {
        AudioQueue queue;
        float loudest = 0;
        for (unsigned n = random() % 100; n > 0; --n) {
            const SoundRequest request{static_cast<std::uint32_t>(1 + random() % 40),
                                       static_cast<float>(random() % 1000) / 1000.0F, 0, 1};
            loudest = std::max(loudest, request.volume);
            queue.play(request);
        }
        std::map<std::uint32_t, int> seen;
        float kept = 0;
        for (const SoundRequest& sound : queue.sounds()) {
            CHECK(++seen[sound.sound] == 1);
            kept = std::max(kept, sound.volume);
        }
        CHECK(queue.sounds().size() <= AudioQueue::kMaxSoundsPerFrame);
        CHECK(kept == loudest);
    }
}

TEST_CASE("[P4] in a full frame a sound with priority replaces one without") {
    AudioQueue queue;
    for (std::uint32_t sound = 1; sound <= AudioQueue::kMaxSoundsPerFrame; ++sound)
        queue.play({sound, 1, 0, 1});
    queue.play({99, 0.1F, 0, 1, 1});
    queue.play({100, 1, 0, 1});
    const auto is_there = [&](std::uint32_t sound) {
        return std::ranges::count(queue.sounds(), sound, &SoundRequest::sound) == 1;
    };
    CHECK(is_there(99));
    CHECK_FALSE(is_there(100));
    queue.play({99, 0.5F, 0, 1});  // louder, and still with the priority that was asked for
    CHECK(std::ranges::count(queue.sounds(), SoundRequest{99, 0.5F, 0, 1, 1}) == 1);
    queue.begin_frame();
    queue.play({1, 1, 0, 1, 127});
    CHECK(queue.sounds()[0].priority == 100);
}

TEST_CASE("values out of range are clamped and NaN falls back to the default") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    AudioQueue queue;
    queue.play({1, 9, -9, 99});
    queue.play({2, kNan, kNan, kNan});
    queue.play({0, 1, 0, 1});  // a sound that is missing
    REQUIRE(queue.sounds().size() == 2);
    CHECK(queue.sounds()[0] == SoundRequest{1, 1, -1, 4});
    CHECK(queue.sounds()[1] == SoundRequest{2, 1, 0, 1});
}

TEST_CASE("the music state outlives the frame, and playing the same piece again restarts it") {
    AudioQueue queue;
    queue.play_music(5, 0.5F, true, 2.0F);
    queue.begin_frame();
    CHECK(queue.music() == MusicState{5, 0.5F, true, 2.0F, 1});
    queue.set_music_volume(0.25F);
    CHECK(queue.music() == MusicState{5, 0.25F, true, 2.0F, 1});
    queue.play_music(5, 0.5F, true, 0.0F);
    CHECK(queue.music().generation == 2);
    queue.stop_music(1.0F);
    CHECK(queue.music().music == 0);
    queue.set_master_volume(0.3F);
    queue.reset();
    CHECK(queue.music().generation == 4);
    CHECK(queue.master_volume() == 1.0F);
}
