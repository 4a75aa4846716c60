// Real files through the decoder program, and what a compromised decoder could try.
#include "engine/decoding/decode_work.h"

#include "engine/assets/decoder.h"
#include "tests/support/png_files.h"
#include "tests/support/sound_files.h"

#include <catch2/catch.hpp>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>

using namespace perigee;
using decoding::Probe;

namespace {

std::string why(const auto& result) { return result ? "good" : result.error().message; }

std::string why(Decoder& decoder, Probe probe) {
    return why(decoder.probe(static_cast<std::uint32_t>(probe)));
}

constexpr char kEnded[] = "it crashed the decoder";

std::vector<std::int16_t> samples_of(const DecodedBytes& bytes) {
    std::vector<std::int16_t> samples(bytes.size() / 2);
    std::memcpy(samples.data(), bytes.data(), bytes.size());
    return samples;
}

// All samples of a stream, within a second.
std::vector<std::int16_t> all_of(SoundStream& stream) {
    std::vector<std::int16_t> all;
    std::vector<std::int16_t> some(5000);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (stream.state() == SoundStream::State::running && std::chrono::steady_clock::now() < end) {
        const std::size_t count = stream.read(some);
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(count));
        if (count == 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return all;
}

// Children of this process that have ended and were not reaped.
int zombies() {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
        if (entry.path().filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
        std::ifstream file(entry.path() / "stat");
        std::string text(std::istreambuf_iterator<char>(file), {});
        const std::size_t end = text.rfind(')');  // of the program's name
        if (end == text.npos) continue;
        std::istringstream rest(text.substr(end + 1));
        char state = 0;
        pid_t parent = 0;
        rest >> state >> parent;
        if (state == 'Z' && parent == getpid()) ++count;
    }
    return count;
}

}  // namespace

TEST_CASE("a new decoder reaps the processes of stopped ones") {
    for (int i = 0; i < 5; ++i) {
        Decoder decoder;
        REQUIRE(why(decoder, Probe::none) == "good");
    }
    for (int i = 0; i < 5; ++i) {
        Decoder decoder;
        REQUIRE(why(decoder, Probe::crash) == kEnded);
    }
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    int left = 0;
    do {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        Decoder next;
        next.start();
        left = zombies();
    } while (left > 1 && std::chrono::steady_clock::now() < end);
    CHECK(left <= 1);  // one that has just been stopped
}

TEST_CASE("a PNG is decoded to its pixels") {
    Decoder decoder;
    const std::string png = test::png_file(3, 2, [](unsigned x, unsigned y) {
        return test::Rgba{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 7, 255};
    });
    const Result<DecodedBytes> pixels = decoder.image(png, image_size(png).value());
    REQUIRE(why(pixels) == "good");
    REQUIRE(pixels.value().size() == 24);
    CHECK(pixels.value().data()[4] == 1);
    CHECK(pixels.value().data()[13] == 1);
    CHECK(pixels.value().data()[23] == 255);
}

TEST_CASE("a WAV is decoded to 16 bits at its own rate, also as a stream") {
    Decoder decoder;
    std::string data;
    for (int i = 0; i < 100'000; ++i) data += test::little_endian(static_cast<std::uint32_t>(i), 2);
    const std::string wav = test::wav_of(data, {1, 2, 48000, 16});
    const SoundInfo info = read_sound_info(wav).value();
    const Result<DecodedBytes> sound = decoder.sound(wav, info);
    REQUIRE(why(sound) == "good");
    const std::vector<std::int16_t> samples = samples_of(sound.value());
    REQUIRE(samples.size() == 100'000);
    CHECK(samples[77] == 77);
    Result<SoundStream> stream = decoder.stream(wav, info);
    REQUIRE(why(stream) == "good");
    CHECK(all_of(stream.value()) == samples);
    CHECK(stream.value().state() == SoundStream::State::ended);
}

TEST_CASE("an OGG is decoded to samples, and its stream has the same ones") {
    Decoder decoder;
    const std::string ogg = test::demo_ogg();
    const SoundInfo info = read_sound_info(ogg).value();
    const Result<DecodedBytes> sound = decoder.sound(ogg, info);
    REQUIRE(why(sound) == "good");
    const std::vector<std::int16_t> samples = samples_of(sound.value());
    CHECK(std::abs(static_cast<double>(samples.size()) / info.channels - static_cast<double>(info.frames)) <
          5000);
    CHECK(std::ranges::any_of(samples, [](std::int16_t sample) { return sample > 1000; }));
    Result<SoundStream> stream = decoder.stream(ogg, info);
    REQUIRE(why(stream) == "good");
    CHECK(all_of(stream.value()) == samples);
}

TEST_CASE("damaged files are errors, and the next file is decoded") {
    Decoder decoder;
    const std::string png = test::png_file(30, 20, [](unsigned, unsigned) { return test::Rgba{}; });
    const ImageSize size = image_size(png).value();
    CHECK(why(decoder.image(png.substr(0, png.size() / 2), size)) == "it is damaged");
    CHECK(why(decoder.image(png, ImageSize{29, 20})) == "it has more data than its header says");
    CHECK(why(decoder.image(png, ImageSize{31, 20})) == "it is damaged");
    CHECK(why(decoder.image("", size)) == "it is damaged");
    CHECK(why(decoder.image(png, size)) == "good");

    const std::string ogg = test::demo_ogg();
    const SoundInfo info = read_sound_info(ogg).value();
    std::string cut = ogg;
    std::fill(cut.begin() + 500, cut.begin() + 3000, 'x');
    CHECK(why(decoder.sound(cut, info)) == "it is damaged");
    const std::string wav = test::silent_wav(3);
    SoundInfo shorter = read_sound_info(wav).value();
    shorter.frames = 10;
    CHECK(why(decoder.sound(wav, shorter)) == "it has more data than its header says");
    Result<SoundStream> broken = decoder.stream(cut, info);
    REQUIRE(why(broken) == "good");
    CHECK(all_of(broken.value()).empty());
    CHECK(broken.value().state() == SoundStream::State::broken);
}

TEST_CASE("sounds and music are decoded up to a maximum length") {
    Decoder decoder;
    SoundInfo info{.rate = 44100, .channels = 2, .frames = 44100 * 301};
    CHECK(why(decoder.sound("", info)) ==
          "it is 301 s long, and a sound can be 300 s long; music can be longer");
    info.frames = 44100ULL * 3601;
    CHECK(why(decoder.stream("", info)) == "it is 3601 s long, and music can be 3600 s long");
}

TEST_CASE("the decoding process can do nothing else: each attempt ends it, and the next file is decoded") {
    Decoder decoder;
    REQUIRE(why(decoder, Probe::none) == "good");
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    CHECK_FALSE(
        decoder.probe(static_cast<std::uint32_t>(Probe::open_file)).value());  // refused, for its reports
#else
    CHECK(why(decoder, Probe::open_file) == kEnded);
#endif
    for (const Probe probe : {Probe::connect, Probe::start_process, Probe::start_program, Probe::make_code,
                              Probe::crash, Probe::fill_result, Probe::stop}) {
        CAPTURE(static_cast<int>(probe));
        CHECK(why(decoder, probe) == kEnded);
        CHECK(why(decoder, Probe::none) == "good");
    }
    DecoderConfig config;
    config.max_milliseconds = 300;
    Decoder impatient{config};
    CHECK(why(impatient, Probe::hang) == "decoding it took too long");
}

TEST_CASE("the decoding process has memory for its file and little more") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    SUCCEED("sanitizers take terabytes of addresses");
#else
    Decoder decoder;
    CHECK_FALSE(decoder.probe(static_cast<std::uint32_t>(Probe::take_memory)).value());
#endif
}

TEST_CASE("without the decoder program every file is an error that names the program") {
    Decoder decoder{{.program = "/nowhere/perigee_decoder"}};
    decoder.start();
    for (int i = 0; i < 10; ++i)
        CHECK(why(decoder.image("", {1, 1})) ==
              "the program that decodes files does not run: '/nowhere/perigee_decoder'");
    // One that is no decoder.
    Decoder other{{.program = "/bin/true"}};
    for (int i = 0; i < 10; ++i)
        CHECK(why(other.image("", {1, 1})) == "the program that decodes files does not run: '/bin/true'");
}
