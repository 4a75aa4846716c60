// The loop of a game: read it to know what happens in a frame.
//
// Invariant: it decides when things happen and nothing else. What a step does is the engine's, what a
// picture looks like the game's, how it gets onto a screen the back end's.
#pragma once

#include "ecs/result.h"
#include "engine/engine.h"
#include "engine/sdl/backend.h"

#include <cstdint>
#include <limits>

namespace perigee {

inline constexpr char kScreenshotFolder[] = "screenshots";  ///< in the working directory

struct LoopDesc {
    std::uint64_t frame_limit = std::numeric_limits<std::uint64_t>::max();
    bool is_headless = false;       ///< one fixed step per frame, no waiting
    bool ends_with_replay = false;  ///< when the recording is over
    bool draws_every_frame = true;
    bool shows_figures = false;
};

/// Runs until the player or the game quits, the frames are done, the replay ends, or a stop signal comes.
void run_loop(Engine& engine, Backend& backend, const LoopDesc& desc, const LogSink& log);

/// Draws the last picture of the engine, without presenting it.
void draw_picture(const Engine& engine, Backend& backend);

}  // namespace perigee
