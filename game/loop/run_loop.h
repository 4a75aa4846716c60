// The frame loop of a game.
//
// Invariant: it only decides when things happen. The engine runs steps, the game draws, and the back end
// shows the result.
#pragma once

#include "scripting/base/log.h"

#include <cstdint>
#include <filesystem>
#include <limits>

namespace perigee {

class Backend;
class Engine;

/// Which frames are drawn. Canvases keep what each frame draws, so a picture of a later frame, or of a
/// canvas, needs those of all frames before. `asked_for`: frames that draw into canvases or that a script
/// saves.
enum class DrawnFrames : std::uint8_t { all, asked_for, none };

struct LoopDesc {
    std::uint64_t frame_limit = std::numeric_limits<std::uint64_t>::max();
    bool is_headless = false;       ///< one fixed step per frame, no waiting
    bool ends_with_replay = false;  ///< when the replay is over
    DrawnFrames drawn = DrawnFrames::all;
    bool shows_figures = false;
    /// F5 saves the world here, and F9 makes it what it was then; empty: these keys are the game's alone.
    std::filesystem::path world_file = {};
};

/// Runs until the player or the game quits, the frames are done, the replay ends, or a stop signal comes.
void run_loop(Engine& engine, Backend& backend, const LoopDesc& desc, const LogSink& log);

/// Draws the engine's last frame, without presenting it.
void draw_picture(Engine& engine, Backend& backend);

}  // namespace perigee
