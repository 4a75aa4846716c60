// The list of names; docs/lua/sketches.md shows it too.
#include "scripting/lua/love_names.h"

#include <algorithm>
#include <array>
#include <ranges>

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
    LoveName{"math", false, "use math: math.random(1, 6)"},
    LoveName{
        "window", false,
        "use app for the window: app.set_title(\"…\"), app.set_size(width, height), app.set_fullscreen()"},
    LoveName{"filesystem", false, "store player data with save.write(name, table) and save.read(name)"},
    LoveName{"event", false, "app.quit() ends the game"},
};

struct LoveFunction {
    std::string_view here;    // the module
    std::string_view module;  // of LÖVE
    std::string_view name;
    std::string_view instead;
};

constexpr std::string_view
    kGfx = "gfx",
    kGraphics = "graphics", kInput = "input", kAudio = "audio", kApp = "app", kSave = "save",
    kKeyboard = "keyboard", kMouseModule = "mouse", kWindow = "window", kTimer = "timer", kMath = "math",
    kFiles = "filesystem", kCanvas = "canvas", kPixels = "pixels", kShader = "shader",
    kSidesOfCanvas = "write canvas.width and canvas.height",
    kSidesOfPixels = "write pixels.width and pixels.height",
    kFont = "a font is a path: gfx.set_font(\"assets/title.ttf\", 24), or gfx.set_font_size(24) alone",
    kScreen = "gfx.size() gives its width and height", kPlace = "input.mouse() gives x and y",
    kMasks =
        "gfx.set_mask(draw) keeps drawing inside of what the function draws, and gfx.set_mask() ends that";

