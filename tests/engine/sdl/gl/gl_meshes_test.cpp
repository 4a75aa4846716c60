// Meshes that are kept, and rectangles filled with tiles, as every back end draws them.
#include "engine/sdl/gl/gl_meshes.h"

#include "engine/draw/color.h"
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

using namespace perigee;
using test::count_different;
using test::count_other_than;
using test::PictureScene;
using test::pixel;

namespace {

constexpr std::uint32_t kRed = 0xFF0000, kGreen = 0x00FF00, kBlue = 0x0000FF, kWhiteRgb = 0xFFFFFF;

// Writes vertices as Lua does.
void write(VertexMesh& mesh, const std::vector<MeshPoint>& points) {
    auto* const memory = static_cast<char*>(mesh.memory());
    if (!points.empty()) std::memcpy(memory + 8, points.data(), points.size() * sizeof(MeshPoint));
    std::uint32_t version = 0;
    std::memcpy(&version, memory, sizeof version);
    ++version;
    std::memcpy(memory, &version, sizeof version);
}

std::shared_ptr<VertexMesh> made(const std::vector<MeshPoint>& points, MeshMode mode = MeshMode::fan,
                                 std::uint32_t image = 0) {
    auto mesh = std::make_shared<VertexMesh>(points.size(), mode, std::span<const std::uint32_t>{});
    write(*mesh, points);
    mesh->image = image;
    return mesh;
}

std::vector<MeshPoint> square(float side, float parts = 1.0F) {
    return {{0, 0, 0, 0}, {side, 0, parts, 0}, {side, side, parts, parts}, {0, side, 0, parts}};
}

void show(PictureScene& scene, const std::shared_ptr<VertexMesh>& mesh, float x, float y, float rotation = 0,
          float scale = 1) {
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.mesh(mesh, x, y, rotation, scale, scale);
    });
}

template <typename Check> void check_all(PictureScene& scene, Check check) {
    {
        INFO("OpenGL");
        check(scene.with_gl());
    }
    {
        INFO("software");
        check(scene.with_software());
    }
    INFO("SDL with OpenGL ES");
    check(scene.with_sdl_gles());
}

}  // namespace

TEST_CASE("a mesh is drawn where it is placed, and as its vertices are in that frame") {
    PictureScene scene{{64, 64}};
    const auto mesh = made(square(20));
    show(scene, mesh, 10, 12);
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kWhiteRgb, 10, 12, 30, 32) == 0);
        CHECK(count_other_than(picture, 0, 0, 0, 64, 12) == 0);
        CHECK(count_other_than(picture, 0, 30, 0, 64, 64) == 0);
    });
    std::vector<MeshPoint> larger = square(40);
    for (MeshPoint& point : larger) point.color = pack_color(255, 0, 0);
    write(*mesh, larger);
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRed, 10, 12, 50, 52) == 0);
        CHECK(count_other_than(picture, 0, 50, 0, 64, 64) == 0);
    });
    show(scene, mesh, 60, 10, 1.5707964F, 0.5F);
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRed, 41, 11, 59, 29) == 0);
        CHECK(count_other_than(picture, 0, 0, 0, 39, 64) == 0);
    });
}

TEST_CASE("a mesh that is drawn many times is copied to the card once [P9]") {
    PictureScene scene{{64, 64}};
    std::vector<MeshPoint> points(3000);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const float turn = static_cast<float>(i) * 0.002F;
        points[i] = {10 * std::cos(turn), 10 * std::sin(turn)};
    }
    const auto mesh = made(points);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        for (int i = 0; i < 10; ++i) painter.mesh(mesh, static_cast<float>(i * 6), 30);
    });
    scene.with_gl();
    CHECK(scene.gl_uploads() > points.size() * sizeof(MeshPoint));
    CHECK(scene.gl_uploads() < 2 * points.size() * sizeof(MeshPoint));
    scene.with_gl();
    CHECK(scene.gl_uploads() == 0);
    write(*mesh, points);
    scene.with_gl();
    CHECK(scene.gl_uploads() == points.size() * sizeof(MeshPoint));
    scene.renew_gl();
    CHECK(pixel(scene.with_gl(), 30, 30) == kWhiteRgb);
}

TEST_CASE("a mesh shows its image, its own colours and that of the item") {
    PictureScene scene{{64, 64}};
    const auto mesh = made(square(40), MeshMode::fan, scene.four);
    show(scene, mesh, 4, 4);
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRed, 5, 5, 23, 23) == 0);
        CHECK(count_other_than(picture, kGreen, 25, 5, 43, 23) == 0);
        CHECK(count_other_than(picture, kBlue, 5, 25, 23, 43) == 0);
    });
    std::vector<MeshPoint> points = square(40);
    for (MeshPoint& point : points) point.color = pack_color(255, 255, 0);
    write(*mesh, points);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.color = pack_color(0, 255, 255);
        painter.mesh(mesh, 4, 4);
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, 0, 5, 5, 23, 23) == 0);
        CHECK(count_other_than(picture, kGreen, 25, 5, 43, 23) == 0);
        CHECK(count_other_than(picture, 0, 5, 25, 23, 43) == 0);
        CHECK(count_other_than(picture, kGreen, 25, 25, 43, 43) == 0);
    });
}

