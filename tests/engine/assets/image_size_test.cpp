// Complete, truncated, foreign and absurd headers.
#include "engine/assets/image_size.h"

#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace perigee;

namespace {

std::string png_head(std::uint32_t width, std::uint32_t height) {
    std::string bytes{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16};
    for (const std::uint32_t side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(side >> shift & 255U);
    return bytes;
}

// A JPEG up to its frame header: each segment has this marker and as many bytes of content.
std::string jpeg_head(std::uint16_t width, std::uint16_t height,
                      const std::vector<std::pair<unsigned, std::size_t>>& segments = {},
                      unsigned frame = 0xC0) {
    std::string bytes{"\xFF\xD8"};
    const auto add = [&bytes](std::size_t number) {
        bytes += static_cast<char>(number >> 8U & 255U);
        bytes += static_cast<char>(number & 255U);
    };
    for (const auto& [marker, size] : segments) {
        add(0xFF00 | marker);
        add(size + 2);
        bytes += std::string(size, 'x');
    }
    add(0xFF00 | frame);
    add(17);
    bytes += '\x08';
    add(height);
    add(width);
    return bytes;
}

}  // namespace

TEST_CASE("the size of a PNG is read from its first 24 bytes") {
    const auto size = image_size(png_head(320, 16384));
    REQUIRE(size);
    CHECK(size->width == 320);
    CHECK(size->height == 16384);
}

TEST_CASE("a truncated, foreign or absurd header has no size") {
    const std::string whole = png_head(1, 1);
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(image_size(whole.substr(0, length)));
    for (std::size_t at = 0; at < 16; ++at) {
        if (at >= 8 && at < 12) continue;  // the chunk's length is not looked at
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ 1);
        CHECK_FALSE(image_size(broken));
    }
    CHECK_FALSE(image_size(png_head(0, 5)));
    CHECK_FALSE(image_size(png_head(5, 0)));
    CHECK_FALSE(image_size(png_head(16385, 5)));
    CHECK_FALSE(image_size(png_head(5, 0xFFFFFFFF)));
}

TEST_CASE("the size of a JPEG is read from its frame header, behind any other segments") {
    for (const unsigned frame : {0xC0U, 0xC1U, 0xC2U, 0xC9U}) {
        const auto size =
            image_size(jpeg_head(640, 480, {{0xE0, 14}, {0xE1, 60'000}, {0xC4, 20}, {0xFE, 0}}, frame));
        REQUIRE(size);
        CHECK(size->width == 640);
        CHECK(size->height == 480);
    }
    std::string filled = jpeg_head(8, 9, {{0xE0, 14}});
    filled.insert(2, "\xFF\xFF\xFF");
    CHECK(image_size(filled)->height == 9);
}

TEST_CASE("a truncated or absurd JPEG has no size") {
    const std::string whole = jpeg_head(5, 5, {{0xE0, 14}});
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(image_size(whole.substr(0, length)));
    CHECK_FALSE(image_size(jpeg_head(0, 5)));
    CHECK_FALSE(image_size(jpeg_head(5, 0)));
    CHECK_FALSE(image_size(jpeg_head(16385, 5)));
    CHECK_FALSE(image_size(jpeg_head(5, 5, {}, 0xD9)));
    CHECK_FALSE(image_size(std::string(300'000, '\xFF')));
    std::string short_segment = whole;
    short_segment[5] = '\1';
    CHECK_FALSE(image_size(short_segment));
}

TEST_CASE("images are files that end as such do") {
    for (const char* path : {"a.png", "assets/b.jpg", "c.jpeg"}) CHECK(is_image_path(path));
    for (const char* path : {"png", "a.PNG", "a.jpgx", "a.gif", ""}) CHECK_FALSE(is_image_path(path));
}
