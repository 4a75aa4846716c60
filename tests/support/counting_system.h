// A system whose commands depend on change versions, for tests of schedules that go back in time.
#pragma once

#include "ecs/commands/command_buffer.h"
#include "ecs/schedule/system.h"
#include "ecs/world/world.h"
#include "tests/support/test_components.h"

#include <cstdint>

namespace perigee {

/// "count changed": counts the rows of chunks whose Position was written since its last run, after the system
/// "age", and spawns an entity with the number as its Health. Expects: declare_test_components(world).
inline SystemDesc count_changed_rows(World& world) {
    SystemDesc count;
    count.name = "count changed";
    count.after = {"age"};
    count.query.terms = {{world.id<Position>(), Access::read, false}};
    count.query.changed = {world.id<Position>()};
    count.access.write = {world.id<Health>()};
    count.run = [](SystemContext& context) -> Result<void> {
        std::int32_t rows = 0;
        context.world.each_chunk(
            *context.query, [&](ChunkView& chunk) { rows += static_cast<std::int32_t>(chunk.row_count()); });
        static_cast<void>(context.commands.spawn(Health{rows, 0}));
        return {};
    };
    return count;
}

}  // namespace perigee
