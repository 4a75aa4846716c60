// A pool with a preset and its picture, and one above a floor.
//
// Invariant: steps have the same length, a power of two. Not here: emitters (tests/engine/extract).
#pragma once

#include "engine/assets/image_table.h"
#include "engine/particles/particle_pool.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numbers>
#include <span>
#include <vector>

namespace perigee::test {

inline constexpr float kDt = 1.0F / 64.0F;
inline const ParticleStep kParticleStep{kDt};
inline const ParticleStep kNow{0};  // of what begins at its end

struct PoolStage {
    ImageTable images;
    DrawList list;
    std::vector<DrawItem> items;
    ParticlePool pool{1};
    ParticlePreset preset;

    std::span<const DrawItem> draw(float back = 0.0F, std::span<const ParticlePlace> places = {}) {
        list.clear();
        const ParticleView view{0, 0, 640, 360, back, back / kDt, images, places};
        pool.draw(preset, view, list);
        list.sort(images);
        REQUIRE(list.runs().size() <= 1);
        return list.runs().empty() ? std::span<const DrawItem>{} : list.items_of(list.runs()[0], items);
    }
};

// A floor at y = 100, in cells of 10 px.
struct FloorStage : PoolStage {
    std::vector<PackedColor> pixels = std::vector<PackedColor>(64 * 11);
    FloorStage() {
        std::fill(pixels.end() - 64, pixels.end(), 0xFFFFFFFFU);
        preset.collisions.cell = 10;
        preset.lifetime = {10, 10};
        preset.direction = std::numbers::pi_v<float> / 2;
        preset.spread = 0;
    }
    ParticleWalls walls() const { return {preset.collisions, {pixels, 64, 11}}; }
    void emit(std::size_t count, const ParticleOrigin& origin, float dt = kDt) {
        const ParticleWalls now = walls();
        pool.emit(preset, count, origin, {dt, &now});
    }
    void update(int count = 1, std::span<const ParticleOwnerStep> owners = {}) {
        const ParticleWalls now = walls();
        for (int i = 0; i < count; ++i) pool.update(preset, {kDt, &now, owners});
    }
};

}  // namespace perigee::test
