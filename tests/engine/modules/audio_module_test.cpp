// The module audio in scripts: what reaches the queue, and what is refused.
#include "engine/modules/audio_module.h"

#include "engine/assets/assets.h"
#include "engine/audio/audio.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

std::string failure(std::string_view body) {
    GameFolder game{body};
    const auto engine = game.play();
    CHECK(engine->error_count() == 1);
    return game.log;
}

}  // namespace

TEST_CASE("sounds and music reach the queue with their options") {
    GameFolder game{
        "audio.set_volume(0.5)\n"
        "audio.music('assets/song.ogg', { volume = 0.8, fade = 2 })\n"
        "function update()\n"
        "  audio.play('assets/shot.wav') audio.play('assets/shot.wav', 0.5)\n"
        "  audio.play('assets/hit.wav', { volume = 0.5, pan = -1, pitch = 2, priority = 3 })\n"
        "end"};
    game.write("assets/shot.wav", "x");
    game.write("assets/hit.wav", "x");
    game.write("assets/song.ogg", "x");
    const auto engine = game.play();
    for (int frame = 0; frame < 3; ++frame) {
        run(*engine, 1);
        const auto sounds = engine->audio().sounds();
        REQUIRE(sounds.size() == 2);
        CHECK(engine->assets().name_of(sounds[0].sound) == "assets/shot.wav");
        CHECK(sounds[0].volume == 1);
        CHECK(sounds[1].pan == -1);
        CHECK(sounds[1].pitch == 2);
        CHECK(sounds[1].priority == 3);
        CHECK(engine->assets().name_of(engine->audio().music().music) == "assets/song.ogg");
        CHECK(engine->audio().music().volume == 0.8F);
        CHECK(engine->audio().master_volume() == 0.5F);
    }
}

TEST_CASE("music can be changed and stopped") {
    GameFolder game{
        "audio.music('a.ogg')\n"
        "function update() audio.set_music_volume(0.25) audio.stop_music(1) end"};
    game.write("a.ogg", "x");
    const auto engine = game.play();
    CHECK(engine->audio().music().music != 0);
    run(*engine, 1);
    CHECK(engine->audio().music().music == 0);
    CHECK(engine->audio().music().fade_seconds == 1);
}

TEST_CASE("a missing sound is silent and reported once") {
    GameFolder game{"function update() audio.play('assets/ghost.wav') end"};
    const auto engine = game.play();
    run(*engine, 3);
    CHECK(engine->audio().sounds().empty());
    CHECK(game.log == "game/main.lua:1: asset 'assets/ghost.wav' does not exist; a placeholder is used\n");
}

TEST_CASE("argument errors name the function") {
    CHECK(contains(failure("audio.play(5)"), "audio.play: expected the path of a sound, got 5"));
    CHECK(contains(failure("audio.play('/etc/x')"), "audio.play: asset path '/etc/x': is absolute"));
    CHECK(
        contains(failure("audio.play('x', 'loud')"), "audio.play: expected a table of options, got 'loud'"));
    CHECK(contains(failure("audio.play('x', { volum = 1 })"), "unknown key 'volum'; did you mean 'volume'?"));
    CHECK(contains(failure("audio.music('x', { fade = 'slow' })"),
                   "audio.music, fade: expected a number, got 'slow'"));
    CHECK(contains(failure("audio.play('x', { priority = 'high' })"),
                   "audio.play, priority: expected a number, got 'high'"));
    CHECK(contains(failure("audio.set_volume('x')"), "audio.set_volume, volume: expected a number, got 'x'"));
    CHECK(contains(failure("audio.playy('x')"), "audio has no 'playy'; did you mean 'play'?"));
}
