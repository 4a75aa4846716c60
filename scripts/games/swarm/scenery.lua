-- The moon under the fight: ground, the rim of the plain, light around the hero, shadows, damage numbers.
-- Drawn once per frame from the finished world; the engine draws the sprites of entities.
local ecs = require "ecs"
local gfx = require "gfx"
local art = require "art"
local phases = require "phases"
local C = ecs.components
local floor, abs = math.floor, math.abs
local layers = art.layers

local kTile, kRim = 64, 1215
local kHalfWidth, kHalfHeight = 330, 190  -- of the screen in world pixels, with a margin for the shake

-- The ground tile at a place: the same in every frame and run, since it depends on the place alone.
local function tile_at(column, row)
  local mixed = (column * 7349 + row * 9151 + column * row * 31) % 97
  if mixed < 4 then return 5 + mixed % 5 end
  return mixed % 5
end

ecs.system("ground", {
  group = "presentation", access = { read = { gfx.Camera } },
  run = function(_, ctx)
    local camera = ctx:resource(gfx.Camera)
    gfx.set_space("world")
    gfx.set_layer(layers.ground)
    local left, top = floor((camera.x - kHalfWidth) / kTile), floor((camera.y - kHalfHeight) / kTile)
    for row = top, floor((camera.y + kHalfHeight) / kTile) do
      for column = left, floor((camera.x + kHalfWidth) / kTile) do
        gfx.sprite(art.path, art.first.ground + tile_at(column, row), (column + 0.5) * kTile, (row + 0.5) * kTile)
      end
    end
    -- Beyond the rim, where the hero cannot walk: darkness, and a line of light before it.
    gfx.set_layer(layers.ground + 1)
    local far = 2000
    for _, box in ipairs { { -far, -far, 2 * far, far - kRim }, { -far, kRim, 2 * far, far - kRim },
      { -far, -kRim, far - kRim, 2 * kRim }, { kRim, -kRim, far - kRim, 2 * kRim } } do
      gfx.rectangle("fill", box[1], box[2], box[3], box[4], 0x05050CD8)
    end
    gfx.set_line_width(2)
    gfx.rectangle("line", -kRim, -kRim, 2 * kRim, 2 * kRim, 0x66E6F460)
  end,
})

ecs.system("light", {
  group = "presentation", access = { read = { C.Hero, C.Game, C.Clock } },
  run = function(_, ctx)
    local game, hero = ctx:resource(C.Game), ctx:resource(C.Hero)
    if game.phase == phases.title then return end
    gfx.set_space("world")
    gfx.set_layer(layers.light)
    gfx.set_blend("add")
    art.draw("light", hero.x, hero.y, 4.2 + 0.1 * math.sin(ctx:resource(C.Clock).time * 3), 0xFFB53A66)
    gfx.set_blend("alpha")
  end,
})

local shadows = { "shadow_s", "shadow_m", "shadow_l", "shadow_xl" }

ecs.system("shadows", {
  group = "presentation", query = { read = { C.Position, C.Shadow } }, access = { read = { gfx.Camera } },
  run = function(chunk, ctx)
    local camera = ctx:resource(gfx.Camera)
    local cx, cy = camera.x, camera.y
    local x, y, size, drop = chunk.Position.x, chunk.Position.y, chunk.Shadow.size, chunk.Shadow.drop
    gfx.set_space("world")
    gfx.set_layer(layers.shadow)
    for i = 1, chunk.count do
      if abs(x[i] - cx) < kHalfWidth and abs(y[i] - cy) < kHalfHeight then
        gfx.sprite(art.path, art.first[shadows[size[i]]], x[i], y[i] + drop[i], 1, 1, 0, 0xFFFFFF90)
      end
    end
  end,
})

ecs.system("damage numbers", {
  group = "presentation", query = { read = { C.Position, C.Number, C.Lifetime } },
  run = function(chunk)
    local digits = art.first.digits
    gfx.set_space("world")
    gfx.set_layer(layers.number)
    for i = 1, chunk.count do
      local value, tint = chunk.Number.value[i], chunk.Number.tint[i]
      local width = value < 10 and 1 or value < 100 and 2 or value < 1000 and 3 or 4
      local x, y = chunk.Position.x[i] + (width - 1) * 3, chunk.Position.y[i]
      for _ = 1, width do
        gfx.sprite(art.path, digits + value % 10, x, y, 1, 1, 0, tint)
        value, x = floor(value / 10), x - 6
      end
    end
  end,
})
