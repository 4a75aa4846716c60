-- Rectangles or circles, filled or outlined, each in its own colour.
local parameters, numbers = require "parameters", require "numbers"

local list, mode = numbers.sprites(parameters.count), parameters.mode
gfx.set_background("black")

local shapes = {}
function shapes.rectangle()
  for i = 1, #list do
    local at = list[i]
    gfx.rectangle(mode, at.x, at.y, at.width, at.height, at.color)
  end
end
function shapes.circle()
  for i = 1, #list do
    local at = list[i]
    gfx.circle(mode, at.x, at.y, 10, at.color)
  end
end

draw = shapes[parameters.shape]
