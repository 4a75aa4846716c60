// In what order systems run, and which should have been ordered: a schedule as text, for people.
//
// Invariant: what is told is what run_group does; nothing is changed but that the order is worked out.
#pragma once

#include "ecs/schedule.h"

#include <string>

namespace perigee {

/// Group by group, those inside others further to the right. Each line of a group is a stage: the systems in
/// it may run at the same time. Then a line for each pair of systems that write the same component without a
/// declared order between them.
/// Errors: those of Schedule::resolve_order.
Result<std::string> order_report(Schedule& schedule);

}  // namespace perigee
