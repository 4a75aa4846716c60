// Every message text that the native systems of the swarm can give to a script author.
//
// Invariant: texts live here only, as fmt format strings, and each is provoked by a test in tests/game/swarm.
#pragma once

namespace perigee::swarm_errors {

inline constexpr char kArena[] =
    "resource 'Arena': expected finite numbers with left < right and top < bottom, got left {}, top {}, "
    "right {}, bottom {}";

}  // namespace perigee::swarm_errors
