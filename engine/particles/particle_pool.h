// ParticlePool: all living particles of one preset, a column for each number.
//
// Invariant: what it does depends on its seed and on the calls alone. Particles keep their order, so a
// picture does not flicker; dead ones are skipped, and removed when they are an eighth of all. In a steady
// state nothing is allocated. Not here: who emits, and how many there may be (particles.h).
#pragma once

#include "ecs/base/random.h"
#include "engine/draw/draw_list.h"
#include "engine/particles/particle_preset.h"

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
    float turn = 0.0F;  ///< radians, added to the preset's direction
    std::uint32_t owner =
        0;  ///< of local particles, which begin at its place; 0: none, so they begin at x, y
};

/// The position of an owner of local particles in this frame. That of owner 0 is 0, 0.
struct ParticlePlace {
    float x = 0.0F, y = 0.0F;
};

/// What a step of particles needs besides the particles.
struct ParticleStep {
    float dt;                                     ///< seconds
    const ParticleWalls* walls = nullptr;         ///< null: there are no collisions
    std::span<const ParticleOwnerStep> owners{};  ///< by owner; of local particles with walls
};

/// What a picture of particles needs besides the particles.
struct ParticleView {
    float left, top, right, bottom;
    float back;       ///< seconds before the last step
    float back_part;  ///< the same as a part of the step
    const ImageTable& images;
    std::span<const ParticlePlace> places;  ///< by owner; of local particles
    std::uint8_t flags = 0;                 ///< of all items: kDrawScreen, or nothing
};

class ParticlePool {
public:
    explicit ParticlePool(std::uint64_t seed) noexcept : random_(seed) {}

    /// Particles begin at times spread over the step that has just ended.
    void emit(const ParticlePreset& preset, std::size_t count, const ParticleOrigin& origin,
              const ParticleStep& step);
    /// Moves all by one step. Cost: about 1 ns a particle; with walls 5 ns.
    void update(const ParticlePreset& preset, const ParticleStep& step);
    /// Adds the visible ones. Cost: about 1 ns a particle, and 2 ns if they are fewer than a thousand.
    void draw(const ParticlePreset& preset, const ParticleView& view, DrawList& list) const;

    std::size_t size() const noexcept { return count_; }  ///< with dead ones
    std::size_t live_count() const noexcept { return count_ - dead_count_; }
    void remove_of(std::uint32_t owner);
    void clear() noexcept { count_ = dead_count_ = 0; }

private:
    // age: 0 .. 1 while it lives; pace: how much older it gets in a second; angle and spin in turns / 65536.
    // The others have values only while the preset needs their part.
    enum Column : std::uint8_t {
        kX,
        kY,
        kVx,
        kVy,
        kAge,
        kPace,
        kAngle,
        kSpin,
        kFromX,  // where it was one step ago
        kFromY,
        kMoves,    // 0 if it has stopped, else 1
        kScale,    // of its size
        kFacing,   // the way in which it moves
        kCenterX,  // where its emitter was when it began
        kCenterY,
        kRadial,
        kTangential,
        kColumnCount
    };
    enum Part : std::uint8_t { kAlways = 0, kWalled = 1, kScaled = 2, kFaces = 4, kPulled = 8 };
    static constexpr std::array<Part, kColumnCount> kPartOf{
        kAlways, kAlways, kAlways, kAlways, kAlways, kAlways, kAlways, kAlways, kWalled,
        kWalled, kWalled, kScaled, kFaces,  kPulled, kPulled, kPulled, kPulled};

    bool has(Part part) const noexcept { return (parts_ & part) != 0; }
    bool is_used(std::size_t column) const noexcept {
        return kPartOf[column] == kAlways || has(kPartOf[column]);
    }
    void make_room(std::size_t count);
    void set_parts(const ParticlePreset& preset, bool is_walled);
    void begin_parts(const ParticlePreset& preset, std::size_t particle, const ParticlePlace& center,
                     float facing) noexcept;
    void move_new(std::size_t particle, const ParticlePlace& owner, float moved,
                  const ParticleWalls& walls) noexcept;
    void remove_dead();
    template <typename Write>
    void place(const ParticlePreset& preset, const ParticleView& view, float reach, std::size_t limit,
               Write write) const;

    std::array<std::vector<float>, kColumnCount> columns_;
    std::vector<std::uint32_t> owners_;
    struct Run {
        std::size_t first, last;
    };
    std::vector<Run> runs_;  ///< scratch of remove_dead
    std::size_t count_ = 0;
    std::size_t dead_count_ = 0;
    std::uint8_t parts_ = 0;  ///< whose columns have values
    Random random_;
};

}  // namespace perigee
