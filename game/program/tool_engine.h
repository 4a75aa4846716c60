// Shared by commands that inspect a game: a single-threaded engine, which they step themselves. Not for
// playing (play.h).
#pragma once

#include "engine/engine.h"
#include "engine/plugin/native_systems.h"

#include <filesystem>
#include <vector>

namespace perigee {

/// Lifetime: `native` must outlive the engine.
EngineConfig one_thread_config(const std::filesystem::path& game,
                               const std::vector<std::filesystem::path>& mod_folders,
                               const NativeSystems& native);

/// Runs steps without input, as fast as possible.
void run_steps(Engine& engine, unsigned count);

}  // namespace perigee
