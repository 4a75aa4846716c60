// What a session of a game gets from its engine, besides what the host chooses.
#pragma once

#include "engine/session/game_config.h"

#include <cstdint>
#include <filesystem>

namespace perigee {

class PlayerData;
class WorkerPool;
struct DeclarationLog;

struct GameSessionConfig : GameConfig {
    std::uint64_t seed = 0;
    double step_seconds = 1.0 / 60.0;
    WorkerPool* workers = nullptr;      ///< must outlive the session; null: everything runs on the
                                        ///< caller
    PlayerData* player_data = nullptr;  ///< must outlive the session; null: the session keeps its own in
                                        ///< memory
    /// Canvases that mods save, in <picture_folder>/<game id>/<mod id>/pictures; empty: none are saved.
    std::filesystem::path picture_folder = {};
    DeclarationLog* declarations = nullptr;  ///< for inspection only (scripting/check/declaration_log.h);
                                             ///< must outlive the session
};

}  // namespace perigee
