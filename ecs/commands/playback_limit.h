// Limits the cost of a playback. Not here: the playback (command_playback.cpp), the limits of mods
// (scripting/mods).
#pragma once

#include "ecs/base/memory_quota.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace perigee {

/// Limits the cost of recording and playing back a buffer; see CommandBuffer::limit. Several buffers may
/// share one.
class PlaybackLimit {
public:
    PlaybackLimit() = default;
    PlaybackLimit(const PlaybackLimit&) = delete;
    PlaybackLimit& operator=(const PlaybackLimit&) = delete;
    virtual ~PlaybackLimit() = default;

    /// Called at the start and end of every playback. Pools ask the quota that begin returns; null: none.
    virtual MemoryQuota* begin() noexcept { return nullptr; }
    virtual void end() noexcept {}
    /// True if the list of commands may take this many more bytes. Called before it does.
    virtual bool may_record(std::size_t) noexcept { return true; }

    /// Why pools refused memory in the last playback, as a message; empty: only the pool is known.
    virtual std::string refusal() const { return {}; }

    /// Work charged by playback, in steps of about 10 ns, before each action. One step: a command, an entity
    /// passed while walking up to a root, 256 bytes of copied buffers. Two steps and one for each 64 bytes: a
    /// row of a command on many entities. Fifty steps: a part of a prefab.
    double work = 0;

    /// Bytes of records for observers (ecs/world/observers.h) that playback may still cause. A command that
    /// causes more is the last one; its records without room are dropped.
    std::size_t record_bytes = SIZE_MAX;
};

}  // namespace perigee
