-- Sprites that nothing changes: a static SpriteBatch, filled once and drawn in each frame.
local parameters, sprites = require "parameters", require "love_sprites"

local batch = love.graphics.newSpriteBatch(sprites.image, parameters.count, "static")
if parameters.tiles then
  for i = 0, parameters.count - 1 do batch:add(sprites.quads[i % 256], i % 80 * 16, math.floor(i / 80) * 16) end
else
  for _, sprite in ipairs(sprites.list) do
    batch:setColor(sprite.red, sprite.green, sprite.blue)
    batch:add(sprite.quad, sprite.x, sprite.y, sprite.rotation, sprite.scale, sprite.scale, 8, 8)
  end
end

function love.draw() love.graphics.draw(batch) end
