// The same lists with every back end: equal pixels where nothing is turned, round or blended, and elsewhere
// equal pixels away from edges.
#include "engine/draw/color.h"
#include "engine/sdl/window/letterbox.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

class Random {
public:
    explicit Random(unsigned seed) : random_(seed) {}
    unsigned below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }
    float number(float low, float high) {
        return low + (high - low) * static_cast<float>(random_() % 10001) / 10000.0F;
    }
    PackedColor color(std::uint8_t alpha = 255) {
        const auto channel = [this] { return static_cast<std::uint8_t>(below(256)); };
        const std::uint8_t red = channel(), green = channel(), blue = channel();
        return pack_color(red, green, blue, alpha);
    }

private:
    std::mt19937 random_;
};

// Anything that an item can say, except text.
void add_random_item(Random& random, PictureScene& scene, DrawList& list, float size) {
    constexpr DrawKind kKinds[] = {DrawKind::sprite, DrawKind::rectangle, DrawKind::circle,
                                   DrawKind::line,   DrawKind::arc,       DrawKind::mesh};
    DrawItem item{.x = random.number(0, size), .y = random.number(0, size), .kind = kKinds[random.below(6)]};
    item.w = random.number(4, size / 3);
    item.h = random.number(4, size / 3);
    if (random.below(2) == 0) item.angle = static_cast<std::uint16_t>(random.below(65536));
    if (random.below(2) == 0) item.stroke = static_cast<std::uint16_t>(16 + random.below(160));
    item.color = random.color(random.below(3) == 0 ? 128 : 255);
    item.flags = kDrawScreen;
    std::uint32_t image = 0;
    switch (item.kind) {
        case DrawKind::rectangle:
            if (random.below(2) == 0) item.ref = random.below(1024 * 20);
            item.origin_x = static_cast<std::uint8_t>(random.below(129));
            break;
        case DrawKind::sprite:
            image = scene.four;
            item.ref = scene.images.frame_of(scene.four, 0);
            item.origin_y = static_cast<std::uint8_t>(random.below(129));
            item.flags |= static_cast<std::uint8_t>(random.below(4) << 3U);
            break;
        case DrawKind::line:
            item.w += item.x - size / 6;
            item.h += item.y - size / 6;
            item.origin_x = static_cast<std::uint8_t>(random.below(3));
            break;
        case DrawKind::arc:
            if (random.below(2) == 0) item.h = item.w;
            item.ref = random.below(65536) | random.below(65536) << 16U;
            item.origin_x = static_cast<std::uint8_t>(random.below(3));
            break;
        case DrawKind::mesh: {
            std::vector<MeshPoint> points;
            for (int i = 0; i < 3; ++i)
                points.push_back({random.number(0, size), random.number(0, size), random.number(0, 1),
                                  random.number(0, 1), random.color()});
            if (random.below(2) == 0) image = scene.four;
            item.ref = list.add_mesh(points, image);
            break;
        }
        case DrawKind::circle:
            // The inner edge of a wide stroke of an ellipse is an approximation, here and there.
            if (random.below(2) == 0) item.h = item.w;
            if (item.h != item.w) item.stroke /= 5;
            break;
        case DrawKind::text:
            break;
    }
    list.add_immediate(item, 0, image);
}

DrawMatrix random_matrix(Random& random, float size) {
    const float turn = random.number(0, 6.3F);
    const float scale_x = random.number(0.4F, 1.6F), scale_y = random.number(0.4F, 1.6F);
    const DrawMatrix turned{std::cos(turn), -std::sin(turn), size / 2,
                            std::sin(turn), std::cos(turn),  size / 2};
    const DrawMatrix sheared{
        scale_x * (random.below(2) == 0 ? 1.0F : -1.0F), random.number(-0.4F, 0.4F), 0, 0, scale_y, 0};
    return turned * sheared * DrawMatrix{1, 0, -size / 2, 0, 1, -size / 2};
}

