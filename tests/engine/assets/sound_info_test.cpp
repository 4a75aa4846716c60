// Both formats, each limit, and files that only look like sounds.
#include "engine/assets/sound_info.h"

#include "tests/support/sound_files.h"

#include <catch2/catch.hpp>

using namespace perigee;
using perigee::test::demo_ogg;
using perigee::test::wav_of;

namespace {

std::string why(std::string_view bytes) {
    const Result<SoundInfo> info = read_sound_info(bytes);
    return info ? "good" : info.error().message;
}

}  // namespace

TEST_CASE("the header of a WAV gives its rate, channels, sample format and length") {
    const SoundInfo info = read_sound_info(wav_of(std::string(4000, 'x'), {1, 2, 44100, 16})).value();
    CHECK(info.format == SoundInfo::Format::wav);
    CHECK(info.samples == SoundInfo::Samples::s16);
    CHECK(info.rate == 44100);
    CHECK(info.channels == 2);
    CHECK(info.frames == 1000);
    CHECK(info.data_at == 44);
    for (const std::uint32_t bits : {8U, 16U, 24U, 32U})
        CHECK(read_sound_info(wav_of(std::string(96, 'x'), {1, 1, 8000, bits})).value().frames ==
              96 * 8 / bits);
    CHECK(read_sound_info(wav_of(std::string(96, 'x'), {3, 1, 8000, 32})).value().samples ==
          SoundInfo::Samples::f32);
}

TEST_CASE("other chunks of a WAV are skipped, and a length beyond the file means the rest of the file") {
    std::string wav = wav_of("abcd");
    wav.insert(36, std::string("LIST\3\0\0\0abc\0", 12));  // odd sizes are filled up
    CHECK(read_sound_info(wav).value().frames == 4);
    wav.replace(wav.find("data") + 4, 4, "\xFF\xFF\xFF\xFF");
    CHECK(read_sound_info(wav).value().frames == 4);
}

TEST_CASE("the header of an OGG gives its rate, channels and length") {
    const SoundInfo info = read_sound_info(demo_ogg()).value();
    CHECK(info.format == SoundInfo::Format::ogg);
    CHECK(info.rate == 44100);
    CHECK(info.channels >= 1);
    CHECK(info.seconds() > 0.1);
    CHECK(info.seconds() < 10);
}

TEST_CASE("an unplayable file is refused with the reason") {
    CHECK(why("") == "it is neither WAV nor OGG Vorbis");
    for (const char* other :
         {"fLaC....................", "ID3.....................", "MThd....................",
          "FORM....AIFF............", "Creative Voice File.....", "IMPM...................."})
        CHECK(why(other) == "it is neither WAV nor OGG Vorbis");
    // The file that overran a buffer in a library: 1 Hz, 8 bits, one channel, 24,348 bytes.
    CHECK(why(wav_of(std::string(24'348, 'x'), {1, 1, 1, 8})) ==
          "it has 1 samples a second; 4000 to 192000 can be played");
    CHECK(why(wav_of("abcd", {1, 1, 200'000, 8})) ==
          "it has 200000 samples a second; 4000 to 192000 can be played");
    CHECK(why(wav_of("abcd", {1, 0, 8000, 8})) == "it has 0 channels; 1 to 2 can be played");
    CHECK(why(wav_of("abcd", {1, 6, 8000, 8})) == "it has 6 channels; 1 to 2 can be played");
    CHECK(why(wav_of("")) == "it has no samples");
    CHECK(
        why(wav_of("abcd", {2, 1, 8000, 4})) ==
        "it is a WAV of encoding 2 with 4 bits; PCM of 8, 16, 24 and 32 bits and floats of 32 can be played");
    CHECK(why(wav_of("abcd").substr(0, 30)) == "it is damaged");
    CHECK(why(wav_of("abcd").substr(0, 36)) == "it is damaged");
    std::string opus = demo_ogg();
    opus.replace(opus.find("vorbis"), 6, "opushe");
    CHECK(why(opus) == "it is an OGG file without Vorbis");
    CHECK(why(demo_ogg().substr(0, 30)) == "it is damaged");
}

TEST_CASE("no part of a sound file is read beyond its end") {
    for (const std::string& good : {wav_of("abcd", {0xFFFE, 1, 8000, 16}), demo_ogg().substr(0, 400)}) {
        for (std::size_t size = 0; size < good.size(); ++size) {
            [[maybe_unused]] const auto cut = read_sound_info(std::string_view{good}.substr(0, size));
            std::string changed = good;
            changed[size] = '\xFF';
            [[maybe_unused]] const auto broken = read_sound_info(changed);
        }
    }
    SUCCEED("the sanitizers look on");
}
