// Sets the phase of a mod's running code for the duration of a C++ scope.
//
// Invariant: the previous phase is restored afterwards, also when phases are nested. References that a script
// kept from ecs.world (values, buffers, resources) do not work inside, but work again afterwards. Not here:
// what each phase allows (scripts/runtime/phase.lua).
#pragma once

#include "scripting/mods/internal/script_mod.h"

namespace perigee::internal {

class PhaseScope {
public:
    PhaseScope(ScriptMod& mod, ScriptPhase phase) noexcept
        : memory_(mod.memory), phase_(memory_.phase), epoch_(memory_.outside_epoch) {
        mod.set_phase(phase);
        memory_.outside_epoch = mod.runtime.next_epoch();
    }
    ~PhaseScope() {
        memory_.phase = phase_;
        memory_.outside_epoch = epoch_;
    }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;

private:
    StateMemory& memory_;
    std::uint32_t phase_;
    std::uint64_t epoch_;
};

}  // namespace perigee::internal
