// Begins and ends the observation of a component; see observers.h for what is recorded.
#pragma once

#include "ecs/base/result.h"
#include "ecs/world/observers.h"

namespace perigee {

/// Records changes to a component from now on. Each call needs a matching call of stop_observing. See
/// Observers, also for `payer`. Errors: observing_refused.
Result<void> start_observing(World& world, Trigger trigger, ObservationPayer* payer = nullptr);
void stop_observing(World& world, Trigger trigger, ObservationPayer* payer = nullptr);

}  // namespace perigee
