// Every function of gfx, audio, input, app and save, called wherever game code runs: it works, or it is
// refused with a message that names the line. A new function without a line here fails.
#include "ecs/inspect/world_hash.h"
#include "ecs/world/world.h"
#include "engine/engine.h"
#include "engine/session/game_session.h"
#include "tests/engine/game_folder.h"

using namespace perigee;
using namespace perigee::test;

namespace {

constexpr const char* kSchema = R"(local ecs = require "ecs"
ecs.component("Health", { { "current", "f32" } })
ecs.component("Brain", { kind = "object", hash = function() attempt "hash" return 1 end })
)";

constexpr const char* kMain = R"lua(local ecs = require "ecs"
local C = ecs.components
local canvas = gfx.canvas(4, 4)
local mesh = gfx.mesh(3)
local calls = {
  gfx = {
    aseprite = function() return gfx.aseprite "assets/hero.json" end,
    atlas = function() return gfx.atlas("assets/hero.png", { { 0, 0, 8, 8 } }) end,
    arc = function() return gfx.arc("fill", 1, 2, 3, 0, 1) end,
    bezier = function() return gfx.bezier { 1, 2, 3, 4, 5, 6 } end,
    burst = function() return gfx.burst("fire", 1, 2) end,
    canvas = function() return gfx.canvas(4, 4) end,
    canvas_pixels = function() return gfx.canvas_pixels(canvas) end,
    circle = function() return gfx.circle("fill", 1, 2, 3) end,
    clip = function() return gfx.clip("assets/hero.png", { from = 0, to = 0 }) end,
    clear_canvas = function() return gfx.clear_canvas(canvas, "red") end,
    color = function() return gfx.color "red" end,
    effect = function() return gfx.effect "blur" end,
    draw_mesh = function() return gfx.draw_mesh(mesh) end,
    ellipse = function() return gfx.ellipse("fill", 1, 2, 3, 4) end,
    get_background = function() return gfx.get_background() end,
    get_blend = function() return gfx.get_blend() end,
    get_canvas = function() return gfx.get_canvas() end,
    get_color = function() return gfx.get_color() end,
    get_font = function() return gfx.get_font() end,
    get_line_cap = function() return gfx.get_line_cap() end,
    get_line_join = function() return gfx.get_line_join() end,
    get_line_width = function() return gfx.get_line_width() end,
    get_point_size = function() return gfx.get_point_size() end,
    get_scissor = function() return gfx.get_scissor() end,
    get_shader = function() return gfx.get_shader() end,
    gradient = function() return gfx.gradient(1, 2, 3, 4, "red", "blue") end,
    image = function() return gfx.image("assets/hero.png", 1, 2) end,
    image_size = function() return gfx.image_size "assets/hero.png" end,
    intersect_mask = function() return gfx.intersect_mask(function() end) end,
    intersect_scissor = function() return gfx.intersect_scissor(1, 2, 3, 4) end,
    inverse_transform_point = function() return gfx.inverse_transform_point(1, 2) end,
    line = function() return gfx.line(1, 2, 3, 4) end,
    mesh = function() return gfx.mesh(3) end,
    nine_slice = function() return gfx.nine_slice("assets/hero.png", 1, 2, 30, 40, 4) end,
    origin = function() return gfx.origin() end,
    pixels = function() return gfx.pixels(4, 4) end,
    points = function() return gfx.points { 1, 2 } end,
    polygon = function() return gfx.polygon("fill", 0, 0, 4, 0, 4, 4) end,
    polyline = function() return gfx.polyline { 0, 0, 4, 0, 4, 4 } end,
    pop = function() gfx.push() return gfx.pop() end,
    particles = function() return gfx.particles("fire", {}) end,
    print = function() return gfx.print("hello", 1, 2) end,
    push = function() gfx.push "all" return gfx.pop() end,
    reset = function() return gfx.reset() end,
    rotate = function() return gfx.rotate(1) end,
    rounded_rectangle = function() return gfx.rounded_rectangle("line", 1, 2, 3, 4, 1) end,
    scale = function() return gfx.scale(2) end,
    set_line_cap = function() return gfx.set_line_cap "round" end,
    set_line_join = function() return gfx.set_line_join "bevel" end,
    set_point_size = function() return gfx.set_point_size(2) end,
    set_scissor = function() return gfx.set_scissor(0, 0, 10, 10) end,
    shader = function() return gfx.shader "assets/glow.glsl" end,
    shear = function() return gfx.shear(1, 0) end,
    style = function() return gfx.style { scale = 2 } end,
    transform = function() return gfx.transform(1, 0, 0, 0, 1, 0) end,
    transform_point = function() return gfx.transform_point(1, 2) end,
    translate = function() return gfx.translate(1, 2) end,
    triangle = function() return gfx.triangle("fill", 0, 0, 4, 0, 4, 4) end,
    rectangle = function() return gfx.rectangle("line", 1, 2, 3, 4) end,
    save_canvas = function() return gfx.save_canvas(canvas, "map") end,
    set_background = function() return gfx.set_background "black" end,
    set_blend = function() return gfx.set_blend "add" end,
    set_canvas = function() return gfx.set_canvas() end,
    set_camera = function() return gfx.set_camera(1, 2, 3) end,
    set_color = function() return gfx.set_color "red" end,
    font = function() return gfx.font("assets/title.ttf", { line_height = 2 }) end,
    font_metrics = function() return gfx.font_metrics("assets/title.ttf") end,
    icon = function() return gfx.icon("hero", "assets/hero.png") end,
    set_font = function() return gfx.set_font("assets/title.ttf", 12) end,
    text_length = function() return gfx.text_length("text") end,
    set_font_size = function() return gfx.set_font_size(12) end,
    set_default_filter = function() return gfx.set_default_filter "linear" end,
    set_filter = function() return gfx.set_filter("assets/hero.png", "linear") end,
    layer = function() return gfx.layer("sky", { order = 1 }) end,
    set_layer = function() return gfx.set_layer(2) end,
    set_layer_camera = function() return gfx.set_layer_camera("sky", 1, 2) end,
    set_layer_effect = function() return gfx.set_layer_effect "sky" end,
    set_picture_effect = function() return gfx.set_picture_effect() end,
    screenshot = function() return gfx.screenshot "map" end,
    set_layer_parallax = function() return gfx.set_layer_parallax("sky", 0.5) end,
    set_line_width = function() return gfx.set_line_width(2) end,
    set_mask = function() return gfx.set_mask(function() end) end,
    set_shader = function() return gfx.set_shader() end,
    set_shake = function() return gfx.set_shake(0.5) end,
    set_space = function() return gfx.set_space "screen" end,
    set_wrap = function() return gfx.set_wrap("assets/hero.png", "repeat") end,
    set_view = function() return gfx.set_view() end,
    sheet = function() return gfx.sheet("assets/hero.png", 8, 8) end,
    size = function() return gfx.size() end,
    sprite = function() return gfx.sprite("assets/hero.png", 0, 1, 2) end,
    text_lines = function() return gfx.text_lines("hello you", 12, 20) end,
    text_size = function() return gfx.text_size("hello", 12) end,
    tiled = function() return gfx.tiled("assets/hero.png", 1, 2, 30, 40) end,
    to_screen = function() return gfx.to_screen(1, 2) end,
    to_world = function() return gfx.to_world(1, 2) end,
    view_at = function() return gfx.view_at(1, 2) end,
    view_rect = function() return gfx.view_rect(1) end,
  },
  audio = {
    music = function() return audio.music "assets/song.ogg" end,
    play = function() return audio.play "assets/shot.wav" end,
    set_music_volume = function() return audio.set_music_volume(1) end,
    set_volume = function() return audio.set_volume(1) end,
    stop_music = function() return audio.stop_music(1) end,
  },
  input = {
    action = function() return input.action("jump", { keys = "space" }) end,
    axis = function() return input.axis("a", "d") end,
    down = function() return input.down "space" end,
    events = function() return input.events() end,
    mouse = function() return input.mouse() end,
    pressed = function() return input.pressed "w" end,
    released = function() return input.released "w" end,
    text = function() return input.text() end,
    value = function() return input.value "w" end,
    vector = function() return input.vector("a", "d", "w", "s") end,
    wheel = function() return input.wheel() end,
  },
  app = {
    is_fullscreen = function() return app.is_fullscreen() end,
    quit = function() return app.quit() end,
    set_cursor = function() return app.set_cursor(true) end,
    set_fit = function() return app.set_fit('expand') end,
    set_pixel_art = function() return app.set_pixel_art(true) end,
    set_fullscreen = function() return app.set_fullscreen(false) end,
    set_size = function() return app.set_size(640, 360) end,
    set_title = function() return app.set_title "Stars" end,
    toggle_fullscreen = function() return app.toggle_fullscreen() end,
  },
  save = {
    delete = function() return save.delete "none" end,
    delete_world = function() return save.delete_world "none" end,
    list = function() return save.list() end,
    load_world = function() return save.load_world "none" end,
    read = function() return save.read "best" end,
    world_result = function() return save.world_result() end,
    worlds = function() return save.worlds() end,
    write = function() return save.write("best", { 1 }) end,
    write_world = function() return save.write_world "slot" end,
  },
}
local answers_anywhere = { aseprite = true, font = true, icon = true, atlas = true, burst = true, canvas = true, clear_canvas = true, clip = true,
  color = true, effect = true, get_scissor = true, font_metrics = true, image_size = true, inverse_transform_point = true, mesh = true,
  particles = true, pixels = true, layer = true, set_background = true, set_layer_camera = true,
  set_layer_effect = true, set_layer_parallax = true, set_picture_effect = true, set_shake = true, set_default_filter = true, set_filter = true, set_wrap = true, shader = true,
  sheet = true, size = true, style = true, text_length = true, text_lines = true, text_size = true, to_screen = true, to_world = true,
  transform_point = true, view_at = true, view_rect = true }

