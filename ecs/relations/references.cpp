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
#include <cstring>
#include <map>
#include <set>
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

// Blobs that were carried over, by their number in the other world.
using CarriedBlobs = std::map<std::uint32_t, BlobHandle>;

Result<BlobHandle> carried_blob(const World& from, World& to, BlobHandle handle);

// `carried`: the blobs that the row may refer to; null to carry them over now.
Result<void> carry_row(const World& from, World& to, std::span<const Leaf> leaves, std::byte* row,
                       CarriedBlobs* carried) {
    for (const Leaf& leaf : leaves) {
        if (leaf.type == FieldType::text) {
            TextHandle handle;
            std::memcpy(&handle, row + leaf.offset, sizeof handle);
            const Result<TextHandle> text = to.texts().intern(from.texts().text(handle));
            if (!text) return text.error();
            std::memcpy(row + leaf.offset, &text.value(), sizeof handle);
        } else if (leaf.type == FieldType::blob) {
            BlobHandle handle;
            std::memcpy(&handle, row + leaf.offset, sizeof handle);
            const Result<BlobHandle> blob = carried != nullptr ? Result<BlobHandle>((*carried)[handle.index])
                                                               : carried_blob(from, to, handle);
            if (!blob) return blob.error();
            std::memcpy(row + leaf.offset, &blob.value(), sizeof handle);
        }
    }
    return {};
}

std::vector<BlobHandle> parts_of(const World& world, BlobHandle blob) {
    const ComponentInfo& info = world.registry().info(world.blobs().type(blob));
    const std::span<const std::byte> bytes = world.blobs().bytes(blob);
    std::vector<BlobHandle> parts;
    for (const Leaf& leaf : info.leaves) {
        if (leaf.type != FieldType::blob) continue;
        for (std::size_t at = leaf.offset; at < bytes.size(); at += info.schema.size) {
            BlobHandle part;
            std::memcpy(&part, &bytes[at], sizeof part);
            if (part.index != 0) parts.push_back(part);
        }
    }
    return parts;
}

// A blob and all that it refers to, each once, parts before those that refer to them.
std::vector<BlobHandle> whole_blob(const World& world, BlobHandle blob) {
    std::set<std::uint32_t> found = {blob.index};
    std::vector<BlobHandle> all = {blob};
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (const BlobHandle part : parts_of(world, all[i]))
            if (found.insert(part.index).second) all.push_back(part);
    }
    std::sort(all.begin(), all.end(),
              [&](BlobHandle a, BlobHandle b) { return world.blobs().number(a) < world.blobs().number(b); });
    return all;
}

// The blob of `to` with the content that `handle` has in `from`.
Result<BlobHandle> carried_blob(const World& from, World& to, BlobHandle handle) {
    if (!from.blobs().has(handle)) return BlobHandle{};
    CarriedBlobs carried;
    for (const BlobHandle blob : whole_blob(from, handle)) {
        const ComponentInfo& info = from.registry().info(from.blobs().type(blob));
        const Result<ComponentId> type = to.registry().require(info.schema.name);
        if (!type) return type.error();
        if (to.registry().info(type.value()).hash != info.hash) {
            return Error{errors::other_blob_layout(info.schema.name)};
        }
        const std::span<const std::byte> bytes = from.blobs().bytes(blob);
        std::vector<std::byte> rows(bytes.begin(), bytes.end());
        for (std::size_t at = 0; at < rows.size(); at += info.schema.size) {
            const Result<void> row = carry_row(from, to, info.leaves, &rows[at], &carried);
            if (!row) return row.error();
        }
        const Result<BlobHandle> made = to.blobs().build(type.value(), rows);
        if (!made) return made;
        carried[blob.index] = made.value();
    }
    return carried[handle.index];
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
    return carry_row(from, to, leaves, row, nullptr);
}

}  // namespace perigee
