// A virtual gamepad in SDL, connected and removed.
#include "engine/sdl/window/gamepads.h"

#include <catch2/catch.hpp>

using namespace perigee;

namespace {

void handle_all(Gamepads& pads, RawInput& raw) {
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) pads.handle(event, raw);
}

}  // namespace

TEST_CASE("a gamepad is opened when it is connected, and removing it releases its controls") {
    Gamepads pads;
    RawInput raw;
    handle_all(pads, raw);
    const std::size_t before = pads.count();

    const int device = SDL_JoystickAttachVirtual(SDL_JOYSTICK_TYPE_GAMECONTROLLER, SDL_CONTROLLER_AXIS_MAX,
                                                 SDL_CONTROLLER_BUTTON_MAX, 0);
    REQUIRE(device >= 0);
    handle_all(pads, raw);
    CHECK(pads.count() == before + 1);
    CHECK(raw.events.empty());

    SDL_JoystickDetachVirtual(device);
    handle_all(pads, raw);
    CHECK(pads.count() == before);
    const auto codes =
        static_cast<std::size_t>(InputCode::count) - static_cast<std::size_t>(InputCode::pad_a);
    CHECK(raw.events.size() == codes);
    for (const RawInput::Event& event : raw.events) CHECK(event.value == 0.0F);
}

TEST_CASE("removing an unknown gamepad changes nothing") {
    Gamepads pads;
    RawInput raw;
    SDL_Event event{};
    event.type = SDL_CONTROLLERDEVICEREMOVED;
    event.cdevice.which = 12345;
    pads.handle(event, raw);
    CHECK(raw.events.empty());
}
