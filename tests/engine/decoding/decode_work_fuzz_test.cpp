// Damaged files of every format, read by the decoding functions in this process, where sanitizers see them,
// and by the decoder program. Nothing may crash or hang, and results keep their promises. A few seconds here;
// tests/fuzz runs as long as you like.
#include "ecs/files/regular_file.h"
#include "ecs/schema/schema.h"
#include "ecs/world/world.h"
#include "engine/assets/assets.h"
#include "engine/assets/decoder.h"
#include "engine/assets/internal/zip_directory.h"
#include "engine/data/entity_file.h"
#include "engine/decoding/decode_work.h"
#include "engine/decoding/png_pixels.h"
#include "engine/decoding/sound_reader.h"
#include "engine/fonts/bitmap_font.h"
#include "engine/mods/mod_manifest.h"
#include "engine/mods/player_settings.h"
#include "engine/replay/hash_diff.h"
#include "engine/replay/hash_log.h"
#include "engine/replay/input_log.h"
#include "engine/save/save_folder.h"
#include "tests/support/damaged.h"
#include "tests/support/png_files.h"
#include "tests/support/sound_files.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/zip_writer.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <vector>

using namespace perigee;
using test::Damage;

namespace {

struct Sample {
    const char* format;
    std::string bytes;
};

// ---- good files ----

// Any kind of PNG: `header` is its depth, colour type, 0, 0, and whether it is interlaced.
std::string png_of_kind(std::string_view header, const std::string& between, std::size_t data_bytes) {
    std::string data;
    for (std::size_t i = 0; i < data_bytes; ++i) data += static_cast<char>(i % 5);  // also as filters of rows
    return "\x89PNG\r\n\x1a\n" +
           test::png_chunk("IHDR", test::big_endian(16) + test::big_endian(16) + std::string{header}) +
           between + test::png_chunk("IDAT", test::zlib_stored(data)) + test::png_chunk("IEND", "");
}

std::vector<Sample> pngs() {
    using namespace std::string_view_literals;
    const std::string palette = test::png_chunk("PLTE", std::string(48, 'p'));
    const std::string clear = test::png_chunk("tRNS", std::string(6, '\1'));
    return {
        {"png", test::png_file(
                    16, 16,
                    [](unsigned x, unsigned y) {
                        return test::Rgba{static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 3, 99};
                    })},
        {"png", png_of_kind("\x08\x03\0\0\0"sv, palette + clear, 17 * 16)},
        {"png", png_of_kind("\x04\x03\0\0\1"sv, palette, 300)},
        {"png", png_of_kind("\x01\0\0\0\0"sv, "", 3 * 16)},
        {"png",
         png_of_kind("\x10\x02\0\0\1"sv, clear + test::png_chunk("gAMA", test::big_endian(45455)), 2000)},
        {"png", png_of_kind("\x10\x04\0\0\0"sv, test::png_chunk("tEXt", std::string("a\0b", 3)), 65 * 16)},
        {"png", png_of_kind("\x08\0\0\0\0"sv,
                            test::png_chunk("iCCP", std::string("x\0\0", 3) + test::zlib_stored("profile")),
                            17 * 16)}};
}

std::vector<Sample> sounds() {
    std::vector<Sample> samples = {{"sound", test::demo_ogg().substr(0, 9000)}};
    for (const test::WavDesc& desc : {test::WavDesc{1, 1, 22050, 8}, test::WavDesc{1, 2, 44100, 16},
                                      test::WavDesc{1, 1, 48000, 24}, test::WavDesc{3, 2, 8000, 32}})
        samples.push_back({"sound", test::wav_of(std::string(600, 'w'), desc)});
    return samples;
}

std::string good_zip() {
    test::ZipWriter zip;
    zip.add("mod.json", R"({"id": "game", "version": "1.0.0"})");
    zip.add("main.lua", std::string(3000, 'l'));
    zip.add("assets/deep/er/a.txt", "text");
    zip.add("assets/", "");
    return zip.finish();
}

std::string good_input_log() {
    InputLogWriter writer{{"game", 7, 60}};
    ActionMap map;
    [[maybe_unused]] const auto declared = map.declare("jump", {});
    const std::array<std::string, 4> answers = {std::string("l\1\2\4best\7\1b\2", 11), "r\1\1{score=7}",
                                                "w\1", "r" + std::string(1, '\0') + "is damaged"};
    StepInput input;
    input.actions.resize(1);
    for (int step = 0; step < 60; ++step) {
        input.actions[0].down = step % 7 == 0;
        input.mouse_x = static_cast<std::int16_t>(step * 31);
        input.text = step % 20 == 0 ? "text" : "";
        writer.step(map, input);
        if (step == 30) writer.restart();
        if (step % 30 < 4) writer.answer({"game/game", answers[static_cast<std::size_t>(step % 30)]});
        if (step == 40) writer.mark_not_replayable("a limit");
    }
    writer.finish(0x1234);
    return writer.take_bytes();
}

std::string good_save() {
    const test::TemporaryFolder folder;
    SaveFolder saves{folder.path()};
    CHECK(saves.write("game/game", "best", "{score=7,names={\"Ada\"}}"));
    return read_regular_file(folder.path() / "game/game/best.save").value();
}

std::string good_hash_log() {
    HashLogWriter writer{{"game", 7, 60}};
    writer.write(HashLogType{"Position", 1, {"x", "y"}});
    writer.write(HashLogType{"Health", 2, {"current"}});
    for (std::uint64_t step = 0; step < 20; ++step) {
        writer.write(HashLogState{HashMoment::system, "move", {}, {}});
        writer.write(HashLogStep{step, step * 7, {step, step + 1}});
    }
    writer.write(HashLogEnd{true, 20});
    return writer.take_bytes();
}

std::vector<Sample> samples() {
    std::vector<Sample> all = pngs();
    for (Sample& sample : sounds()) all.push_back(std::move(sample));
    all.push_back({"zip", good_zip()});
    all.push_back({"replay", good_input_log()});
    all.push_back({"hash log", good_hash_log()});
    all.push_back({"save", good_save()});
    all.push_back(
        {"manifest", R"({"id": "a", "version": "1.2.0", "depends": {"b": ">=1.2 <3", "c": "^1.2"}, "settings":
        {"power": {"type": "number", "default": 2, "min": 1, "max": 5}, "mood": {"type": "choice", "choices": ["x", "y"]}},
        "permissions": {"memory_mb": 12}, "load_after": ["d"], "width": 640})"});
    all.push_back({"bmfont",
                   "info face=\"a b\" size=12\ncommon lineHeight=14 base=11\npage id=0 file=\"a.png\"\n"
                   "char id=65 x=0 y=0 width=8 height=12 xoffset=0 yoffset=-1 xadvance=9 page=0\n"
                   "char id=66 x=9 y=0 width=8 height=12 xoffset=0 yoffset=0 xadvance=9 page=0\n"
                   "kerning first=65 second=66 amount=-3\n"});
    all.push_back(
        {"settings",
         R"({"a": {"settings": {"power": 3, "on": true, "name": "x"}, "permissions": {"memory_mb": 99,
        "instructions": 100000}}})"});
    all.push_back(
        {"data", R"({"prefabs": {"Zombie": {"Position": {"x": 1, "y": [1, 2]}, "Bag": ["a", {"b": null}]}},
        "entities": [{"Position": {"x": 1.5}}, {"prefab": "Zombie", "children": [{"Position": {}}], "name": "z"}]})"});
    return all;
}

