// Synthetic SDL events in SDL's own queue, and the engine input made from them.
#include "engine/sdl/window/events.h"

#include "engine/sdl/window/internal/sdl_handle.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <set>
#include <vector>

using namespace perigee;

namespace {

struct Translated {
    RawInput raw;
    HostRequests host;
};

Translated translate(const std::vector<SDL_Event>& events, const PointerSpace& space = {}) {
    const Subsystem queue{SDL_INIT_EVENTS};
    SDL_FlushEvents(SDL_FIRSTEVENT, SDL_LASTEVENT);
    for (SDL_Event event : events) REQUIRE(SDL_PushEvent(&event) == 1);
    Translated input;
    SDL_Event event;
    while (SDL_PollEvent(&event) != 0) translate_event(event, space, input.raw, input.host);
    return input;
}

SDL_Event key(SDL_Scancode scancode, bool is_down, unsigned modifiers = 0) {
    SDL_Event event{};
    event.type = is_down ? SDL_KEYDOWN : SDL_KEYUP;
    event.key.state = is_down ? SDL_PRESSED : SDL_RELEASED;
    event.key.keysym.scancode = scancode;
    event.key.keysym.sym = scancode == SDL_SCANCODE_R   ? SDLK_r
                           : scancode == SDL_SCANCODE_C ? SDLK_c
                                                        : SDLK_UNKNOWN;
    event.key.keysym.mod = static_cast<std::uint16_t>(modifiers);
    return event;
}

SDL_Event window_event(SDL_WindowEventID id) {
    SDL_Event event{};
    event.type = SDL_WINDOWEVENT;
    event.window.event = static_cast<std::uint8_t>(id);
    return event;
}

SDL_Event axis(SDL_GameControllerAxis which, int value) {
    SDL_Event event{};
    event.type = SDL_CONTROLLERAXISMOTION;
    event.caxis.axis = static_cast<std::uint8_t>(which);
    event.caxis.value = static_cast<std::int16_t>(value);
    return event;
}

float value_of(const RawInput& raw, InputCode code) {
    float value = std::numeric_limits<float>::quiet_NaN();
    for (const RawInput::Event& event : raw.events)
        if (event.code == code) value = event.value;
    return value;
}

}  // namespace

TEST_CASE("a press, a repeat and a release of a key are reported in this order") {
    SDL_Event repeat = key(SDL_SCANCODE_W, true);
    repeat.key.repeat = 1;
    const Translated input = translate({key(SDL_SCANCODE_W, true), repeat, key(SDL_SCANCODE_W, false)});
    REQUIRE(input.raw.events.size() == 3);
    for (const RawInput::Event& event : input.raw.events) CHECK(event.code == InputCode::key_w);
    CHECK(input.raw.events[0].value == 1.0F);
    CHECK_FALSE(input.raw.events[0].is_repeat);
    CHECK(input.raw.events[1].value == 1.0F);
    CHECK(input.raw.events[1].is_repeat);
    CHECK(input.raw.events[2].value == 0.0F);
}

TEST_CASE("a key of the program makes one request, however long it is down") {
    for (const SDL_Scancode scancode : {SDL_SCANCODE_F2, SDL_SCANCODE_F3, SDL_SCANCODE_F11}) {
        SDL_Event repeat = key(scancode, true);
        repeat.key.repeat = 1;
        const Translated input = translate({repeat});
        CHECK(input.raw.events.empty());
        CHECK(input.host == HostRequests{});
    }
}

TEST_CASE("keys, text and the console's key keep their order") {
    SDL_Event text{};
    text.type = SDL_TEXTINPUT;
    std::strcpy(text.text.text, "a");
    const Translated input = translate({key(SDL_SCANCODE_F2, true), key(SDL_SCANCODE_A, true), text,
                                        key(SDL_SCANCODE_BACKSPACE, true), text});
    using Kind = RawInput::Kind;
    std::vector<RawInput::Kind> kinds;
    for (const RawInput::Event& event : input.raw.events) kinds.push_back(event.kind);
    CHECK(kinds == std::vector{Kind::toggle_console, Kind::control, Kind::text, Kind::control, Kind::text});
    CHECK(input.host == HostRequests{});
}

TEST_CASE("Ctrl+V and its alternatives request the clipboard, and also reach the game") {
    const auto pastes = [](SDL_Scancode scancode, SDL_Keycode letter, unsigned modifiers) {
        SDL_Event event = key(scancode, true, modifiers);
        event.key.keysym.sym = letter;
        const Translated input = translate({event});
        REQUIRE_FALSE(input.raw.events.empty());
        CHECK(input.raw.events.front().kind == RawInput::Kind::control);
        return input.raw.events.back().kind == RawInput::Kind::paste;
    };
    CHECK(pastes(SDL_SCANCODE_V, SDLK_v, KMOD_LCTRL));
    CHECK(pastes(SDL_SCANCODE_V, SDLK_v, KMOD_RGUI));
    CHECK(pastes(SDL_SCANCODE_PERIOD, SDLK_v, KMOD_LCTRL));  // another layout
    CHECK(pastes(SDL_SCANCODE_INSERT, SDLK_INSERT, KMOD_RSHIFT));
    CHECK_FALSE(pastes(SDL_SCANCODE_V, SDLK_v, 0));
    CHECK_FALSE(pastes(SDL_SCANCODE_V, SDLK_v, KMOD_LCTRL | KMOD_LALT));
    CHECK_FALSE(pastes(SDL_SCANCODE_V, SDLK_m, KMOD_LCTRL));
    CHECK_FALSE(pastes(SDL_SCANCODE_INSERT, SDLK_INSERT, 0));
}

