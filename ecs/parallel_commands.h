// Commands recorded by several threads at once, put into one order that does not depend on the threads.
//
//     ParallelCommands writer(context.commands, pool.lane_count());
//     world.each_chunk_parallel(query, pool, [&](ChunkView& chunk, std::uint32_t worker) {
//         CommandBuffer& commands = writer.at(worker, chunk.index_in_query());
//         for (Entity entity : chunk.entities()) commands.destroy(entity);
//     });
//     writer.finish();
//
// Invariant: each worker records into a lane of its own, so recording takes no lock. finish() appends
// everything to the target ordered by sort key, and under one key in the order of recording; what one task
// records goes under keys that no other task uses, so the outcome is the same for any number of workers. New
// entities are provisional until then: the ids come from finish(), in that order too.
#pragma once

#include "ecs/command_buffer.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

/// Lifetime: within the target's; nobody else records into the target meanwhile.
class ParallelCommands {
public:
    static constexpr std::uint32_t kMostLanes = 1u << 10;

    /// One lane per worker: WorkerPool::lane_count(). Expects: 1 .. kMostLanes.
    ParallelCommands(CommandBuffer& target, std::uint32_t lane_count);
    /// Without finish() everything is dropped.
    ~ParallelCommands();
    ParallelCommands(const ParallelCommands&) = delete;
    ParallelCommands& operator=(const ParallelCommands&) = delete;

    /// Where the task that runs as this worker records under `sort_key` (the index of the chunk or of the
    /// task). All commands of a CommandBuffer are there, and refusals are those of the target. spawn and
    /// clone give provisional entities: known to later commands of the same worker and key, as subjects and
    /// inside values, and dead to everybody else.
    /// Lifetime: until this worker's next at(), so ask again after running other tasks; not past finish().
    /// Expects: `worker_index` is that of the calling thread; before finish().
    CommandBuffer& at(std::uint32_t worker_index, std::uint64_t sort_key);

    /// Appends everything to the target. Spawns for which the world has no id left are left out, and commands
    /// about them dropped and counted at playback. When memory is exhausted it throws std::bad_alloc, and
    /// then nothing was appended.
    /// Expects: no task is recording; once; no key was used by two workers.
    void finish();
    bool is_finished() const noexcept { return is_finished_; }

    /// The id of a provisional entity; null if the world was full. Other entities stay as they are.
    /// Expects: after finish(); the entity is from here.
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
