// Pixels beside a plain model of them, and the rows that a back end is told to copy.
#include "engine/surfaces/pixel_buffer.h"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <vector>

using namespace perigee;

namespace {

std::vector<PackedColor> copied(const PixelBuffer& buffer) {
    return {buffer.pixels().begin(), buffer.pixels().end()};
}

}  // namespace

TEST_CASE("pixels are transparent at first, and a back end copies all of them") {
    PixelBuffer buffer{3, 5};
    CHECK(copied(buffer) == std::vector<PackedColor>(15, 0));
    int calls = 0;
    buffer.take_changes([&](std::size_t first, std::size_t count) {
        CHECK(first == 0);
        CHECK(count == 5);
        ++calls;
    });
    buffer.take_changes([&](std::size_t, std::size_t) { ++calls; });
    CHECK(calls == 1);
}

TEST_CASE("what is copied by changed rows is always what is in memory, for any size and any writes") {
    std::mt19937 random{5};
    for (int round = 0; round < 60; ++round) {
        const auto width = static_cast<std::uint16_t>(1 + random() % 3000);
        const auto height = static_cast<std::uint16_t>(1 + random() % 40);
        PixelBuffer buffer{width, height};
        PixelBuffer other{static_cast<std::uint16_t>(1 + random() % 50),
                          static_cast<std::uint16_t>(1 + random() % 50)};
        other.fill(0, 0, 25, 25, 7);
        std::vector<PackedColor> model(std::size_t{width} * height, 0);
        std::vector<PackedColor> texture(model.size(), 0xABCD);
        const auto number = [&](int below) {
            return static_cast<std::int64_t>(random() % static_cast<unsigned>(below)) - below / 3;
        };
        for (int step = 0; step < 12; ++step) {
            const std::int64_t x = number(3000), y = number(60);
            if (random() % 3 == 0) {  // as Lua does it
                const std::size_t k = random() % model.size();
                static_cast<PackedColor*>(buffer.memory())[k] = model[k] = 0x1234;
                static_cast<std::uint8_t*>(
                    buffer.memory())[model.size() * 4 + (k >> PixelBuffer::kBlockShift)] = 1;
            } else if (random() % 2 == 0) {
                const std::int64_t w = number(2000), h = number(50);
                const PackedColor color = static_cast<PackedColor>(random());
                buffer.fill(x, y, w, h, color);
                for (std::int64_t row = 0; row < height; ++row)
                    for (std::int64_t column = 0; column < width; ++column)
                        if (column >= x && column < x + w && row >= y && row < y + h)
                            model[static_cast<std::size_t>(row * width + column)] = color;
            } else {
                const PixelBuffer& from = random() % 2 == 0 ? other : buffer;
                const std::vector<PackedColor> before = copied(from);
                buffer.copy(from, x, y);
                for (std::int64_t row = 0; row < height; ++row)
                    for (std::int64_t column = 0; column < width; ++column) {
                        const std::int64_t u = column - x, v = row - y;
                        if (u >= 0 && v >= 0 && u < static_cast<std::int64_t>(from.width()) &&
                            v < static_cast<std::int64_t>(from.height()))
                            model[static_cast<std::size_t>(row * width + column)] =
                                before[static_cast<std::size_t>(v) * from.width() +
                                       static_cast<std::size_t>(u)];
                    }
            }
            REQUIRE(copied(buffer) == model);
            if (random() % 3 != 0) continue;
            std::size_t end = 0;
            buffer.take_changes([&](std::size_t first, std::size_t count) {
                REQUIRE(first >= end);
                end = first + count;
                REQUIRE(end <= height);
                std::memcpy(texture.data() + first * width, buffer.pixels().data() + first * width,
                            count * width * sizeof(PackedColor));
            });
            REQUIRE(texture == model);
            buffer.take_changes([](std::size_t, std::size_t) { FAIL("taken twice"); });
        }
    }
}

TEST_CASE("a pixel that is written makes few rows of a large picture be copied") {
    PixelBuffer buffer{512, 512};
    buffer.take_changes([](std::size_t, std::size_t) {});
    buffer.fill(100, 300, 1, 1, kWhite);
    std::size_t rows = 0;
    buffer.take_changes([&](std::size_t first, std::size_t count) {
        CHECK(first <= 300);
        CHECK(first + count > 300);
        rows += count;
    });
    CHECK(rows == 2);
}
