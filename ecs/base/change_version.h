// When something was last written, as a number that grows with each run of a system.
//
// Invariant: a later write has the larger number, so versions are compared with `>`. 64 bits, since 32 bits
// overflow within days: a hundred systems at 60 steps a second take eight.
#pragma once

#include <cstdint>

namespace perigee {

using ChangeVersion = std::uint64_t;

}  // namespace perigee