TEST_CASE("outside of its image a mesh shows its edge, or the image again, and nothing of its neighbours") {
    PictureScene scene{{64, 64}};
    std::vector<MeshPoint> points = square(48, 3);
    const auto mesh = made(points, MeshMode::fan, scene.four);
    show(scene, mesh, 8, 8);
    const Picture edge = scene.with_gl();
    CHECK(count_other_than(edge, kRed, 9, 9, 15, 15) == 0);
    CHECK(count_other_than(edge, kGreen, 18, 9, 55, 15) == 0);
    CHECK(count_other_than(edge, kWhiteRgb, 18, 18, 55, 55) == 0);
    for (const ImageWrap wrap : {ImageWrap::repeat, ImageWrap::mirror}) {
        scene.images.set_wrap(scene.four, wrap);
        check_all(scene, [wrap](const Picture& picture) {
            const bool is_mirrored = wrap == ImageWrap::mirror;
            CHECK(count_other_than(picture, kRed, 9, 9, 15, 15) == 0);
            CHECK(count_other_than(picture, kGreen, 17, 9, 23, 15) == 0);
            CHECK(count_other_than(picture, is_mirrored ? kGreen : kRed, 25, 9, 31, 15) == 0);
            CHECK(count_other_than(picture, is_mirrored ? kWhiteRgb : kRed, 25, 25, 31, 31) == 0);
            CHECK(count_other_than(picture, kWhiteRgb, 49, 49, 55, 55) == 0);
        });
    }
    for (MeshPoint& point : points) {
        point.u = point.u * 1e7F - 1e6F;
        point.v *= 1e30F;
    }
    write(*mesh, points);
    check_all(scene, [](const Picture& picture) { CHECK(count_other_than(picture, 0, 0, 0, 8, 64) == 0); });
}

TEST_CASE("vertices that are no numbers hide their triangles, and the frame goes on") {
    PictureScene scene{{64, 64}};
    std::vector<MeshPoint> points = square(30);
    points[2].x = NAN;
    points[3].v = INFINITY;
    const auto odd = made(points, MeshMode::fan, scene.four);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.mesh(odd, 0, 0);
        painter.mesh(made(square(8)), 50, 50);
        painter.mesh(made({}), 0, 0);
        painter.mesh(made(square(9)), 0, 0, 0, 0, 0);
        painter.mesh(made(square(9)), NAN, 0);
        painter.mesh(made(square(9)), 1e30F, 1e30F, 1, 1e30F, 1e30F);
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kWhiteRgb, 50, 50, 58, 58) == 0);
        CHECK(count_other_than(picture, 0, 0, 35, 50, 64) == 0);
    });
}

TEST_CASE("tiles are side by side, begin at their offset and end with the rectangle") {
    PictureScene scene{{64, 64}};
    for (const ImageWrap wrap : {ImageWrap::clamp, ImageWrap::repeat}) {
        scene.images.set_wrap(scene.four, wrap);
        scene.paint([&](Painter& painter) {
            painter.is_screen = true;
            REQUIRE(painter.tiled(scene.images.frame_of(scene.four, 0), 5, 7, 45, 33,
                                  {.offset_x = 3, .offset_y = -4, .scale_x = 4, .scale_y = 4}));
        });
        check_all(scene, [wrap](const Picture& picture) {
            CAPTURE(static_cast<int>(wrap));
            constexpr std::uint32_t kColors[2][2] = {{kRed, kGreen}, {kBlue, kWhiteRgb}};
            int wrong = 0;
            for (int y = 0; y < 64; ++y)
                for (int x = 0; x < 64; ++x) {
                    const bool is_inside = x >= 5 && x < 50 && y >= 7 && y < 40;
                    const std::uint32_t color =
                        is_inside ? kColors[(y - 7 + 4 + 80) / 4 % 2][(x - 5 - 3 + 80) / 4 % 2] : 0;
                    wrong += pixel(picture, x, y) != color ? 1 : 0;
                }
            CHECK(wrong == 0);
        });
    }
}

TEST_CASE("parts of an image are tiles, too, and turned ones have no gaps") {
    PictureScene scene{{64, 64}};
    const FrameId white = scene.images.add_rectangle(scene.four, 1, 1, 1, 1);
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        painter.transform({0.8F, -0.6F, 30, 0.6F, 0.8F, 5});
        painter.tiled(white, 0, 0, 40, 40, {.offset_x = 0.3F, .scale_x = 3.7F, .scale_y = 2.9F});
    });
    check_all(scene, [](const Picture& picture) {
        int colors = 0;
        for (int y = 20; y < 40; ++y)
            for (int x = 26; x < 38; ++x) colors += pixel(picture, x, y) != kWhiteRgb ? 1 : 0;
        CHECK(colors == 0);
    });
}

TEST_CASE("meshes are masks like anything else") {
    PictureScene scene{{64, 64}};
    const auto mesh = made(square(20));
    scene.paint([&](Painter& painter) {
        painter.is_screen = true;
        REQUIRE(painter.begin_mask(false, false) == Painter::MaskStart::begun);
        painter.mesh(mesh, 10, 10);
        painter.end_mask();
        painter.color = pack_color(255, 0, 0);
        painter.rectangle(true, 0, 0, 64, 64);
    });
    check_all(scene, [](const Picture& picture) {
        CHECK(count_other_than(picture, kRed, 10, 10, 30, 30) == 0);
        CHECK(count_other_than(picture, 0, 30, 0, 64, 64) == 0);
    });
}