// Functions whose name here does not follow from theirs. Those of both are spelled alike: setColor,
// set_color.
constexpr std::array kFunctions{
    LoveFunction{kGfx, kGraphics, "print",
                 "write gfx.print(text, x, y, 24), with a size instead of an angle and a scale"},
    LoveFunction{kGfx, kGraphics, "printf",
                 "gfx.print(text, x, y, { width = 300, align = \"center\" }) wraps text"},
    LoveFunction{kGfx, kGraphics, "newFont", kFont},
    LoveFunction{kGfx, kGraphics, "setNewFont", kFont},
    LoveFunction{kGfx, kGraphics, "setFont", kFont},
    LoveFunction{kGfx, kGraphics, "newImageFont",
                 "gfx.font(\"assets/letters.png\", { glyphs = \"ABC\" }) makes an image a font"},
    LoveFunction{kGfx, kGraphics, "getFont",
                 "gfx.get_font() returns a path and a size; gfx.text_size(text, size) measures a text"},
    LoveFunction{kGfx, kGraphics, "newText", "gfx.print(text, x, y) is fast without"},
    LoveFunction{kGfx, kGraphics, "newImage",
                 "gfx.image(\"assets/hero.png\", x, y) loads it at its first use"},
    LoveFunction{
        kGfx, kGraphics, "draw",
        "gfx.image(image, x, y, { rotation = 1, scale = 2 }) draws an image or a canvas, gfx.draw_mesh a "
        "mesh; texts are drawn with gfx.print, and particles draw themselves"},
    LoveFunction{kGfx, kGraphics, "newQuad",
                 "gfx.sheet(path, 32, 32) cuts an image into frames; { frame = 3 } of gfx.image draws one"},
    LoveFunction{kGfx, kGraphics, "newSpriteBatch", "gfx.sprite(path, frame, x, y) is fast without"},
    LoveFunction{kGfx, kGraphics, "newCanvas", "write gfx.canvas(width, height)"},
    LoveFunction{kGfx, kGraphics, "newShader",
                 "write gfx.shader(\"assets/wave.glsl\"), or gfx.shader [[ … ]]"},
    LoveFunction{kGfx, kGraphics, "newMesh",
                 "gfx.mesh(vertices) makes a mesh, gfx.draw_mesh(mesh, x, y) draws it"},
    LoveFunction{kGfx, kGraphics, "stencil", kMasks},
    LoveFunction{kGfx, kGraphics, "setStencilTest", kMasks},
    LoveFunction{kGfx, kGraphics, "newParticleSystem",
                 "gfx.particles(name, options) defines particles, gfx.burst and gfx.Emitter emit them"},
    LoveFunction{kGfx, kGraphics, "getWidth", kScreen},
    LoveFunction{kGfx, kGraphics, "getHeight", kScreen},
    LoveFunction{kGfx, kGraphics, "getDimensions", kScreen},
    LoveFunction{kGfx, kGraphics, "setBlendMode", "write gfx.set_blend(\"add\")"},
    LoveFunction{kGfx, kGraphics, "setBackgroundColor", "write gfx.set_background(r, g, b)"},
    LoveFunction{kGfx, kGraphics, "setLineStyle", "lines are always smooth"},
    LoveFunction{
        kGfx, kGraphics, "clear",
        "each frame starts empty, and gfx.set_background sets its colour; gfx.clear_canvas(canvas) empties a "
        "canvas"},
    LoveFunction{kGfx, kGraphics, "applyTransform", "write gfx.transform(xx, xy, x0, yx, yy, y0)"},
    LoveFunction{kGfx, kGraphics, "replaceTransform",
                 "write gfx.origin(), then gfx.transform(xx, xy, x0, yx, yy, y0)"},
    LoveFunction{kGfx, kGraphics, "getBlendMode", "write gfx.get_blend()"},
    LoveFunction{kGfx, kGraphics, "getBackgroundColor", "write gfx.get_background()"},
    LoveFunction{kGfx, kGraphics, "captureScreenshot",
                 "gfx.screenshot(\"name\") writes the picture into the save folder"},
    LoveFunction{kCanvas, {}, "renderTo", "write gfx.set_canvas(canvas), then draw, then gfx.set_canvas()"},
    LoveFunction{kCanvas, {}, "newImageData", "gfx.canvas_pixels(canvas) reads it"},
    LoveFunction{kCanvas, {}, "setFilter", "write gfx.set_filter(canvas, \"linear\")"},
    LoveFunction{kCanvas, {}, "setWrap", "write gfx.set_wrap(canvas, \"repeat\")"},
    LoveFunction{kCanvas, {}, "getWidth", kSidesOfCanvas},
    LoveFunction{kCanvas, {}, "getHeight", kSidesOfCanvas},
    LoveFunction{kCanvas, {}, "getDimensions", kSidesOfCanvas},
    LoveFunction{kPixels, {}, "getPixel", "write pixels:get(x, y)"},
    LoveFunction{kPixels, {}, "setPixel", "write pixels:set(x, y, colour)"},
    LoveFunction{kPixels, {}, "mapPixel", "write them in a loop: pixels[i] = colour"},
    LoveFunction{kPixels, {}, "paste", "write pixels:copy(from, x, y)"},
    LoveFunction{kPixels, {}, "getWidth", kSidesOfPixels},
    LoveFunction{kPixels, {}, "getHeight", kSidesOfPixels},
    LoveFunction{kPixels, {}, "getDimensions", kSidesOfPixels},
    LoveFunction{kShader, {}, "sendColor", "write shader:send(name, \"#ff8800\")"},
    LoveFunction{kShader, {}, "hasUniform", "shader:send is an error if it has none of that name"},
    LoveFunction{kInput, kKeyboard, "isDown", "write input.down(\"space\")"},
    LoveFunction{kInput, kKeyboard, "isScancodeDown", "write input.down(\"w\")"},
    LoveFunction{kInput, kMouseModule, "isDown", "write input.down(\"mouse_left\")"},
    LoveFunction{kInput, kMouseModule, "getPosition", kPlace},
    LoveFunction{kInput, kMouseModule, "getX", kPlace},
    LoveFunction{kInput, kMouseModule, "getY", kPlace},
    LoveFunction{kApp, kMouseModule, "setVisible", "write app.set_cursor(false)"},
    LoveFunction{kAudio, kAudio, "newSource",
                 "audio.play(\"assets/shot.wav\") and audio.music(path) load it at its first use"},
    LoveFunction{kAudio, kAudio, "stop", "write audio.stop_music(); a sound plays to its end"},
    LoveFunction{kApp, kWindow, "setTitle", "write app.set_title(\"…\")"},
    LoveFunction{kApp, kWindow, "setMode",
                 "write app.set_size(width, height), or width and height in mod.json"},
    LoveFunction{kApp, kWindow, "setFullscreen", "write app.set_fullscreen(true)"},
    LoveFunction{kApp, kWindow, "getFullscreen", "write app.is_fullscreen(), in draw()"},
    LoveFunction{{}, kMath, "random", "write math.random(1, 6)"},
    LoveFunction{
        {},
        kMath,
        "setRandomSeed",
        "write math.randomseed(seed); without it, the seed of the run (perigee run --seed) gives the same "
        "numbers each time"},
    LoveFunction{{}, kMath, "noise", "write math.noise(x, y)"},
    LoveFunction{{},
                 kMath,
                 "randomNormal",
                 "sum up three of math.random(): their sum is near to a normal distribution"},
    LoveFunction{{}, kMath, "newRandomGenerator", "ctx.random and math.random are seeded by the run"},
    LoveFunction{{}, kTimer, "getFPS", "F3 shows it"},
    LoveFunction{kSave, kFiles, "getInfo", "save.read(name) is nil when there is nothing"},
    LoveFunction{kSave, kFiles, "getDirectoryItems", "write save.list()"},
    LoveFunction{kSave, kFiles, "remove", "write save.delete(name)"},
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

std::string_view instead_of_love(std::string_view module, std::string_view name) noexcept {
    // getWidth, get_width and getwidth are one name.
    const auto is_same = [](std::string_view one, std::string_view other) {
        const auto is_letter = [](char c) { return c != '_'; };
        const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
        return std::ranges::equal(one | std::views::filter(is_letter), other | std::views::filter(is_letter),
                                  {}, lower, lower);
    };
    const auto found = std::ranges::find_if(kFunctions, [&](const LoveFunction& each) {
        return !module.empty() && is_same(each.name, name) && (each.here == module || each.module == module);
    });
    return found == kFunctions.end() ? std::string_view() : found->instead;
}

std::string_view module_of_love(std::string_view part) noexcept {
    const auto found = std::ranges::find(kFunctions, part, &LoveFunction::module);
    return found == kFunctions.end() ? std::string_view() : found->here;
}

bool is_love_callback(std::string_view name) noexcept {
    const LoveName* const found = find(name);
    return found != nullptr && found->is_callback;
}

}  // namespace perigee
