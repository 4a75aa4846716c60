// Gamepads: those that are plugged in, opened as they come and closed as they go.
//
// Invariant: every gamepad that SDL knows is open, so its events arrive; all of them act as one. One that is
// pulled out lets go of everything it held.
#pragma once

#include "engine/input.h"
#include "engine/sdl/internal/sdl_handle.h"

#include <cstdint>
#include <map>

namespace perigee {

class Gamepads {
public:
    Gamepads() : subsystem_(SDL_INIT_GAMECONTROLLER) {}

    /// Looks at an event of plugging in or out; ignores all others.
    void handle(const SDL_Event& event, RawInput& raw);

    std::size_t count() const noexcept { return open_.size(); }

private:
    Subsystem subsystem_;
    std::map<std::int32_t, ControllerHandle> open_;  // by SDL's instance id
};

}  // namespace perigee