TEST_CASE("every key code of the engine is on the keyboard, and keys with the same name agree with SDL") {
    std::set<InputCode> seen;
    for (int scancode = 0; scancode < SDL_NUM_SCANCODES; ++scancode) {
        const Translated input = translate({key(static_cast<SDL_Scancode>(scancode), false)});
        for (const RawInput::Event& event : input.raw.events) {
            seen.insert(event.code);
            // One-letter and function keys have the same names in SDL.
            const std::string ours{input_code_name(event.code)};
            if (ours.size() > 1 && !(ours[0] == 'f' && ours.size() <= 3)) continue;
            CHECK(SDL_strcasecmp(SDL_GetScancodeName(static_cast<SDL_Scancode>(scancode)), ours.c_str()) ==
                  0);
        }
    }
    for (int code = 0; code < static_cast<int>(InputCode::mouse_left); ++code) {
        CAPTURE(input_code_name(static_cast<InputCode>(code)));
        CHECK(seen.contains(static_cast<InputCode>(code)));
    }
}

TEST_CASE("the program's own keys never reach the game") {
    const auto only = [](const SDL_Event& event, bool HostRequests::*request) {
        HostRequests expected;
        expected.*request = true;
        const Translated input = translate({event});
        CHECK(input.raw.events.empty());
        CHECK(input.host == expected);
    };
    only(key(SDL_SCANCODE_F3, true), &HostRequests::toggle_stats);
    only(key(SDL_SCANCODE_F11, true), &HostRequests::toggle_fullscreen);
    only(key(SDL_SCANCODE_RETURN, true, KMOD_LALT), &HostRequests::toggle_fullscreen);
    only(key(SDL_SCANCODE_PAUSE, true), &HostRequests::toggle_pause);
    only(key(SDL_SCANCODE_F12, true), &HostRequests::screenshot);
    only(key(SDL_SCANCODE_R, true, KMOD_LCTRL), &HostRequests::restart);
    only(key(SDL_SCANCODE_C, true, KMOD_LCTRL), &HostRequests::copy_errors);
    only(key(SDL_SCANCODE_F4, true, KMOD_LALT), &HostRequests::quit);
}

TEST_CASE("F5, F6 and F9 are requests that the game gets too") {
    HostRequests saves, loads, rewinds;
    saves.save_world = true;
    loads.load_world = true;
    rewinds.toggle_rewind = true;
    const Translated save = translate({key(SDL_SCANCODE_F5, true)});
    CHECK(save.host == saves);
    CHECK(save.raw.events.size() == 1);
    CHECK(translate({key(SDL_SCANCODE_F9, true)}).host == loads);
    CHECK(translate({key(SDL_SCANCODE_F6, true)}).host == rewinds);
    CHECK(translate({key(SDL_SCANCODE_F9, false)}).host == HostRequests{});
}

TEST_CASE("without their modifier these keys are the game's, as are Escape and P") {
    for (const SDL_Scancode scancode :
         {SDL_SCANCODE_RETURN, SDL_SCANCODE_R, SDL_SCANCODE_F4, SDL_SCANCODE_ESCAPE, SDL_SCANCODE_P}) {
        const Translated input = translate({key(scancode, true)});
        CHECK(input.raw.events.size() == 1);
        CHECK(input.host == HostRequests{});
    }
}

TEST_CASE("the mouse position is in logical pixels, also on a dense display and outside the picture") {
    const PointerSpace space{letterbox_of({1280, 720}, {2560, 1600}), 2.0F};
    SDL_Event motion{};
    motion.type = SDL_MOUSEMOTION;
    motion.motion.x = 640;
    motion.motion.y = 400;
    const Translated input = translate({motion}, space);
    REQUIRE(input.raw.events.size() == 1);
    CHECK(input.raw.events.front().kind == RawInput::Kind::mouse);
    CHECK(input.raw.events.front().x == 640.0F);
    CHECK(input.raw.events.front().y == 360.0F);
    SDL_Event higher = motion;
    higher.motion.y = 0;
    const Translated moved = translate({motion, higher}, space);
    REQUIRE(moved.raw.events.size() == 1);  // one move
    CHECK(moved.raw.events.front().y == -40.0F);
}