// ---- what reads them ----

// Every other file gets correct checksums, so that the code behind the checks is reached.
std::string with_png_sums(std::string png) {
    for (std::size_t at = 8; at + 12 <= png.size();) {
        std::uint64_t size = 0;
        for (int i = 0; i < 4; ++i)
            size = size << 8U | static_cast<unsigned char>(png[at + static_cast<std::size_t>(i)]);
        if (size > png.size() - at - 12) break;
        const std::string chunk = test::png_chunk(png.substr(at + 4, 4), png.substr(at + 8, size));
        png.replace(at, chunk.size(), chunk);
        at += chunk.size();
    }
    return png;
}

void read_png(const std::string& bytes) {
    const auto size = image_size(bytes);
    const std::size_t most =
        size ? std::min<std::size_t>(std::size_t{size->width} * size->height * 4, 4 << 20) : 4096;
    decoding::ImagePixels pixels;
    if (decoding::decode_png(bytes, most, pixels) != decoding::ImageEnd::done) return;
    REQUIRE(size);
    REQUIRE(pixels.width == size->width);
    REQUIRE(pixels.rgba.size() == std::size_t{pixels.width} * pixels.height * 4);
    REQUIRE(pixels.rgba.size() <= most);
}

void read_sound(const std::string& bytes) {
    const Result<SoundInfo> info = read_sound_info(bytes);
    decoding::SoundReader reader(bytes);
    if (!info) {
        REQUIRE(reader.is_damaged());
        return;
    }
    std::array<std::int16_t, 3001> samples;
    std::size_t total = 0;
    // Vorbis makes at most some thousand samples of a byte.
    while (const std::size_t count = reader.read(samples)) {
        REQUIRE(count <= samples.size());
        total += count;
        REQUIRE(total < (bytes.size() + 100) * 20'000);
    }
}

void read_zip(const std::string& bytes) {
    if (!internal::check_zip(std::string_view{bytes})) return;
    static const test::TemporaryFolder folder;
    AssetStore store;
    const Result<MountId> mount = store.mount("game", folder.write("a.zip", bytes));
    if (!mount) return;
    const Result<std::vector<std::string>> files = store.list(mount.value(), "");
    if (!files) return;  // refused: a name in it cannot be one
    for (const std::string& path : files.value())
        [[maybe_unused]] const auto text = store.read(mount.value(), path);
}

void read_replay(const std::string& bytes) {
    for (const bool accepts : {false, true}) {
        Result<InputLog> log = InputLog::parse(bytes, accepts);
        if (!log) continue;
        ActionMap map;
        for (int step = 0; step < 10'000 && !log.value().is_finished(); ++step) {
            while (log.value().is_restart_next()) {
                log.value().take_restart();
                map.clear();
            }
            if (!log.value().is_finished()) [[maybe_unused]]
                const StepInput input = log.value().take_step(map);
            ReplayedData data;
            data.give(log.value().take_answers());
            for (int i = 0; i < 3; ++i) {
                [[maybe_unused]] const auto files = data.list("game/game");
                [[maybe_unused]] const auto content =
                    data.read("game/game", "best", PlayerData::Version::newest_intact);
                [[maybe_unused]] const auto written = data.write("game/game", "best", "{}");
            }
        }
    }
}

void read_save(const std::string& bytes) {
    const test::TemporaryFolder folder;
    folder.write("game/game/best.save", bytes);
    folder.write("game/game/best.save.old", bytes);
    SaveFolder saves{folder.path()};
    const auto content = saves.read("game/game", "best", PlayerData::Version::newest_intact);
    if (content) CHECK(content.value()->bytes.size() <= kMaxSaveBytes);
    CHECK(saves.list("game/game").value().size() == 1);
}

void read_hash_log(const std::string& bytes) {
    Result<HashLogReader> reader = HashLogReader::open(bytes);
    if (!reader) return;
    for (std::size_t entries = 0; entries <= bytes.size(); ++entries) {
        const Result<HashLogEntry> entry = reader.value().next();
        if (!entry || std::holds_alternative<HashLogEnd>(entry.value())) break;
    }
    Result<HashLogReader> first = HashLogReader::open(bytes), second = HashLogReader::open(good_hash_log());
    [[maybe_unused]] const auto difference = compare(first.value(), second.value());
}

void read_data(const std::string& bytes) {
    World world;
    Schema position;
    position.name = "Position";
    for (const char* name : {"x", "y"}) {
        Field field;
        field.name = name;
        position.fields.push_back(field);
    }
    REQUIRE(world.declare(position));
    [[maybe_unused]] const auto loaded = load_entities(world, bytes, "data.json");
}

void read_bmfont(const std::string& bytes) {
    const Result<BitmapFont> font = parse_bmfont(bytes);
    if (!font) return;
    REQUIRE(font.value().size > 0.0F);
    for (const BitmapFont::Glyph& glyph : font.value().glyphs)
        REQUIRE(glyph.page < font.value().pages.size());
}

void read(const std::string& format, const std::string& bytes, bool mends_sums) {
    if (format == "png") read_png(mends_sums ? with_png_sums(bytes) : bytes);
    if (format == "sound") read_sound(bytes);
    if (format == "zip") read_zip(bytes);
    if (format == "replay") read_replay(bytes);
    if (format == "hash log") read_hash_log(bytes);
    if (format == "save") read_save(bytes);
    if (format == "manifest") [[maybe_unused]]
        const auto parsed = parse_manifest(bytes, "mod");
    if (format == "settings") [[maybe_unused]]
        const auto parsed = parse_player_settings(bytes, "settings.json");
    if (format == "data") read_data(bytes);
    if (format == "bmfont") read_bmfont(bytes);
}

// Stores the file that caused a crash, since it does not fit into the message.
void read_kept(const std::string& format, const std::string& bytes, bool mends_sums) {
    static const test::TemporaryFolder folder;
    const char* const keep = std::getenv("PERIGEE_FUZZ_KEEP");
    if (keep != nullptr)
        std::ofstream{keep, std::ios::binary}.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto start = std::chrono::steady_clock::now();
    read(format, bytes, mends_sums);
    const auto took = std::chrono::steady_clock::now() - start;
    INFO(fmt::format("{} of {} bytes", format, bytes.size()));
    REQUIRE(took < std::chrono::seconds(20));
}

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

}  // namespace

