// Translating what SDL saw into what the engine and the program need to know.
//
// Invariant: keys that belong to the program (full screen, screenshot, restart, copying errors, pause,
// figures, console) do not reach the game; every other control does, once per change and once more per
// repeat, in order, with mouse positions in the game's logical pixels. It keeps no state; which gamepads are
// open is Gamepads' business.
#pragma once

#include "engine/input.h"
#include "engine/sdl/letterbox.h"

union SDL_Event;

namespace perigee {

/// What the player asked of the program, not of the game, since the last frame.
struct HostRequests {
    bool quit = false;
    bool restart = false;            ///< Ctrl+R
    bool copy_errors = false;        ///< Ctrl+C
    bool toggle_pause = false;       ///< Pause
    bool screenshot = false;         ///< F12
    bool toggle_fullscreen = false;  ///< F11, Alt+Enter
    bool toggle_figures = false;     ///< F3
    bool lost_focus = false;
    bool gained_focus = false;

    friend bool operator==(const HostRequests&, const HostRequests&) = default;
};

/// Where the mouse points: from SDL's window coordinates to the logical screen.
struct PointerSpace {
    Letterbox box;
    float pixel_density = 1.0F;
};

/// Adds one event to the frame's input or requests. Events of no interest change nothing.
void translate_event(const SDL_Event& event, const PointerSpace& space, RawInput& raw, HostRequests& host);

}  // namespace perigee
