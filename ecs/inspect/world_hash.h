// One number for the content of a world, to compare runs, builds and replays.
//
// Invariant: equal for worlds with the same entities (by id), the same component and resource values (fields
// compared by value, texts and blobs by content, every NaN alike, pad bytes ignored); independent of chunk
// sizes, row order, memory and time. Types count by name and schema hash, in bytewise order of names. Shared
// values and enabled bits count for each entity. For a chunk component only its presence counts, since chunks
// depend on history, and for presentation data, since its values depend on the frame rate.
#pragma once

#include "ecs/schema/component.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perigee {

class World;

struct ComponentHash {
    std::string name;
    std::uint64_t hash;
};

/// How often this thread has begun to hash a whole world. Hash functions may share data for one such pass.
std::uint64_t hashes_begun() noexcept;

/// Cost: about 10 ns per component value.
std::uint64_t world_hash(const World& world);

/// The parts of world_hash by type, in order of names, for finding differences. The first is kEntitiesPart.
std::vector<ComponentHash> component_hashes(const World& world);

/// The world's hash from its parts, for callers that need both.
std::uint64_t world_hash(std::span<const ComponentHash> parts);

/// One part of world_hash: a component or resource, or the set of entities. 0 for a type that was declared
/// while the game runs (Schedule::at_step_end) and is not used: a component without rows, a resource that has
/// its default or is presentation data.
std::uint64_t component_hash(const World& world, ComponentId component);
std::uint64_t entities_hash(const World& world);

/// The name of the part for the set of entities; no component can have this name.
inline constexpr std::string_view kEntitiesPart = "(entities)";

/// 16 lower-case hex digits.
std::string text_from_hash(std::uint64_t hash);

}  // namespace perigee