TEST_CASE("every valid sample file is read") {
    for (const Sample& sample : samples()) read_kept(sample.format, sample.bytes, false);
    decoding::ImagePixels pixels;
    for (const Sample& png : pngs()) {
        CAPTURE(png.bytes.substr(24, 5));
        CHECK(decoding::decode_png(png.bytes, 4096, pixels) == decoding::ImageEnd::done);
    }
    CHECK(internal::check_zip(std::string_view{good_zip()}));
    CHECK(InputLog::parse(good_input_log()));
}

TEST_CASE("damaged files of every format are read or refused without a crash") {
    const std::vector<Sample> all = samples();
    for (std::uint32_t seed = 1; seed <= 1500; ++seed) {
        Damage damage{seed};
        const Sample& sample = all[seed % all.size()];
        read_kept(sample.format, damage.of(sample.bytes, all[damage.below(all.size())].bytes), seed % 2 == 0);
    }
}

TEST_CASE("the decoder survives damaged images and sounds") {
    std::vector<Sample> all = pngs();
    for (Sample& sample : sounds()) all.push_back(std::move(sample));
    Decoder decoder;
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        Damage damage{seed + 10'000};
        const Sample& sample = all[seed % all.size()];
        const std::string bytes = damage.of(sample.bytes, all[damage.below(all.size())].bytes);
        if (const auto size = image_size(bytes); size && std::size_t{size->width} * size->height < 1'000'000)
            [[maybe_unused]]
            const auto pixels = decoder.image(bytes, *size);
        if (const auto info = read_sound_info(bytes); info && info.value().seconds() < 100) [[maybe_unused]]
            const auto sound = decoder.sound(bytes, info.value());
    }
    CHECK(decoder.probe(0));
}

// By hand: tests/fuzz.
TEST_CASE("damaged files for a while", "[.][fuzz]") {
    const std::vector<Sample> all = samples();
    const std::uint64_t minutes = number_of("PERIGEE_FUZZ_MINUTES", 1);
    const auto first = static_cast<std::uint32_t>(number_of("PERIGEE_FUZZ_SEED", 1));
    const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(minutes);
    std::uint32_t seed = first;
    for (; std::chrono::steady_clock::now() < end; ++seed) {
        Damage damage{seed};
        const Sample& sample = all[damage.below(all.size())];
        CAPTURE(seed);
        read_kept(sample.format, damage.of(sample.bytes, all[damage.below(all.size())].bytes), seed % 2 == 0);
    }
    WARN(fmt::format("{} files, seeds {} to {}", seed - first, first, seed - 1));
}
