// The way of a particle among solid cells: examples, a slow model, and what holds for all ways.
#include "engine/particles/particle_collisions.h"

#include "ecs/base/random.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

using namespace perigee;

namespace {

// '#' is solid. Cells of 10 px from 0, 0 on.
struct Field {
    std::vector<PackedColor> pixels;
    ParticleCollisions preset;
    CollisionGrid grid;

    explicit Field(std::initializer_list<std::string_view> rows) {
        for (const std::string_view row : rows)
            for (const char cell : row) pixels.push_back(cell == '#' ? 0x01000000U : 0x00FFFFFFU);
        grid = {pixels, static_cast<std::int32_t>(rows.begin()->size()),
                static_cast<std::int32_t>(rows.size())};
        preset.cell = 10;
        preset.bounce = 0.5F;
    }
    Field(Random& random, std::int32_t width, std::int32_t height) {
        for (std::int32_t i = 0; i < width * height; ++i)
            pixels.push_back(random.integer(0, 2) == 0 ? 0xFF000000U : 0U);
        grid = {pixels, width, height};
    }
    ParticleWalls walls() const { return {preset, grid}; }
};

constexpr float kSkin = 10.0F / 1024.0F;

float among(Random& random, float low, float high) { return static_cast<float>(random.range(low, high)); }

// The same as ParticleWalls::move, slowly: it finds the borders of all cells that a straight way crosses,
// sorts them, and looks at the cell behind each. In cells.
struct Model {
    const Field& field;
    double x, y, dx, dy;

    bool is_solid(double at_x, double at_y) const {
        const auto column = static_cast<std::int64_t>(std::floor(at_x));
        const auto row = static_cast<std::int64_t>(std::floor(at_y));
        if (column < 0 || row < 0 || column >= field.grid.width || row >= field.grid.height) return false;
        return field.pixels[static_cast<std::size_t>(row * field.grid.width + column)] >> 24U != 0;
    }
    struct Crossing {
        double part;
        bool is_x;
        double border;
    };
    std::vector<Crossing> crossings() const {
        std::vector<Crossing> all;
        for (int border = -200; border <= 200; ++border) {
            const double part_x = (border - x) / dx, part_y = (border - y) / dy;
            if (dx != 0 && part_x > 0 && part_x < 1) all.push_back({part_x, true, border * 1.0});
            if (dy != 0 && part_y > 0 && part_y < 1) all.push_back({part_y, false, border * 1.0});
        }
        std::ranges::sort(all, {}, &Crossing::part);
        return all;
    }
    void run() {
        for (int hits = 0; hits < ParticleWalls::kMaxHits; ++hits) {
            const std::vector<Crossing> all = crossings();
            bool is_inside = is_solid(x + dx * 1e-9, y + dy * 1e-9);
            const Crossing* hit = nullptr;
            for (const Crossing& crossing : all) {
                const bool is_next =
                    is_solid(x + dx * (crossing.part + 1e-9), y + dy * (crossing.part + 1e-9));
                if (is_next && !is_inside) {
                    hit = &crossing;
                    break;
                }
                is_inside = is_next;
            }
            if (hit == nullptr) {
                x += dx;
                y += dy;
                return;
            }
            x += dx * hit->part;
            y += dy * hit->part;
            dx *= 1 - hit->part;
            dy *= 1 - hit->part;
            (hit->is_x ? x : y) = hit->border + ((hit->is_x ? dx : dy) > 0 ? -1.0 : 1.0) / 1024.0;
            (hit->is_x ? dx : dy) *= -field.preset.bounce;
            (hit->is_x ? dy : dx) *= 1 - field.preset.friction;
        }
    }
};

}  // namespace

TEST_CASE("a particle bounces on the axis on which it enters a solid cell") {
    const Field field{"....", "..#.", "....", "####"};
    ParticleWay down{5, 25, 0, 8, 0, 480};
    CHECK(field.walls().move(down));
    CHECK(down.x == 5);
    CHECK(down.y == Approx(30 - kSkin - 1.5F));  // 3 of 8 were left, and half of them are lost
    CHECK(down.vy == -240);
    ParticleWay right{15, 15, 8, 2, 480, 120};
    CHECK(field.walls().move(right));
    CHECK(right.x == Approx(20 - kSkin - 1.5F));
    CHECK(right.y == 17);
    CHECK(right.vx == -240);
    CHECK(right.vy == 120);
    // Past the left upper corner of the cell, on either side.
    ParticleWay corner{15, 9, 9, 3, 540, 180};
    CHECK(field.walls().move(corner));
    CHECK(corner.vx == -270);
    CHECK(corner.vy == 180);
    ParticleWay other{12, 5, 10, 6, 600, 360};
    CHECK(field.walls().move(other));
    CHECK(other.vx == 600);
    CHECK(other.vy == -180);
    ParticleWay free{5, 5, 8, 8, 480, 480};
    CHECK_FALSE(field.walls().move(free));
    CHECK(free.x == 13);
    CHECK(free.vx == 480);
}

