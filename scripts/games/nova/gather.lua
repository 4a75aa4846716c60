-- Lists of what is where, rebuilt at the start of each step, before anything reads them: scratch, not state.
local ecs, kinds = require "ecs", require "kinds"
local C = ecs.components

local function empty() return { count = 0, entity = {}, x = {}, y = {}, vx = {}, vy = {}, radius = {}, kind = {} } end
local lists = { ships = {}, enemies = empty(), shots = empty(), spits = empty(), gems = empty() }

local function put(list, chunk, i, radius, kind)
  local n, pos, vel = list.count + 1, chunk.Position, chunk.Velocity
  list.count, list.entity[n], list.radius[n], list.kind[n] = n, chunk.entity[i], radius, kind
  list.x[n], list.y[n], list.vx[n], list.vy[n] = pos.x[i], pos.y[i], vel.x[i], vel.y[i]
end

local function query(...) return { read = { C.Position, C.Velocity, ... } } end

ecs.system("gather", {
  group = "play",
  queries = { ships = query(C.Ship), enemies = query(C.Enemy, C.Kind), shots = query(C.Shot), gems = query(C.Gem) },
  run = function(_, ctx)
    lists.ships = {}
    for _, list in ipairs { lists.enemies, lists.shots, lists.spits, lists.gems } do list.count = 0 end
    for chunk in ctx.queries.ships:chunks() do
      for i = 1, chunk.count do
        local pos, vel, ship = chunk.Position[i], chunk.Velocity[i], chunk.Ship[i]
        local at = { x = pos.x, y = pos.y, vx = vel.x, vy = vel.y, player = ship.player }
        if ship.down <= 0 then table.insert(lists.ships, at) end
      end
    end
    for chunk in ctx.queries.enemies:chunks() do
      for i = 1, chunk.count do put(lists.enemies, chunk, i, kinds[chunk.Kind.id].radius, chunk.Kind.id) end
    end
    for chunk in ctx.queries.shots:chunks() do
      for i = 1, chunk.count do put(chunk.Shot.player[i] > 0 and lists.shots or lists.spits, chunk, i, 5, 0) end
    end
    for chunk in ctx.queries.gems:chunks() do
      for i = 1, chunk.count do put(lists.gems, chunk, i, 6, 0) end
    end
  end,
})

--- The nearest ship in flight, and its distance; nil when there is none.
function lists.nearest_ship(x, y)
  local best, found = math.huge, nil
  for _, ship in ipairs(lists.ships) do
    local dx, dy = ship.x - x, ship.y - y
    if dx * dx + dy * dy < best then best, found = dx * dx + dy * dy, ship end
  end
  return found, math.sqrt(best)
end

-- What lists.near looks for: scratch, so that a loop takes no memory.
local seek = {}

local function next_near(_, from)
  local list, x, y, distance = seek.list, seek.x, seek.y, seek.distance
  for k = from + 1, list.count do
    local dx, dy, reach = list.x[k] - x, list.y[k] - y, distance + list.radius[k]
    if dx * dx + dy * dy < reach * reach then return k end
  end
end

--- For a loop over those of a list within a distance of x, y, plus their radius. Such loops cannot be nested.
function lists.near(list, x, y, distance)
  seek.list, seek.x, seek.y, seek.distance = list, x, y, distance
  return next_near, nil, 0
end

return lists
