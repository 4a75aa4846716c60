// Digests of a world's values, one per type, as stored in hash logs.
//
// Invariant: the same values count as in world_hash.h, distinguished down to the field. Two worlds of one
// game, on any machines, have equal digests if and only if their values are equal (except with a probability
// of 1 in 2^64).
#pragma once

#include "ecs/inspect/difference_digest.h"
#include "ecs/schema/component.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ComponentInfo;
class World;

/// Field numbers for properties of a row other than its leaves.
inline constexpr std::uint16_t kPresenceField = 0;  ///< that the entity has the component
inline constexpr std::uint16_t kEnabledField = 1;   ///< differs where one of two is disabled
inline constexpr std::uint16_t kFirstLeafField = 2;

struct TypeDigest {
    std::uint64_t sum = 0;  ///< of the hashes of all values
    DifferenceDigest digest;
};

/// All values of a component or resource. `number` goes into the keys; resources belong to the null entity.
/// Cost: about 15 ns per leaf of each row.
TypeDigest digest_component(const World& world, ComponentId component, std::uint16_t number);
/// The set of entities: kPresenceField of each.
TypeDigest digest_entities(const World& world, std::uint16_t number);

/// The hash that represents the presence of an entity's component in digests.
std::uint64_t presence_hash(Entity entity) noexcept;

/// Names of all fields that keys of the type can have, by number: "", "enabled", then the leaves' paths. For
/// a buffer also "length", last; for an object its "value".
std::vector<std::string> digest_field_names(const ComponentInfo& info);

}  // namespace perigee
