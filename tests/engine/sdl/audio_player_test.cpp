// Sounds and music through SDL's dummy device, and silence where there is none.
#include "engine/sdl/audio_player.h"

#include "tests/support/temporary_folder.h"

#include <SDL_mixer.h>
#include <catch2/catch.hpp>

#include <cstdlib>

using namespace perigee;

namespace {

// Half a second of silence as a WAV file: 22050 Hz, mono, 8 bit.
std::string silent_wav() {
    constexpr std::uint32_t kSamples = 11025;
    std::string wav = "RIFF";
    const auto put = [&wav](std::uint32_t number, int bytes) {
        for (int i = 0; i < bytes; ++i) wav += static_cast<char>(number >> (8 * i));
    };
    put(36 + kSamples, 4);
    wav += "WAVEfmt ";
    put(16, 4);
    put(1, 2);
    put(1, 2);
    put(22050, 4);
    put(22050, 4);
    put(1, 2);
    put(8, 2);
    wav += "data";
    put(kSamples, 4);
    return wav + std::string(kSamples, '\x80');
}

struct Game {
    Game() {
        setenv("SDL_AUDIODRIVER", "dummy", 1);
        folder.write("assets/a.wav", silent_wav());
        folder.write("assets/broken.wav", "no sound");
        assets.mount("game", folder.path()).value();
        sound = assets.intern(0, "assets/a.wav").value();
        broken = assets.intern(0, "assets/broken.wav").value();
        missing = assets.intern(0, "assets/missing.wav").value();
    }

    test::TemporaryFolder folder;
    AssetStore assets;
    AudioQueue queue;
    AssetHandle sound = 0;
    AssetHandle broken = 0;
    AssetHandle missing = 0;
};

}  // namespace

TEST_CASE("a sound asked for is playing, at its volume, until all is forgotten") {
    Game game;
    AudioPlayer player;
    REQUIRE(player.has_device());
    game.queue.set_master_volume(0.5F);
    game.queue.play({.sound = game.sound, .volume = 0.5F, .pan = -1.0F});
    player.play(game.queue, game.assets);
    CHECK(Mix_Playing(-1) == 1);
    CHECK(Mix_Volume(0, -1) == MIX_MAX_VOLUME / 4);
    player.reload();
    CHECK(Mix_Playing(-1) == 0);
    CHECK(player.take_reports().empty());
}

TEST_CASE("an octave higher is half as long, and an octave lower twice") {
    Game game;
    AudioPlayer player;
    const auto length_at = [&](float pitch) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.sound, .pitch = pitch});
        player.play(game.queue, game.assets);
        const double length = Mix_GetChunk(0)->alen;
        Mix_HaltChannel(-1);
        return length;
    };
    const double plain = length_at(1.0F);
    CHECK(length_at(2.0F) == Approx(plain / 2).epsilon(0.02));
    CHECK(length_at(0.5F) == Approx(plain * 2).epsilon(0.02));
}

TEST_CASE("more sounds than voices are not an error") {
    Game game;
    AudioPlayer player;
    for (int frame = 0; frame < 100; ++frame) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.sound});
        player.play(game.queue, game.assets);
    }
    CHECK(Mix_Playing(-1) == AudioPlayer::kVoices);
    CHECK(player.take_reports().empty());
}

TEST_CASE("broken sounds and music are silence, reported once, and missing ones are the store's to report") {
    Game game;
    AudioPlayer player;
    for (int frame = 0; frame < 3; ++frame) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.broken});
        game.queue.play({.sound = game.missing});
        player.play(game.queue, game.assets);
    }
    std::vector<std::string> reports = player.take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::StartsWith("sound 'assets/broken.wav' cannot be played: "));

    game.queue.play_music(game.broken, 1.0F, true, 0.0F);
    player.play(game.queue, game.assets);
    player.play(game.queue, game.assets);
    reports = player.take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::StartsWith("music 'assets/broken.wav' cannot be played: "));
}

TEST_CASE("music follows its state: it starts, pauses, goes on, and stops") {
    Game game;
    AudioPlayer player;
    game.queue.play_music(game.sound, 0.5F, true, 0.0F);
    player.play(game.queue, game.assets);
    CHECK(Mix_PlayingMusic() == 1);
    CHECK(Mix_VolumeMusic(-1) == MIX_MAX_VOLUME / 2);
    player.set_paused(true);
    CHECK(Mix_PausedMusic() == 1);
    player.set_paused(false);
    CHECK(Mix_PausedMusic() == 0);
    // Another piece while the first fades out: at once, without waiting.
    game.queue.stop_music(10.0F);
    player.play(game.queue, game.assets);
    const std::uint64_t before = SDL_GetTicks64();
    game.queue.play_music(game.sound, 1.0F, false, 0.1F);
    player.play(game.queue, game.assets);
    CHECK(SDL_GetTicks64() - before < 2000);
    CHECK(Mix_PlayingMusic() == 1);
    game.queue.stop_music(0.0F);
    player.play(game.queue, game.assets);
    CHECK(Mix_PlayingMusic() == 0);
}

TEST_CASE("without a device everything is silent, and that is reported once") {
    Game game;
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    AudioPlayer player;
    setenv("SDL_AUDIODRIVER", "dummy", 1);
    CHECK_FALSE(player.has_device());
    game.queue.play({.sound = game.sound});
    game.queue.play_music(game.sound, 1.0F, true, 0.0F);
    player.play(game.queue, game.assets);
    player.set_paused(true);
    player.reload();
    const std::vector<std::string> reports = player.take_reports();
    REQUIRE(reports.size() == 1);
    CHECK_THAT(reports[0], Catch::Matchers::StartsWith("no sound: "));
}
