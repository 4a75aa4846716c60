// The identity of one entity: a number that is safe to keep and to compare.
//
// Invariant: an Entity whose slot has been reused never becomes valid again; generations only grow, and a
// slot whose generation is exhausted is retired. The value fits into 53 bits, so scripts store it as a plain
// Lua number. It does not say where the entity's components are stored; entity_index.h does.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace perigee {

/// An entity handle.
///
/// Layout:    index * 2^21 + generation, at most 2^53 - 1.
/// Lifetime:  free to copy and store; World::is_alive says whether it still refers to an entity.
/// Zero is the null entity; generation 0 is never handed out, so no live entity is null.
///
///      52                 21 20              0
///     [ index, 32 bits      | generation, 21  ]
struct Entity {
    static constexpr unsigned kGenerationBits = 21;
    static constexpr std::uint32_t kMaxGeneration = (1u << kGenerationBits) - 1;
    static constexpr std::uint64_t kMaxBits = (std::uint64_t{1} << 53) - 1;

    std::uint64_t bits = 0;

    constexpr std::uint32_t index() const noexcept {
        return static_cast<std::uint32_t>(bits >> kGenerationBits);
    }
    constexpr std::uint32_t generation() const noexcept {
        return static_cast<std::uint32_t>(bits & kMaxGeneration);
    }
    constexpr explicit operator bool() const noexcept { return bits != 0; }
    constexpr auto operator<=>(const Entity&) const noexcept = default;
};

static_assert(sizeof(Entity) == 8);

constexpr Entity entity_from_parts(std::uint32_t index, std::uint32_t generation) noexcept {
    return Entity{(std::uint64_t{index} << Entity::kGenerationBits) | (generation & Entity::kMaxGeneration)};
}

/// The entity that a Lua number represents; null for anything but an integer in 0 .. 2^53 - 1 (also for NaN).
constexpr Entity entity_from_number(double number) noexcept {
    if (!(number >= 0.0 && number <= static_cast<double>(Entity::kMaxBits))) return Entity{};
    const auto bits = static_cast<std::uint64_t>(number);
    return static_cast<double>(bits) == number ? Entity{bits} : Entity{};
}

constexpr double number_from_entity(Entity entity) noexcept { return static_cast<double>(entity.bits); }

}  // namespace perigee

template <> struct std::hash<perigee::Entity> {
    std::size_t operator()(perigee::Entity entity) const noexcept {
        return static_cast<std::size_t>(entity.bits * 0x9E3779B97F4A7C15ull);
    }
};
