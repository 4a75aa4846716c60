// Particles: the presets that files define, a pool of living particles for each, and who emits them.
//
// Invariant: particles are pictures: no system reads them, they are in no hash and no saved world, and
// loading or going back in time ends them. Still they advance in steps, by streams of the run's seed, after
// all systems of the step. So they depend on the steps alone, and a replay shows the same. There are at most
// kMaxLive, of presets of one mod at most kMaxLiveOfMod; one message says so. Not here: the loops over
// particles (particle_pool.h).
#pragma once

#include "ecs/base/entity.h"
#include "ecs/base/result.h"
#include "engine/extract/components.h"
#include "engine/extract/internal/extract_frame.h"
#include "engine/extract/internal/name_index.h"
#include "engine/particles/particle_pool.h"
#include "engine/particles/particle_preset.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class Query;

class Particles {
public:
    static constexpr std::size_t kMaxLive = std::size_t{1} << 18U;
    static constexpr std::size_t kMaxLiveOfMod = std::size_t{1} << 15U;  ///< the game has no limit of its own
    static constexpr std::size_t kMaxPresets = 256;                      ///< of a mod
    static constexpr std::size_t kMaxBursts = 4096;                      ///< between two steps

    Particles();

    /// Finds the pixels of collisions. Without it there are none.
    void set_grids(FindCollisionGrid find) { find_grid_ = std::move(find); }
    /// Called before the first step.
    void set_seed(std::uint64_t seed) noexcept { seed_ = seed; }

    /// Adds a preset, or replaces that of the same name; its particles go on as the new one says. `owner`: 0
    /// is the game. Errors: too many presets of the owner.
    Result<void> define(const ParticlePreset& preset, std::size_t owner);
    bool is_empty() const noexcept { return kinds_.empty(); }
    std::optional<std::uint32_t> find(std::string_view name) const { return names_.find(name); }
    std::string unknown(std::string_view name) const { return names_.unknown(name); }

    /// Emits at the end of the running step, or of the next one. `count` negative: as many as the preset
    /// says. Expects: a number that find() returned.
    void burst(std::uint32_t preset, float x, float y, double count);

    /// Ends a step of `dt` seconds: moves all particles, then emits. `query`: terms 0 Position, 1
    /// gfx:Emitter; null without a Position.
    void step(World& world, const PositionColumn& position, const Query* query, float dt);
    /// Adds the visible particles. `dt`: of a step.
    void draw(const internal::ExtractFrame& frame, float dt);
    /// Ends all particles.
    void clear() noexcept;

    std::size_t live_count() const noexcept;
    /// Messages since the last call: unknown presets, and once that there are too many particles.
    std::vector<std::string> take_reports();

private:
    struct Kind {
        ParticlePreset preset;
        ParticlePool pool;
        std::size_t owner = 0;
    };
    // Of an entity that emits, by its index.
    struct Source {
        std::uint32_t generation = 0;
        std::uint32_t preset = 0;
        std::uint64_t last_step = 0;  // in which it emitted
        float x = 0.0F, y = 0.0F, from_x = 0.0F, from_y = 0.0F;
        float part = 0.0F;  // of the next particle
    };
    // What an emitter emits in this step.
    struct Emission {
        std::uint32_t preset = 0;
        std::uint32_t count = 0;
        ParticleOrigin origin;
    };
    struct Burst {
        std::uint32_t preset = 0;
        float x = 0.0F, y = 0.0F;
        std::uint32_t count = 0;
    };

    void visit(Entity entity, const Emitter& emitter, std::uint32_t preset, PreviousPositions::Point at,
               float dt);
    void visit_emitters(World& world, const PositionColumn& position, const Query& query, float dt);
    std::optional<ParticleWalls> walls_of(const Kind& kind) const;
    void move(Kind& kind, float dt);
    void emit(const Emission& emission, float dt);
    std::size_t room_for(const Kind& kind) const noexcept;

    std::vector<Kind> kinds_;  ///< by number of the name
    internal::NameIndex names_;
    std::vector<std::size_t> preset_counts_;  ///< by owner
    std::vector<Source> sources_;
    std::vector<Emission> emissions_;        ///< of the step
    std::vector<ParticleOwnerStep> owners_;  ///< the sources in the step; filled if a pool needs them
    std::vector<ParticlePlace> places_;      ///< of the sources, in the frame being drawn
    FindCollisionGrid find_grid_;
    std::vector<Burst> bursts_;
    std::vector<std::string> reports_;
    std::uint64_t seed_ = 0;
    std::uint64_t steps_ = 0;
    bool has_reported_limit_ = false;
};

}  // namespace perigee
