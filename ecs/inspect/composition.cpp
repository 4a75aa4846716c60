// Adds up the hashes of the names, so that their order does not matter.
#include "ecs/inspect/composition.h"

#include "ecs/archetype/archetype.h"
#include "ecs/archetype/archetype_graph.h"
#include "ecs/schema/registry.h"

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

#include <charconv>

namespace perigee {

std::uint64_t composition_hash(std::span<const ComponentId> components, const ComponentRegistry& registry) {
    std::uint64_t sum = 0;
    for (const ComponentId id : components) {
        const std::string& name = registry.info(id).schema.name;
        sum += XXH3_64bits(name.data(), name.size());
    }
    return XXH3_64bits_withSeed(&sum, sizeof sum, components.size());
}

std::uint64_t composition_hash(const World& world, const Archetype& archetype) {
    return composition_hash(archetype.components(), world.registry());
}

const Archetype* find_archetype(const World& world, std::uint64_t hash) {
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        if (composition_hash(world, archetype) == hash) return &archetype;
    }
    return nullptr;
}

std::string composition_text(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

std::optional<std::uint64_t> composition_from_text(std::string_view text) {
    std::uint64_t hash = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, hash, 16);
    if (text.size() != 16 || error != std::errc() || read != end) return std::nullopt;
    return hash;
}

}  // namespace perigee
