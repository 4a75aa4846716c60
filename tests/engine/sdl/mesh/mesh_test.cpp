// Meshes of random items: valid, finite, and at the item's place.
#include "engine/sdl/mesh/mesh.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

using namespace perigee;

namespace {

constexpr DrawKind kKinds[] = {DrawKind::sprite, DrawKind::rectangle, DrawKind::circle, DrawKind::line,
                               DrawKind::arc};

View view_at(float scale, float x, float y) { return {scale, 0, x, 0, scale, y, scale, true, true}; }

}  // namespace

TEST_CASE("the triangles of every mesh refer to its own vertices") {
    std::mt19937 random{7};
    const auto number = [&random](float scale) {
        return (static_cast<float>(random() % 2001) / 1000.0F - 1.0F) * scale;
    };
    Mesh mesh;
    for (int round = 0; round < 2000; ++round) {
        DrawItem item{.x = number(1e4F), .y = number(1e4F), .w = number(300), .h = number(300)};
        item.kind = kKinds[random() % 5];
        item.ref = item.kind == DrawKind::sprite ? 0 : static_cast<std::uint32_t>(random());
        item.angle = static_cast<std::uint16_t>(random());
        item.stroke = static_cast<std::uint16_t>(random() % 3 == 0 ? 0 : random() % 400);
        item.origin_x = static_cast<std::uint8_t>(random());
        const float scale = 0.01F + std::fabs(number(10));
        const View view = view_at(scale, number(1e4F), number(1e4F));
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
    for (const float x : kOdd)
        for (const float w : kOdd)
            for (const float scale : {1e-20F, 1.0F, 1e20F, 3e38F}) {
                const View views[] = {view_at(scale, x, 0.0F), {0, scale, x, -w, 0, x, scale, false, false}};
                for (const View& view : views)
                    for (const DrawKind kind : kKinds)
                        for (const std::uint16_t turn : {0, 5000}) {
                            DrawItem item{.x = x, .y = w, .w = w, .h = x, .kind = kind};
                            item.angle = turn;
                            item.stroke = turn;
                            item.origin_x = static_cast<std::uint8_t>(turn % 3);
                            if (item.kind == DrawKind::sprite)
                                mesh.add_sprite(item, ImageTable{}, view);
                            else
                                mesh.add_shape(item, view);
                        }
                const MeshPoint points[] = {{x, w, w, x}, {w, x, x, w}, {1, x, 2, NAN}};
                mesh.add_triangles(points, 0xFFFF'FFFF, views[1]);
            }
    REQUIRE(!mesh.is_empty());
    CHECK(std::ranges::all_of(mesh.vertices(), [](const MeshVertex& v) {
        return std::fabs(v.x) <= 2 * kFarthest && std::fabs(v.y) <= 2 * kFarthest && v.u >= 0.0F &&
               v.u <= 1.0F && v.v >= 0.0F && v.v <= 1.0F;
    }));
}

TEST_CASE("a clipped item keeps the place of its visible part") {
    Mesh wide;
    wide.add_box({-100000.0F, 0.0F, 100000.0F, 10.0F}, 0xFFFF'FFFF);
    const MeshVertex& left = wide.vertices()[0];
    CHECK(left.u == Approx((left.x + 100000.0F) / 200000.0F));

    Mesh line;
    line.add_shape({.x = 0.0F, .y = 0.0F, .w = 1e6F, .h = 5e5F, .stroke = 16, .kind = DrawKind::line}, {});
    for (const MeshVertex& v : line.vertices()) CHECK(v.y == Approx(v.x / 2).margin(3.0));
}

TEST_CASE("large boxes of SDL's software renderer are cut to what is seen, and show the same there") {
    std::mt19937 random{12};
    const auto between = [&random](double low, double high) {
        return std::uniform_real_distribution<double>{low, high}(random);
    };
    constexpr PixelSize kTexture{200, 90};
    constexpr PixelBox kVisible{10, 20, 640, 360};
    int seen = 0;
    for (int round = 0; round < 3000; ++round) {
        // A few pixels of the texture, or all of them, from tiny to larger than any screen, maybe mirrored.
        const auto axis = [&](int side, int start, int length, float& low, float& high, float& from,
                              float& to) {
            int first = static_cast<int>(random() % static_cast<unsigned>(side));
            int last = first + 1 + static_cast<int>(random() % static_cast<unsigned>(side - first));
            const double pixel = std::exp(between(-1.0, 5.5));  // up to 245
            low = static_cast<float>(std::floor(between(-pixel * (last - first), length) + start));
            high = std::floor(low + static_cast<float>(pixel * (last - first))) + 1.0F;
            if (random() % 2 == 0) std::swap(first, last);
            from = static_cast<float>(first) / static_cast<float>(side);
            to = static_cast<float>(last) / static_cast<float>(side);
        };
        WindowBox box{};
        TextureBox texture;
        axis(kTexture.width, kVisible.x, kVisible.width, box.left, box.right, texture.left, texture.right);
        axis(kTexture.height, kVisible.y, kVisible.height, box.top, box.bottom, texture.top, texture.bottom);
        Mesh whole, cut;
        whole.add_box(box, 0xFFFF'FFFF, texture);
        cut.texture_size = kTexture;
        cut.visible = kVisible;
        cut.add_box(box, 0xFFFF'FFFF, texture);
        const bool is_seen = box.left < kVisible.x + kVisible.width && box.right > kVisible.x &&
                             box.top < kVisible.y + kVisible.height && box.bottom > kVisible.y;
        const bool is_large = (box.right - box.left) * (box.bottom - box.top) > 2 * 640 * 360;
        if (cut.is_empty()) {
            REQUIRE((is_large && !is_seen));
            continue;
        }
        const MeshVertex &a = cut.vertices()[0], &b = cut.vertices()[2];
        const auto check = [](float low, float high, float from, float to, float cut_low, float cut_high,
                              float cut_from, float cut_to, int start, int length) {
            const float pixels = (to - from) / (high - low);
            const float cut_pixels = (cut_to - cut_from) / (cut_high - cut_low);
            for (const int at : {start, start + length / 3, start + length - 1}) {
                const float middle = static_cast<float>(at) + 0.5F;
                if (middle < low || middle > high) continue;
                REQUIRE(middle >= cut_low);
                REQUIRE(middle <= cut_high);
                const float expected = from + (middle - low) * pixels;
                const float found = cut_from + (middle - cut_low) * cut_pixels;
                // Edges are rounded to whole pixels of the screen.
                REQUIRE(std::fabs(found - expected) <= std::fabs(pixels) + 1e-5F);
            }
        };
        check(box.left, box.right, texture.left, texture.right, a.x, b.x, a.u, b.u, kVisible.x,
              kVisible.width);
        check(box.top, box.bottom, texture.top, texture.bottom, a.y, b.y, a.v, b.v, kVisible.y,
              kVisible.height);
        if (!is_large) {
            REQUIRE(a.x == whole.vertices()[0].x);
            REQUIRE(b.v == whole.vertices()[2].v);
            continue;
        }
        ++seen;
        const float room = 520.0F;  // two pixels of the texture at each end
        REQUIRE((a.x >= kVisible.x - room && b.x <= kVisible.x + kVisible.width + room));
        REQUIRE((a.y >= kVisible.y - room && b.y <= kVisible.y + kVisible.height + room));
    }
    CHECK(seen > 500);
}

TEST_CASE("tiles side by side share their edge at any scale and offset") {
    std::mt19937 random{8};
    for (int round = 0; round < 500; ++round) {
        const float scale = 0.5F + static_cast<float>(random() % 1000) / 300.0F;
        const View view = view_at(scale, static_cast<float>(random() % 1000) / 7.0F, 0.0F);
        Mesh mesh;
        for (int tile = 0; tile < 20; ++tile)
            mesh.add_shape({.x = static_cast<float>(tile * 16), .w = 16, .h = 16}, view);
        for (std::size_t tile = 1; tile < 20; ++tile)
            REQUIRE(mesh.vertices()[tile * 4].x == mesh.vertices()[tile * 4 - 3].x);
    }
}

TEST_CASE("a line of length zero is empty, and a thin line is one pixel wide") {
    Mesh mesh;
    mesh.add_shape({.x = 5, .y = 5, .w = 5, .h = 5, .stroke = 16, .kind = DrawKind::line}, {});
    CHECK(mesh.is_empty());
    mesh.add_shape({.x = 0, .y = 5, .w = 10, .h = 5, .stroke = 1, .kind = DrawKind::line}, {});
    CHECK(std::fabs(mesh.vertices()[0].y - mesh.vertices()[3].y) == 1.0F);
}

TEST_CASE("the edges of a frame are whole pixels of the texture when SDL drops fractions") {
    ImageTable images;
    images.add(1, 21, 7);
    for (std::uint16_t x = 0; x < 21; ++x) {
        const FrameId frame = images.add_rectangle(1, x, 0, 1, 7);
        Mesh mesh;
        mesh.add_sprite({.w = 10, .h = 10, .ref = frame, .kind = DrawKind::sprite}, images, {});
        CHECK(static_cast<int>(mesh.vertices()[0].u * 21) == x);
        CHECK(static_cast<int>(mesh.vertices()[2].u * 21) == x + 1);
    }
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

TEST_CASE("what reaches beyond the largest window is clipped, not moved") {
    Mesh mesh;
    // A turned square of 40000 pixels, of which a corner is visible.
    mesh.add_shape({.x = 100, .y = 100, .w = 40000, .h = 40000, .angle = 8192}, {});
    REQUIRE(!mesh.is_empty());
    for (const MeshVertex& v : mesh.vertices()) {
        CHECK(std::fabs(v.x - 100) <= v.y - 100 + 1);
        CHECK(v.y <= kFarthest);
    }
    double area = 0;
    for (std::size_t i = 0; i < mesh.indices().size(); i += 3) {
        const auto at = [&](std::size_t corner) {
            return mesh.vertices()[static_cast<std::size_t>(mesh.indices()[i + corner])];
        };
        const MeshVertex a = at(0), b = at(1), c = at(2);
        area += std::fabs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / 2;
    }
    // Below both edges from 100, 100, and inside of the limit.
    const double depth = kFarthest - 100.0;
    CHECK(area == Approx(depth * depth).epsilon(0.001));
}

TEST_CASE("an image that is turned by the matrix alone stays a quad that SDL does not copy upright") {
    Mesh mesh;
    mesh.rounds_corners = true;
    mesh.add_sprite({.w = 16, .h = 16, .kind = DrawKind::sprite}, ImageTable{},
                    {0, -1, 20, 1, 0, 20, 1, false, true});
    REQUIRE(mesh.vertices().size() == 4);
    CHECK(mesh.vertices()[0].x != mesh.vertices()[1].x);
    CHECK(static_cast<int>(mesh.vertices()[0].x) == static_cast<int>(mesh.vertices()[1].x));
}
