-- Plays the demonstration: flies where the least danger is, aims ahead of the nearest enemy, and bombs when surrounded.
local ecs, arena, lists = require "ecs", require "arena", require "gather"
local C = ecs.components

-- How bad it is to be at x, y: enemies and spits near there, walls and corners.
local function danger(x, y)
  local enemies, spits, sum = lists.enemies, lists.spits, 0
  for k = 1, enemies.count do
    local dx, dy = enemies.x[k] + enemies.vx[k] * 0.25 - x, enemies.y[k] + enemies.vy[k] * 0.25 - y
    local gap = dx * dx + dy * dy
    if gap < 240 * 240 then sum = sum + 60 / (30 + math.max(0, math.sqrt(gap) - enemies.radius[k] - 12)) end
  end
  for k = 1, spits.count do
    local dx, dy = spits.x[k] + spits.vx[k] * 0.2 - x, spits.y[k] + spits.vy[k] * 0.2 - y
    sum = sum + 1600 / (400 + dx * dx + dy * dy)
  end
  local away = (x / arena.width - 0.5) ^ 2 + (y / arena.height - 0.5) ^ 2
  return sum + 6 * away + (arena.is_solid(x, y) and 6 or 0)
end

-- Which of a list is nearest, its distance, and how many are within 200 px.
local function nearest(list, x, y)
  local best, at, crowd = 1e9, nil, 0
  for k = 1, list.count do
    local gap = math.sqrt((list.x[k] - x) ^ 2 + (list.y[k] - y) ^ 2)
    if gap < best then best, at = gap, k end
    if gap < 200 then crowd = crowd + 1 end
  end
  return at, best, crowd
end

-- Takes the best of twelve directions. A near gem attracts.
local function fly(ship, x, y)
  local gems, gem_x, gem_y = lists.gems, 0, 0
  local gem, gap = nearest(gems, x, y)
  if gem and gap < 380 and gap > 1 then gem_x, gem_y = (gems.x[gem] - x) / gap, (gems.y[gem] - y) / gap end
  local best, best_x, best_y = danger(x, y) + 0.3, 0, 0
  for k = 0, 11 do
    local dx, dy = math.cos(k * math.pi / 6), math.sin(k * math.pi / 6)
    local cost = danger(x + dx * 90, y + dy * 90) - dx * (0.25 * ship.move_x + 1.1 * gem_x)
      - dy * (0.25 * ship.move_y + 1.1 * gem_y)
    if cost < best then best, best_x, best_y = cost, dx, dy end
  end
  ship.move_x, ship.move_y = ship.move_x * 0.75 + best_x * 0.25, ship.move_y * 0.75 + best_y * 0.25
end

ecs.system("pilot", {
  group = "play", after = "gather", query = { read = { C.Position }, write = { C.Ship } },
  access = { read = { C.Game } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Game).demo then return end
    for i = 1, chunk.count do
      local ship, x, y, enemies = chunk.Ship[i], chunk.Position.x[i], chunk.Position.y[i], lists.enemies
      if ctx.tick % 3 == 0 then fly(ship, x, y) end
      local at, gap, crowd = nearest(enemies, x, y)
      ship.firing, ship.bomb = gap < 640, crowd >= 8
      if ship.firing then
        local ahead = gap / 880               -- how long a shot needs
        local dx, dy = enemies.x[at] + enemies.vx[at] * ahead - x, enemies.y[at] + enemies.vy[at] * ahead - y
        local length = math.max(1, math.sqrt(dx * dx + dy * dy))
        ship.aim_x, ship.aim_y = dx / length, dy / length
      end
    end
  end,
})
