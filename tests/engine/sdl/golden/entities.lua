-- Entities: shapes, texts and sprites, sorted by layers.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
gfx.set_background("#201824")

local kinds = { "rectangle", "circle", "pie", "arc", "line", "capsule" }
for i, kind in ipairs(kinds) do
  for row = 0, 1 do
    world:spawn(C.Position { x = i * 38 - 14, y = 24 + 40 * row }, gfx.Shape {
      kind = kind, width = 28, height = 18, rotation = row * 0.6, stroke = row * 3, from = 0.4, to = 4.6,
      color = gfx.color(1, i / 6, 0.4), corners = i == 1 and 5 or 0,
    })
  end
end
for i = 0, 9 do
  world:spawn(C.Position { x = 30 + i * 9, y = 108 }, gfx.Shape {
    width = 16, height = 24, layer = i % 3, color = gfx.color(i / 9, 0.5, 1 - i / 9),
  })
end
for i = 0, 2 do
  world:spawn(C.Position { x = 140 + i * 12, y = 100 + i * 6 }, gfx.Sprite {
    image = "assets/four.png", scale_x = 10, scale_y = 8, rotation = i * 0.3,
  })
end
world:spawn(C.Position { x = 206, y = 108 }, gfx.Text { text = "an entity", size = 12, color = gfx.color("#a0ffa0") })
