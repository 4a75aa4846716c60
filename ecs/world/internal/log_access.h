// Records the accesses of a running system, for parts of the core that lend memory.
//
// Invariant: called before memory is lent. Does nothing outside systems and in builds without debug checks.
// See ecs/schedule/world_access.cpp.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/query/query.h"
#include "ecs/schema/component.h"

#include <cstddef>

namespace perigee {

class World;

namespace internal {

#if !PERIGEE_DEBUG_CHECKS
inline void log_access(const World&, ComponentId, Access, const std::byte*) noexcept {}
inline void log_visit(const World&, const Query&, ChangeVersion) noexcept {}
#else
/// `memory`: a cell, or the value of a resource; null means no access.
void log_access(const World& world, ComponentId component, Access access, const std::byte* memory);
/// A visit of all chunks, for a reader whose last run was at `since`.
void log_visit(const World& world, const Query& query, ChangeVersion since);
#endif

}  // namespace internal
}  // namespace perigee
