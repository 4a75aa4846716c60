// Translates SDL events into engine input and program requests.
//
// Invariant: keys that belong to the program (full screen, screenshot, restart, copying errors, pause,
// statistics, console) do not reach the game; every other control does, once per change and once more per
// repeat, in order, with mouse positions in the game's logical pixels. F2 stays in the input as
// toggle_console, because its order among typed keys matters. It keeps no state; Gamepads tracks open
// gamepads.
#pragma once

#include "engine/input/input.h"
#include "engine/sdl/window/letterbox.h"

union SDL_Event;

namespace perigee {

/// The player's requests to the program, not to the game, since the last frame.
struct HostRequests {
    bool quit = false;
    bool restart = false;            ///< Ctrl+R
    bool copy_errors = false;        ///< Ctrl+C
    bool toggle_pause = false;       ///< Pause
    bool screenshot = false;         ///< F12
    bool toggle_fullscreen = false;  ///< F11, Alt+Enter
    bool save_world = false;         ///< F5, which the game gets too
    bool load_world = false;         ///< F9, which the game gets too
    bool toggle_rewind = false;      ///< F6, which the game gets too
    bool toggle_stats = false;       ///< F3
    bool lost_focus = false;
    bool gained_focus = false;

    friend bool operator==(const HostRequests&, const HostRequests&) = default;
};

/// Converts the mouse position from SDL's window coordinates to the logical screen.
struct PointerSpace {
    Letterbox box;
    float pixel_density = 1.0F;
};

/// Adds one event to the frame's input or requests. Other events are ignored.
void translate_event(const SDL_Event& event, const PointerSpace& space, RawInput& raw, HostRequests& host);

}  // namespace perigee
