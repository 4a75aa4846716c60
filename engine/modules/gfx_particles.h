// The part of the Lua module "gfx" that defines presets of particles, and emits them.
//
// Invariant: as of gfx_module.h. The Lua side is scripts/runtime/modules/gfx_particles.lua. Not here: the
// particles (engine/extract/particles.h).
#pragma once

#include "engine/particles/particle_preset.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

namespace perigee {

struct NativeModule;

/// The preset that a script describes, call by call. One per mod.
struct PresetMaker {
    std::string prefix{};  ///< of the mod's names: "" for the game, "weather:" for a mod
    ParticlePreset preset{};
    std::array<float, ParticlePreset::kMaxCurvePoints> sizes{};
    std::array<std::uint32_t, ParticlePreset::kMaxCurvePoints> colors{};
    std::size_t size_count = 0;
    std::size_t color_count = 0;
};

/// Adds its functions. Expects: the module's context is a GfxContext.
void add_particle_functions(NativeModule& gfx);

}  // namespace perigee
