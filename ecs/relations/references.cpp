// Writes only where a reference dangles, since a write marks its column as changed.
#include "ecs/relations/references.h"

#include "ecs/base/error_codes.h"
#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace perigee {

namespace {

class DanglingReferences {
public:
    DanglingReferences(World& world, const ComponentInfo& info) : world_(world), info_(info) {
        for (const Leaf& leaf : info.leaves) {
            if (leaf.type == FieldType::entity) leaves_.push_back(leaf);
        }
    }

    std::size_t clear() {
        if (leaves_.empty()) return 0;
        return clear_in_world() + clear_prefabs();
    }

private:
    // Clears references in a prefab's values, its row image and its shared values. The world's prefabs are
    // read-only; this is the only exception.
    std::size_t clear_prefabs() {
        if (world_.registry().value_bytes(info_.id) == 0) return 0;
        PrefabStore& prefabs = world_.prefabs();
        std::size_t cleared = 0;
        for (std::uint32_t i = 0; i < prefabs.size(); ++i) {
            Prefab& prefab = prefabs.get(PrefabId{i});
            for (PrefabComponent& part : prefab.components) {
                if (part.component != info_.id || part.value.empty() || !dangles(part.value.data())) continue;
                cleared += clear_value(part.value.data());
                const int column = prefab.archetype->column_of(info_.id);
                const int shared = prefab.archetype->shared_of(info_.id);
                if (shared >= 0) {
                    SharedIndex& index = prefab.shared[static_cast<std::size_t>(shared)];
                    const SharedIndex corrected = world_.shared().intern(info_, part.value.data());
                    world_.shared().release(info_.id, std::exchange(index, corrected));
                } else if (column >= 0) {
                    const std::uint32_t at = prefab.archetype->image_offset(static_cast<std::size_t>(column));
                    std::copy(part.value.begin(), part.value.end(), prefab.image.begin() + at);
                }
            }
        }
        return cleared;
    }

    std::size_t clear_in_world() {
        if (info_.kind() == ComponentKind::resource) return clear_value(world_.resources().data(info_.id));
        if (is_shared_kind(info_.kind())) return clear_shared();
        std::size_t cleared = 0;
        internal::each_cell(world_, info_, [&](Entity entity, const std::byte* cell) {
            bool is_dangling = false;
            internal::each_value_in_cell(
                info_, cell, [&](const std::byte* value) { is_dangling = is_dangling || dangles(value); });
            if (!is_dangling) return;
            internal::each_value_in_cell(info_, world_.edit(entity, info_.id), [&](const std::byte* value) {
                cleared += clear_value(const_cast<std::byte*>(value));
            });
        });
        return cleared;
    }

    bool dangles(const std::byte* value) const {
        return std::any_of(leaves_.begin(), leaves_.end(), [&](const Leaf& leaf) {
            Entity entity;
            std::memcpy(&entity, value + leaf.offset, sizeof entity);
            return entity && !world_.is_alive(entity);
        });
    }

    std::size_t clear_value(std::byte* value) const {
        return remap_references(value, leaves_,
                                [&](Entity entity) { return world_.is_alive(entity) ? entity : Entity{}; });
    }

    // Rows with a dangling shared value move to the chunks of the corrected value.
    std::size_t clear_shared() {
        std::size_t cleared = 0;
        std::vector<std::pair<Entity, std::vector<std::byte>>> moves;
        for (std::uint32_t i = 0; i < world_.archetypes().size(); ++i) {
            const Archetype& archetype = world_.archetypes().at(i);
            const int place = archetype.shared_of(info_.id);
            if (place < 0) continue;
            for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk) {
                const ChunkSlot& slot = archetype.chunks()[chunk];
                const SharedIndex index =
                    archetype.shared_value(slot.partition, static_cast<std::size_t>(place));
                const std::byte* value = world_.shared().value(info_.id, index);
                if (!dangles(value)) continue;
                std::vector<std::byte> corrected(value, value + info_.schema.size);
                cleared += clear_value(corrected.data()) * slot.row_count;
                for (std::uint32_t row = 0; row < slot.row_count; ++row) {
                    moves.emplace_back(Archetype::entities(slot)[row], corrected);
                }
            }
        }
        for (const auto& [entity, value] : moves) world_.set(entity, info_.id, value.data());
        return cleared;
    }

    World& world_;
    const ComponentInfo& info_;
    std::vector<Leaf> leaves_;
};

// The blob of `to` with the content that `handle` has in `from`.
Result<BlobHandle> carried_blob(const World& from, World& to, BlobHandle handle) {
    if (!from.blobs().has(handle)) return BlobHandle{};
    const ComponentInfo& info = from.registry().info(from.blobs().type(handle));
    const Result<ComponentId> type = to.registry().require(info.schema.name);
    if (!type) return type.error();
    if (to.registry().info(type.value()).hash != info.hash) {
        return Error{errors::other_blob_layout(info.schema.name)};
    }
    const std::span<const std::byte> bytes = from.blobs().bytes(handle);
    std::vector<std::byte> rows(bytes.begin(), bytes.end());
    for (std::size_t at = 0; at < rows.size(); at += info.schema.size) {
        Result<void> carried = carry_handles(from, to, info.leaves, &rows[at]);
        if (!carried) return carried.error();
    }
    return to.blobs().build(type.value(), rows);
}

}  // namespace

std::size_t clear_dangling_references(World& world) {
    ECS_EXPECTS(!world.is_locked(), "references cleared while a query is visited");
    std::size_t cleared = 0;
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ComponentInfo& info = world.registry().info(ComponentId{i});
        if (info.kind() != ComponentKind::blob) cleared += DanglingReferences(world, info).clear();
    }
    return cleared;
}

Result<void> carry_handles(const World& from, World& to, std::span<const Leaf> leaves, std::byte* row) {
    for (const Leaf& leaf : leaves) {
        if (leaf.type == FieldType::text) {
            TextHandle handle;
            std::memcpy(&handle, row + leaf.offset, sizeof handle);
            const Result<TextHandle> carried = to.texts().intern(from.texts().text(handle));
            if (!carried) return carried.error();
            std::memcpy(row + leaf.offset, &carried.value(), sizeof handle);
        } else if (leaf.type == FieldType::blob) {
            BlobHandle handle;
            std::memcpy(&handle, row + leaf.offset, sizeof handle);
            const Result<BlobHandle> carried = carried_blob(from, to, handle);
            if (!carried) return carried.error();
            std::memcpy(row + leaf.offset, &carried.value(), sizeof handle);
        }
    }
    return {};
}

}  // namespace perigee
