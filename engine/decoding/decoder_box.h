// The box in which a file is decoded: one process for one file, which can compute, read and write what it was
// given, and end.
//
// Invariant: after enter_box, opening a file, making a connection, starting a process or a program, and
// memory that can be run end the process; time and memory are limited. Where the kernel has no seccomp those
// calls stay possible as far as landlock and the limits allow them, and enter_box says so.
#pragma once

#include <cstdint>

namespace perigee::decoding {

struct BoxLimits {
    std::uint32_t cpu_seconds = 0;
    std::uint64_t memory_bytes = 0;  ///< of addresses; not with sanitizers, which take terabytes of them
    std::uint64_t file_bytes = 0;    ///< the largest file that it can write
};

/// For the process that waits for work, and so for all that it starts: no file can be opened any more, no
/// open file but the given one stays. It has read nothing from a stranger yet.
void enter_empty_room(int keep_descriptor);

/// True if seccomp holds the process from now on.
bool enter_box(const BoxLimits& limits);

}  // namespace perigee::decoding
