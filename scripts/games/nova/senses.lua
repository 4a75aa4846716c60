-- Lists of what is where, rebuilt at the start of each step, before anything reads them: scratch, not state.
local ecs = require "ecs"
local arena = require "arena"
local kinds = require "kinds"
local C = ecs.components
local floor, max, min = math.floor, math.max, math.min

local kCell = 64
local kColumns, kRows = math.ceil(arena.width / kCell), math.ceil(arena.height / kCell)

-- A grid of points: `first` of each cell, and `next` of each point.
local function new_grid() return { x = {}, y = {}, vx = {}, vy = {}, radius = {}, first = {}, next = {}, count = 0 } end

local function clear(grid)
  grid.count = 0
  for cell = 1, kColumns * kRows do grid.first[cell] = 0 end
end

local function cell_of(x, y)
  return min(max(floor(y / kCell), 0), kRows - 1) * kColumns + min(max(floor(x / kCell), 0), kColumns - 1) + 1
end

local function put(grid, x, y, vx, vy, radius)
  local n, cell = grid.count + 1, cell_of(x, y)
  grid.count, grid.x[n], grid.y[n], grid.vx[n], grid.vy[n], grid.radius[n] = n, x, y, vx, vy, radius
  grid.next[n], grid.first[cell] = grid.first[cell], n
  return n
end

local senses = { ships = {}, enemies = new_grid(), shots = new_grid(), kind = {}, used = {}, columns = kColumns,
  cell_of = cell_of }

ecs.system("gather ships", {
  query = { read = { C.Position, C.Ship, C.Velocity } },
  run = function(chunk)
    local pos, vel = chunk.Position, chunk.Velocity
    for i = 1, chunk.count do
      if chunk.Ship.down[i] <= 0 then
        senses.ships[#senses.ships + 1] = { x = pos.x[i], y = pos.y[i], vx = vel.x[i], vy = vel.y[i],
          player = chunk.Ship.player[i], is_safe = chunk.Ship.safe[i] > 0 }
      end
    end
  end,
})

ecs.system("clear senses", {
  before = { "gather ships", "gather shots", "gather enemies" }, access = { write = { C.Crowd } },
  run = function(_, ctx)
    local crowd = ctx:resource(C.Crowd)
    crowd.enemies, crowd.shots, senses.ships = 0, 0, {}
    clear(senses.shots)
    clear(senses.enemies)
  end,
})

ecs.system("gather shots", {
  query = { read = { C.Position, C.Velocity, C.Shot } }, access = { write = { C.Crowd } },
  run = function(chunk, ctx)
    local pos, vel = chunk.Position, chunk.Velocity
    for i = 1, chunk.count do
      senses.used[put(senses.shots, pos.x[i], pos.y[i], vel.x[i], vel.y[i], 5)] = false
    end
    ctx:resource(C.Crowd).shots = senses.shots.count
  end,
})

ecs.system("gather enemies", {
  query = { read = { C.Position, C.Velocity, C.Enemy, C.Kind } }, access = { write = { C.Crowd } },
  run = function(chunk, ctx)
    local pos, vel, id = chunk.Position, chunk.Velocity, chunk.Kind.id
    for i = 1, chunk.count do
      senses.kind[put(senses.enemies, pos.x[i], pos.y[i], vel.x[i], vel.y[i], kinds[id].radius)] = id
    end
    ctx:resource(C.Crowd).enemies = senses.enemies.count
  end,
})

--- The nearest ship in flight; nil when there is none.
function senses.nearest_ship(x, y)
  local best, found = math.huge, nil
  for _, ship in ipairs(senses.ships) do
    local dx, dy = ship.x - x, ship.y - y
    if dx * dx + dy * dy < best then best, found = dx * dx + dy * dy, ship end
  end
  return found, math.sqrt(best)
end

return senses
