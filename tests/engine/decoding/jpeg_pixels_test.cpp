// JPEG files of every kind, whole, cut off and hostile, decoded in the process that decodes.
#include "engine/decoding/jpeg_pixels.h"

#include "engine/assets/decoder.h"
#include "engine/assets/image_size.h"
#include "tests/engine/decoding/jpeg_file.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;
using test::jpeg_file;
using test::JpegKind;

namespace {

// Left half and right half.
std::string halves(std::array<std::uint8_t, 4> left, std::array<std::uint8_t, 4> right,
                   const JpegKind& kind) {
    return jpeg_file(
        32, 16, [=](unsigned x, unsigned) { return x < 16 ? left : right; }, kind);
}

std::string why(const Result<DecodedBytes>& result) { return result ? "good" : result.error().message; }

void check_pixel(const DecodedBytes& pixels, std::size_t x, std::array<int, 4> color) {
    for (std::size_t c = 0; c < 4; ++c) {
        INFO("pixel " << x << ", channel " << c);
        CHECK(std::abs(pixels.data()[(5 * 32 + x) * 4 + c] - color[c]) <= 3);
    }
}

}  // namespace

TEST_CASE("JPEG files in colour, grey and CMYK are decoded to their pixels, progressive or not [P10]") {
    Decoder decoder;
    const JpegKind kinds[] = {
        {JCS_RGB, false},        {JCS_RGB, true},        {JCS_RGB, false, false, 200'000},
        {JCS_CMYK, false, true}, {JCS_CMYK, true, true}, {JCS_CMYK, false, false},
        {JCS_GRAYSCALE, false},  {JCS_GRAYSCALE, true}};
    for (const JpegKind& kind : kinds) {
        CAPTURE(kind.colors, kind.is_progressive, kind.has_adobe_marker);
        // Adobe's CMYK is inverted: 255 is no ink.
        std::string file;
        std::array<int, 4> left{250, 20, 20, 255}, right{10, 40, 200, 255};
        if (kind.colors == JCS_RGB) {
            file = halves({250, 20, 20}, {10, 40, 200}, kind);
        } else if (kind.colors == JCS_GRAYSCALE) {
            file = halves({200}, {30}, kind);
            left = {200, 200, 200, 255};
            right = {30, 30, 30, 255};
        } else if (kind.has_adobe_marker) {
            file = halves({250, 20, 20, 255}, {20, 80, 255, 128}, kind);
            right = {10, 40, 128, 255};
        } else {
            file = halves({5, 235, 235, 0}, {235, 175, 0, 127}, kind);
            right = {10, 40, 128, 255};
        }
        const auto size = image_size(file);
        REQUIRE(size);
        CHECK(size->width == 32);
        CHECK(size->height == 16);
        const Result<DecodedBytes> pixels = decoder.image(file, *size);
        REQUIRE(why(pixels) == "good");
        REQUIRE(pixels.value().size() == 32 * 16 * 4);
        check_pixel(pixels.value(), 5, left);
        check_pixel(pixels.value(), 25, right);
    }
}

TEST_CASE("a JPEG that is cut off anywhere is damaged [P10]") {
    for (const bool is_progressive : {false, true}) {
        const std::string file =
            jpeg_file(40, 30,
                      [](unsigned x, unsigned y) {
                          return std::array<std::uint8_t, 4>{static_cast<std::uint8_t>(x * 6),
                                                             static_cast<std::uint8_t>(y * 8),
                                                             static_cast<std::uint8_t>(x * y)};
                      },
                      {JCS_RGB, is_progressive});
        decoding::ImagePixels pixels;
        REQUIRE(decoding::decode_jpeg(file, 1 << 20, pixels) == decoding::ImageEnd::done);
        for (std::size_t length = 0; length + 2 < file.size(); length += 7) {
            CAPTURE(is_progressive, length, file.size());
            CHECK(decoding::decode_jpeg(file.substr(0, length), 1 << 20, pixels) ==
                  decoding::ImageEnd::damaged);
        }
    }
}

TEST_CASE("a JPEG of another size than its header says, or a huge one, takes no memory") {
    const std::string file = jpeg_file(64, 64, [](unsigned, unsigned) {
        return std::array<std::uint8_t, 4>{1, 2, 3};
    });
    decoding::ImagePixels pixels;
    CHECK(decoding::decode_jpeg(file, 64 * 64 * 4 - 1, pixels) == decoding::ImageEnd::too_large);
    CHECK(pixels.rgba.empty());
    std::string huge = file;
    const std::size_t frame = huge.find("\xFF\xC0");
    REQUIRE(frame != huge.npos);
    for (const std::size_t at : {frame + 5, frame + 7}) {
        huge[at] = '\x3F';
        huge[at + 1] = '\xFF';
    }
    const auto size = image_size(huge);
    REQUIRE(size);
    CHECK(size->width == 0x3FFF);
    CHECK(decoding::decode_jpeg(huge, 1 << 20, pixels) == decoding::ImageEnd::too_large);
    for (const std::size_t at : {frame + 5, frame + 7}) huge[at] = '\x7F';
    CHECK_FALSE(image_size(huge));
    CHECK(decoding::decode_jpeg(huge, std::size_t{1} << 40U, pixels) == decoding::ImageEnd::damaged);
    for (const std::size_t at : {frame + 5, frame + 7}) huge[at] = huge[at + 1] = '\0';
    CHECK_FALSE(image_size(huge));
    Decoder decoder;
    CHECK(why(decoder.image(file, ImageSize{63, 64})) == "it has more data than its header says");
    CHECK(why(decoder.image(file, ImageSize{65, 64})) == "it is damaged");
    CHECK(why(decoder.image(file, ImageSize{64, 64})) == "good");
}

TEST_CASE("bytes that are damaged at random are decoded or refused, and nothing else happens") {
    std::uint32_t random = 1;
    const auto next = [&random] { return random = random * 1664525U + 1013904223U, random >> 8U; };
    for (int round = 0; round < 400; ++round) {
        std::string file = halves({250, 20, 20, 9}, {10, 40, 200, 99},
                                  {round % 3 == 0 ? JCS_CMYK : JCS_RGB, round % 2 == 0, round % 5 == 0});
        for (unsigned i = 0; i < 1 + next() % 8; ++i) file[next() % file.size()] = static_cast<char>(next());
        if (const auto size = image_size(file); size && std::size_t{size->width} * size->height > 1'000'000)
            continue;
        decoding::ImagePixels pixels;
        if (decoding::decode_jpeg(file, 4 << 20, pixels) == decoding::ImageEnd::done)
            REQUIRE(pixels.rgba.size() == std::size_t{pixels.width} * pixels.height * 4);
    }
}
