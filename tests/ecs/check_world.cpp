// One check for each pair of structures that must agree.
#include "tests/ecs/check_world.h"

#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"
#include "tests/support/agree.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace perigee {
namespace {

// Every row belongs to the entity whose record points there; chunks are not empty; bits past the rows are
// zero; exactly the components of the archetype have a place.
void check_chunk(const World& world, const Archetype& archetype, const ChunkSlot& slot,
                 std::set<Entity>& seen) {
    AGREE(slot.row_count > 0);
    AGREE(slot.row_count <= archetype.capacity());
    AGREE((slot.partition == 0) == archetype.shared_components().empty());
    for (std::uint32_t row = 0; row < slot.row_count; ++row) {
        Location location{};
        const Entity entity = Archetype::entities(slot)[row];
        AGREE(seen.insert(entity).second);
        AGREE((archetype.is_destroyed() ? world.entities().find_destroyed(entity, location)
                                        : world.entities().find(entity, location)));
        AGREE(location == Location(slot.unit, row));
    }
    for (const MaskColumn& mask : archetype.layout().masks) {
        const std::uint64_t* words = Archetype::mask_words(slot, mask);
        for (std::uint32_t row = slot.row_count; row < archetype.layout().mask_words() * 64; ++row) {
            AGREE(((words[row / 64] >> (row % 64)) & 1) == 0);
        }
    }
}

void check_places(const World& world, const Archetype& archetype) {
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ColumnPlace place = world.archetypes().column_place(archetype.index(), ComponentId{i});
        AGREE(place.is_present() == archetype.has(ComponentId{i}));
        AGREE(place.has_column() == (archetype.column_of(ComponentId{i}) > 0));
        AGREE(place.is_shared() == (archetype.shared_of(ComponentId{i}) >= 0));
        AGREE(place.is_chunk_value() == (archetype.chunk_value_of(ComponentId{i}) >= 0));
    }
}

void check_rows(const World& world, std::size_t reserved) {
    std::set<Entity> seen;
    std::set<std::vector<ComponentId>> kinds;
    std::size_t alive = 0;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        AGREE(archetype.index() == i);
        AGREE(kinds.emplace(archetype.components().begin(), archetype.components().end()).second);
        check_places(world, archetype);
        const std::size_t before = seen.size();
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            check_chunk(world, archetype, archetype.chunks()[chunk], seen);
        }
        AGREE(seen.size() - before == archetype.entity_count());
        if (!archetype.is_destroyed()) alive += archetype.entity_count();
    }
    AGREE(alive == world.entity_count());
    AGREE(seen.size() + reserved == world.entities().used_count());
}

// Each value has one reference per archetype with it as default, per partition and per prefab.
void check_shared_counts(const World& world) {
    std::map<std::pair<ComponentId, SharedIndex>, std::uint32_t> counts;
    for (std::uint32_t i = 0; i < world.archetypes().known_count(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        const std::span<const ComponentId> shared = archetype.shared_components();
        const auto count = [&](std::span<const SharedIndex> values) {
            AGREE(values.size() == shared.size());
            for (std::size_t s = 0; s < shared.size(); ++s) ++counts[{shared[s], values[s]}];
        };
        count(archetype.default_shared_values());
        std::set<std::uint32_t> partitions;
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
            const std::uint32_t partition = archetype.chunks()[chunk].partition;
            if (partitions.insert(partition).second) count(archetype.shared_values(partition));
        }
    }
    for (std::uint32_t i = 0; i < world.prefabs().size(); ++i) {
        const Prefab& prefab = world.prefabs().get(PrefabId{i});
        const std::span<const ComponentId> shared = prefab.archetype->shared_components();
        for (std::size_t s = 0; s < shared.size(); ++s) ++counts[{shared[s], prefab.shared[s]}];
    }
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        for (const SharedIndex index : world.shared().indices(ComponentId{i})) {
            AGREE(counts[std::make_pair(ComponentId{i}, index)] ==
                  world.shared().reference_count(ComponentId{i}, index));
            counts.erase({ComponentId{i}, index});
        }
    }
    AGREE(counts.empty());
}

// A query knows each archetype that it matches once, in order of creation.
void check_query(const World& world, const Query& query) {
    std::vector<const Archetype*> expected, found;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        const auto has = [&](ComponentId id) { return archetype.has(id); };
        const auto fits = [&](const QueryTerm& term) { return term.is_optional || has(term.component); };
        // The query decides whether those of destroyed entities belong to it.
        if (archetype.is_destroyed()) continue;
        if (std::all_of(query.desc().terms.begin(), query.desc().terms.end(), fits) &&
            std::none_of(query.desc().without.begin(), query.desc().without.end(), has)) {
            expected.push_back(&archetype);
        }
    }
    for (const QueryMatch& match : query.matches()) {
        if (!match.archetype->is_destroyed()) found.push_back(match.archetype);
    }
    AGREE(found == expected);
}

// The memory owned by cells is the memory that the stores have allocated.
void check_owned(const World& world) {
    std::size_t blocks = 0, objects = 0;
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (const OwningColumn& owning : archetype.owning_columns()) {
            const Column& column = archetype.layout().columns[owning.column];
            for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
                const ChunkSlot& slot = archetype.chunks()[chunk];
                for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                    const std::byte* cell = Archetype::cell(slot, column, row);
                    if (owning.info->kind() == ComponentKind::buffer) {
                        blocks += reinterpret_cast<const BufferHeader*>(cell)->heap != 0 ? 1 : 0;
                    } else {
                        objects += *reinterpret_cast<const ObjectSlot*>(cell) != 0 ? 1 : 0;
                    }
                }
            }
        }
    }
    AGREE(world.buffers().stats().blocks_in_use == blocks);
    AGREE(world.objects().slots_in_use() == objects);
}

}  // namespace

void check_world(const World& world, std::size_t reserved, std::span<const Query* const> queries) {
    check_rows(world, reserved);
    check_shared_counts(world);
    check_owned(world);
    for (const Query* query : queries) check_query(world, *query);
}

}  // namespace perigee
