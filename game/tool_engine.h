// What the commands that look at a game have in common: an engine of one thread, which they step themselves.
// Not for playing (play.h).
#pragma once

#include "engine/engine.h"

#include <filesystem>
#include <vector>

namespace perigee {

/// Lifetime: `native` outlives the engine.
EngineConfig one_thread_config(const std::filesystem::path& game,
                               const std::vector<std::filesystem::path>& mod_folders,
                               const NativeSystems& native);

/// Steps without input, as fast as they go.
void run_steps(Engine& engine, unsigned count);

}  // namespace perigee
