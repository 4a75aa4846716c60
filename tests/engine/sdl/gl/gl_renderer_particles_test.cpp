// Batches of particles: the same pixels as their items, from a third of the bytes.
#include "tests/engine/sdl/picture_scene.h"

#include <catch2/catch.hpp>

#include <random>

using namespace perigee;
using test::count_different;
using test::PictureScene;

namespace {

ParticleLooks looks_of(const DrawItem& like) {
    ParticleLooks looks;
    for (std::size_t step = 0; step < looks.items.size(); ++step) {
        const auto age = static_cast<std::uint32_t>(step);
        looks.items[step] = like;
        looks.items[step].w = 2.0F + static_cast<float>(step) / 4;
        looks.items[step].h = 9.0F - static_cast<float>(step) / 8;
        looks.items[step].color = (255 - 2 * age) << 24U | 0x0040'00FFU | (4 * age) << 8U;
    }
    return looks;
}

}  // namespace

TEST_CASE("particles are drawn as their items are, by each renderer, among others") {
    PictureScene scene{{96, 96}};
    std::mt19937 random{3};
    std::vector<ParticleItem> particles;
    for (std::uint32_t i = 0; i < 60; ++i)
        particles.push_back({static_cast<float>(random() % 1600) / 10 - 32,
                             static_cast<float>(random() % 1600) / 10 - 32,
                             static_cast<std::uint16_t>(random() % 64),
                             static_cast<std::uint16_t>(i % 2 == 0 ? 0 : random())});
    const ParticleLooks kinds[] = {
        looks_of({.ref = scene.images.frame_of(scene.four, 0),
                  .origin_x = 64,
                  .origin_y = 32,
                  .kind = DrawKind::sprite,
                  .flags = kDrawFlipX}),
        looks_of({.origin_x = 64, .origin_y = 64, .kind = DrawKind::rectangle, .flags = 1}),
        looks_of({.kind = DrawKind::circle}),
    };
    const auto fill = [&](DrawList& list, bool copies) {
        list.camera = {40, 44, 1.25F};
        std::uint32_t order = 0;
        for (const ParticleLooks& looks : kinds) {
            const std::uint32_t image = looks.items[0].kind == DrawKind::sprite ? scene.four : 0;
            list.add({.x = 5, .y = 5, .w = 20, .h = 20}, {0, order++});
            const std::uint64_t key = draw_key(looks.items[0], {0, order}, image);
            if (copies) {
                for (const ParticleItem& one : particles) list.add(looks.item_of(one), {0, order}, image);
            } else {
                const auto batch = list.begin_particles(particles.size() + 5);
                std::ranges::copy(particles, batch.begin());
                list.end_particles(batch, particles.size(), looks, key, 0);
            }
            ++order;
        }
        list.add_immediate({.x = 20, .y = 20, .w = 9, .h = 9}, 0);
    };
    scene.add([&](DrawList& list) { fill(list, false); });
    const Picture gl = scene.with_gl();
    const Picture software = scene.with_software();
    const Picture gles = scene.with_sdl_gles();
    scene.add([&](DrawList& list) { fill(list, true); });
    CHECK(count_different(gl, scene.with_gl()) == 0);
    CHECK(count_different(software, scene.with_software()) == 0);
    CHECK(count_different(gles, scene.with_sdl_gles()) == 0);
}
