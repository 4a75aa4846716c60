// Entities that parallel tasks have recorded but that have no id yet.
//
// Invariant: never an id of a world: bit 63 is set, which no script can produce, and the generation is 0, so
// that every world treats it as dead.
//
//    63  62      53 52       21 20      0
//   [ 1 |  lane    |  number   | 0        ]
#pragma once

#include "ecs/base/entity.h"

#include <cstdint>

namespace perigee::internal {

constexpr Entity provisional_entity(std::uint32_t lane, std::uint32_t number) noexcept {
    return Entity{std::uint64_t{1} << 63 | std::uint64_t{lane} << 53 |
                  std::uint64_t{number} << Entity::kGenerationBits};
}
constexpr bool is_provisional(std::uint64_t bits) noexcept { return bits >> 63 != 0; }
constexpr std::uint32_t provisional_lane(Entity entity) noexcept {
    return static_cast<std::uint32_t>(entity.bits >> 53) & 0x3FF;
}
constexpr std::uint32_t provisional_number(Entity entity) noexcept { return entity.index(); }

}  // namespace perigee::internal
