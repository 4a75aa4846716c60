// Writing down what a running system touches, for those parts of the core that hand out memory.
//
// Invariant: called before anything is shown; outside of systems, and in builds without debug checks, nothing
// happens. See ecs/world_access.cpp.
#pragma once

#include "ecs/component.h"
#include "ecs/query.h"

#include <cstddef>

namespace perigee {

class World;

namespace internal {

#if !PERIGEE_DEBUG_CHECKS
inline void note_access(const World&, ComponentId, Access, const std::byte*) noexcept {}
#else
/// `memory`: a cell, or the value of a resource; null is no access.
void note_access(const World& world, ComponentId component, Access access, const std::byte* memory);
#endif

}  // namespace internal
}  // namespace perigee
