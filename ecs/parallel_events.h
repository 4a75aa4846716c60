// Events sent by several threads that work for one system, put into one order that does not depend on the
// threads.
//
//     ParallelEvents writer(context.events, pool.lane_count());
//     world.each_chunk_parallel(query, pool, [&](ChunkView& chunk, std::uint32_t worker) {
//         writer.at(worker, chunk.index_in_query()).send(Damage{…});
//     });
//     writer.finish();
//
// Invariant: each worker sends into writers of its own, so sending takes no lock. finish() appends everything
// to the target by sort key, and under one key in the order of sending; what one task sends goes under keys
// that no other task uses. The like for commands is ParallelCommands.
#pragma once

#include "ecs/event_writer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class ParallelEvents {
public:
    /// One lane per worker: WorkerPool::lane_count(). Lifetime: within the target's.
    ParallelEvents(EventWriter& target, std::uint32_t lane_count);
    ParallelEvents(const ParallelEvents&) = delete;
    ParallelEvents& operator=(const ParallelEvents&) = delete;

    /// Where the task that runs as this worker sends under `sort_key`. Refusals are those of the target.
    /// Expects: `worker_index` is that of the calling thread; before finish().
    EventWriter& at(std::uint32_t worker_index, std::uint64_t sort_key);

    /// Appends everything to the target; without it all is dropped. Expects: no task is sending; once.
    void finish();

private:
    struct Part {
        std::uint64_t key;
        std::unique_ptr<EventWriter> events;
    };

    EventWriter& target_;
    std::vector<std::vector<Part>> lanes_;
    bool is_finished_ = false;
};

}  // namespace perigee
