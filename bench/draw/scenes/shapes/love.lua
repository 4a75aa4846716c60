-- Rectangles or circles, filled or outlined, each in its own colour.
local parameters, numbers = require "parameters", require "numbers"

local list, mode = numbers.sprites(parameters.count), parameters.mode
for _, at in ipairs(list) do at.red, at.green, at.blue = at.red / 255, at.green / 255, at.blue / 255 end

local shapes = {}
function shapes.rectangle()
  for i = 1, #list do
    local at = list[i]
    love.graphics.setColor(at.red, at.green, at.blue)
    love.graphics.rectangle(mode, at.x, at.y, at.width, at.height)
  end
end
function shapes.circle()
  for i = 1, #list do
    local at = list[i]
    love.graphics.setColor(at.red, at.green, at.blue)
    love.graphics.circle(mode, at.x, at.y, 10)
  end
end

love.draw = shapes[parameters.shape]
