-- Moving sprites that Lua draws with one call each: gfx.sprite, gfx.image with options that are written in the call, or
-- gfx.image with a style that is made once. LÖVE's side is that of the moving sprites.
local ecs, parameters, numbers = require "ecs", require "parameters", require "numbers"
local C, world = ecs.components, ecs.world
local kAtlas = "assets/atlas.png"

require "bounce"
gfx.sheet(kAtlas, 16, 16)
gfx.set_background("black")

local styles = {}
for i, sprite in ipairs(numbers.sprites(parameters.count)) do
  world:spawn(C.Position { x = sprite.x, y = sprite.y },
    C.Velocity { x = sprite.vx * parameters.speed, y = sprite.vy * parameters.speed },
    C.Look { frame = sprite.frame, rotation = sprite.rotation, scale = sprite.scale, color = sprite.color, number = i })
  styles[i] = gfx.style {
    frame = sprite.frame, rotation = sprite.rotation, scale = sprite.scale, origin_x = 0.5, origin_y = 0.5,
    color = sprite.color,
  }
end

local draw = {}

function draw.sprite(chunk)
  local pos, look = chunk.Position, chunk.Look
  for i = 1, chunk.count do
    local scale = look.scale[i]
    gfx.sprite(kAtlas, look.frame[i], pos.x[i], pos.y[i], scale, scale, look.rotation[i], look.color[i])
  end
end

function draw.image_with_new_options(chunk)
  local pos, look = chunk.Position, chunk.Look
  for i = 1, chunk.count do
    gfx.image(kAtlas, pos.x[i], pos.y[i], {
      frame = look.frame[i], rotation = look.rotation[i], scale = look.scale[i], origin_x = 0.5, origin_y = 0.5,
      color = look.color[i],
    })
  end
end

function draw.image_with_style(chunk)
  local pos, look = chunk.Position, chunk.Look
  for i = 1, chunk.count do gfx.image(kAtlas, pos.x[i], pos.y[i], styles[look.number[i]]) end
end

if parameters.draws then
  ecs.system("draw", { group = "presentation", query = { read = { C.Position, C.Look } }, run = draw[parameters.call] })
end
