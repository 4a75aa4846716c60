// Checks that a world is valid, for tests that make operations fail.
#pragma once

#include <cstddef>
#include <span>

namespace perigee {

class Query;
class World;

/// Fails the test unless the structures of the world agree: rows and records, places of components, counts of
/// entities, enabled bits, references to shared values, memory owned by cells, and archetypes of queries.
/// `reserved` is the number of reserved ids without an entity. Expects: no command buffer owns blocks; the
/// queries have no `any`.
void check_world(const World& world, std::size_t reserved, std::span<const Query* const> queries = {});

}  // namespace perigee
