-- Lists of what is where, rebuilt at the start of each step, before anything reads them: scratch, not state.
local ecs, arena, kinds = require "ecs", require "arena", require "kinds"
local C = ecs.components
local floor, max, min = math.floor, math.max, math.min

local kCell = 64
local kColumns, kRows = math.ceil(arena.width / kCell), math.ceil(arena.height / kCell)

-- A list of places with a grid over them: `first` of each cell, and `next` of each place.
local function new_list()
  return { count = 0, entity = {}, x = {}, y = {}, vx = {}, vy = {}, radius = {}, kind = {}, first = {}, next = {} }
end

local lists = { enemies = new_list(), shots = new_list(), spits = new_list(), gems = new_list(), ships = {},
  columns = kColumns }

function lists.cell_of(x, y)
  return min(max(floor(y / kCell), 0), kRows - 1) * kColumns + min(max(floor(x / kCell), 0), kColumns - 1) + 1
end

local function put(list, entity, x, y, vx, vy, radius, kind)
  local n, cell = list.count + 1, lists.cell_of(x, y)
  list.count, list.entity[n], list.x[n], list.y[n], list.vx[n], list.vy[n] = n, entity, x, y, vx, vy
  list.radius[n], list.kind[n], list.next[n], list.first[cell] = radius, kind, list.first[cell], n
end

local function put_enemies(chunk)
  local list, id, entity, pos, vel = lists.enemies, chunk.Kind.id, chunk.entity, chunk.Position, chunk.Velocity
  local radius = kinds[id].radius
  for i = 1, chunk.count do put(list, entity[i], pos.x[i], pos.y[i], vel.x[i], vel.y[i], radius, id) end
end

local function query(...) return { read = { C.Position, C.Velocity, ... } } end

ecs.system("gather", {
  group = "play",
  queries = { ships = query(C.Ship), enemies = query(C.Enemy, C.Kind), shots = query(C.Shot), gems = query(C.Gem) },
  run = function(_, ctx)
    for _, list in ipairs { lists.enemies, lists.shots, lists.spits, lists.gems } do
      list.count = 0
      for cell = 1, kColumns * kRows do list.first[cell] = 0 end
    end
    lists.ships = {}
    for chunk in ctx.queries.ships:chunks() do
      for i = 1, chunk.count do
        local pos, vel, ship = chunk.Position[i], chunk.Velocity[i], chunk.Ship[i]
        if ship.down <= 0 then
          table.insert(lists.ships, { x = pos.x, y = pos.y, vx = vel.x, vy = vel.y, player = ship.player })
        end
      end
    end
    for chunk in ctx.queries.enemies:chunks() do put_enemies(chunk) end
    for chunk in ctx.queries.shots:chunks() do
      local entity, pos, vel, player = chunk.entity, chunk.Position, chunk.Velocity, chunk.Shot.player
      for i = 1, chunk.count do
        put(player[i] > 0 and lists.shots or lists.spits, entity[i], pos.x[i], pos.y[i], vel.x[i], vel.y[i], 5, 0)
      end
    end
    for chunk in ctx.queries.gems:chunks() do
      local entity, pos = chunk.entity, chunk.Position
      for i = 1, chunk.count do put(lists.gems, entity[i], pos.x[i], pos.y[i], 0, 0, 6, 0) end
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

return lists
