// The part of the Lua module "gfx" that defines presets of particles, and emits them.
//
// Invariant: as of gfx_module.h. The Lua side is scripts/runtime/modules/gfx_particles.lua. Not here: the
// particles (engine/extract/particles.h).
#pragma once

#include "engine/particles/particle_preset.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace perigee {

struct NativeModule;

/// The preset that a script describes, call by call. One per mod.
struct PresetMaker {
    std::string prefix{};  ///< of the mod's names: "" for the game, "weather:" for a mod
    ParticlePreset preset{};
    template <typename T, std::size_t kMax = ParticlePreset::kMaxCurvePoints> struct Points {
        std::array<T, kMax> values{};
        std::size_t count = 0;

        void add(T value) noexcept {
            if (count < values.size()) values[count++] = value;
        }
        std::span<const T> all() const noexcept { return std::span{values}.first(count); }
    };
    Points<float> sizes{};
    Points<float> speed_factors{};
    Points<std::uint32_t> colors{};
    Points<std::uint16_t, ParticlePreset::kCurveSteps> frames{};
};

/// Adds its functions. Expects: the module's context is a GfxContext.
void add_particle_functions(NativeModule& gfx);

}  // namespace perigee
