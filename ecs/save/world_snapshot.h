// A world as it was at one moment, in memory: taken quickly, restored any number of times.
//
// A snapshot contains what the simulation can change: entities with their ids and the order of free ids, the
// rows of all kinds of components with their order and change versions, resources, events, records of
// observers, and the texts and blobs that they refer to; also presentation data as it was at the time. It
// does not contain types, prefabs, queries and systems, which stay as they are, nor commands that were not
// played back.
//
//     WorldSnapshot before = take_snapshot(world).value();
//     …                                                        // any number of steps
//     WorldSnapshot after = take_snapshot(world, &before).value();   // shares what did not change
//     restore_snapshot(world, before).value();
//
// Invariant: a snapshot never changes. A restored world has the world hash that it had, gives out the same
// ids, and visits rows in the same order, so the same changes lead to the same hashes. Columns are shared by
// change version: code that writes through an address that it got before a snapshot must call World::edit
// again. Not here: files (save_file.h), since a snapshot belongs to one world, and the state of a schedule.
#pragma once

#include "ecs/base/change_version.h"
#include "ecs/base/result.h"

#include <cstddef>
#include <memory>
#include <utility>

namespace perigee {

class World;
namespace internal {
struct SnapshotData;
struct SnapshotAccess;
}  // namespace internal

/// A handle; copies refer to the same snapshot. May outlive the world.
class WorldSnapshot {
public:
    /// World::change_version at the time.
    ChangeVersion version() const noexcept;
    std::size_t entity_count() const noexcept;
    /// Bytes of everything in the snapshot, including what it shares with others. Memory comes in blocks, so
    /// it needs up to half as much more (snapshot_memory).
    std::size_t byte_count() const noexcept;
    /// Number of chunks, and of those shared with the previous snapshot.
    std::size_t chunk_count() const noexcept;
    std::size_t shared_chunk_count() const noexcept;

private:
    friend Result<WorldSnapshot> take_snapshot(World&, const WorldSnapshot*);
    friend Result<void> restore_snapshot(World&, const WorldSnapshot&);
    friend struct internal::SnapshotAccess;
    explicit WorldSnapshot(std::shared_ptr<const internal::SnapshotData> data) noexcept
        : data_(std::move(data)) {}

    std::shared_ptr<const internal::SnapshotData> data_;
};

/// Keeps the world as it is now. `previous`, if given, is an earlier snapshot of it: columns of chunks that
/// did not change in between are shared. A snapshot from before a restore shares nothing, except the restored
/// one. Errors: an object whose component has no copy functions (ObjectStore::set_copies), or whose copy
/// fails. Throws std::bad_alloc. Expects: the world is not locked. Cost: a copy of the columns that changed;
/// with many entities that come and go, also a comparison of their records.
Result<WorldSnapshot> take_snapshot(World& world, const WorldSnapshot* previous = nullptr);

/// Makes the world what it was. Addresses, views and buffer handles become stale. Archetypes that were
/// created since become dormant (ArchetypeGraph::arrange).
/// Errors: a snapshot of another world; a type whose schema has changed since; an object that cannot be
/// restored. Throws std::bad_alloc. In both cases nothing has changed. Expects: the world is not locked.
/// Commands that spawn and are pending are dropped when their buffer is played back.
Result<void> restore_snapshot(World& world, const WorldSnapshot& snapshot);

/// What all snapshots of a world need together. What several of them share counts once.
struct SnapshotMemory {
    std::size_t snapshots = 0;
    std::size_t bytes = 0;
};
SnapshotMemory snapshot_memory(const World& world) noexcept;

}  // namespace perigee
