// Is a world valid? For tests that make something go wrong in it.
#pragma once

#include <cstddef>
#include <span>

namespace perigee {

class Query;
class World;

/// Fails the test unless all of the world agrees with itself: rows and records, places of components, counts
/// of entities, enabled bits, counts of shared values, what cells own, and the archetypes that queries know.
/// `reserved` is how many ids are out for entities that are not yet born. Expects: no buffer of commands owns
/// blocks; the queries have no `any`.
void check_world(const World& world, std::size_t reserved, std::span<const Query* const> queries = {});

}  // namespace perigee