-- What reaches the engine whenever it is called, and so not where a hash is taken.
local reaches = { [gfx.atlas] = true, [gfx.sheet] = true, [gfx.set_background] = true, [gfx.effect] = true, [gfx.shader] = true, [input.action] = true,
  [gfx.burst] = true, [gfx.set_filter] = true, [gfx.set_default_filter] = true, [gfx.set_wrap] = true, [gfx.set_shake] = true,
  [gfx.set_layer_camera] = true, [gfx.set_layer_effect] = true, [gfx.set_layer_parallax] = true,
  [gfx.set_picture_effect] = true }
for _, f in pairs(audio) do reaches[f] = true end

-- What files define, so that it is the same in all steps.
local defines = { [gfx.aseprite] = true, [gfx.clip] = true, [gfx.particles] = true, [gfx.font] = true, [gfx.icon] = true,
  [gfx.layer] = true }
gfx.particles("fire", {})
gfx.layer("sky", { order = 1 })
-- What is made while main.lua loads, or for the picture.
local makes = { [gfx.pixels] = true, [gfx.canvas] = true, [gfx.clear_canvas] = true, [gfx.mesh] = true }

local seen = {}
--- Refused everywhere but in draw() and presentation systems: what draws. There alone: input.action, input.events and
--- gfx.burst, since they belong to the simulation. All else answers.
function attempt(where)
  if not seen[where] then print(where) end
  seen[where] = true
  for module, of in pairs { gfx = gfx, audio = audio, input = input, app = app, save = save } do
    for name, f in pairs(of) do
      if type(f) == "function" then
        local ok, message = pcall(calls[module][name] or error(module .. "." .. name .. " has no line in this test"))
        local draws = module == "gfx" and not answers_anywhere[name]
        local controls = f == input.action or f == input.events or f == gfx.burst
        local leaves_nothing = where == "hash" or where == "initialiser"
        local keeps = module == "app" and leaves_nothing or module == "save" and (leaves_nothing or where == "draw") or
          f == app.is_fullscreen and where ~= "draw" or makes[f] and where ~= "main" and where ~= "draw"
        local hashed = where == "hash" and reaches[f] or false
        if hashed and (ok or not message:find("not inside a hash function", 1, true)) then
          error(where .. ", " .. module .. "." .. name .. ": " .. tostring(message))
        end
        local late = defines[f] and where ~= "main"
        if late and (ok or not message:find("declare it while the file is loaded, not inside", 1, true)) then
          error(where .. ", " .. module .. "." .. name .. ": " .. tostring(message))
        end
        local is_refused = hashed or late or draws and where ~= "draw" or controls and where == "draw" or keeps
        if ok == (is_refused or false) then
          error(where .. ", " .. module .. "." .. name .. ": " .. tostring(message))
        end
        if not ok and keeps and not message:find("^[%w/_.-]*main.lua:%d+: " .. module .. "%." .. name .. ": ") then
          error(message)
        end
        if not ok and not controls and not keeps and not hashed and not late and
            not message:find "^[%w/_.-]*main.lua:%d+: gfx%.[a-z_]+ outside of draw%(%)" then error(message) end
      end
    end
  end
