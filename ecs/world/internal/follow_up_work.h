// Counts work of a structural change that is not known in advance: entities passed on the way up to a root,
// descendants of a moved entity. A limit on such changes reads and resets the count of its thread.
#pragma once

#include <cstdint>

namespace perigee::internal {

inline constinit thread_local std::uint64_t t_follow_up_work = 0;  // entities

}  // namespace perigee::internal
