// One pass per component that has text fields.
#include "ecs/world/text_sweep.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/internal/stored_values.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world.h"

#include <cstring>
#include <vector>

namespace perigee {

namespace {

// Marks the texts of values of one component.
class Marker {
public:
    Marker(TextPool& texts, const ComponentInfo& info) : texts_(texts) {
        for (const Leaf& leaf : info.leaves) {
            if (leaf.type == FieldType::text) offsets_.push_back(leaf.offset);
        }
    }
    bool is_needed() const noexcept { return !offsets_.empty(); }

    void mark(const std::byte* value) const noexcept {
        for (const std::uint32_t offset : offsets_) {
            TextHandle handle;
            std::memcpy(&handle, value + offset, sizeof handle);
            texts_.mark(handle);
        }
    }

private:
    TextPool& texts_;
    std::vector<std::uint32_t> offsets_;
};

void mark_blobs(const World& world, const ComponentInfo& info, const Marker& marker) {
    for (std::uint32_t handle = 1; handle <= world.blobs().size(); ++handle) {
        const BlobHandle blob{handle};
        if (world.blobs().type(blob) != info.id) continue;
        const std::span<const std::byte> bytes = world.blobs().bytes(blob);
        for (std::size_t at = 0; at < bytes.size(); at += info.schema.size) marker.mark(&bytes[at]);
    }
}

void mark_prefabs(const World& world, const ComponentInfo& info, const Marker& marker) {
    for (std::uint32_t i = 0; i < world.prefabs().size(); ++i) {
        for (const PrefabComponent& part : world.prefabs().get(PrefabId{i}).components) {
            if (part.component != info.id) continue;
            for (std::size_t at = 0; at < part.value.size(); at += info.schema.size)
                marker.mark(&part.value[at]);
        }
    }
}

void mark_events(const World& world, const ComponentInfo& info, const Marker& marker) {
    const EventBatch kept = world.events().kept(info.id);
    for (std::size_t i = 0; i < kept.count; ++i) marker.mark(kept.rows + i * kept.row_bytes);
}

// Values of shared filters of queries. If their handle were reused for another text, other rows would match.
void mark_filters(const World& world, const ComponentInfo& info, const Marker& marker) {
    for (const std::unique_ptr<Query>& query : world.store().queries().all())
        for (const SharedFilter& filter : query->desc().shared)
            if (filter.component == info.id) marker.mark(filter.value.data());
}

}  // namespace

std::size_t collect_texts(World& world) {
    ECS_EXPECTS(!world.is_locked(), "a sweep while a query is visited");
    TextPool& texts = world.texts();
    texts.begin_marking();
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ComponentInfo& info = world.registry().info(ComponentId{i});
        const Marker marker(texts, info);
        if (!marker.is_needed()) continue;
        marker.mark(info.schema.defaults.data());
        mark_prefabs(world, info, marker);
        mark_filters(world, info, marker);
        world.observers().each_value(info.id, [&](const std::byte* value) { marker.mark(value); });
        switch (info.kind()) {
            case ComponentKind::resource:
                marker.mark(world.resources().data(info.id));
                break;
            case ComponentKind::blob:
                mark_blobs(world, info, marker);
                break;
            case ComponentKind::event:
                mark_events(world, info, marker);
                break;
            default:
                internal::each_shared_value(world, info,
                                            [&](SharedIndex, const std::byte* value) { marker.mark(value); });
                internal::each_cell(world, info, [&](Entity, const std::byte* cell) {
                    internal::each_value_in_cell(info, cell,
                                                 [&](const std::byte* value) { marker.mark(value); });
                });
                break;
        }
    }
    return texts.sweep();
}

}  // namespace perigee
