// What a world owns besides its rows: the types, the values outside the chunks, and the prefabs.
//
// Each store is described in its own header, which a file that works with the store includes. The world's
// rows and records are in another class (internal/entity_store.h).
#pragma once

#include "ecs/schema/bind.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class BlobStore;
class BufferPool;
class ComponentRegistry;
class EventStore;
class ObjectStore;
class Observers;
class PrefabStore;
class ResourceStore;
class SharedStore;
class TextPool;
struct FieldContext;
struct WorldConfig;

class WorldStores {
public:
    /// The declared types. World::declare adds to them.
    const ComponentRegistry& registry() const noexcept { return *registry_; }

    /// Behind the handles in text and blob fields.
    TextPool& texts() noexcept { return *texts_; }
    BlobStore& blobs() noexcept { return *blobs_; }
    /// Both, for write_field.
    FieldContext field_context() noexcept;

    /// Behind the cells of buffers, objects and shared components.
    BufferPool& buffers() noexcept { return *buffers_; }
    ObjectStore& objects() noexcept { return *objects_; }
    SharedStore& shared() noexcept { return *shared_; }

    ResourceStore& resources() noexcept { return *resources_; }
    /// Events sent and delivered. Hosts send with an EventWriter.
    EventStore& events() noexcept { return *events_; }
    /// Recorded changes of components; observe.h begins and ends it.
    Observers& observers() noexcept { return *observers_; }
    /// add_prefab (ecs/prefab/make_prefab.h) adds to them.
    PrefabStore& prefabs() noexcept { return *prefabs_; }

    const TextPool& texts() const noexcept { return *texts_; }
    const BlobStore& blobs() const noexcept { return *blobs_; }
    const BufferPool& buffers() const noexcept { return *buffers_; }
    const ObjectStore& objects() const noexcept { return *objects_; }
    const SharedStore& shared() const noexcept { return *shared_; }
    const ResourceStore& resources() const noexcept { return *resources_; }
    const EventStore& events() const noexcept { return *events_; }
    const PrefabStore& prefabs() const noexcept { return *prefabs_; }

    /// Data of type T that another file keeps per world, such as the index of names; created on first use.
    template <typename T> T& part() {
        const std::uint32_t number = type_number<T>();
        if (number >= parts_.size()) parts_.resize(std::size_t{number} + 1);
        if (parts_[number] == nullptr) parts_[number] = std::make_shared<T>();
        return *static_cast<T*>(parts_[number].get());
    }
    /// Null before the first use.
    template <typename T> const T* find_part() const noexcept {
        const std::uint32_t number = type_number<T>();
        return number < parts_.size() ? static_cast<const T*>(parts_[number].get()) : nullptr;
    }

protected:
    explicit WorldStores(const WorldConfig& config);
    ~WorldStores();

    ComponentRegistry& mutable_registry() noexcept { return *registry_; }

private:
    std::unique_ptr<TextPool> texts_;
    std::unique_ptr<ComponentRegistry> registry_;
    std::unique_ptr<BlobStore> blobs_;
    std::unique_ptr<BufferPool> buffers_;
    std::unique_ptr<ObjectStore> objects_;
    std::unique_ptr<SharedStore> shared_;
    std::unique_ptr<ResourceStore> resources_;
    std::unique_ptr<EventStore> events_;
    std::unique_ptr<Observers> observers_;
    std::unique_ptr<PrefabStore> prefabs_;
    std::vector<std::shared_ptr<void>> parts_;  ///< by type_number
};

}  // namespace perigee
