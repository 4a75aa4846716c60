-- Lights that cast shadows, without shaders. Each light has a canvas: a soft disc, and over it what the walls hide from
-- the light, in black. Together they make a map of the arena, which multiplies the floor.
local ecs, gfx, arena, bends = require "ecs", require "gfx", require "arena", require("floor").bends
local camera, kinds, layers, prefabs = require "camera", require "kinds", require "layers", require "prefabs"
local shapes = require "shapes"
local C = ecs.components

local kMost, kSize, kScale = 8, 192, 4
local kAmbient = 0x2B2F4AFF
local map = gfx.canvas(arena.width / kScale, arena.height / kScale, { filter = "linear" })
local canvases, lights = {}, {}
for k = 1, kMost do canvases[k] = gfx.canvas(kSize, kSize, { filter = "linear" }) end

-- What an edge hides: from its ends, seen from the light, to far behind them.
local function shade(x1, y1, x2, y2, scale)
  local half, near, far = kSize / 2, scale, scale * 60
  gfx.polygon("fill", half + x1 * near, half + y1 * near, half + x2 * near, half + y2 * near, half + x2 * far,
    half + y2 * far, half + x1 * far, half + y1 * far)
end

local function draw_light(canvas, light)
  local scale, reach = kSize / 2 / light.radius, light.radius
  gfx.set_canvas(canvas)
  gfx.clear_canvas(canvas, 0x000000FF)
  shapes.glow(kSize / 2, kSize / 2, kSize / 2, light.color)
  gfx.set_color(0x000000FF)
  for _, wall in ipairs(arena.walls) do
    local left, right = wall.left - light.x, wall.right - light.x
    local top, bottom = wall.top - light.y, wall.bottom - light.y
    if left < reach and right > -reach and top < reach and bottom > -reach then
      local x, y = left > 0 and left or right < 0 and right, top > 0 and top or bottom < 0 and bottom
      if x then shade(x, top, x, bottom, scale) end
      if y then shade(left, y, right, y, scale) end
    end
  end
  gfx.set_color(0xFFFFFFFF)
end

local function add(x, y, radius, color)
  if #lights < kMost then lights[#lights + 1] = { x = x, y = y, radius = radius, color = color } end
end

local function is_brighter(a, b)
  local one, two = a.radius * a.left, b.radius * b.left
  return one > two or one == two and a.x < b.x
end

-- Enemies shine without shadows.
local function shine(chunk)
  local kind, pos = kinds[chunk.Kind.id], chunk.Position
  local color, radius = shapes.fade(kind.color, 0.35), kind.radius * 2
  for i = 1, chunk.count do shapes.glow(pos.x[i] / kScale, pos.y[i] / kScale, radius, color) end
end

local function draw_map() gfx.sprite(map, 0, arena.width / 2, arena.height / 2, kScale, kScale) end

ecs.system("lights", {
  group = "presentation", after = "floor", access = { read = { C.View } },
  queries = { ships = { read = { C.Position, C.Ship } }, enemies = { read = { C.Position, C.Enemy, C.Kind } } },
  run = function(_, ctx)
    lights = {}
    for chunk in ctx.queries.ships:chunks() do
      for i = 1, chunk.count do
        local pos, color = chunk.Position[i], prefabs.player_colors[chunk.Ship.player[i]]
        if chunk.Ship.down[i] <= 0 then add(pos.x, pos.y, 700, color) end
      end
    end
    table.sort(bends, is_brighter)
    for _, bend in ipairs(bends) do add(bend.x, bend.y, bend.radius * 1.5, shapes.fade(bend.color, bend.left * 1.3)) end
    gfx.set_layer(0)
    gfx.set_blend("alpha")
    for k = 1, #lights do draw_light(canvases[k], lights[k]) end
    gfx.set_canvas(map)
    gfx.clear_canvas(map, kAmbient)
    gfx.set_blend("add")
    for k, light in ipairs(lights) do
      local size = light.radius * 2 / kScale / kSize
      gfx.sprite(canvases[k], 0, light.x / kScale, light.y / kScale, size, size)
    end
    for chunk in ctx.queries.enemies:chunks() do shine(chunk) end
    gfx.set_canvas()
    camera.each(ctx:resource(C.View), layers.light, "multiply", draw_map)
  end,
})
