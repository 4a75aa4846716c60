-- Moving sprites, one `setColor` and one `draw` each; sorted by y before, where the scene says so.
local parameters, sprites = require "parameters", require "love_sprites"
local list, image = sprites.list, sprites.image

love.update = sprites.bounce

local function is_higher(a, b) return a.y < b.y end

function love.draw()
  if not parameters.draws then return end
  if parameters.sorts then table.sort(list, is_higher) end
  for i = 1, #list do
    local sprite = list[i]
    love.graphics.setColor(sprite.red, sprite.green, sprite.blue)
    love.graphics.draw(image, sprite.quad, sprite.x, sprite.y, sprite.rotation, sprite.scale, sprite.scale, 8, 8)
  end
end
