// Walks over rows and hashes them leaf by leaf.
#include "ecs/inspect/world_digest.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/internal/row_hasher.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/world.h"

#include <algorithm>
#include <array>
#include <cstring>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace perigee {

namespace {

constexpr std::uint64_t kPresenceSeed = 0x70726573656e63ull;
constexpr std::size_t kMaxFields = 0xFFFF;

class ComponentDigester {
public:
    ComponentDigester(const World& world, const ComponentInfo& info, std::uint16_t number)
        : world_(world), info_(info), number_(number) {
        // In a row with thousands of array elements, the last number covers all further ones.
        for (std::size_t i = 0; i < info.leaves.size(); ++i)
            fields_.push_back(static_cast<std::uint16_t>(std::min(kFirstLeafField + i, kMaxFields)));
        std::uint32_t largest = 8;
        for (const Leaf& leaf : info.leaves) largest = std::max(largest, leaf.size);
        value_.resize(largest);
    }

    void add_value(Entity entity, const std::byte* row) {
        for (std::size_t i = 0; i < info_.leaves.size(); ++i)
            add(entity, fields_[i], leaf_hash(info_.leaves[i], row, entity.bits + i));
    }

    void add_chunk(const Archetype& archetype, const ChunkSlot& slot) {
        const internal::StoredColumn stored = internal::stored_column(world_, info_.id, archetype, slot);
        for (std::uint32_t row = 0; row < slot.row_count; ++row) {
            const Entity entity = Archetype::entities(slot)[row];
            add(entity, kPresenceField, presence_hash(entity));
            if (stored.is_disabled(row)) add(entity, kEnabledField, presence_hash(entity));
            if (stored.cells != nullptr) {
                add_cell(entity, Archetype::cell(slot, *stored.cells, row));
            } else if (stored.shared != nullptr) {
                add_value(entity, stored.shared);
            }
        }
    }

    TypeDigest take() noexcept { return result_; }

private:
    void add(Entity entity, std::uint16_t field, std::uint64_t hash) noexcept {
        result_.sum += hash;
        result_.digest.add({number_, entity, field}, hash);
    }

    void add_cell(Entity entity, const std::byte* cell) {
        if (info_.kind() == ComponentKind::buffer) {
            add_buffer(entity, *reinterpret_cast<const BufferHeader*>(cell));
        } else if (info_.kind() == ComponentKind::object) {
            add_object(entity, cell);
        } else {
            add_value(entity, cell);
        }
    }

    void add_buffer(Entity entity, const BufferHeader& header) {
        const std::size_t length = header.length;
        const auto length_field =
            static_cast<std::uint16_t>(std::min(kFirstLeafField + info_.leaves.size(), kMaxFields));
        add(entity, length_field, XXH3_64bits_withSeed(&length, sizeof length, entity.bits));
        for (std::size_t i = 0; i < info_.leaves.size(); ++i) {
            std::uint64_t all = entity.bits + i;
            for (std::size_t element = 0; element < length; ++element)
                all = leaf_hash(info_.leaves[i], header.elements() + element * info_.schema.size, all);
            add(entity, fields_[i], all);
        }
    }

    void add_object(Entity entity, const std::byte* cell) {
        ObjectSlot slot;
        std::memcpy(&slot, cell, sizeof slot);
        const ObjectHash* const hash = world_.objects().hash(info_.id);
        const std::shared_ptr<void>& object = world_.objects().get(slot);
        if (hash == nullptr || object == nullptr) return;
        const std::uint64_t content = (*hash)(object);
        add(entity, kFirstLeafField, XXH3_64bits_withSeed(&content, sizeof content, entity.bits));
    }

    std::uint64_t leaf_hash(const Leaf& leaf, const std::byte* row, std::uint64_t seed) {
        const std::byte* from = row + leaf.offset;
        if (leaf.type == FieldType::text || leaf.type == FieldType::blob) {
            std::uint32_t handle = 0;
            std::memcpy(&handle, from, sizeof handle);
            const std::uint64_t content = leaf.type == FieldType::text
                                              ? world_.texts().content_hash(TextHandle{handle})
                                              : world_.blobs().content_hash(BlobHandle{handle});
            return XXH3_64bits_withSeed(&content, sizeof content, seed);
        }
        internal::copy_canonical(leaf, from, value_.data());
        return XXH3_64bits_withSeed(value_.data(), leaf.size, seed);
    }

    const World& world_;
    const ComponentInfo& info_;
    std::uint16_t number_;
    std::vector<std::uint16_t> fields_;
    std::vector<std::byte> value_;
    TypeDigest result_;
};

template <typename Function> void visit_chunks(const World& world, Function&& fn) {
    for (std::uint32_t i = 0; i < world.archetypes().size(); ++i) {
        const Archetype& archetype = world.archetypes().at(i);
        for (std::uint32_t chunk = 0; chunk < archetype.chunk_count(); ++chunk)
            fn(archetype, archetype.chunks()[chunk]);
    }
}

}  // namespace

TypeDigest digest_component(const World& world, ComponentId component, std::uint16_t number) {
    const ComponentInfo& info = world.registry().info(component);
    ComponentDigester digester(world, info, number);
    if (info.kind() == ComponentKind::resource) {
        if (!info.schema.presentation) digester.add_value(Entity{}, world.resources().data(component));
    } else if (is_component_kind(info.kind())) {
        visit_chunks(world, [&](const Archetype& archetype, const ChunkSlot& slot) {
            if (archetype.has(component)) digester.add_chunk(archetype, slot);
        });
    }
    return digester.take();
}

TypeDigest digest_entities(const World& world, std::uint16_t number) {
    TypeDigest result;
    visit_chunks(world, [&](const Archetype&, const ChunkSlot& slot) {
        for (std::uint32_t row = 0; row < slot.row_count; ++row) {
            const Entity entity = Archetype::entities(slot)[row];
            result.sum += presence_hash(entity);
            result.digest.add({number, entity, kPresenceField}, presence_hash(entity));
        }
    });
    return result;
}

std::uint64_t presence_hash(Entity entity) noexcept {
    return XXH3_64bits_withSeed(&entity.bits, sizeof entity.bits, kPresenceSeed);
}

std::vector<std::string> digest_field_names(const ComponentInfo& info) {
    std::vector<std::string> names{"", "enabled"};
    for (const Leaf& leaf : info.leaves) names.push_back(leaf.path);
    if (info.kind() == ComponentKind::buffer) names.emplace_back("length");
    if (info.kind() == ComponentKind::object) names.emplace_back("value");
    if (names.size() > kMaxFields + 1) names.resize(kMaxFields + 1);
    return names;
}

}  // namespace perigee
