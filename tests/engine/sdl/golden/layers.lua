-- A far sky and hills, a y-sorted ground with cards sorted by order, a layer of light, a layer with a camera of its own,
-- a mask in a far layer, a wave over a group of layers, and a HUD that is composed on the screen, in two views.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
local function at(x, y) return C.Position { x = x, y = y } end

gfx.layer("sky", { order = -20, parallax = 0.25 })
gfx.layer("hills", { order = -10, parallax = { x = 0.5, y = 1 } })
gfx.layer("ground", { order = 0, sort = "y" })
gfx.layer("cards", { order = 1, sort = "order" })
gfx.layer("far", { order = 2, from = "sky", effect = "wave" })
gfx.layer("light", { order = 10, blend = "add" })
gfx.layer("map", { order = 20, camera = { x = 120, y = 68, zoom = 0.5 } })
gfx.layer("hud", { order = 30, blend = "multiply", space = "screen" })

for i = 0, 9 do
  world:spawn(at(i * 60, 20), gfx.Shape { kind = "circle", width = 30, height = 12, layer = "sky" })
  world:spawn(at(i * 70, 100), gfx.Shape { kind = "circle", width = 80, height = 70, layer = "hills",
    color = gfx.color("#4f8b5b") })
end
for i = 0, 5 do
  world:spawn(at(400 + i * 10, 90 + i * 5 % 13), gfx.Shape { width = 16, height = 24, origin_y = 1, layer = "ground",
    color = gfx.color(1, i / 5, 0) })
  world:spawn(at(480 + i * 8, 90), gfx.Shape { width = 16, height = 24, layer = "cards", order = i * 2 % 5,
    color = gfx.color(0, i / 5, 1) })
end
for i = 0, 2 do
  world:spawn(at(440 + i * 14, 60), gfx.Shape { kind = "circle", width = 28, height = 28, layer = "light",
    color = gfx.color("#604000") })
end
world:spawn(at(120, 10), gfx.Shape { width = 100, height = 20, layer = "map", color = gfx.color("#ffffff80") })
world:spawn(at(440, 68), gfx.View { width = 0.5 })
world:spawn(at(480, 68), gfx.View { left = 0.5, width = 0.5, zoom = 0.75, rotation = 0.2 })

function draw()
  gfx.set_background("#203050")
  gfx.set_layer("hills")
  gfx.rectangle("fill", -200, 110, 1200, 60, "#7fb069")
  gfx.set_mask(function()
    gfx.set_layer("hills")
    gfx.circle("fill", 280, 60, 20)
  end)
  gfx.rectangle("fill", 250, 30, 60, 30, "red")
  gfx.set_mask()
  gfx.set_layer("light")
  gfx.print("light", 440, 30, { size = 20, align = "center", color = "gray" })
  gfx.set_space("screen")
  gfx.set_layer("hud")
  gfx.rectangle("fill", 60, 20, 120, 30, "gray")
  gfx.print("HUD", 120, 26, { size = 20, align = "center", color = "red" })
end
