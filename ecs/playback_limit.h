// What a playback may cost, and who pays. Not here: the playback (command_playback.cpp), and who sets the
// limit.
#pragma once

#include "ecs/memory_quota.h"

#include <cstddef>
#include <string>

namespace perigee {

/// What recording and playback of a buffer may cost; see CommandBuffer::limit. One may be shared by several
/// buffers.
class PlaybackLimit {
public:
    PlaybackLimit() = default;
    PlaybackLimit(const PlaybackLimit&) = delete;
    PlaybackLimit& operator=(const PlaybackLimit&) = delete;
    virtual ~PlaybackLimit() = default;

    /// A playback begins and ends, whatever happens in it. Pools ask the quota that begin returns; null:
    /// none.
    virtual MemoryQuota* begin() noexcept { return nullptr; }
    virtual void end() noexcept {}
    /// May the list of commands take so many bytes more? Asked before it does.
    virtual bool may_record(std::size_t) noexcept { return true; }

    /// Why pools refused what the last playback asked for, as a message; empty: no more than which pool.
    virtual std::string refusal() const { return {}; }

    /// Steps of about 10 ns that playback takes before it does something: one for a command, for four rows,
    /// for an entity that is passed on the way to a root, for 256 bytes of buffers that a copy takes along;
    /// fifty for a part of a prefab.
    double work = 0;
};

}  // namespace perigee
