// Hashes columns row by row into sums that do not depend on the order of rows.
#include "ecs/inspect/world_hash.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/world.h"

#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <fmt/format.h>
#include <xxhash.h>

namespace perigee {

namespace {

constexpr std::uint64_t kEntitySeed = 0x656e74697479ull;
constexpr std::uint64_t kDisabledSeed = 0x64697361626c6564ull;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    const std::array<std::uint64_t, 2> both{a, b};
    return XXH3_64bits(both.data(), sizeof both);
}

// Hashes one component of the rows of one chunk.
class ChunkHasher {
public:
    ChunkHasher(const World& world, const ComponentInfo& info)
        : world_(world), info_(info), hasher_(info, world.texts(), world.blobs()) {}

    std::uint64_t sum(const Archetype& archetype, const ChunkSlot& slot) {
        const internal::StoredColumn stored = internal::stored_column(world_, info_.id, archetype, slot);
        std::uint64_t sum = 0;
        for (std::uint32_t row = 0; row < slot.row_count; ++row) {
            const std::uint64_t entity = Archetype::entities(slot)[row].bits;
            std::uint64_t hash = 0;
            if (stored.cells != nullptr) {
                hash = cell_hash(Archetype::cell(slot, *stored.cells, row), entity);
            } else if (stored.shared != nullptr) {
                hash = hasher_.hash(stored.shared, entity);
            } else {
                hash = mix(entity, kEntitySeed);
            }
            if (stored.is_disabled(row)) hash = mix(hash, kDisabledSeed);
            sum += hash;
        }
        return sum;
    }

private:
    std::uint64_t cell_hash(const std::byte* cell, std::uint64_t entity) {
        if (info_.kind() == ComponentKind::buffer) {
            const auto& header = *reinterpret_cast<const BufferHeader*>(cell);
            return hasher_.hash_all(header.elements(), header.length, mix(entity, kEntitySeed));
        }
        return info_.kind() == ComponentKind::object ? object_hash(cell, entity) : hasher_.hash(cell, entity);
    }

    // An object contributes only the result of its component's hash function.
    std::uint64_t object_hash(const std::byte* cell, std::uint64_t entity) const {
        ObjectSlot slot;
        std::memcpy(&slot, cell, sizeof slot);
        const ObjectHash* const hash = world_.objects().hash(info_.id);
        const std::shared_ptr<void>& object = world_.objects().get(slot);
        const std::uint64_t content = hash != nullptr && object != nullptr ? (*hash)(object) : kEntitySeed;
        return mix(entity, content);
    }

    const World& world_;
    const ComponentInfo& info_;
    internal::RowHasher hasher_;
};

template <typename Function> void each_chunk(const World& world, Function&& fn) {
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            fn(archetype, archetype.chunks()[chunk]);
        }
    }
}

std::uint64_t sum_entities(const World& world) {
    std::uint64_t sum = 0;
    each_chunk(world, [&](const Archetype&, const ChunkSlot& slot) {
        for (std::uint32_t row = 0; row < slot.row_count; ++row) {
            sum += mix(Archetype::entities(slot)[row].bits, kEntitySeed);
        }
    });
    return sum;
}

// The sum over all rows that have the component. For a chunk component only its presence counts: its value
// belongs to a chunk, and chunks depend on history.
std::uint64_t sum_rows(const World& world, const ComponentInfo& info) {
    std::uint64_t sum = 0;
    ChunkHasher hasher(world, info);
    each_chunk(world, [&](const Archetype& archetype, const ChunkSlot& slot) {
        if (archetype.has(info.id)) sum += hasher.sum(archetype, slot);
    });
    return sum;
}

// A world that was taken back to a time before the declaration of a type still has the type. What frames have
// written is no use.
bool is_unused(const World& world, const ComponentInfo& info) {
    if (info.kind() == ComponentKind::resource) {
        internal::RowHasher hasher(info, world.texts(), world.blobs());
        return info.schema.presentation ||
               hasher.hash(world.resources().data(info.id), 0) == hasher.hash(info.schema.defaults.data(), 0);
    }
    bool is_found = false;
    each_chunk(world, [&](const Archetype& archetype, const ChunkSlot&) {
        is_found = is_found || archetype.has(info.id);
    });
    return !is_found;
}

}  // namespace

std::uint64_t component_hash(const World& world, ComponentId component) {
    const ComponentInfo& info = world.registry().info(component);
    if (info.is_late && is_unused(world, info)) return 0;
    std::uint64_t content = 0;
    if (info.schema.kind == ComponentKind::resource) {
        internal::RowHasher hasher(info, world.texts(), world.blobs());
        // Of presentation data only the type counts.
        if (!info.schema.presentation) content = hasher.hash(world.resources().data(info.id), 0);
    } else {
        content = sum_rows(world, info);
    }
    return mix(content, info.hash);
}

std::uint64_t entities_hash(const World& world) { return sum_entities(world); }

namespace {

constinit thread_local std::uint64_t t_hashes_begun = 0;

}  // namespace

std::uint64_t hashes_begun() noexcept { return t_hashes_begun; }

std::vector<ComponentHash> component_hashes(const World& world) {
    ++t_hashes_begun;
    std::vector<ComponentHash> hashes;
    hashes.push_back(ComponentHash{std::string(kEntitiesPart), entities_hash(world)});
    for (const ComponentId id : world.registry().ids_by_name()) {
        hashes.push_back(ComponentHash{world.registry().info(id).schema.name, component_hash(world, id)});
    }
    return hashes;
}

std::uint64_t world_hash(std::span<const ComponentHash> parts) {
    std::uint64_t hash = 0;
    for (const ComponentHash& part : parts) {
        if (part.hash == 0) continue;
        hash = mix(hash, mix(part.hash, XXH3_64bits(part.name.data(), part.name.size())));
    }
    return hash;
}

std::uint64_t world_hash(const World& world) { return world_hash(component_hashes(world)); }

std::string text_from_hash(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

}  // namespace perigee
