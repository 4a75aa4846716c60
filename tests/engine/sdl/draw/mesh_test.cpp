// Meshes of random items: valid, finite, and at the item's place.
#include "engine/sdl/draw/mesh.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace perigee;

TEST_CASE("the triangles of every mesh refer to its own vertices") {
    std::mt19937 random{7};
    const auto number = [&random](float scale) {
        return (static_cast<float>(random() % 2001) / 1000.0F - 1.0F) * scale;
    };
    Mesh mesh;
    for (int round = 0; round < 2000; ++round) {
        DrawItem item{.x = number(1e4F), .y = number(1e4F), .w = number(300), .h = number(300)};
        item.kind = static_cast<DrawKind>(random() % 4);
        item.angle = static_cast<std::uint16_t>(random());
        item.stroke = static_cast<std::uint16_t>(random() % 3 == 0 ? 0 : random() % 400);
        item.origin_x = static_cast<std::uint8_t>(random());
        const ViewTransform view{0.01F + std::fabs(number(10)), number(1e4F), number(1e4F)};
        if (item.kind == DrawKind::sprite)
            mesh.add_sprite(item, ImageTable{}, view);
        else
            mesh.add_shape(item, view);
    }
    const int vertex_count = static_cast<int>(mesh.vertices().size());
    REQUIRE(vertex_count > 2000);
    CHECK(mesh.indices().size() % 3 == 0);
    CHECK(std::ranges::all_of(mesh.indices(), [&](int index) { return index >= 0 && index < vertex_count; }));
    CHECK(std::ranges::all_of(mesh.vertices(),
                              [](const MeshVertex& v) { return std::isfinite(v.x) && std::isfinite(v.y); }));
    mesh.clear();
    CHECK(mesh.is_empty());
}

// SDL's software renderer reads outside of textures when triangles are too large.
TEST_CASE("no number from a script leads far out of the window") {
    constexpr float kOdd[] = {0.0F,   1.0F,   -40.0F, 1e4F,   -1e6F, 5e8F,
                              2.2e9F, -1e19F, 1e30F,  -3e38F, NAN,   INFINITY};
    Mesh mesh;
    for (const float x : kOdd) {
        for (const float w : kOdd) {
            for (const float scale : {1e-20F, 1.0F, 1e20F, 3e38F}) {
                for (int kind = 0; kind < 4; ++kind) {
                    DrawItem item{.x = x, .y = w, .w = w, .h = x, .kind = static_cast<DrawKind>(kind)};
                    for (const std::uint16_t turn : {0, 5000}) {
                        item.angle = turn;
                        item.stroke = turn;
                        if (item.kind == DrawKind::sprite)
                            mesh.add_sprite(item, ImageTable{}, {scale, x, 0.0F});
                        else
                            mesh.add_shape(item, {scale, x, 0.0F});
                    }
                }
            }
        }
    }
    REQUIRE(!mesh.is_empty());
    CHECK(std::ranges::all_of(mesh.vertices(), [](const MeshVertex& v) {
        return std::fabs(v.x) <= 20000.0F && std::fabs(v.y) <= 20000.0F && v.u >= 0.0F && v.u <= 1.0F;
    }));
}

