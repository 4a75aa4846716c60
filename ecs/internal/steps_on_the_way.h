// Steps that a structural change takes and that nothing tells before: entities passed on the way up to a
// root, those below an entity that moves. A limit on such changes reads the count of its thread and resets
// it.
#pragma once

#include <cstdint>

namespace perigee::internal {

inline constinit thread_local std::uint64_t t_steps_on_the_way = 0;

}  // namespace perigee::internal
