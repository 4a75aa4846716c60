// What lights reach, against a naive model: a point is dark if the way from the light to it leaves a caster.
#include "engine/extract/lights.h"

#include "ecs/base/random.h"
#include "tests/engine/extract/stage.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr std::uint32_t kFalloff = 1;
constexpr float kTurn = 2.0F * std::numbers::pi_v<float>;

struct Stage : ExtractStage {
    Lights* lights = nullptr;
    EntityExtractor extractor;
    Stage() : extractor((declare_position<Position>(), world), components) {
        lights = extractor.lights();
        REQUIRE(lights != nullptr);
    }
    Entity light(float x, float y, const Light& light) {
        return spawn<Position>(x, y, components.light, light);
    }
    Entity caster(float x, float y, const ShadowCaster& caster) {
        return spawn<Position>(x, y, components.shadow_caster, caster);
    }
    Lighting& lighting() { return *reinterpret_cast<Lighting*>(world.resources().data(components.lighting)); }
    // The triangles of all lights, in the order of the lights.
    std::vector<std::vector<MeshPoint>> draw(float alpha = 1.0F, const Color& ambient = {0, 0, 0, 255}) {
        list.clear();
        lights->collect(extractor.previous(), alpha);
        lights->draw({0, 0, 1}, 2000, 2000, ambient, kFalloff, list);
        list.sort(images);
        std::vector<std::vector<MeshPoint>> meshes;
        for (const DrawItem& item : list.items()) {
            const auto points = list.mesh(item);
            meshes.emplace_back(points.begin(), points.end());
        }
        return meshes;
    }
};

bool covers(const MeshPoint* t, Point p) {
    const auto side = [p](const MeshPoint& a, const MeshPoint& b) {
        return (double{b.x} - a.x) * (double{p.y} - a.y) - (double{b.y} - a.y) * (double{p.x} - a.x);
    };
    const double a = side(t[0], t[1]), b = side(t[1], t[2]), c = side(t[2], t[0]);
    return (a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0);
}

int layers_at(const std::vector<MeshPoint>& mesh, Point p) {
    int count = 0;
    for (std::size_t i = 0; i + 2 < mesh.size(); i += 3) count += covers(&mesh[i], p) ? 1 : 0;
    return count;
}

struct Box {
    Point at;
    ShadowCaster shape;
    bool holds(Point p) const {
        const float x = p.x - at.x, y = p.y - at.y;
        if (shape.radius > 0) return std::hypot(x, y) < shape.radius;
        const float c = std::cos(shape.rotation), s = std::sin(shape.rotation);
        return std::fabs(x * c + y * s) < shape.width / 2 && std::fabs(y * c - x * s) < shape.height / 2;
    }
};

// Walks from the light to the point in small steps.
bool is_dark(const std::vector<Box>& boxes, Point light, Point p) {
    for (const Box& box : boxes) {
        if (box.holds(light) || box.holds(p)) continue;
        for (int i = 0; i <= 2000; ++i) {
            const float t = static_cast<float>(i) / 2000.0F;
            if (box.holds({light.x + (p.x - light.x) * t, light.y + (p.y - light.y) * t})) return true;
        }
    }
    return false;
}

}  // namespace

TEST_CASE("light reaches what no caster is in the way of, and the casters themselves [P14]") {
    Random random{7};
    const auto among = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random.next() >> 40U) * 0x1p-24F;
    };
    int dark_count = 0, light_count = 0;
    for (int scene = 0; scene < 40; ++scene) {
        Stage stage;
        const Point at{among(-50, 50), among(-50, 50)};
        stage.light(at.x, at.y, {.color = {}, .radius = 200});
        std::vector<Box> boxes;
        for (int i = 0; i < scene % 8; ++i) {
            Box box{{among(-150, 150), among(-150, 150)}, {among(10, 60), among(10, 60), 0, among(-4, 4)}};
            if (i % 3 == 2) box.shape.radius = among(5, 30);
            boxes.push_back(box);
            stage.caster(box.at.x, box.at.y, box.shape);
        }
        const auto meshes = stage.draw();
        REQUIRE(meshes.size() == 1);
        for (int i = 0; i < 100; ++i) {
            const Point p{at.x + among(-140, 140), at.y + among(-140, 140)};
            const bool dark = is_dark(boxes, at, p);
            bool is_at_edge = false;
            for (const Point aside : {Point{2, 0}, Point{-2, 0}, Point{0, 2}, Point{0, -2}})
                is_at_edge |= is_dark(boxes, at, {p.x + aside.x, p.y + aside.y}) != dark;
            // A disc throws its shadow from a line behind it.
            for (const Box& box : boxes)
                is_at_edge |= box.shape.radius > 0 &&
                              std::hypot(p.x - box.at.x, p.y - box.at.y) < 2.5F * box.shape.radius;
            if (is_at_edge) continue;
            INFO("scene " << scene << ", light " << at.x << "," << at.y << ", point " << p.x << "," << p.y);
            REQUIRE((layers_at(meshes[0], p) == 0) == dark);
            (dark ? dark_count : light_count) += 1;
        }
    }
    CHECK(dark_count > 200);
    CHECK(light_count > 1000);
}

