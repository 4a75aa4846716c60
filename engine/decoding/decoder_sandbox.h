// The sandbox for decoding: one process per file, which can only compute, read and write its given files, and
// exit.
//
// Invariant: after enter_sandbox, opening a file, making a connection, starting a process or a program, and
// allocating executable memory end the process; time and memory are limited. Without seccomp in the kernel
// these calls stay possible as far as landlock and the limits allow them, and enter_sandbox returns false.
#pragma once

#include <cstdint>

namespace perigee::decoding {

struct SandboxLimits {
    std::uint32_t cpu_seconds = 0;
    std::uint64_t memory_bytes = 0;  ///< of address space; not with sanitizers, which reserve terabytes
    std::uint64_t file_bytes = 0;    ///< the largest file that it can write
};

/// For the process that waits for work, and all processes that it starts: closes all files except the given
/// one and prevents opening files. It has not read untrusted data yet.
void drop_file_access(int keep_descriptor);

/// True if seccomp confines the process from now on.
bool enter_sandbox(const SandboxLimits& limits);

}  // namespace perigee::decoding
