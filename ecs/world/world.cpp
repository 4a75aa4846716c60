// Declaring types, and functions that are more than one call of the store.
#include "ecs/world/world.h"

#include "ecs/query/relation_index.h"
#include "ecs/schema/blob_schema.h"
#include "ecs/schema/registry.h"
#include "ecs/storage/buffer.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/world/internal/query_list.h"
#include "ecs/world/internal/removal_hooks.h"
#include "ecs/world/internal/row_runs.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world_config.h"

#include <utility>

namespace perigee {

namespace {

// Creates what a type needs besides its entry: the value of a resource, the queue of an event, the tag of
// destroyed entities.
Result<void> complete_type(internal::EntityStore& store, const ComponentInfo& info) {
    World& world = store.world();
    if (info.kind() == ComponentKind::resource && !world.resources().has(info.id)) {
        world.resources().create(info.id, info.schema);
    }
    if (info.kind() == ComponentKind::event && !world.events().has(info.id)) {
        world.events().create(info.id, info.schema.size);
    }
    if (info.schema.index) store.relations().add(info.id);
    if (!is_cleanup_kind(info.kind()) || store.graph().destroyed_tag().is_valid()) return {};
    Schema tag;
    tag.name = std::string(kDestroyedName);
    tag.kind = ComponentKind::tag;
    tag.doc = "On entities that were destroyed and still have cleanup components.";
    Result<ComponentId> destroyed = store.registry().declare(std::move(tag));
    if (!destroyed) return destroyed.error();
    store.graph().set_destroyed_tag(destroyed.value());
    return {};
}

}  // namespace

World::World() : World(WorldConfig{}) {}

World::World(const WorldConfig& config)
    : WorldStores(config),
      TypedWorld(mutable_registry().types()),
      store_(std::make_unique<internal::EntityStore>(*this, mutable_registry(), config)) {}

World::~World() = default;

Result<ComponentId> World::declare(Schema schema) {
    const std::size_t before = store_->registry().size();
    const auto undo = [&] {
        while (store_->registry().size() > before) store_->registry().retract_last();
    };
    try {
        ComponentId last;
        for (Schema& part : with_element_types(std::move(schema))) {
            const Result<ComponentId> id = store_->registry().declare(std::move(part));
            const Result<void> complete =
                id ? complete_type(*store_, store_->registry().info(id.value())) : Result<void>(id.error());
            if (!complete) {
                undo();
                return complete.error();
            }
            last = id.value();
        }
        return last;
    } catch (...) {
        undo();
        throw;
    }
}

Entity World::spawn(PrefabId id) {
    const Prefab& prefab = prefabs().get(id);
    const Entity root = store_->spawn_image(*prefab.archetype, internal::image_of(prefab));
    if (!root) return root;
    return internal::complete_roots(*store_, prefab, {&root, 1}) == 1 ? root : Entity{};
}

Entity World::clone(Entity entity) {
    Entity made;
    return internal::clone_runs(*store_, entity, 1, &made) == 1 ? made : Entity{};
}

DynamicBuffer World::buffer(Entity entity, ComponentId component) {
    const ComponentInfo& info = registry().info(component);
    ECS_EXPECTS(info.kind() == ComponentKind::buffer, info.schema.name);
    std::byte* const cell = edit(entity, component);
    if (cell == nullptr) return DynamicBuffer{};
    return DynamicBuffer(cell, info, buffers(), store_->guard().version());
}

void World::on_remove(ComponentId component, std::function<void(World&, Entity)> handler) {
    store_->on_remove(component, std::move(handler));
}

const Archetype* World::archetype_of(Entity entity) const noexcept {
    Location location;
    return store_->locate(entity, location) ? &std::as_const(*store_).archetype_at(location) : nullptr;
}

Result<Query*> World::query(const QueryDesc& desc) {
    return store_->queries().require(desc, store_->graph());
}

}  // namespace perigee