TEST_CASE("a clipped item keeps the place of its visible part") {
    Mesh wide;
    wide.add_box(-100000.0F, 0.0F, 100000.0F, 10.0F, 0xFFFF'FFFF);
    const MeshVertex& left = wide.vertices()[0];
    CHECK(left.u == Approx((left.x + 100000.0F) / 200000.0F));

    Mesh line;
    line.add_shape({.x = 0.0F, .y = 0.0F, .w = 1e6F, .h = 5e5F, .stroke = 16, .kind = DrawKind::line}, {});
    for (const MeshVertex& v : line.vertices()) CHECK(v.y == Approx(v.x / 2).margin(3.0));
}

TEST_CASE("tiles side by side share their edge at any scale and offset") {
    std::mt19937 random{8};
    for (int round = 0; round < 500; ++round) {
        const ViewTransform view{0.5F + static_cast<float>(random() % 1000) / 300.0F,
                                 static_cast<float>(random() % 1000) / 7.0F, 0.0F};
        Mesh mesh;
        for (int tile = 0; tile < 20; ++tile)
            mesh.add_shape({.x = static_cast<float>(tile * 16), .w = 16, .h = 16}, view);
        for (std::size_t tile = 1; tile < 20; ++tile)
            REQUIRE(mesh.vertices()[tile * 4].x == mesh.vertices()[tile * 4 - 3].x);
    }
}

TEST_CASE("the camera's point is the centre of the picture, and zoom keeps it there") {
    const Letterbox box = letterbox_of({1280, 720}, {2560, 1600});
    const ViewTransform view = world_transform(box, {1280, 720}, {100000, -5000, 3});
    CHECK(view.scale == 6.0F);
    CHECK(100000 * view.scale + view.x == Approx(1280).margin(0.1));
    CHECK(-5000 * view.scale + view.y == Approx(800).margin(0.1));
    const ViewTransform screen = screen_transform(box);
    CHECK(screen.scale == 2.0F);
    CHECK(screen.y == 80.0F);
}

TEST_CASE("a line of length zero is empty, and a thin line is one pixel wide") {
    Mesh mesh;
    mesh.add_shape({.x = 5, .y = 5, .w = 5, .h = 5, .stroke = 16, .kind = DrawKind::line}, {});
    CHECK(mesh.is_empty());
    mesh.add_shape({.x = 0, .y = 5, .w = 10, .h = 5, .stroke = 1, .kind = DrawKind::line}, {});
    CHECK(std::fabs(mesh.vertices()[0].y - mesh.vertices()[3].y) == 1.0F);
}

TEST_CASE("a sprite shows its frame of the image, mirrored by its flags") {
    ImageTable images;
    images.add(1, 64, 32);
    const FrameId frame = images.add_rectangle(1, 16, 8, 16, 8);
    DrawItem item{.w = 16, .h = 8, .ref = frame, .kind = DrawKind::sprite};
    Mesh mesh;
    mesh.add_sprite(item, images, {});
    CHECK(mesh.vertices()[0].u == 0.25F);
    CHECK(mesh.vertices()[0].v == 0.25F);
    CHECK(mesh.vertices()[2].u == 0.5F);
    CHECK(mesh.vertices()[2].v == 0.5F);
    mesh.clear();
    item.flags = kDrawFlipX | kDrawFlipY;
    mesh.add_sprite(item, images, {});
    CHECK(mesh.vertices()[0].u == 0.5F);
    CHECK(mesh.vertices()[0].v == 0.5F);
}

TEST_CASE("a slanted line is split into pieces that meet, and a level line is one piece") {
    const DrawItem slanting{.x = 0, .y = 0, .w = 300, .h = 400, .stroke = 64, .kind = DrawKind::line};
    Mesh whole;
    whole.add_shape(slanting, {});
    REQUIRE(whole.vertices().size() == 4);
    Mesh pieces;
    pieces.add_shape(slanting, {}, 50);
    REQUIRE(pieces.vertices().size() == 40);
    for (std::size_t i = 4; i < 40; i += 4) {
        CHECK(pieces.vertices()[i].x == pieces.vertices()[i - 3].x);
        CHECK(pieces.vertices()[i].y == pieces.vertices()[i - 3].y);
        CHECK(pieces.vertices()[i + 3].x == pieces.vertices()[i - 2].x);
    }
    CHECK(pieces.vertices()[37].x == whole.vertices()[1].x);
    CHECK(pieces.vertices()[38].y == whole.vertices()[2].y);
    Mesh level;
    level.add_shape({.x = 0, .y = 5, .w = 300, .h = 5, .stroke = 64, .kind = DrawKind::line}, {}, 50);
    CHECK(level.vertices().size() == 4);
}
