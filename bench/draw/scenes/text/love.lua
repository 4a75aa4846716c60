-- 200 lines of 40 characters in Perigee's font, always the same or new in each frame. Without drawing, the lines are
-- still made.
local parameters, numbers = require "parameters", require "numbers"

local lines, frame = {}, 0
for i = 1, parameters.count do
  local x, y = numbers.line_place(i)
  lines[i] = { text = numbers.line(i, 0), x = x, y = y }
end
love.graphics.setFont(love.graphics.newFont("assets/DejaVuSans.ttf", 11))

function love.draw()
  frame = frame + parameters.speed
  for i = 1, #lines do
    local line = lines[i]
    if parameters.changes then line.text = numbers.line(i, frame) end
    if parameters.draws then love.graphics.print(line.text, line.x, line.y) end
  end
end