TEST_CASE("friction takes speed along the cell, and without bounce a particle slides") {
    Field field{"....", "####"};
    field.preset.bounce = 0;
    field.preset.friction = 0.25F;
    ParticleWay way{5, 5, 10, 10, 600, 600};
    CHECK(field.walls().move(way));
    CHECK(way.y == Approx(10 - kSkin));
    CHECK(way.x == Approx(5 + 5 + 5 * 0.75F));
    CHECK(way.vx == 450);
    CHECK(way.vy == 0);
}

TEST_CASE("a particle stops or dies in front of the cell that it reaches") {
    Field field{"...#"};
    for (const HitResponse response : {HitResponse::stop, HitResponse::die}) {
        field.preset.response = response;
        ParticleWay way{5, 5, 30, 3, 1, 1};
        CHECK(field.walls().move(way));
        CHECK(way.x == Approx(30 - kSkin));
        CHECK(way.y == Approx(7.5));
    }
}

TEST_CASE(
    "a particle in a solid cell moves freely until it is out, and what is outside of the grid is free") {
    const Field field{"##.#"};
    ParticleWay out{5, 5, 20, 0, 1200, 0};
    CHECK_FALSE(field.walls().move(out));
    CHECK(out.x == 25);
    ParticleWay back{25, 5, -10, 0, -600, 0};
    CHECK(field.walls().move(back));
    CHECK(back.vx == 300);
    ParticleWay outside{5, -5, 40, 0, 2400, 0};
    CHECK_FALSE(field.walls().move(outside));
    CHECK(outside.x == 45);
    ParticleWay into{55, 5, -30, 0, -1800, 0};
    CHECK(field.walls().move(into));
    CHECK(into.x > 40);
}

TEST_CASE("in a step a particle moves at most 64 cells, so nothing is too fast for a wall") {
    Field field{"................................................................................#"};
    ParticleWay way{5, 5, 1e9F, 0, 6e10F, 0};
    CHECK_FALSE(field.walls().move(way));
    CHECK(way.x == Approx(5 + 640));
    CHECK(way.vx == 6e10F);
    way.dx = 1e9F;
    CHECK(field.walls().move(way));
    CHECK(way.x < 800);
    ParticleWay far{-1e5F, 5, 1e5F + 25, 0, 1, 0};
    CHECK_FALSE(field.walls().move(far));
    CHECK(far.x == Approx(-1e5F + 640));
}

TEST_CASE("numbers that are not finite reach no cell") {
    const Field field{"####"};
    constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    for (const float odd : {kNan, kInfinity, -kInfinity, 3e38F}) {
        CHECK_FALSE(field.walls().is_solid_at(odd, 5));
        CHECK_FALSE(field.walls().is_solid_at(5, odd));
        for (ParticleWay way :
             {ParticleWay{odd, 5, 1, 1}, ParticleWay{5, -5, odd, 0}, ParticleWay{5, odd, 1, 1}})
            CHECK_FALSE(field.walls().move(way));
    }
}

TEST_CASE("a particle goes where a slow model says [P16]") {
    Random random(5);
    int hits = 0;
    for (int round = 0; round < 4000; ++round) {
        Field field(random, 8, 8);
        field.preset.cell = 1;
        field.preset.bounce = among(random, 0.2F, 1);
        field.preset.friction = among(random, 0, 0.5F);
        ParticleWay way{among(random, -1, 9), among(random, -1, 9), among(random, -9, 9),
                        among(random, -9, 9)};
        Model model{field, way.x, way.y, way.dx, way.dy};
        model.run();
        hits += field.walls().move(way) ? 1 : 0;
        CAPTURE(round);
        REQUIRE(way.x == Approx(model.x).margin(1e-4));
        REQUIRE(way.y == Approx(model.y).margin(1e-4));
    }
    CHECK(hits > 1000);
}

TEST_CASE("a particle that begins in a free cell ends in one [P16]") {
    Random random(6);
    for (const float origin : {0.0F, -777.7F, 1e6F, -1e6F}) {
        for (int round = 0; round < 3000; ++round) {
            Field field(random, 12, 9);
            field.preset.x = field.preset.y = origin;
            field.preset.cell = among(random, 1, 40);
            field.preset.bounce = among(random, 0, 1);
            field.preset.response = static_cast<HitResponse>(random.integer(0, 2));
            const float width = field.preset.cell * 12, height = field.preset.cell * 9;
            const float speed = std::pow(10.0F, among(random, -3, 6));
            ParticleWay way{origin + among(random, 0, width), origin + among(random, 0, height)};
            if (field.walls().is_solid_at(way.x, way.y)) continue;
            way.vx = among(random, -speed, speed);
            way.vy = among(random, -speed, speed);
            for (int step = 0; step < 10; ++step) {
                way.dx = way.vx / 60;
                way.dy = way.vy / 60;
                field.walls().move(way);
                CAPTURE(origin, round, step, way.x, way.y);
                REQUIRE_FALSE(field.walls().is_solid_at(way.x, way.y));
            }
        }
    }
}
