// Decides from the text of a console line, before it runs, whether it only reads.
#pragma once

#include <string_view>

namespace perigee::internal {

/// True if the line assigns only locals and calls only functions that read: read methods of ecs.world, the
/// Lua libraries without random numbers, value constructors, and a few functions of gfx. Calls into a mod's
/// code do not count, since they may change its state.
bool only_reads(std::string_view line);

}  // namespace perigee::internal
