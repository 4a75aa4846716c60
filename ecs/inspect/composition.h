// Identifies an archetype by a hash of the names of its components. Source: the composition descriptors of
// Unreal Mass.
//
// Invariant: the hash depends on nothing but the set of names: it is equal in other runs, on other machines,
// and whatever the order in which components and archetypes were made. Numbers of archetypes and components
// are not. It only reads.
#pragma once

#include "ecs/schema/component.h"
#include "ecs/world/world.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perigee {

class ComponentRegistry;

/// The hash of the archetype with exactly these components, whether or not it exists. Their order does not
/// matter. Expects: components of the registry, each named once.
std::uint64_t composition_hash(std::span<const ComponentId> components, const ComponentRegistry& registry);
/// The hash of an archetype of this world. Cost: one step per component.
std::uint64_t composition_hash(const World& world, const Archetype& archetype);

/// The archetype with this hash; null if the world has none. Cost: composition_hash of each archetype.
/// Different sets with equal hashes are not to be expected; of such archetypes it returns the oldest.
const Archetype* find_archetype(const World& world, std::uint64_t hash);

/// As messages and tools write a hash: 16 hexadecimal digits.
std::string composition_text(std::uint64_t hash);
/// The hash that composition_text wrote; nothing for other texts.
std::optional<std::uint64_t> composition_from_text(std::string_view text);

}  // namespace perigee
