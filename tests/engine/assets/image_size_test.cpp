// Complete, truncated, foreign and absurd headers.
#include "engine/assets/image_size.h"

#include <catch2/catch.hpp>

#include <string>

using namespace perigee;

namespace {

std::string png_head(std::uint32_t width, std::uint32_t height) {
    std::string bytes{"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16};
    for (const std::uint32_t side : {width, height})
        for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(side >> shift & 255U);
    return bytes;
}

}  // namespace

TEST_CASE("the size of a PNG is read from its first 24 bytes") {
    const auto size = png_size(png_head(320, 16384));
    REQUIRE(size);
    CHECK(size->width == 320);
    CHECK(size->height == 16384);
}

TEST_CASE("a truncated, foreign or absurd header has no size") {
    const std::string whole = png_head(1, 1);
    for (std::size_t length = 0; length < whole.size(); ++length)
        CHECK_FALSE(png_size(whole.substr(0, length)));
    for (std::size_t at = 0; at < 16; ++at) {
        if (at >= 8 && at < 12) continue;  // the chunk's length is not looked at
        std::string broken = whole;
        broken[at] = static_cast<char>(broken[at] ^ 1);
        CHECK_FALSE(png_size(broken));
    }
    CHECK_FALSE(png_size(png_head(0, 5)));
    CHECK_FALSE(png_size(png_head(5, 0)));
    CHECK_FALSE(png_size(png_head(16385, 5)));
    CHECK_FALSE(png_size(png_head(5, 0xFFFFFFFF)));
}