TEST_CASE("a cone reaches what it opens towards, of any angle, with soft sides [P14]") {
    for (const float cone : {0.5F, 2.0F, 4.0F, 6.0F}) {
        Stage stage;
        stage.light(0, 0, {.color = {}, .radius = 100, .rotation = 2, .cone = cone});
        const auto mesh = stage.draw().at(0);
        for (float aside = 0.03F; aside < kTurn / 2; aside += 0.05F) {
            INFO(cone << " " << aside);
            const Point p{50 * std::cos(2 + aside), 50 * std::sin(2 + aside)};
            const int layers = layers_at(mesh, p);
            if (aside < cone * 0.4F - 0.05F) CHECK(layers >= static_cast<int>(Lights::kSoftSteps));
            if (aside > cone * 0.6F + 0.05F) CHECK(layers == 0);
        }
    }
}

TEST_CASE("the edge of a shadow is soft if its light has a size") {
    Stage stage;
    stage.light(0, 0, {.color = {}, .radius = 300, .softness = 10});
    stage.caster(100, 0, {.width = 20, .height = 40});
    const auto mesh = stage.draw().at(0);
    std::vector<int> seen;
    for (float y = 0; y < 100; y += 1) seen.push_back(layers_at(mesh, {200, y}));
    CHECK(seen.front() == 0);
    CHECK(seen.back() >= 6);
    CHECK(std::ranges::count_if(seen, [](int layers) { return layers > 0 && layers < 6; }) > 5);
    stage.light(0, 0, {.color = {}, .radius = 300, .softness = 10, .shadows = false});
    CHECK(layers_at(stage.draw().at(1), {200, 0}) > 0);
}

TEST_CASE("a light shines between where it was a step ago and where it is, in its colour") {
    Stage stage;
    const Entity entity = stage.light(10, 0, {.color = {100, 50, 255, 0}, .radius = 40, .intensity = 2});
    stage.extractor.remember();
    stage.world.edit<Position>(entity)->x = 20;
    const auto mesh = stage.draw(0.5F).at(0);
    REQUIRE(mesh.size() % 3 == 0);
    CHECK(mesh[0].x == 15);
    CHECK(mesh[0].color == pack_color(200, 100, 255));
    // It adds what the ambient light lacks.
    CHECK(stage.draw(1, {51, 0, 255, 0}).at(0)[0].color == pack_color(160, 100, 0));
    const auto x = [](const MeshPoint& point) { return point.x; };
    CHECK(std::ranges::min(mesh, {}, x).x == Approx(-25).margin(0.01));
    CHECK(std::ranges::max(mesh, {}, x).x == Approx(55).margin(0.01));
}

TEST_CASE("lights and casters of any numbers are drawn or left out, and nothing is infinite") {
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN(),
                    kInfinite = std::numeric_limits<float>::infinity();
    Stage stage;
    for (const float odd : {kNan, kInfinite, -kInfinite, -1.0F, 0.0F, 1e30F, 1e-30F, 3.0F}) {
        stage.light(odd, 0, {.color = {}});
        stage.light(0, 0, {.color = {}, .radius = odd});
        stage.light(1, 0, {.color = {}, .intensity = odd, .softness = odd});
        stage.light(2, 0, {.color = {}, .rotation = odd, .cone = odd});
        stage.caster(odd, 5, {});
        stage.caster(7, 5, {.width = odd, .height = odd, .rotation = odd});
        stage.caster(5, 7, {.radius = odd});
    }
    const auto meshes = stage.draw();
    CHECK(meshes.size() > 8);
    for (const auto& mesh : meshes)
        for (const MeshPoint& point : mesh)
            REQUIRE((std::isfinite(point.x) && std::isfinite(point.y) && point.u >= -0.01F &&
                     point.u <= 1.01F && point.v >= -0.01F && point.v <= 1.01F));
}

TEST_CASE("white ambient light is no lighting, and too many lights are left out") {
    Stage stage;
    CHECK_FALSE(stage.lights->lighting());
    stage.lighting() = {{20, 20, 30, 255}, 3};
    REQUIRE(stage.lights->lighting());
    CHECK(stage.lights->lighting()->layer == 3);
    for (std::size_t i = 0; i < Lights::kMaxLights; ++i) stage.light(0, 0, {.color = {}});
    CHECK(stage.draw().size() == Lights::kMaxLights);
    CHECK_FALSE(stage.lights->has_left_out());
    stage.light(0, 0, {.color = {}});
    CHECK(stage.draw().size() == Lights::kMaxLights);
    CHECK(stage.lights->has_left_out());
}
