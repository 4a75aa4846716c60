// Commands recorded by several threads at once, merged into an order that does not depend on the threads.
//
//     ParallelCommands writer(context.commands, pool.lane_count());
//     each_chunk_parallel(world, query, pool, [&](ChunkView& chunk, std::uint32_t worker) {
//         CommandBuffer& commands = writer.at(worker, chunk.index_in_query());
//         for (Entity entity : chunk.entities()) commands.destroy(entity);
//     });
//     writer.finish();
//
// Invariant: each worker records into its own lane, so recording takes no lock. finish() appends everything
// to the target ordered by sort key, and under one key in recording order. Each task records under keys that
// no other task uses, so the result is the same for any number of workers. New entities are provisional until
// then: finish() assigns their ids, in the same order.
#pragma once

#include "ecs/commands/command_buffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

/// Lifetime: must not outlive the target. Meanwhile no other code may record into the target.
class ParallelCommands {
public:
    static constexpr std::uint32_t kMaxLanes = 1u << 10;

    /// One lane per worker: WorkerPool::lane_count(). Expects: 1 .. kMaxLanes.
    ParallelCommands(CommandBuffer& target, std::uint32_t lane_count);
    /// Without finish() everything is dropped.
    ~ParallelCommands();
    ParallelCommands(const ParallelCommands&) = delete;
    ParallelCommands& operator=(const ParallelCommands&) = delete;

    /// Where the task that runs as this worker records under `sort_key` (the index of the chunk or of the
    /// task). All commands of a CommandBuffer are available, with the target's restrictions. spawn and clone
    /// return provisional entities: valid in later commands of the same worker and key, as targets and inside
    /// values, and dead everywhere else.
    /// Lifetime: until this worker's next at(), so call it again after running other tasks; not past
    /// finish(). Expects: `worker_index` is that of the calling thread; before finish().
    CommandBuffer& at(std::uint32_t worker_index, std::uint64_t sort_key);

    /// Appends everything to the target. Spawns for which the world has no id left are skipped; commands on
    /// them are dropped and counted at playback. Throws std::bad_alloc when memory is exhausted; then nothing
    /// was appended.
    /// Expects: no task is recording; once; no key was used by two workers.
    void finish();
    bool is_finished() const noexcept { return is_finished_; }

    /// The id of a provisional entity; null if the world was full. Other entities are returned unchanged.
    /// Expects: after finish(); the entity is from this object.
    Entity real(Entity entity) const;

    std::size_t command_count() const noexcept;

private:
    struct Lane;
    struct Place;
    class Transfer;

    std::vector<Place> places_by_key() const;
    void make_room();

    CommandBuffer& target_;
    std::vector<std::unique_ptr<Lane>> lanes_;
    bool is_finished_ = false;
};

}  // namespace perigee
