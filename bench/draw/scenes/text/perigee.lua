-- 200 lines of 40 characters, always the same or new in each frame. Without drawing, the lines are still made.
local parameters, numbers = require "parameters", require "numbers"

local lines, frame = {}, 0
for i = 1, parameters.count do
  local x, y = numbers.line_place(i)
  lines[i] = { text = numbers.line(i, 0), x = x, y = y }
end
gfx.set_background("black")

function draw()
  frame = frame + parameters.speed
  gfx.set_font_size(11)
  for i = 1, #lines do
    local line = lines[i]
    if parameters.changes then line.text = numbers.line(i, frame) end
    if parameters.draws then gfx.print(line.text, line.x, line.y) end
  end
end
