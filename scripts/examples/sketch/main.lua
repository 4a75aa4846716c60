-- The smallest kind of game: no schema, no systems. A ball that follows the mouse and bounces when space is pressed.
-- Run it with: ./run scripts/examples/sketch
-- `state` survives saving this file while the game runs: change a colour and try.
state.x, state.y, state.speed = state.x or 640, state.y or 360, state.speed or 0
state.trail = state.trail or {}

function update(dt)
  local mouse_x, mouse_y = input.mouse()
  local dx, dy = input.vector("left", "right", "up", "down")
  if dx ~= 0 or dy ~= 0 then
    state.x, state.y = state.x + 500 * dx * dt, state.y + 500 * dy * dt
  else
    state.x, state.y = state.x + (mouse_x - state.x) * 4 * dt, state.y + (mouse_y - state.y) * 4 * dt
  end
  if input.pressed("space") then state.speed = 12 end
  state.speed = math.max(0, state.speed - 30 * dt)
  table.insert(state.trail, 1, { state.x, state.y })
  state.trail[40] = nil
end

function draw()
  gfx.set_background("#101020")
  for i = #state.trail, 1, -1 do
    local age = i / 40
    gfx.circle("fill", state.trail[i][1], state.trail[i][2], 24 * (1 - age),
      gfx.color(1, 0.6 - age * 0.5, 0.2, 1 - age))
  end
  gfx.circle("fill", state.x, state.y, 24 + state.speed, "orange")
  gfx.circle("line", state.x, state.y, 30 + state.speed, "white")
  gfx.print("arrows or mouse move, space pulses, Ctrl+R restarts", 20, 680, { size = 20 })
end
