// What a playback may cost. Not here: the playback (command_playback.cpp), and who sets the limit.
#pragma once

namespace perigee {

/// What a playback may cost; see CommandBuffer::limit. Playback takes from both before it does something, so
/// both may be shared by several buffers.
struct PlaybackLimit {
    double work = 0;   ///< steps of about 10 ns: one for a command, for four rows, for an entity that is
                       ///< passed on the way to a root
    double bytes = 0;  ///< of buffers that copies of entities take along
};

}  // namespace perigee
