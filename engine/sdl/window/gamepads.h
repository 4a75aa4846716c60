// Gamepads: opens gamepads when they are connected and closes them when they are removed.
//
// Invariant: every gamepad that SDL knows is open, so its events arrive; all of them act as one. Removing one
// releases all its pressed controls.
#pragma once

#include "engine/input/input.h"
#include "engine/sdl/window/internal/sdl_handle.h"

#include <cstdint>
#include <map>

namespace perigee {

class Gamepads {
public:
    Gamepads() : subsystem_(SDL_INIT_GAMECONTROLLER) {}

    /// Handles events of connecting and removing gamepads; ignores all others.
    void handle(const SDL_Event& event, RawInput& raw);

    std::size_t count() const noexcept { return open_.size(); }

private:
    Subsystem subsystem_;
    std::map<std::int32_t, ControllerHandle> open_;  // by SDL's instance id
};

}  // namespace perigee
