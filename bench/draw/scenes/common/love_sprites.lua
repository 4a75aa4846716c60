-- LÖVE: the sprites as a list of tables, their quads, and the function that moves them.
local parameters, numbers = require "parameters", require "numbers"

local sprites = { list = numbers.sprites(parameters.count), quads = {} }
sprites.image = love.graphics.newImage("assets/atlas.png")
for frame = 0, 255 do
  sprites.quads[frame] = love.graphics.newQuad(frame % 16 * 16, math.floor(frame / 16) * 16, 16, 16, 256, 256)
end
for _, sprite in ipairs(sprites.list) do
  sprite.quad = sprites.quads[sprite.frame]
  sprite.vx, sprite.vy = sprite.vx * parameters.speed, sprite.vy * parameters.speed
  sprite.red, sprite.green, sprite.blue = sprite.red / 255, sprite.green / 255, sprite.blue / 255
end

function sprites.bounce(dt)
  local list = sprites.list
  for i = 1, #list do
    local sprite = list[i]
    local x, y = sprite.x + sprite.vx * dt, sprite.y + sprite.vy * dt
    sprite.x, sprite.y = x, y
    if x < 20 or x > 1260 then sprite.vx = -sprite.vx end
    if y < 20 or y > 700 then sprite.vy = -sprite.vy end
  end
end

return sprites
