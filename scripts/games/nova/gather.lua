-- Lists of what is where, rebuilt at the start of each step, before anything reads them: scratch, not state.
local ecs, kinds = require "ecs", require "kinds"
local C = ecs.components

local lists, names = { ships = {} }, { "enemies", "shots", "spits", "gems" }
for _, name in ipairs(names) do
  lists[name] = { count = 0, entity = {}, x = {}, y = {}, vx = {}, vy = {}, radius = {}, kind = {} }
end

local function put(list, chunk, i, radius, kind)
  local n, pos, vel = list.count + 1, chunk.Position, chunk.Velocity
  list.count, list.entity[n], list.radius[n], list.kind[n] = n, chunk.entity[i], radius, kind
  list.x[n], list.y[n], list.vx[n], list.vy[n] = pos.x[i], pos.y[i], vel.x[i], vel.y[i]
end

-- Each puts row i of a chunk into its list.
local gathers = {}
function gathers.ships(chunk, i)
  local pos, vel, ship = chunk.Position[i], chunk.Velocity[i], chunk.Ship[i]
  if ship.down > 0 then return end
  table.insert(lists.ships, { x = pos.x, y = pos.y, vx = vel.x, vy = vel.y, player = ship.player })
end
function gathers.enemies(chunk, i) put(lists.enemies, chunk, i, kinds[chunk.Kind.id].radius, chunk.Kind.id) end
function gathers.shots(chunk, i) put(chunk.Shot.player[i] > 0 and lists.shots or lists.spits, chunk, i, 5, 0) end
function gathers.gems(chunk, i) put(lists.gems, chunk, i, 6, 0) end

local function query(...) return { read = { C.Position, C.Velocity, ... } } end

ecs.system("gather", {
  group = "play",
  queries = { ships = query(C.Ship), enemies = query(C.Enemy, C.Kind), shots = query(C.Shot), gems = query(C.Gem) },
  run = function(_, ctx)
    lists.ships = {}
    for _, name in ipairs(names) do lists[name].count = 0 end
    for _, name in ipairs { "ships", "enemies", "shots", "gems" } do
      for chunk in ctx.queries[name]:chunks() do
        for i = 1, chunk.count do gathers[name](chunk, i) end
      end
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
