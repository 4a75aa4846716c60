// What a snapshot consists of.
//
// Invariant: images never change after they were made, and snapshots share them by reference counting. What
// belongs to one moment alone (versions, locations, objects) is in the snapshot itself. Nothing here refers
// to memory of the world, so a snapshot may outlive it.
#pragma once

#include "ecs/archetype/archetype.h"
#include "ecs/archetype/entity_index.h"
#include "ecs/base/change_version.h"
#include "ecs/base/entity.h"
#include "ecs/save/internal/chunk_image.h"
#include "ecs/save/internal/image_pool.h"
#include "ecs/schema/component.h"
#include "ecs/storage/event_store.h"
#include "ecs/storage/object_store.h"
#include "ecs/world/observers.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

namespace perigee {
class World;
class WorldSnapshot;
}  // namespace perigee

namespace perigee::internal {

struct SnapshotData;

/// What the snapshots of a world share.
struct SnapshotCore {
    std::shared_ptr<ImagePool> images = std::make_shared<ImagePool>();
    std::mutex mutex;
    std::vector<const SnapshotData*> living;  ///< has capacity for each; locked by `mutex`
    std::uint64_t next_number = 1;
    /// Grows with each restore. Change versions are comparable within one timeline.
    std::uint64_t timeline = 0;
    std::uint64_t sweeps = 0;
    std::uint64_t restored = 0;  ///< number of the snapshot that began the timeline
};

/// The texts or blobs of one component in an image.
struct HandleCells {
    enum class Place : std::uint8_t { column, buffer, chunk_value, shared_value };
    Place place;
    std::uint32_t at;                   ///< index of the column, or offset in the chunk or shared values
    std::uint32_t cell_bytes;           ///< of a row
    std::uint32_t element_bytes;        ///< of a buffer
    std::vector<std::uint32_t> fields;  ///< offsets of the handles in a value
};

/// How the chunks of an archetype are read.
struct ChunkPlan {
    struct BufferColumn {
        std::uint32_t column;  ///< index in the layout
        std::uint32_t offset, cell_bytes, element_bytes;
    };
    struct ObjectColumn {
        ComponentId component;
        std::uint32_t offset;
    };
    std::vector<BufferColumn> buffers;
    std::vector<ObjectColumn> objects;
    std::vector<HandleCells> texts, blobs;
};

struct ChunkRecord {
    UnitIndex unit;
    std::uint32_t row_count;
    ChangeVersion rows_version;
    std::shared_ptr<const ChunkImage> image;
};

struct ArchetypeRecord {
    Archetype* archetype = nullptr;  ///< not used after the world's end
    std::shared_ptr<const ChunkPlan> plan;
    std::vector<ChunkRecord> chunks;
    std::vector<ChangeVersion> versions;  ///< chunk x Archetype::version_slots
    std::vector<KeptObject> objects;      ///< chunk x row x object column; cells may share a copy
};

/// A part of the records of the entity index.
struct RecordPage {
    static constexpr std::size_t kRecords = 4096;
    RecordPage(const std::shared_ptr<ImagePool>& pool, std::size_t record_count)
        : count(record_count), bytes(pool, kRecords * sizeof(std::uint64_t)) {}
    std::size_t count;
    ImageBytes bytes;
};

struct SnapshotData {
    explicit SnapshotData(std::shared_ptr<SnapshotCore> shared_core);
    ~SnapshotData();
    SnapshotData(const SnapshotData&) = delete;
    SnapshotData& operator=(const SnapshotData&) = delete;

    std::shared_ptr<SnapshotCore> core;
    std::uint64_t number = 0;
    std::uint64_t timeline = 0;
    ChangeVersion version = 0;
    std::uint64_t structure_version = 0;
    std::size_t entity_count = 0;
    /// In their order then. A snapshot shares it with the previous one if it is the same.
    std::shared_ptr<const std::vector<Archetype*>> order;
    std::vector<std::uint64_t> types;  ///< schema hash of each type
    /// The first type that had another schema when a sweep passed, which then freed what the snapshot refers
    /// to; locked by the core.
    mutable std::optional<ComponentId> lost_with;
    EntityIndex::Slots slots;
    std::vector<std::shared_ptr<const RecordPage>> records;
    std::vector<ArchetypeRecord> archetypes;  ///< those with rows, in order
    std::vector<std::byte> resources;         ///< one after the other, in order of declaration
    std::size_t resource_count = 0;
    std::vector<EventStore::Kept> events;
    std::vector<Observers::WatchPtr> watches;
    std::size_t byte_count = 0, chunk_count = 0, shared_chunks = 0;
};

/// Where a world keeps its core.
struct SnapshotPart {
    std::shared_ptr<SnapshotCore> core;
};

/// The world's core, made with the first call, which also lets sweeps look into the snapshots.
/// Throws std::bad_alloc.
std::shared_ptr<SnapshotCore> core_of(World& world);

/// Throws std::bad_alloc.
std::shared_ptr<const ChunkPlan> plan_of(const World& world, const Archetype& archetype);

/// Where the object components of an archetype are in ChunkPlan::objects, in the order of `components`.
/// Throws std::bad_alloc.
std::vector<std::size_t> object_places(const ChunkPlan& plan, std::span<const ComponentId> components);

/// Gives other files of this folder the data of a snapshot.
struct SnapshotAccess {
    static const SnapshotData& data(const WorldSnapshot& snapshot) noexcept;
    static WorldSnapshot made_of(std::shared_ptr<const SnapshotData> data) noexcept;
};

/// True if the schemas are those of the snapshot, and were so in each sweep since; otherwise `changed` is the
/// first type that has, or had, another one.
bool has_schemas_of(const World& world, const SnapshotData& data, ComponentId& changed) noexcept;

/// Protects the texts, or the blobs, of all snapshots from the sweep that has begun. Throws std::bad_alloc.
void keep_texts(World& world, SnapshotCore& core);
void keep_blobs(World& world, SnapshotCore& core);

}  // namespace perigee::internal
