// Sounds and music through SDL's dummy device, and silence without a device.
#include "engine/sdl/audio/audio_player.h"

#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"

#include <SDL.h>
#include <catch2/catch.hpp>

#include <cstdlib>

using namespace perigee;

namespace {

struct Game {
    Game() {
        setenv("SDL_AUDIODRIVER", "dummy", 1);
        folder.write("assets/a.wav", test::silent_wav());
        folder.write("assets/broken.wav", "no sound");
        assets.mount("game", folder.path()).value();
        sound = assets.intern(0, "assets/a.wav").value();
        broken = assets.intern(0, "assets/broken.wav").value();
        missing = assets.intern(0, "assets/missing.wav").value();
    }

    AssetHandle add(const char* path, const std::string& bytes) {
        folder.write(path, bytes);
        return assets.intern(0, path).value();
    }

    test::TemporaryFolder folder;
    Decoder decoder;
    AssetStore assets;
    AudioQueue queue;
    AssetHandle sound = 0;
    AssetHandle broken = 0;
    AssetHandle missing = 0;
};

}  // namespace

TEST_CASE("a requested sound plays at its volume until reload") {
    Game game;
    AudioPlayer player{game.decoder};
    REQUIRE(player.has_device());
    game.queue.set_master_volume(0.5F);
    game.queue.play({.sound = game.sound, .volume = 0.5F, .pan = -1.0F});
    player.play(game.queue, game.assets);
    CHECK(player.mixer().playing_count() == 1);
    CHECK(player.mixer().voice(0).gain == MixGain{0.25F, 0.0F});
    player.reload();
    CHECK(player.mixer().playing_count() == 0);
    CHECK(player.take_reports().empty());
}

TEST_CASE("an octave higher is half as long, and an octave lower twice") {
    Game game;
    AudioPlayer player{game.decoder};
    player.set_paused(true);  // so that all samples are still to be played
    const auto length_at = [&](float pitch) {
        player.reload();
        game.queue.begin_frame();
        game.queue.play({.sound = game.sound, .pitch = pitch});
        player.play(game.queue, game.assets);
        return static_cast<double>(player.mixer().voice(0).samples.size());
    };
    const double plain = length_at(1.0F);
    CHECK(length_at(2.0F) == Approx(plain / 2).epsilon(0.02));
    CHECK(length_at(0.5F) == Approx(plain * 2).epsilon(0.02));
}

TEST_CASE("more sounds than voices are not an error") {
    Game game;
    AudioPlayer player{game.decoder};
    for (int frame = 0; frame < 100; ++frame) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.sound});
        player.play(game.queue, game.assets);
    }
    CHECK(player.mixer().playing_count() == AudioPlayer::kVoices);
    CHECK(player.take_reports().empty());
}

TEST_CASE("[P4] with all voices busy a sound with a priority is heard") {
    Game game;
    const AssetHandle hurt = game.add("assets/hurt.wav", test::silent_wav(0.5));
    AudioPlayer player{game.decoder};
    for (int frame = 0; frame < 40; ++frame) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.sound});
        player.play(game.queue, game.assets);
    }
    game.queue.begin_frame();
    game.queue.play({.sound = hurt, .volume = 0.1F, .priority = 1});
    player.play(game.queue, game.assets);
    CHECK(player.mixer().playing_count() == AudioPlayer::kVoices);
    const auto loudness_of_hurt = [&player] {
        for (std::size_t voice = 0; voice < AudioPlayer::kVoices; ++voice)
            if (player.mixer().voice(voice).gain.left < 0.2F) return player.mixer().voice(voice).gain.left;
        return 0.0F;
    };
    CHECK(loudness_of_hurt() == 0.1F);
}

TEST_CASE(
    "broken sounds and music are silent and reported once, and missing ones are reported by the store") {
    Game game;
    AudioPlayer player{game.decoder};
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

TEST_CASE("music follows its state: it starts, pauses, continues and stops") {
    Game game;
    AudioPlayer player{game.decoder};
    game.queue.play_music(game.sound, 0.5F, true, 0.0F);
    player.play(game.queue, game.assets);
    CHECK(player.is_music_playing());
    player.set_paused(true);
    CHECK(player.is_music_playing());
    player.set_paused(false);
    // Another piece while the first fades out: at once, without waiting.
    game.queue.stop_music(10.0F);
    player.play(game.queue, game.assets);
    CHECK(player.is_music_playing());
    const std::uint64_t before = SDL_GetTicks64();
    game.queue.play_music(game.sound, 1.0F, false, 0.1F);
    player.play(game.queue, game.assets);
    CHECK(SDL_GetTicks64() - before < 2000);
    CHECK(player.is_music_playing());
    game.queue.stop_music(0.0F);
    player.play(game.queue, game.assets);
    CHECK_FALSE(player.is_music_playing());
    CHECK(player.take_reports().empty());
}

TEST_CASE("OGG and WAV files are played, whatever their names, and other files are refused") {
    Game game;
    AudioPlayer player{game.decoder};
    for (const AssetHandle sound :
         {game.add("assets/ogg.wav", test::demo_ogg()), game.add("assets/wav.mp3", test::silent_wav(0.01))}) {
        game.queue.begin_frame();
        game.queue.play({.sound = sound});
        game.queue.play_music(sound, 1.0F, false, 0.0F);
        player.play(game.queue, game.assets);
        CHECK(player.mixer().playing_count() > 0);
        CHECK(player.is_music_playing());
    }
    CHECK(player.take_reports().empty());
    player.reload();

    // A module, a FLAC, a MIDI, an MP3, an AIFF and a VOC that say they are an OGG.
    int number = 0;
    for (const char* head :
         {"IMPM", "fLaC", "MThd", "ID3\4", "FORM\0\0\0\0AIFF", "Creative Voice File\x1A"}) {
        game.queue.begin_frame();
        game.queue.play({.sound = game.add(("assets/" + std::to_string(++number) + ".ogg").c_str(),
                                           head + std::string(2000, '\0'))});
        player.play(game.queue, game.assets);
        const std::vector<std::string> reports = player.take_reports();
        REQUIRE(reports.size() == 1);
        CHECK_THAT(reports[0], Catch::Matchers::EndsWith("it is neither WAV nor OGG Vorbis"));
    }
    CHECK(player.mixer().playing_count() == 0);
}

TEST_CASE("a WAV of one sample a second is refused and overruns no buffer") {
    Game game;
    AudioPlayer player{game.decoder};
    const AssetHandle slow =
        game.add("assets/slow.wav", test::wav_of(std::string(24'348, 'x'), {1, 1, 1, 8}));
    game.queue.play({.sound = slow});
    game.queue.play({.sound = slow, .pitch = 2.0F});
    game.queue.play_music(slow, 1.0F, true, 0.0F);
    player.play(game.queue, game.assets);
    const std::string why = "it has 1 samples a second; 4000 to 192000 can be played";
    CHECK(player.take_reports() ==
          std::vector<std::string>{"sound 'assets/slow.wav' cannot be played: " + why,
                                   "music 'assets/slow.wav' cannot be played: " + why});
}

TEST_CASE("without a device everything is silent, and that is reported once") {
    Game game;
    setenv("SDL_AUDIODRIVER", "no such driver", 1);
    AudioPlayer player{game.decoder};
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