// Pixels of `other` that differ where `picture` has one colour, `around` pixels far.
int count_inside(const Picture& picture, const Picture& other, int around, int levels) {
    const auto [width, height] = picture.size;
    const auto near = [levels](std::uint32_t a, std::uint32_t b) {
        for (unsigned shift = 0; shift < 24; shift += 8)
            if (std::abs(static_cast<int>(a >> shift & 0xFFU) - static_cast<int>(b >> shift & 0xFFU)) >
                levels)
                return false;
        return true;
    };
    int count = 0;
    for (int y = around; y < height - around; ++y)
        for (int x = around; x < width - around; ++x) {
            const std::uint32_t color = pixel(picture, x, y);
            if (near(color, pixel(other, x, y))) continue;
            bool is_inside = true;
            for (int v = -around; v <= around; ++v)
                for (int u = -around; u <= around; ++u)
                    is_inside &= near(pixel(picture, x + u, y + v), color);
            count += is_inside ? 1 : 0;
        }
    return count;
}

}  // namespace

TEST_CASE("all back ends paint the same pixels where items are level, opaque and not round") {
    PictureScene scene{{128, 96}};
    Random random{17};
    for (int program = 0; program < 30; ++program) {
        scene.add([&](DrawList& list) {
            for (int i = 0; i < 40; ++i) {
                const auto side = [&] {
                    return (random.below(2) == 0 ? 1.0F : -1.0F) * (1 + random.below(3));
                };
                const auto at = [&] { return static_cast<float>(random.below(360)) / 4.0F; };
                list.set_state({.camera = {40, 30, 1.0F + random.below(2)},
                                .matrix = {side(), 0, at(), 0, side(), at()},
                                .clip = {at(), at(), 200, 200}});
                DrawItem item{.x = at() - 40, .y = at() - 40, .w = at(), .h = at(), .color = random.color()};
                item.flags = random.below(2) == 0 ? kDrawScreen : 0;
                std::uint32_t image = 0;
                switch (random.below(4)) {
                    case 0:
                        item.stroke = static_cast<std::uint16_t>(random.below(100));
                        break;
                    case 1:
                        item.kind = DrawKind::line;
                        item.stroke = static_cast<std::uint16_t>(random.below(100));
                        (random.below(2) == 0 ? item.w : item.h) = random.below(2) == 0 ? item.x : item.y;
                        item.w = random.below(2) == 0 ? item.x : item.w;
                        if (item.w != item.x) item.h = item.y;
                        break;
                    case 2:
                        // Completely inside: a clip moves the pixels of an image that SDL magnifies in
                        // software.
                        item.kind = DrawKind::sprite;
                        item.w = item.h = static_cast<float>(2 + 2 * random.below(4));
                        item.x = static_cast<float>(random.below(9)) - 4;
                        item.y = static_cast<float>(random.below(9)) - 4;
                        item.flags = kDrawScreen;
                        list.set_state({.camera = {}, .matrix = {side(), 0, 64, 0, side(), 48}, .clip = {}});
                        item.flags |= static_cast<std::uint8_t>(random.below(4) << 3U);
                        item.color = kWhite;
                        item.ref = scene.images.frame_of(scene.four, 0);
                        image = scene.four;
                        break;
                    default:
                        break;
                }
                list.add_immediate(item, 0, image);
            }
        });
        const Picture picture = scene.with_gl();
        CAPTURE(program, scene.list.dump(scene.images));
        CHECK(count_different(picture, scene.with_software()) == 0);
        CHECK(count_different(picture, scene.with_sdl_gles()) == 0);
    }
}

