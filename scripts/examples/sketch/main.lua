-- The smallest kind of game: no schema, no entities, plain variables. A ball that follows the mouse and bounces when
-- space is pressed. Run it with: ./run scripts/examples/sketch
local x, y, speed, trail = 640, 360, 0, {}

function update(dt)
  local mouse_x, mouse_y = input.mouse()
  local dx, dy = input.vector("left", "right", "up", "down")
  if dx ~= 0 or dy ~= 0 then
    x, y = x + 500 * dx * dt, y + 500 * dy * dt
  else
    x, y = x + (mouse_x - x) * 4 * dt, y + (mouse_y - y) * 4 * dt
  end
  if input.pressed("space") then speed = 12 end
  speed = speed - 30 * dt
  if speed < 0 then speed = 0 end
  table.insert(trail, 1, { x, y })
  trail[40] = nil
end

function draw()
  gfx.set_background("#101020")
  for i = #trail, 1, -1 do
    local age = i / 40
    gfx.circle("fill", trail[i][1], trail[i][2], 24 * (1 - age), gfx.color(1, 0.6 - age * 0.5, 0.2, 1 - age))
  end
  gfx.circle("fill", x, y, 24 + speed, "orange")
  gfx.circle("line", x, y, 30 + speed, "white")
  gfx.print("arrows or mouse move, space pulses, Ctrl+R restarts", 20, 680, { size = 20 })
end
