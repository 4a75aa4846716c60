// How much address space a process may reserve. Worlds and Lua states reserve far more than they use, which
// costs nothing, unless the process is limited (RLIMIT_AS, "ulimit -v").
//
// Invariant: without a limit every wish is granted; with one, each wish gets a share of what is left, so that
// those that come later, the heap and the stacks of threads get theirs.
#pragma once

#include <cstddef>

namespace perigee {

/// What is left of the limit; the largest number when there is none.
/// Cost: without a limit one system call; with one a few more, and what it gives may be too small by an
/// eighth.
std::size_t address_space_left() noexcept;

/// `wanted` bytes, or under a limit at most a `share`-th of what is left.
std::size_t reservable_bytes(std::size_t wanted, std::size_t share) noexcept;

}  // namespace perigee
