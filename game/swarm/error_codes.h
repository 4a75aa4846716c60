// All message texts of the swarm's native systems for script authors.
//
// Invariant: texts are only here, as fmt format strings, and a test in tests/game/swarm provokes each one.
#pragma once

namespace perigee::swarm_errors {

inline constexpr char kArena[] =
    "resource 'Arena': expected finite numbers with left < right and top < bottom, got left {}, top {}, "
    "right {}, bottom {}";

}  // namespace perigee::swarm_errors
