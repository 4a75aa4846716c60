// ParticlePool: all living particles of one preset, a column for each number.
//
// Invariant: what it does depends on its seed and on the calls alone. Particles keep their order, so a
// picture does not flicker; dead ones are skipped, and removed when they are an eighth of all. In a steady
// state nothing is allocated. Not here: who emits, and how many there may be (particles.h).
#pragma once

#include "ecs/base/random.h"
#include "engine/draw/draw_list.h"
#include "engine/extract/particle_preset.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace perigee {

class ImageTable;

/// Where particles of one emitter begin, or of one burst.
struct ParticleOrigin {
    float from_x = 0.0F, from_y = 0.0F;  ///< one step ago
    float x = 0.0F, y = 0.0F;
    float turn = 0.0F;        ///< radians, added to the preset's direction
    std::uint32_t owner = 0;  ///< of local particles, which begin at 0, 0
};

/// The position of an owner of local particles in this frame.
struct ParticlePlace {
    float x = 0.0F, y = 0.0F;
};

/// What a picture of particles depends on besides them.
struct ParticleView {
    float left, top, right, bottom;
    float back;  ///< seconds before the last step
    const ImageTable& images;
    std::span<const ParticlePlace> places;  ///< by owner; of local particles
};

class ParticlePool {
public:
    explicit ParticlePool(std::uint64_t seed) noexcept : random_(seed) {}

    /// Particles begin at times spread over the step of `dt` seconds that has just ended.
    void emit(const ParticlePreset& preset, std::size_t count, const ParticleOrigin& origin, float dt);
    /// Moves all by one step. Cost: about 1 ns a particle.
    void update(const ParticlePreset& preset, float dt);
    /// Adds the visible ones. Cost: about 3 ns a particle.
    void draw(const ParticlePreset& preset, const ParticleView& view, DrawList& list) const;

    std::size_t size() const noexcept { return count_; }  ///< with dead ones
    std::size_t live_count() const noexcept { return count_ - dead_count_; }
    void remove_of(std::uint32_t owner) noexcept;
    void clear() noexcept { count_ = dead_count_ = 0; }

private:
    // age: 0 .. 1 while it lives; pace: how much older it gets in a second; angle and spin in turns / 65536.
    enum Column : std::uint8_t { kX, kY, kVx, kVy, kAge, kPace, kAngle, kSpin, kColumnCount };
    void make_room(std::size_t count);
    void remove_dead() noexcept;

    std::array<std::vector<float>, kColumnCount> columns_;
    std::vector<std::uint32_t> owners_;
    std::size_t count_ = 0;
    std::size_t dead_count_ = 0;
    Random random_;
};

}  // namespace perigee
