// How much address space a process may reserve. Worlds and Lua states reserve far more than they use, which
// costs nothing, unless the process is limited (RLIMIT_AS, "ulimit -v").
//
// Invariant: without a limit every request is granted. With a limit, each request gets a fraction of the
// remaining space, so that later requests, the heap and thread stacks find some left.
#pragma once

#include <cstddef>

namespace perigee {

/// Address space left under the limit; the largest number when there is no limit.
/// Cost: one system call without a limit, a few more with one. With a limit the result may be up to an eighth
/// too small.
std::size_t address_space_left() noexcept;

/// `wanted` bytes; under a limit at most 1/`divisor` of the space left.
std::size_t reservable_bytes(std::size_t wanted, std::size_t divisor) noexcept;

}  // namespace perigee
