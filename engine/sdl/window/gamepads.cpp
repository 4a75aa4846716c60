// Hot plug.
#include "engine/sdl/window/gamepads.h"

namespace perigee {

void Gamepads::handle(const SDL_Event& event, RawInput& raw) {
    if (event.type == SDL_CONTROLLERDEVICEADDED) {
        ControllerHandle pad{SDL_GameControllerOpen(event.cdevice.which)};
        if (!pad) return;
        const std::int32_t id = SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad.get()));
        open_[id] = std::move(pad);
    } else if (event.type == SDL_CONTROLLERDEVICEREMOVED && open_.erase(event.cdevice.which) != 0) {
        for (int code = static_cast<int>(InputCode::pad_a); code < static_cast<int>(InputCode::count); ++code)
            raw.events.push_back({static_cast<InputCode>(code), 0.0F});
    }
}

}  // namespace perigee
