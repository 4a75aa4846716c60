-- Lights that cast shadows, without shaders. Each light has a canvas: a soft disc, and over it what the walls hide from
-- the light, in black. Together they make a map of the arena, which multiplies the floor.
local ecs = require "ecs"
local gfx = require "gfx"
local arena = require "arena"
local layers = require "layers"
local prefabs = require "prefabs"
local screen = require "floor"
local shapes = require "shapes"
local view = require "view"
local C = ecs.components

local kMost, kSize, kScale = 8, 192, 4
local kAmbient = 0x2B2F4AFF
local map = gfx.canvas(arena.width / kScale, arena.height / kScale, { filter = "linear" })
local canvases = {}
for k = 1, kMost do canvases[k] = gfx.canvas(kSize, kSize, { filter = "linear" }) end

-- What an edge hides: from its ends to far behind them.
local function shade(x1, y1, x2, y2, scale)
  local far = 60
  local half = kSize / 2
  x1, y1, x2, y2 = x1 * scale, y1 * scale, x2 * scale, y2 * scale
  gfx.polygon("fill", half + x1, half + y1, half + x2, half + y2, half + x2 * far, half + y2 * far, half + x1 * far,
    half + y1 * far)
end

local function draw_light(canvas, light)
  local scale, reach = kSize / 2 / light.radius, light.radius
  gfx.set_canvas(canvas)
  gfx.clear_canvas(canvas, 0x000000FF)
  gfx.set_blend("add")
  shapes.glow(kSize / 2, kSize / 2, kSize / 2, light.color)
  gfx.set_blend("alpha")
  gfx.set_color(0x000000FF)
  for _, wall in ipairs(arena.walls) do
    local left, right = wall.left - light.x, wall.right - light.x
    local top, bottom = wall.top - light.y, wall.bottom - light.y
    if left < reach and right > -reach and top < reach and bottom > -reach then
      if left > 0 then shade(left, top, left, bottom, scale) elseif right < 0 then shade(right, top, right, bottom, scale) end
      if top > 0 then shade(left, top, right, top, scale) elseif bottom < 0 then shade(left, bottom, right, bottom, scale) end
    end
  end
end

local lights = {}  -- scratch of this frame

local function add(x, y, radius, color)
  if #lights < kMost then lights[#lights + 1] = { x = x, y = y, radius = radius, color = color } end
end

ecs.system("clear lights", { group = "presentation", before = "lights of ships", run = function() lights = {} end })
ecs.system("lights of ships", {
  group = "presentation", query = { read = { C.Position, C.Ship } },
  run = function(chunk)
    for i = 1, chunk.count do
      if chunk.Ship.down[i] <= 0 then
        add(chunk.Position.x[i], chunk.Position.y[i], 620, prefabs.player_colors[chunk.Ship.player[i]])
      end
    end
  end,
})

local function is_brighter(a, b)
  local one, two = a.radius * a.left, b.radius * b.left
  if one ~= two then return one > two end
  return a.x < b.x
end

ecs.system("lights", {
  group = "presentation", after = { "floor", "lights of ships" }, access = { read = { C.View, gfx.Camera } },
  run = function(_, ctx)
    local now, camera = ctx:resource(C.View), ctx:resource(gfx.Camera)
    table.sort(screen.bends, is_brighter)
    for _, bend in ipairs(screen.bends) do
      add(bend.x, bend.y, bend.radius * 1.5, shapes.fade(bend.color, bend.left * 1.3))
    end
    gfx.set_scissor()
    gfx.set_layer(0)
    for k = 1, #lights do draw_light(canvases[k], lights[k]) end
    gfx.set_color(0xFFFFFFFF)
  gfx.set_canvas(map)
    gfx.clear_canvas(map, kAmbient)
    gfx.set_blend("add")
    for k = 1, #lights do
      local light = lights[k]
      local size = light.radius * 2 / kScale / kSize
      gfx.sprite(canvases[k], 0, light.x / kScale, light.y / kScale, size, size)
    end
    gfx.set_canvas()
    for k = 1, now.count do
      view.open(k, now, camera, layers.light)
      gfx.set_blend("multiply")
      gfx.sprite(map, 0, arena.width / 2, arena.height / 2, kScale, kScale)
    end
  end,
})
