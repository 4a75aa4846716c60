-- The arena and its walls: constants. Walls stop bodies and shots, and cast shadows.
local arena = { width = 2560, height = 1440, walls = {} }

-- A quarter of the walls, as left, top, width, height; the others mirror them.
for _, box in ipairs { { 560, 330, 190, 36 }, { 560, 366, 36, 130 }, { 1010, 210, 44, 120 }, { 300, 690, 60, 60 },
  { 930, 560, 44, 44 } } do
  for mirror = 0, 3 do
    local x, y, w, h = box[1], box[2], box[3], box[4]
    if mirror % 2 == 1 then x = arena.width - x - w end
    if mirror > 1 then y = arena.height - y - h end
    local is_new = mirror < 2 or y > box[2] + h
    if is_new then table.insert(arena.walls, { left = x, top = y, right = x + w, bottom = y + h }) end
  end
end

--- Pushes a disc out of the walls and the rim: its new place, and the direction it was pushed to (0, 0 for none).
function arena.push(x, y, radius)
  local nx, ny, walls = 0, 0, arena.walls
  if x < radius then x, nx = radius, 1 elseif x > arena.width - radius then x, nx = arena.width - radius, -1 end
  if y < radius then y, ny = radius, 1 elseif y > arena.height - radius then y, ny = arena.height - radius, -1 end
  for k = 1, #walls do
    local wall = walls[k]
    local west, east = x - wall.left + radius, wall.right + radius - x
    local north, south = y - wall.top + radius, wall.bottom + radius - y
    if west > 0 and east > 0 and north > 0 and south > 0 then
      local least = math.min(west, east, north, south)
      if least == west then x, nx = x - west, -1 elseif least == east then x, nx = x + east, 1
      elseif least == north then y, ny = y - north, -1 else y, ny = y + south, 1 end
    end
  end
  return x, y, nx, ny
end

--- Whether a point is in a wall or outside.
function arena.is_solid(x, y)
  local _, _, nx, ny = arena.push(x, y, 0)
  return nx ~= 0 or ny ~= 0
end

return arena
