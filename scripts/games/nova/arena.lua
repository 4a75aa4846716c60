-- The arena and its walls: constants. Walls stop bodies and shots, and cast shadows.
local arena = { width = 2560, height = 1440, walls = {} }

-- A quarter of the walls, as left, top, width, height; the others mirror them.
for _, box in ipairs { { 560, 330, 190, 36 }, { 560, 366, 36, 130 }, { 1010, 210, 44, 120 }, { 300, 690, 60, 60 },
  { 930, 560, 44, 44 } } do
  for mirror = 0, 3 do
    local x, y, w, h = box[1], box[2], box[3], box[4]
    if mirror % 2 == 1 then x = arena.width - x - w end
    if mirror > 1 then y = arena.height - y - h end
    local walls = arena.walls
    if not (mirror > 1 and y <= box[2] + h) then walls[#walls + 1] = { left = x, top = y, right = x + w, bottom = y + h } end
  end
end

--- Pushes a disc out of the walls and the rim: its new place, and the direction it was pushed to (0, 0 for none).
function arena.push(x, y, radius)
  local nx, ny = 0, 0
  if x < radius then x, nx = radius, 1 elseif x > arena.width - radius then x, nx = arena.width - radius, -1 end
  if y < radius then y, ny = radius, 1 elseif y > arena.height - radius then y, ny = arena.height - radius, -1 end
  local walls = arena.walls
  for k = 1, #walls do
    local wall = walls[k]
    local left, right = wall.left - radius, wall.right + radius
    local top, bottom = wall.top - radius, wall.bottom + radius
    if x > left and x < right and y > top and y < bottom then
      local west, east, north, south = x - left, right - x, y - top, bottom - y
      local least = math.min(west, east, north, south)
      if least == west then x, nx = left, -1
      elseif least == east then x, nx = right, 1
      elseif least == north then y, ny = top, -1
      else y, ny = bottom, 1 end
    end
  end
  return x, y, nx, ny
end

--- Whether a point is in a wall or outside.
function arena.is_solid(x, y)
  if x < 0 or y < 0 or x > arena.width or y > arena.height then return true end
  local walls = arena.walls
  for k = 1, #walls do
    local wall = walls[k]
    if x > wall.left and x < wall.right and y > wall.top and y < wall.bottom then return true end
  end
  return false
end

return arena
