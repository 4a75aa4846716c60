// Sketches of a world's values, one per type: what hash logs keep.
//
// Invariant: what counts and how is that of world_hash.h; values are told apart down to the field. Two worlds
// of one game, on whatever machines, give equal sketches exactly when their values are equal (but for chance
// of one in 2^64).
#pragma once

#include "ecs/component.h"
#include "ecs/hash_sketch.h"

#include <cstdint>
#include <string>
#include <vector>

namespace perigee {

struct ComponentInfo;
class World;

/// Numbers of what a row has besides its leaves.
inline constexpr std::uint16_t kPresenceField = 0;  ///< that the entity has the component
inline constexpr std::uint16_t kEnabledField = 1;   ///< differs where one of two is switched off
inline constexpr std::uint16_t kFirstLeafField = 2;

struct TypeSketch {
    std::uint64_t sum = 0;  ///< of the hashes of all values
    HashSketch sketch;
};

/// All values of a component or resource. `number` goes into the keys; resources belong to the null entity.
/// Cost: about 15 ns per leaf of each row.
TypeSketch sketch_component(const World& world, ComponentId component, std::uint16_t number);
/// Which entities there are: kPresenceField of each.
TypeSketch sketch_entities(const World& world, std::uint16_t number);

/// What sketches hold as the presence of an entity's component.
std::uint64_t presence_hash(Entity entity) noexcept;

/// Names of all fields that keys of the type can have, by number: "", "enabled", then the leaves' paths. Of a
/// buffer also "length", last; of an object its "value".
std::vector<std::string> sketch_fields(const ComponentInfo& info);

}  // namespace perigee
