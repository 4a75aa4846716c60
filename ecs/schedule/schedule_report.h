// A schedule as text for humans: the order of systems, and pairs that lack a declared order.
//
// Invariant: the report shows what run_group does; it changes nothing except that the order gets resolved.
#pragma once

#include "ecs/schedule/schedule.h"

#include <string>

namespace perigee {

/// Lists group by group; nested groups are indented. Each line of a group is a stage: its systems may run in
/// parallel. Then a line for each pair of systems that write the same component without a declared order
/// between them.
/// Errors: those of Schedule::resolve_order.
Result<std::string> order_report(Schedule& schedule);

}  // namespace perigee
