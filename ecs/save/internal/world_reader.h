// The contents of a file as a snapshot of a world.
//
// Nothing in the bytes is trusted. Invariant: the world changes only by what a script cannot see (texts,
// blobs, archetypes without rows at the end of their order, which forget() removes again), and the snapshot
// that comes out is one that restore_snapshot may restore: every row belongs to one entity, every entity of
// the slots has a row, free slots form one list, values are valid, and parents and children agree. Memory is
// taken in proportion to the bytes read and the rows in them.
#pragma once

#include "ecs/base/internal/byte_stream.h"
#include "ecs/base/result.h"
#include "ecs/save/internal/snapshot_data.h"
#include "ecs/save/internal/value_bytes.h"
#include "ecs/save/save_file.h"
#include "ecs/schedule/schedule_state.h"
#include "ecs/schema/schema.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace perigee::internal {

/// The start of the contents.
struct SavedHead {
    struct Type {
        Schema schema;  ///< laid out
        bool has_values = false;
        bool is_late = false;
        bool has_objects = false;
    };
    ChunkShape shape;
    ChangeVersion version = 0;
    std::vector<Type> types;
};

/// Reads up to the types. Fails the reader if there are none. Throws std::bad_alloc.
SavedHead read_head(ByteReader& from);

class WorldReader {
public:
    /// `from`: after the head. All must outlive it.
    WorldReader(World& world, const SavedHead& head, ByteReader from, const LoadOptions& options);
    ~WorldReader();
    WorldReader(const WorldReader&) = delete;
    WorldReader& operator=(const WorldReader&) = delete;

    /// Expects: each type that has values is declared in the world with the same values. Errors: damage; no
    /// room. Throws std::bad_alloc. After an error, and unless keep() was called, the destructor forgets the
    /// archetypes that it made.
    Result<std::shared_ptr<const SnapshotData>> read();
    /// The snapshot was restored.
    void keep() noexcept { is_kept_ = true; }
    /// Of the systems; none if the file has none or the options have no schedule.
    std::optional<ScheduleState>& schedule() noexcept { return schedule_; }

private:
    using Step = Result<void> (WorldReader::*)();
    Result<void> read_slots();
    Result<void> read_archetypes();
    Result<void> read_rows();
    Result<void> read_resources();
    Result<void> read_events();
    Result<void> read_watches();
    Result<void> read_objects();
    Result<void> read_schedule();
    Result<void> place_rows();

    Result<void> read_record(Archetype& archetype, std::span<const ComponentId> components);
    bool read_entities(std::uint32_t rows, bool is_destroyed, std::byte* to);
    const ComponentInfo* type_at(std::uint16_t number) const noexcept;
    /// The next entry of a list by type; null if the target does not know the type.
    const ComponentInfo* read_block(ByteReader& block);

    struct SavedArchetype {
        Archetype* archetype = nullptr;       ///< null: the target lacks a type
        std::vector<ComponentId> components;  ///< in the order of the file
        bool has_rows = false;
    };

    World& world_;
    const SavedHead& head_;
    ByteReader from_;
    const LoadOptions& options_;
    std::vector<const ComponentInfo*> types_;
    ValueReader values_;
    std::shared_ptr<SnapshotData> data_;
    std::vector<std::uint64_t> slots_;  ///< records; those with rows get their place at the end
    std::vector<bool> is_placed_;       ///< by slot: a row was read
    std::vector<SavedArchetype> archetypes_;
    std::vector<std::uint32_t> record_numbers_;  ///< in archetypes_, of each record
    std::vector<Archetype*> order_before_;
    std::size_t row_bytes_ = 0;
    std::size_t rows_ = 0, expected_rows_ = 0;
    std::optional<ScheduleState> schedule_;
    bool is_kept_ = false;
};

}  // namespace perigee::internal
