// Creates the stores, each after the ones that it refers to.
#include "ecs/world/world_stores.h"

#include "ecs/schema/blob_store.h"
#include "ecs/schema/registry.h"
#include "ecs/schema/text_pool.h"
#include "ecs/storage/buffer_pool.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/object_store.h"
#include "ecs/storage/resource_store.h"
#include "ecs/storage/shared_store.h"
#include "ecs/world/observers.h"
#include "ecs/world/prefab.h"
#include "ecs/world/world_config.h"

namespace perigee {

WorldStores::WorldStores(const WorldConfig& config)
    : texts_(std::make_unique<TextPool>(config.max_text_bytes)),
      registry_(std::make_unique<ComponentRegistry>(texts_.get())),
      blobs_(std::make_unique<BlobStore>(*registry_, *texts_)),
      buffers_(std::make_unique<BufferPool>(config.max_buffer_bytes)),
      objects_(std::make_unique<ObjectStore>()),
      shared_(std::make_unique<SharedStore>()),
      resources_(std::make_unique<ResourceStore>()),
      events_(std::make_unique<EventStore>(config.max_event_bytes, &registry_->types())),
      observers_(std::make_unique<Observers>(*registry_)),
      prefabs_(std::make_unique<PrefabStore>()) {}

WorldStores::~WorldStores() = default;

FieldContext WorldStores::field_context() noexcept { return {texts_.get(), blobs_.get()}; }

}  // namespace perigee
