-- The floor, the grid that blasts bend, and the walls.
local ecs = require "ecs"
local gfx = require "gfx"
local arena = require "arena"
local layers = require "layers"
local shapes = require "shapes"
local view = require "view"
local C = ecs.components
local floor, sqrt, max, min, exp = math.floor, math.sqrt, math.max, math.min, math.exp

local kScale = 4            -- world pixels of a pixel of the floor
local kGap = 64             -- of the grid
local kColumns, kRows = arena.width / kGap, floor(arena.height / kGap)
local kRowGap = arena.height / kRows

-- Plates in slightly different tones.
local plates = gfx.pixels(arena.width / kScale, arena.height / kScale)
plates:fill(0x232A48FF)
for row = 0, arena.height / kScale / 40 - 1 do
  for column = 0, arena.width / kScale / 40 - 1 do
    local mix = (row * 7919 + column * 104729 + row * column * 31) % 17
    local tone = 0x2C + mix
    plates:rect(column * 40, row * 40, 39, 39, tone * 0x1000000 + (tone + 7) * 0x10000 + (tone + 34) * 0x100 + 0xFF)
    plates:rect(column * 40, row * 40, 39, 1, 0x47507EFF)
    plates:rect(column * 40, row * 40, 1, 39, 0x3D4670FF)
    if mix % 5 == 0 then plates:rect(column * 40 + 12, row * 40 + 12, 15, 15, 0x262C4CFF) end
    if mix % 7 == 3 then plates:rect(column * 40 + 6, row * 40 + 18, 27, 3, 0x4A5488FF) end
  end
end
gfx.set_background(0x05060DFF)

local bends = {}  -- scratch of this frame: what bends the grid
local screen = { bends = bends }

ecs.system("clear bends", { group = "presentation", before = "gather bends", run = function() screen.bends = {} end })
ecs.system("gather bends", {
  group = "presentation", query = { read = { C.Position, C.Flash } },
  run = function(chunk)
    local flash = chunk.Flash
    for i = 1, chunk.count do
      local left = 1 - flash.age[i] / flash.life[i]
      local list = screen.bends
      list[#list + 1] = { x = chunk.Position.x[i], y = chunk.Position.y[i], radius = flash.radius[i], left = left,
        color = flash.color[i], ring = flash.ring[i], at = flash.radius[i] * (1 - left * left) }
    end
  end,
})

-- How far a point of the grid is bent: outwards around a blast, in a ring that spreads.
local function bent(x, y)
  local sx, sy = 0, 0
  for _, bend in ipairs(screen.bends) do
    local dx, dy = x - bend.x, y - bend.y
    local gap = dx * dx + dy * dy
    if gap < bend.radius * bend.radius * 1.3 and gap > 1 then
      gap = sqrt(gap)
      local push
      if bend.ring then
        local off = (gap - bend.at) / 80
        push = 46 * bend.left * exp(-off * off)
      else
        push = 20 * bend.left * max(0, 1 - gap / bend.radius)
      end
      sx, sy = sx + dx / gap * push, sy + dy / gap * push
    end
  end
  return x + sx, y + sy, min(1, (sx * sx + sy * sy) / 500)
end

local grid_x, grid_y, heat = {}, {}, {}

local function bend_grid()
  for row = 0, kRows do
    for column = 0, kColumns do
      local k = row * (kColumns + 1) + column
      grid_x[k], grid_y[k], heat[k] = bent(column * kGap, row * kRowGap)
    end
  end
end

local function segment(from, to)
  local hot = max(heat[from], heat[to])
  local color = hot > 0.02 and 0x6FD0FF00 or 0x4A6BFF00
  gfx.line(grid_x[from], grid_y[from], grid_x[to], grid_y[to], color + floor(38 + 200 * hot))
end

local function draw_grid()
  gfx.set_blend("add")
  gfx.set_line_width(1.6)
  for row = 0, kRows do
    for column = 0, kColumns do
      local k = row * (kColumns + 1) + column
      if column < kColumns then segment(k, k + 1) end
      if row < kRows then segment(k, k + kColumns + 1) end
    end
  end
end

local function draw_walls()
  gfx.set_blend("alpha")
  for _, wall in ipairs(arena.walls) do
    local w, h = wall.right - wall.left, wall.bottom - wall.top
    gfx.rectangle("fill", wall.left, wall.top, w, h, 0x0D1020FF)
    gfx.gradient(wall.left + 4, wall.top + 4, w - 8, h - 8, 0x2A3262FF, 0x12162EFF, math.pi / 2)
  end
  gfx.set_blend("add")
  for width = 1, 3 do
    gfx.set_line_width(width * width * 2)
    local color = width == 1 and 0xB9C6FFFF or width == 2 and 0x5A78FF58 or 0x3A58FF24
    for _, wall in ipairs(arena.walls) do
      gfx.rectangle("line", wall.left, wall.top, wall.right - wall.left, wall.bottom - wall.top, color)
    end
    gfx.rectangle("line", 0, 0, arena.width, arena.height, width == 1 and 0xE2B9FFFF or color + 0x30000020)
  end
end

ecs.system("floor", {
  group = "presentation", after = "gather bends", access = { read = { C.View, gfx.Camera } },
  run = function(_, ctx)
    local now, camera = ctx:resource(C.View), ctx:resource(gfx.Camera)
    bend_grid()
    for k = 1, now.count do
      view.open(k, now, camera, layers.floor)
      gfx.set_blend("alpha")
      if k == 2 then gfx.rectangle("fill", -3000, -3000, 9000, 9000, 0x05060DFF) end
      gfx.sprite(plates, 0, arena.width / 2, arena.height / 2, kScale, kScale)
      view.open(k, now, camera, layers.grid)
      draw_grid()
      view.open(k, now, camera, layers.wall)
      draw_walls()
    end
  end,
})

screen.fade = shapes.fade
return screen
