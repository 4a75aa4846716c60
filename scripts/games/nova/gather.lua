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

local function put(list, chunk, i, radius, kind)
  local n, x, y = list.count + 1, chunk.Position.x[i], chunk.Position.y[i]
  local cell = lists.cell_of(x, y)
  list.count, list.entity[n], list.x[n], list.y[n] = n, chunk.entity[i], x, y
  list.radius[n], list.kind[n], list.vx[n], list.vy[n] = radius, kind, chunk.Velocity.x[i], chunk.Velocity.y[i]
  list.next[n], list.first[cell] = list.first[cell], n
end

local read = { C.Position, C.Velocity }
ecs.system("gather", {
  group = "play", queries = {
    ships = { read = { C.Ship, read[1], read[2] } }, enemies = { read = { C.Enemy, C.Kind, read[1], read[2] } },
    shots = { read = { C.Shot, read[1], read[2] } }, gems = { read = { C.Gem, read[1], read[2] } },
  },
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
    for chunk in ctx.queries.enemies:chunks() do
      local id = chunk.Kind.id
      for i = 1, chunk.count do put(lists.enemies, chunk, i, kinds[id].radius, id) end
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

return lists
