// The list of names; docs/lua-api.md, "A sketch", shows it too.
#include "scripting/lua/love_names.h"

#include <algorithm>
#include <array>

namespace perigee {

namespace {

struct Name {
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
    Name{"load", true,
         "the file itself runs once at the start: put it at the top of main.lua, outside of functions"},
    Name{"keypressed", true, kKey},
    Name{"keyreleased", true, kKeyUp},
    Name{"textinput", true, "in update, input.text() gives what was typed"},
    Name{"mousepressed", true, kMouse},
    Name{"mousereleased", true, kMouseUp},
    Name{"mousemoved", true, "in update, input.mouse() gives the position of the mouse"},
    Name{"wheelmoved", true, "in update, input.wheel() gives the notches turned"},
    Name{"gamepadpressed", true, kPad},
    Name{"gamepadreleased", true, kPadUp},
    Name{"gamepadaxis", true, kStick},
    Name{"joystickpressed", true, kPad},
    Name{"joystickreleased", true, kPadUp},
    Name{"joystickaxis", true, kStick},
    Name{"touchpressed", true, kMouse},
    Name{"touchreleased", true, kMouseUp},
    Name{"touchmoved", true, "in update, input.mouse() gives the position of the mouse"},
    Name{"resize", true, kSize},
    Name{"focus", true, "a game has no events of its window"},
    Name{"visible", true, "a game has no events of its window"},
    Name{"mousefocus", true, "a game has no events of its window"},
    Name{"quit", true, "a game has no event for its end"},
    Name{"errorhandler", true, "errors are shown on a card"},
    Name{"run", true, "the engine runs the loop: write update(dt) and draw()"},
    Name{"update", false, "write a plain function: function update(dt) … end"},
    Name{"draw", false, "write a plain function: function draw() … end"},
    Name{"graphics", false, "draw with gfx: gfx.circle(\"fill\", x, y, radius)"},
    Name{"audio", false, "play sounds with audio: audio.play(\"assets/shot.wav\")"},
    Name{"keyboard", false, "read keys with input: input.down(\"space\")"},
    Name{"mouse", false, "read the mouse with input: input.mouse(), input.down(\"mouse_left\")"},
    Name{"joystick", false, "read gamepads with input: input.down(\"pad_a\")"},
    Name{"timer", false, kTime},
    Name{"math", false, "use math.random and the rest of math"},
    Name{"window", false,
         "use app for the window: app.set_title(\"…\"), app.set_size(width, height), app.set_fullscreen()"},
    Name{"filesystem", false, "store player data with save.write(name, table) and save.read(name)"},
    Name{"event", false, "app.quit() ends the game"},
};

const Name* find(std::string_view name) noexcept {
    const auto found = std::ranges::find(kNames, name, &Name::name);
    return found == kNames.end() ? nullptr : found;
}

}  // namespace

std::string_view instead_of_love(std::string_view name) noexcept {
    const Name* const found = find(name);
    return found == nullptr ? std::string_view() : found->instead;
}

bool is_love_callback(std::string_view name) noexcept {
    const Name* const found = find(name);
    return found != nullptr && found->is_callback;
}

}  // namespace perigee
