// The state of a CommandBuffer that is a lane of ParallelCommands.
//
// Invariant: used by one thread at a time. Segments are in the arena in recording order, each under one sort
// key; spawn numbers grow from segment to segment.
#pragma once

#include "ecs/base/entity.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <vector>

namespace perigee {
class CommandBuffer;
}

namespace perigee::internal {

/// Consecutive commands of one lane under one sort key. A segment ends where the next one begins.
struct CommandSegment {
    std::uint64_t sort_key = 0;
    std::size_t first_byte = 0;  ///< in the lane's arena
    std::size_t first_command = 0;
    std::uint32_t first_spawn = 0;  ///< number of the first spawn in it or after it
    bool is_plain = true;           ///< no command in it refers to an entity without an id or a location
};

struct CommandLane {
    const CommandBuffer* target = nullptr;
    std::uint32_t number = 0;
    std::uint32_t spawn_count = 0;
    bool is_recording = false;  ///< under the key of the last segment
    std::vector<CommandSegment> segments;
    std::vector<Entity> real;  ///< by number of spawn; filled by finish
    std::atomic<std::thread::id> thread{};

    /// The key under which the spawn was recorded. Expects: it was recorded.
    std::uint64_t key_of_spawn(std::uint32_t spawn) const noexcept {
        std::size_t first = 0;
        for (std::size_t count = segments.size(); count > 1;) {
            const std::size_t half = count / 2;
            if (segments[first + half].first_spawn <= spawn) first += half;
            count -= half;
        }
        return segments[first].sort_key;
    }
};

}  // namespace perigee::internal
