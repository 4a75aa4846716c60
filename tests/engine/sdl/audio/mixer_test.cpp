// The sum of what plays, without a device: the device's thread calls the same function.
#include "engine/sdl/audio/mixer.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <random>
#include <vector>

using namespace perigee;

namespace {

using Samples = std::vector<std::int16_t>;

std::vector<float> mixed(Mixer& mixer, std::size_t frames) {
    std::vector<float> out(frames * Mixer::kChannels, 7.0F);
    mixer.mix_into(out);
    return out;
}

}  // namespace

TEST_CASE("nothing is silence, and a voice adds its samples with a gain for each side") {
    Mixer mixer;
    CHECK(mixed(mixer, 3) == std::vector<float>(6, 0.0F));
    const Samples one{16384, 16384, -16384, 8192};
    mixer.play(5, one, {1.0F, 0.5F});
    CHECK(mixed(mixer, 2) == std::vector<float>{0.5F, 0.25F, -0.5F, 0.125F});
}

TEST_CASE("a voice ends with its samples, and another sound on it replaces it") {
    Mixer mixer;
    const Samples three(3 * Mixer::kChannels, 16384), loud(2, 32767);
    mixer.play(0, three, {});
    CHECK(mixer.is_playing(0));
    CHECK(mixed(mixer, 2) == std::vector<float>(4, 0.5F));
    CHECK(mixer.playing_count() == 1);
    CHECK(mixed(mixer, 2) == std::vector<float>{0.5F, 0.5F, 0.0F, 0.0F});
    CHECK_FALSE(mixer.is_playing(0));
    mixer.play(0, three, {});
    mixer.play(0, loud, {});
    CHECK(mixed(mixer, 2)[2] == 0.0F);
    mixer.play(0, three, {});
    mixer.stop_all();
    CHECK(mixer.playing_count() == 0);
    CHECK(mixed(mixer, 1) == std::vector<float>(2, 0.0F));
}

TEST_CASE("the sum is that of a slow model, and clips only at the end") {
    std::mt19937 random(5);
    Mixer mixer;
    std::array<Samples, Voices::kCount> sounds;
    std::array<MixGain, Voices::kCount> gains;
    std::uniform_real_distribution<float> gain(0.0F, 1.0F);
    for (std::size_t voice = 0; voice < sounds.size(); ++voice) {
        sounds[voice].resize(2 * (random() % 50));
        for (std::int16_t& sample : sounds[voice]) sample = static_cast<std::int16_t>(random());
        gains[voice] = {gain(random), gain(random)};
        mixer.play(voice, sounds[voice], gains[voice]);
    }
    std::size_t at = 0;
    while (mixer.playing_count() != 0) {
        const std::size_t frames = 1 + random() % 9;
        const std::vector<float> out = mixed(mixer, frames);
        for (std::size_t i = 0; i < out.size(); ++i) {
            float sum = 0.0F;
            for (std::size_t voice = 0; voice < sounds.size(); ++voice)
                if (at + i < sounds[voice].size())
                    sum += static_cast<float>(sounds[voice][at + i]) / 32768.0F *
                           (i % 2 == 0 ? gains[voice].left : gains[voice].right);
            REQUIRE(out[i] == Approx(std::clamp(sum, -1.0F, 1.0F)).margin(1e-5));
        }
        at += out.size();
    }
    CHECK(at >= 2);
}

TEST_CASE("music is under the voices, and the device asks for both") {
    struct Tone : MixSource {
        void mix_into(std::span<float> out) override {
            for (float& sample : out) sample += 0.25F;
            ++calls;
        }
        std::atomic<int> calls = 0;
    } tone;
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    Mixer mixer;
    REQUIRE(mixer.open(tone));
    for (int i = 0; i < 200 && tone.calls < 2; ++i) SDL_Delay(10);
    CHECK(tone.calls >= 2);
    mixer.set_paused(true);
    const Samples one{16384, 16384};
    mixer.play(0, one, {});
    SDL_Delay(50);  // the buffer that was being asked for
    CHECK(mixed(mixer, 1) == std::vector<float>(2, 0.75F));
    mixer.close();
    CHECK_FALSE(mixer.is_open());
}
