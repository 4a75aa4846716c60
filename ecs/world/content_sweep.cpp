// One pass per component that has fields of the type in question.
#include "ecs/world/content_sweep.h"

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
#include <map>
#include <vector>

namespace perigee {

namespace {

// Marks the texts or blobs of values of one component.
template <typename Store, typename Handle> class Marker {
public:
    Marker(Store& store, const ComponentInfo& info, FieldType type) : store_(store) {
        for (const Leaf& leaf : info.leaves) {
            if (leaf.type == type) offsets_.push_back(leaf.offset);
        }
    }
    bool is_needed() const noexcept { return !offsets_.empty(); }

    void operator()(const std::byte* value) const noexcept {
        for (const std::uint32_t offset : offsets_) store_.mark(handle_at(value + offset));
    }
    // For values that only snapshots hold.
    void keep(const std::byte* value) const noexcept {
        for (const std::uint32_t offset : offsets_) store_.keep(handle_at(value + offset));
    }

private:
    static Handle handle_at(const std::byte* at) noexcept {
        Handle handle;
        std::memcpy(&handle, at, sizeof handle);
        return handle;
    }

    Store& store_;
    std::vector<std::uint32_t> offsets_;
};

// Calls mark(value) for every value of the type that the world keeps, except rows of blobs.
template <typename Mark> void mark_values(World& world, const ComponentInfo& info, const Mark& mark) {
    mark(info.schema.defaults.data());
    for (std::uint32_t i = 0; i < world.prefabs().size(); ++i) {
        for (const PrefabComponent& part : world.prefabs().get(PrefabId{i}).components) {
            if (part.component != info.id) continue;
            for (std::size_t at = 0; at < part.value.size(); at += info.schema.size) mark(&part.value[at]);
        }
    }
    // Values of shared filters of queries. If their handle were reused for another text, other rows would
    // match.
    for (const std::unique_ptr<Query>& query : world.store().queries().all())
        for (const SharedFilter& filter : query->desc().shared)
            if (filter.component == info.id) mark(filter.value.data());
    world.observers().each_value(info.id, mark);
    if (info.kind() == ComponentKind::resource) {
        mark(world.resources().data(info.id));
    } else if (info.kind() == ComponentKind::event) {
        const EventBatch kept = world.events().kept(info.id);
        for (std::size_t i = 0; i < kept.count; ++i) mark(kept.rows + i * kept.row_bytes);
    } else if (info.kind() != ComponentKind::blob) {
        internal::each_shared_value(world, info, [&](SharedIndex, const std::byte* value) { mark(value); });
        internal::each_cell(world, info, [&](Entity, const std::byte* cell) {
            internal::each_value_in_cell(info, cell, mark);
        });
    }
}

void mark_texts_of_blobs(const World& world, TextPool& texts) {
    std::map<ComponentId, Marker<TextPool, TextHandle>> markers;
    for (const BlobHandle blob : world.blobs().all()) {
        const ComponentInfo& info = world.registry().info(world.blobs().type(blob));
        const auto& marker = markers.try_emplace(info.id, texts, info, FieldType::text).first->second;
        if (!marker.is_needed()) continue;
        const std::span<const std::byte> bytes = world.blobs().bytes(blob);
        const bool counts = !world.blobs().is_retired(blob);
        for (std::size_t at = 0; at < bytes.size(); at += info.schema.size)
            counts ? marker(&bytes[at]) : marker.keep(&bytes[at]);
    }
}

}  // namespace

std::size_t collect_texts(World& world) {
    ECS_EXPECTS(!world.is_locked(), "a sweep while a query is visited");
    TextPool& texts = world.texts();
    texts.begin_marking();
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ComponentInfo& info = world.registry().info(ComponentId{i});
        const Marker<TextPool, TextHandle> marker(texts, info, FieldType::text);
        if (marker.is_needed()) mark_values(world, info, marker);
    }
    mark_texts_of_blobs(world, texts);
    return texts.sweep();
}

std::size_t collect_blobs(World& world) {
    ECS_EXPECTS(!world.is_locked(), "a sweep while a query is visited");
    BlobStore& blobs = world.blobs();
    blobs.begin_marking();
    for (std::uint16_t i = 0; i < world.registry().size(); ++i) {
        const ComponentInfo& info = world.registry().info(ComponentId{i});
        const Marker<BlobStore, BlobHandle> marker(blobs, info, FieldType::blob);
        if (marker.is_needed()) mark_values(world, info, marker);
    }
    return blobs.sweep();
}

}  // namespace perigee
