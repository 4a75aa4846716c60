-- The floor, the grid that blasts bend, and the walls.
local ecs, gfx, arena, layers = require "ecs", require "gfx", require "arena", require "layers"
local C = ecs.components
local floor, sqrt, max, min, exp = math.floor, math.sqrt, math.max, math.min, math.exp

local kScale = 4            -- world pixels of a pixel of the floor
local kColumns, kRows, kGap, kRowGap = 40, 22, arena.width / 40, arena.height / 22

-- Plates in slightly different tones.
local plates = gfx.pixels(arena.width / kScale, arena.height / kScale)
plates:fill(0x2A3158FF)
for row = 0, 8 do
  for column = 0, 15 do
    local x, y, mix = column * 40, row * 40, (row * 7919 + column * 104729 + row * column * 31) % 17
    plates:rect(x, y, 39, 39, 0x6A74A8FF)
    plates:rect(x + 1, y + 1, 38, 38, 0x40486CFF + mix * 0x1010100)
    if mix % 5 == 0 then plates:rect(x + 12, y + 12, 15, 15, 0x33396AFF) end
    if mix % 7 == 3 then plates:rect(x + 6, y + 18, 27, 3, 0x7680C8FF) end
  end
end
gfx.set_background(0x05060DFF)

-- A bent point of the grid: blasts push it outwards, in a ring that spreads. And how hot it is.
local function bent(bends, x, y)
  local sx, sy = 0, 0
  for _, bend in ipairs(bends) do
    local dx, dy = x - bend.x, y - bend.y
    local gap, reach = dx * dx + dy * dy, bend.radius
    if gap < reach * reach * 1.3 and gap > 1 then
      gap = sqrt(gap)
      local off = (gap - reach * (1 - bend.left * bend.left)) / 80
      local push = bend.left * (bend.ring and 46 * exp(-off * off) or 20 * max(0, 1 - gap / reach))
      sx, sy = sx + dx / gap * push, sy + dy / gap * push
    end
  end
  return x + sx, y + sy, min(1, (sx * sx + sy * sy) / 500)
end

local grid_x, grid_y, heat = {}, {}, {}

local function segment(from, to)
  local hot = max(heat[from], heat[to])
  gfx.line(grid_x[from], grid_y[from], grid_x[to], grid_y[to],
    (hot > 0.02 and 0x6FD0FF00 or 0x4A6BFF00) + floor(38 + 200 * hot))
end

local function draw_grid(bends)
  gfx.set_layer(layers.grid)
  gfx.set_blend("add")
  gfx.set_line_width(1.6)
  for row = 0, kRows do
    for column = 0, kColumns do
      local k = row * (kColumns + 1) + column
      grid_x[k], grid_y[k], heat[k] = bent(bends, column * kGap, row * kRowGap)
      if column > 0 then segment(k - 1, k) end
      if row > 0 then segment(k - kColumns - 1, k) end
    end
  end
end

local function outline(x, y, w, h, colors)
  gfx.set_blend("add")
  for width, color in ipairs(colors) do
    gfx.set_line_width(width * width * 2)
    gfx.rectangle("line", x, y, w, h, color)
  end
  gfx.set_blend("alpha")
end

ecs.system("floor", {
  group = "presentation", queries = { flashes = { read = { C.Position, C.Flash } } },
  run = function(_, ctx)
    local bends = {}
    for chunk in ctx.queries.flashes:chunks() do
      for i = 1, chunk.count do
        local flash, pos = chunk.Flash[i], chunk.Position[i]
        bends[#bends + 1] = { x = pos.x, y = pos.y, radius = flash.radius, ring = flash.ring,
          left = 1 - flash.age / flash.life }
      end
    end
    gfx.set_layer(layers.floor)
    gfx.sprite(plates, 0, arena.width / 2, arena.height / 2, kScale, kScale)
    draw_grid(bends)
    gfx.reset()
    gfx.set_layer(layers.wall)
    for _, wall in ipairs(arena.walls) do
      local x, y, w, h = wall.left, wall.top, wall.right - wall.left, wall.bottom - wall.top
      gfx.rectangle("fill", x, y, w, h, 0x080A16FF)
      gfx.gradient(x + 4, y + 4, w - 8, h - 8, 0x1B2148FF, 0x0B0E20FF, math.pi / 2)
      outline(x, y, w, h, { 0x8FA6FFFF, 0x4A68FF40, 0x3A58FF18 })
    end
    outline(0, 0, arena.width, arena.height, { 0xE2B9FFFF, 0x9A68FF70, 0x6A58FF40, 0x5A48FF20 })
  end,
})
