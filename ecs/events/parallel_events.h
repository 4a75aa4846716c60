// Events sent by several threads of one system, merged into an order that does not depend on the threads.
//
//     ParallelEvents writer(context.events, pool.lane_count());
//     each_chunk_parallel(world, query, pool, [&](ChunkView& chunk, std::uint32_t worker) {
//         writer.at(worker, chunk.index_in_query()).send(Damage{…});
//     });
//     writer.finish();
//
// Invariant: each worker sends into its own writers, so sending takes no lock. finish() appends everything to
// the target by sort key, and under one key in sending order. Each task sends under keys that no other task
// uses. ParallelCommands does the same for commands.
#pragma once

#include "ecs/events/event_writer.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace perigee {

class ParallelEvents {
public:
    /// One lane per worker: WorkerPool::lane_count(). Lifetime: must not outlive the target.
    ParallelEvents(EventWriter& target, std::uint32_t lane_count);
    ParallelEvents(const ParallelEvents&) = delete;
    ParallelEvents& operator=(const ParallelEvents&) = delete;

    /// Where the task that runs as this worker sends under `sort_key`, with the target's restrictions.
    /// Expects: `worker_index` is that of the calling thread; before finish().
    EventWriter& at(std::uint32_t worker_index, std::uint64_t sort_key);

    /// Appends everything to the target; without this call all is dropped. Expects: no task is sending;
    /// called once.
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