end

attempt "main"
local rock = ecs.prefab("Rock", { C.Health })
local e = ecs.world:spawn(C.Health, C.Brain)
ecs.world:set_object(e, C.Brain, {})
ecs.system("sys", {
    query = {read = {C.Health}}, run_if = function() attempt "run_if" return true end,
    on_create = function() attempt "on_create" end, on_start = function() attempt "on_start" end,
    run = function(_, ctx) attempt "system" if ctx.tick == 0 then ctx.commands
        : spawn_many(rock, 2, function() attempt "initialiser" end) end end })
ecs.on_added(C.Health, {}, function() attempt "reaction" end)
ecs.system("picture", { group = "presentation", run = function() attempt "draw" end })
)lua";

}  // namespace

TEST_CASE("[H5] every function of the engine's modules works or is refused wherever game code runs") {
    GameFolder game{kMain, kSchema};
    game.write("assets/hero.png", png_head(64, 32));
    game.write("assets/hero.json", R"({ "frames": [ { "frame": {} } ], "meta": { "image": "hero.png" } })");
    game.write("assets/shot.wav", "x");
    game.write("assets/song.ogg", "x");
    const auto engine = game.play();
    // Not by the engine, which ends the run when app.quit was called.
    DrawList list;
    for (int i = 0; i < 3; ++i) {
        engine->session().step({});
        engine->session().present(1, "", list);
    }
    static_cast<void>(world_hash(engine->session().world()));
    INFO(game.log);
    CHECK(engine->error_count() == 0);
    for (const char* where :
         {"main", "on_create", "on_start", "run_if", "system", "initialiser", "reaction", "draw", "hash"})
        CHECK(contains("\n" + game.log, std::string("\n") + where + "\n"));
}