TEST_CASE("on a dense display the mouse points at the same pixel of the picture, whatever the fit [P13]") {
    // A window of 400 x 300 units whose drawing area has 2.5 times as many pixels.
    constexpr float kDensity = 2.5F;
    for (const ScreenFit fit :
         {ScreenFit::letterbox, ScreenFit::integer, ScreenFit::stretch, ScreenFit::expand}) {
        const ScreenLayout layout = layout_of({{320, 180}, fit}, {1000, 750});
        SDL_Event motion{};
        motion.type = SDL_MOUSEMOTION;
        motion.motion.x = 200;  // the middle
        motion.motion.y = 150;
        const Translated input = translate({motion}, {layout.box, kDensity});
        CAPTURE(int(fit));
        REQUIRE(input.raw.events.size() == 1);
        const float middle_x = static_cast<float>(layout.logical.width) / 2.0F;
        const float middle_y = static_cast<float>(layout.logical.height) / 2.0F;
        CHECK(std::fabs(input.raw.events.front().x - middle_x) < 0.5F);
        CHECK(std::fabs(input.raw.events.front().y - middle_y) < 0.5F);
    }
}

TEST_CASE("mouse buttons have their position, and a flipped wheel is corrected") {
    SDL_Event button{};
    button.type = SDL_MOUSEBUTTONDOWN;
    button.button.button = SDL_BUTTON_RIGHT;
    button.button.state = SDL_PRESSED;
    button.button.x = 7;
    button.button.y = 9;
    SDL_Event wheel{};
    wheel.type = SDL_MOUSEWHEEL;
    wheel.wheel.preciseY = 1.5F;
    SDL_Event flipped = wheel;
    flipped.wheel.direction = SDL_MOUSEWHEEL_FLIPPED;
    flipped.wheel.preciseY = 0.5F;
    const Translated input = translate({button, wheel, flipped});
    CHECK(value_of(input.raw, InputCode::mouse_right) == 1.0F);
    REQUIRE(input.raw.events.size() == 4);
    CHECK(input.raw.events[0].x == 7.0F);
    CHECK(input.raw.events[0].y == 9.0F);
    CHECK(input.raw.events[2].kind == RawInput::Kind::wheel);
    CHECK(input.raw.events[2].value == 1.5F);
    CHECK(input.raw.events[3].value == -0.5F);
}

TEST_CASE("typed text arrives as it was typed") {
    SDL_Event text{};
    text.type = SDL_TEXTINPUT;
    std::strcpy(text.text.text, "a\xC3\xB6");
    const Translated input = translate({text, text});
    REQUIRE(input.raw.events.size() == 2);
    CHECK(input.raw.events[0].text == "a\xC3\xB6");
    CHECK(input.raw.events[1].kind == RawInput::Kind::text);
}

TEST_CASE("a stick reports both halves of its axis") {
    const Translated left = translate({axis(SDL_CONTROLLER_AXIS_LEFTX, -32768)});
    CHECK(value_of(left.raw, InputCode::pad_left_x_minus) == 1.0F);
    CHECK(value_of(left.raw, InputCode::pad_left_x_plus) == 0.0F);
    const Translated down = translate({axis(SDL_CONTROLLER_AXIS_RIGHTY, 32767)});
    CHECK(value_of(down.raw, InputCode::pad_right_y_plus) == 1.0F);
    CHECK(value_of(down.raw, InputCode::pad_right_y_minus) == 0.0F);
    const Translated trigger = translate({axis(SDL_CONTROLLER_AXIS_TRIGGERLEFT, 16384)});
    CHECK(value_of(trigger.raw, InputCode::pad_left_trigger) == Approx(0.5F).margin(0.001));
}

TEST_CASE("gamepad buttons have the names that SDL gives them") {
    for (int button = 0; button <= SDL_CONTROLLER_BUTTON_DPAD_RIGHT; ++button) {
        SDL_Event event{};
        event.type = SDL_CONTROLLERBUTTONDOWN;
        event.cbutton.button = static_cast<std::uint8_t>(button);
        event.cbutton.state = SDL_PRESSED;
        const Translated input = translate({event});
        REQUIRE(input.raw.events.size() == 1);
        // "left_shoulder" here, "leftshoulder" there; "dpad_up" and "dpup".
        std::string ours{input_code_name(input.raw.events[0].code)};
        std::erase(ours, '_');
        if (ours.starts_with("dpad")) ours.erase(2, 2);
        CHECK(ours == SDL_GameControllerGetStringForButton(static_cast<SDL_GameControllerButton>(button)));
    }
}

TEST_CASE("losing the focus releases everything, and the last change of focus counts") {
    const Translated lost = translate({window_event(SDL_WINDOWEVENT_FOCUS_LOST)});
    REQUIRE(lost.raw.events.size() == 1);
    CHECK(lost.raw.events.front().kind == RawInput::Kind::release_all);
    CHECK(lost.host.lost_focus);
    const Translated back =
        translate({window_event(SDL_WINDOWEVENT_FOCUS_LOST), window_event(SDL_WINDOWEVENT_FOCUS_GAINED)});
    CHECK(back.host.gained_focus);
    CHECK_FALSE(back.host.lost_focus);
}

TEST_CASE("closing the window is a request to quit") {
    SDL_Event quit{};
    quit.type = SDL_QUIT;
    CHECK(translate({quit}).host.quit);
}
