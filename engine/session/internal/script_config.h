// How the scripts of a session reach its assets and data files.
#pragma once

#include "scripting/mods/runtime_config.h"

namespace perigee {

class GameFiles;
class SessionLog;
class World;
struct GameSessionConfig;

/// Lifetime: files, world and log must outlive the runtime that gets it.
ScriptRuntimeConfig script_config(const GameSessionConfig& session, GameFiles& files, World& world,
                                  SessionLog& log);

}  // namespace perigee
