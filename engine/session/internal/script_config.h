// How the scripts of a session reach its assets and data files.
#pragma once

#include "scripting/mods/runtime_config.h"

namespace perigee {

class GameFiles;
class SessionLog;
struct GameSessionConfig;

/// Lifetime: files and log must outlive the runtime that gets it.
ScriptRuntimeConfig script_config(const GameSessionConfig& session, GameFiles& files, SessionLog& log);

}  // namespace perigee