TEST_CASE("all back ends show the same shapes, images and meshes, whatever the matrix") {
    constexpr float kSize = 200;
    PictureScene scene{{200, 200}};
    Random random{18};
    int pixels = 0, software = 0, gles = 0, hidden = 0;
    for (int program = 0; program < 160; ++program) {
        const int items = program % 2 == 0 ? 1 : 8;
        scene.add([&](DrawList& list) {
            for (int i = 0; i < items; ++i) {
                list.set_state({.camera = {}, .matrix = random_matrix(random, kSize), .clip = {}});
                add_random_item(random, scene, list, kSize);
            }
        });
        const Picture picture = scene.with_gl();
        const Picture in_software = scene.with_software();
        // Corners of images and meshes are rounded to whole pixels in software.
        const int here = count_inside(picture, in_software, 2, 12);
        const int there = count_inside(picture, scene.with_sdl_gles(), 2, 12);
        const int lost = count_inside(in_software, picture, 2, 140);
        CAPTURE(here, there, lost, scene.list.dump(scene.images));
        CHECK(here <= 10 * items);
        CHECK(there <= 10 * items);
        software += here;
        gles += there;
        hidden += lost;
        pixels += 200 * 200;
    }
    CHECK(software <= pixels / 10'000);
    CHECK(gles <= pixels / 10'000);
    CHECK(hidden <= pixels / 10'000);
}

TEST_CASE("a transparent shape has one colour, in every back end") {
    PictureScene scene{{200, 200}};
    Random random{19};
    for (int program = 0; program < 100; ++program) {
        scene.add([&](DrawList& list) {
            list.set_state({.camera = {}, .matrix = random_matrix(random, 200), .clip = {}});
            DrawItem item{.x = 100, .y = 100, .w = random.number(10, 60), .h = random.number(10, 60)};
            constexpr DrawKind kKinds[] = {DrawKind::rectangle, DrawKind::circle, DrawKind::arc,
                                           DrawKind::line};
            item.kind = kKinds[program % 4];
            item.angle = static_cast<std::uint16_t>(random.below(65536));
            item.stroke = static_cast<std::uint16_t>(random.below(2) * (16 + random.below(200)));
            item.origin_x = static_cast<std::uint8_t>(random.below(3));
            if (item.kind == DrawKind::rectangle) item.ref = random.below(300);
            // Ends of an open arc do not meet.
            if (item.kind == DrawKind::arc)
                item.ref = random.below(65536), item.ref |= (item.ref + 0x5000) << 16U;
            item.color = pack_color(255, 0, 0, 100);
            item.flags = kDrawScreen;
            list.add_immediate(item, 0);
        });
        CAPTURE(scene.list.dump(scene.images));
        for (const Picture& picture : {scene.with_software(), scene.with_sdl_gles()}) {
            int painted = 0;
            for (int y = 0; y < 200; ++y)
                for (int x = 0; x < 200; ++x) {
                    const std::uint32_t red = pixel(picture, x, y) >> 16U;
                    REQUIRE((red == 0 || (red >= 99 && red <= 101)));
                    painted += red != 0 ? 1 : 0;
                }
            CHECK(painted > 20);
        }
    }
}

TEST_CASE("nothing is painted outside of the clip, and everything inside") {
    PictureScene scene{{100, 100}};
    Random random{20};
    for (int program = 0; program < 20; ++program) {
        scene.add([&](DrawList& list) {
            list.set_state({.camera = {}, .matrix = random_matrix(random, 100), .clip = {30, 20, 25, 45}});
            for (int i = 0; i < 20; ++i) add_random_item(random, scene, list, 100);
            DrawItem text{.x = 0, .y = 20, .h = 30, .flags = kDrawScreen};
            text.kind = DrawKind::text;
            text.ref = list.add_text("outside and inside");
            list.add_immediate(text, 0);
            list.set_state({.camera = {}, .matrix = {}, .clip = {30, 20, 25, 0}});
            add_random_item(random, scene, list, 100);
            list.set_state({.camera = {}, .matrix = {}, .clip = {32, 22, 21, 41}});
            list.add_immediate({.w = 100, .h = 100, .color = kWhite, .flags = kDrawScreen}, 1);
        });
        for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
            CHECK(count_other_than(picture, 0, 0, 0, 100, 20) == 0);
            CHECK(count_other_than(picture, 0, 0, 65, 100, 100) == 0);
            CHECK(count_other_than(picture, 0, 0, 0, 30, 100) == 0);
            CHECK(count_other_than(picture, 0, 55, 0, 100, 100) == 0);
            CHECK(count_other_than(picture, 0xFFFFFF, 32, 22, 53, 63) == 0);
        }
    }
}

TEST_CASE("text follows the matrix, mirrored, stretched and turned, in every back end") {
    PictureScene scene{{200, 200}};
    const DrawMatrix matrices[] = {{1, 0, 20, 0, 1, 20},
                                   {-1, 0, 180, 0, 1, 20},
                                   {2.5F, 0, 10, 0, 0.8F, 20},
                                   {0, -1, 120, 1, 0, 20},
                                   {0.8F, 0.6F, 20, -0.6F, 0.8F, 120}};
    for (const DrawMatrix& matrix : matrices) {
        scene.add([&](DrawList& list) {
            list.set_state({.camera = {}, .matrix = matrix, .clip = {}});
            DrawItem text{.h = 40, .color = kWhite, .kind = DrawKind::text, .flags = kDrawScreen};
            text.ref = list.add_text("LF");
            list.add_immediate(text, 0);
        });
        // The centre of the ink follows the matrix: glyphs are where they belong and turned as they should.
        const auto center = [](const Picture& picture) {
            double x = 0, y = 0, weight = 0;
            for (int v = 0; v < 200; ++v)
                for (int u = 0; u < 200; ++u) {
                    const double ink = pixel(picture, u, v) & 0xFFU;
                    x += ink * (u + 0.5);
                    y += ink * (v + 0.5);
                    weight += ink;
                }
            return std::array<double, 3>{x / weight, y / weight, weight};
        };
        const auto gl = center(scene.with_gl());
        // Of the level text in its own coordinates, measured once.
        static const std::array<double, 3> own{gl[0] - 20, gl[1] - 20, gl[2]};
        CHECK(gl[0] == Approx(matrix.xx * own[0] + matrix.xy * own[1] + matrix.x0).margin(1));
        CHECK(gl[1] == Approx(matrix.yx * own[0] + matrix.yy * own[1] + matrix.y0).margin(1));
        CHECK(gl[2] == Approx(own[2] * std::fabs(matrix.determinant())).epsilon(0.06));
        for (const auto& other : {center(scene.with_software()), center(scene.with_sdl_gles())}) {
            CHECK(other[0] == Approx(gl[0]).margin(1));
            CHECK(other[1] == Approx(gl[1]).margin(1));
            CHECK(other[2] == Approx(gl[2]).epsilon(0.1));
        }
    }
}

TEST_CASE("outlines are thicker where the matrix scales more, in every back end") {
    PictureScene scene{{300, 100}};
    for (const DrawKind kind : {DrawKind::rectangle, DrawKind::circle}) {
        CAPTURE(static_cast<int>(kind));
        scene.add([&](DrawList& list) {
            list.set_state({.camera = {}, .matrix = {4, 0, 20, 0, 1, 10}, .clip = {}});
            const bool is_circle = kind == DrawKind::circle;
            const float size = is_circle ? 30.0F : 60.0F, at = is_circle ? 30.0F : 0.0F;
            DrawItem item{.x = at, .y = at, .w = size, .h = size, .color = kWhite, .kind = kind};
            item.stroke = quantised_stroke(6);
            item.flags = kDrawScreen;
            if (!is_circle) item.ref = quantised_corner(15);
            list.add_immediate(item, 0);
        });
        for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
            const auto painted = [&](int width, int height, int x, int y) {
                double sum = 0;
                for (int v = y; v < y + height; ++v)
                    for (int u = x; u < x + width; ++u) sum += (pixel(picture, u, v) & 0xFFU) / 255.0;
                return sum;
            };
            CHECK(painted(130, 1, 10, 40) == Approx(24).margin(0.6));
            CHECK(painted(1, 40, 140, 0) == Approx(6).margin(0.6));
        }
    }
}

TEST_CASE("numbers that are odd draw nothing or clipped, and the frame goes on") {
    constexpr float kOdd[] = {0.0F, -1.0F, 1e5F, -3e9F, 1e30F, 3e38F, NAN, INFINITY};
    PictureScene scene{{64, 64}};
    for (const float a : kOdd) {
        scene.add([&](DrawList& list) {
            for (const float b : kOdd)
                for (unsigned kind = 0; kind < 7; ++kind)
                    for (const std::uint16_t turn : {0, 7777}) {
                        DrawItem item{.x = a, .y = b, .w = b, .h = a, .angle = turn, .stroke = turn};
                        item.kind = static_cast<DrawKind>(kind);
                        item.flags = kDrawScreen;
                        item.origin_x = static_cast<std::uint8_t>(turn % 3);
                        if (item.kind == DrawKind::text) item.ref = list.add_text("odd");
                        const std::vector<MeshPoint> points{{a, b, b, a}, {b, a, 1, 0}, {5, 5, a, b}};
                        if (item.kind == DrawKind::mesh) item.ref = list.add_mesh(points, scene.four);
                        list.set_state({.camera = {}, .matrix = {}, .clip = {}});
                        list.add_immediate(item, 0);
                        list.set_state(
                            {.camera = {a, b, 1}, .matrix = {b, a, 0, 1, b, a}, .clip = {a, b, b, b}});
                        item.flags = 0;
                        list.add_immediate(item, 0);
                    }
            list.set_state({.camera = {}, .matrix = {}, .clip = {}});
            list.add_immediate({.x = 8, .y = 8, .w = 48, .h = 48, .color = kWhite, .flags = kDrawScreen}, 5);
        });
        for (const Picture& picture : {scene.with_software(), scene.with_sdl_gles()})
            CHECK(count_other_than(picture, 0xFFFFFF, 8, 8, 56, 56) == 0);
    }
    scene.add([&](DrawList& list) {
        list.set_state({.camera = {}, .matrix = {NAN, 0, 0, 0, 1, 0}, .clip = {}});
        for (const DrawKind kind : {DrawKind::rectangle, DrawKind::circle, DrawKind::line})
            list.add_immediate({.w = 40, .h = 40, .stroke = 16, .kind = kind, .flags = kDrawScreen}, 0);
    });
    CHECK(count_other_than(scene.with_software(), 0, 0, 0, 64, 64) == 0);
}

TEST_CASE("all back ends draw each view in its part of the picture, clipped and cleared [P11]") {
    PictureScene scene{{100, 60}};
    scene.add([&](DrawList& list) {
        DrawList& left = list.add_view({0, 0, 50, 60}, {0, 0, 1});
        left.add({.x = -5, .y = -5, .w = 1000, .h = 10, .color = pack_color(255, 0, 0)}, {0, 0});
        DrawList& right = list.add_view({50, 0, 50, 60}, {0, 0, 2, 1.5707963F});
        right.clear_color = pack_color(0, 0, 255);
        right.add({.x = -5, .y = 0, .w = 10, .h = 5, .color = pack_color(0, 255, 0)}, {0, 0});
        right.add({.x = 45, .y = 55, .w = 10, .h = 10, .flags = kDrawScreen}, {0, 0});
        list.add({.x = 48, .y = 0, .w = 4, .h = 4, .color = pack_color(255, 255, 0), .flags = kDrawScreen},
                 {0, 0});
    });
    for (const Picture& picture : {scene.with_gl(), scene.with_software(), scene.with_sdl_gles()}) {
        CHECK(count_other_than(picture, 0xFF0000, 20, 25, 50, 35) == 0);
        CHECK(count_other_than(picture, 0x000000, 0, 36, 50, 60) == 0);
        CHECK(count_other_than(picture, 0xFFFF00, 48, 0, 52, 4) == 0);
        // What is below the point of a camera that is turned clockwise is on the right of it.
        CHECK(count_other_than(picture, 0x00FF00, 77, 22, 84, 38) == 0);
        CHECK(pixel(picture, 70, 30) == 0x0000FF);
        CHECK(count_other_than(picture, 0xFFFFFF, 96, 56, 100, 60) == 0);
        CHECK(pixel(picture, 52, 50) == 0x0000FF);
    }
}
