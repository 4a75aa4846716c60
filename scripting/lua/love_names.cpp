// The list of names; docs/lua-api.md, "A sketch", shows it too.
#include "scripting/lua/love_names.h"

#include <algorithm>
#include <array>

namespace perigee {

namespace {

struct LoveName {
    std::string_view name;
    bool is_callback;
    std::string_view instead;
};

constexpr std::string_view kKey = "in update, check the key: if input.pressed(\"space\") then … end",
                           kKeyUp = "in update, check the key: if input.released(\"space\") then … end",
                           kMouse =
                               "in update, check the button: if input.pressed(\"mouse_left\") then … end; "
                               "input.mouse() gives the position",
                           kMouseUp =
                               "in update, check the button: if input.released(\"mouse_left\") then … end",
                           kPad = "in update, check the button: if input.pressed(\"pad_a\") then … end",
                           kPadUp = "in update, check the button: if input.released(\"pad_a\") then … end",
                           kStick = "in update, input.value(\"pad_left_x+\") says how far a stick is pushed",
                           kSize = "the screen of a game always has the size of gfx.size()",
                           kTime = "use update's dt for the time of a step, ctx.time for the game's time";

constexpr std::array kNames{
    LoveName{"load", true,
             "the file itself runs once at the start: put it at the top of main.lua, outside of functions"},
    LoveName{"keypressed", true, kKey},
    LoveName{"keyreleased", true, kKeyUp},
    LoveName{"textinput", true, "in update, input.text() gives what was typed"},
    LoveName{"mousepressed", true, kMouse},
    LoveName{"mousereleased", true, kMouseUp},
    LoveName{"mousemoved", true, "in update, input.mouse() gives the position of the mouse"},
    LoveName{"wheelmoved", true, "in update, input.wheel() gives the notches turned"},
    LoveName{"gamepadpressed", true, kPad},
    LoveName{"gamepadreleased", true, kPadUp},
    LoveName{"gamepadaxis", true, kStick},
    LoveName{"joystickpressed", true, kPad},
    LoveName{"joystickreleased", true, kPadUp},
    LoveName{"joystickaxis", true, kStick},
    LoveName{"touchpressed", true, kMouse},
    LoveName{"touchreleased", true, kMouseUp},
    LoveName{"touchmoved", true, "in update, input.mouse() gives the position of the mouse"},
    LoveName{"resize", true, kSize},
    LoveName{"focus", true, "a game has no events of its window"},
    LoveName{"visible", true, "a game has no events of its window"},
    LoveName{"mousefocus", true, "a game has no events of its window"},
    LoveName{"quit", true, "a game has no event for its end"},
    LoveName{"errorhandler", true, "errors are shown on a card"},
    LoveName{"run", true, "the engine runs the loop: write update(dt) and draw()"},
    LoveName{"update", false, "write a plain function: function update(dt) … end"},
    LoveName{"draw", false, "write a plain function: function draw() … end"},
    LoveName{"graphics", false, "draw with gfx: gfx.circle(\"fill\", x, y, radius)"},
    LoveName{"audio", false, "play sounds with audio: audio.play(\"assets/shot.wav\")"},
    LoveName{"keyboard", false, "read keys with input: input.down(\"space\")"},
    LoveName{"mouse", false, "read the mouse with input: input.mouse(), input.down(\"mouse_left\")"},
    LoveName{"joystick", false, "read gamepads with input: input.down(\"pad_a\")"},
    LoveName{"timer", false, kTime},
    LoveName{"math", false, "use math.random and the rest of math"},
    LoveName{
        "window", false,
        "use app for the window: app.set_title(\"…\"), app.set_size(width, height), app.set_fullscreen()"},
    LoveName{"filesystem", false, "store player data with save.write(name, table) and save.read(name)"},
    LoveName{"event", false, "app.quit() ends the game"},
};

const LoveName* find(std::string_view name) noexcept {
    const auto found = std::ranges::find(kNames, name, &LoveName::name);
    return found == kNames.end() ? nullptr : found;
}

}  // namespace

std::string_view instead_of_love(std::string_view name) noexcept {
    const LoveName* const found = find(name);
    return found == nullptr ? std::string_view() : found->instead;
}

bool is_love_callback(std::string_view name) noexcept {
    const LoveName* const found = find(name);
    return found != nullptr && found->is_callback;
}

}  // namespace perigee
