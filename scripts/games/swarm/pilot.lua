-- Plays the demonstration: runs from near enemies, walks to pick-ups, and takes new weapons.
local ecs = require "ecs"
local C = ecs.components

local pilot = {}

local kThinkEvery = 6       -- steps
local kTreatInSight = 260   -- px
local kRim = 1000           -- px from the centre: beyond, it turns back
local kHalf = math.sqrt(0.5)
local directions = {
  { 0, 0 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 }, { kHalf, kHalf }, { kHalf, -kHalf }, { -kHalf, kHalf },
  { -kHalf, -kHalf },
}

-- How bad it is to walk that way: enemies that would be near, and the distance to the treat.
local function cost(at, senses, memory, dx, dy, speed)
  local sum = 0
  for place = 1, senses.count do
    for ahead = 1, 3 do
      local ex = at.x + dx * speed * ahead * 0.25 - senses.x[place]
      local ey = at.y + dy * speed * ahead * 0.25 - senses.y[place]
      local gap = math.max(0, math.sqrt(ex * ex + ey * ey) - 20)
      sum = sum + 8 / (1 + gap * gap / 300)
    end
  end
  local x, y = at.x + dx * speed * 0.6, at.y + dy * speed * 0.6
  sum = sum + math.max(0, math.abs(x) - kRim, math.abs(y) - kRim)
  if memory.distance < kTreatInSight then
    local tx, ty = memory.treat_x - x, memory.treat_y - y
    sum = sum - 9 / (1 + math.sqrt(tx * tx + ty * ty) / 40)
  end
  return sum
end

local function think(ctx, memory)
  local at, senses, speed = ctx:resource(C.Hero), ctx:resource(C.Senses), ctx:resource(C.Stats).speed
  local best, x, y = math.huge, 0, 0
  for i = 1, #directions do
    local dx, dy = directions[i][1], directions[i][2]
    local value = cost(at, senses, memory, dx, dy, speed)
    if dx == memory.x and dy == memory.y then value = value - 0.3 end  -- prevents jitter
    if value < best then best, x, y = value, dx, dy end
  end
  memory.x, memory.y = x, y
end

--- Decides where to walk; "walk" reads it.
ecs.system("pilot", {
  group = "simulation", before = "walk",
  access = { read = { C.Game, C.Clock, C.Hero, C.Senses, C.Stats }, write = { C.Pilot } },
  run = function(_, ctx)
    if not ctx:resource(C.Game).demo or not ctx:resource(C.Clock).running then return end
    local memory = ctx:resource(C.Pilot)
    if memory.wait > 0 then
      memory.wait = memory.wait - 1
      return
    end
    memory.wait = kThinkEvery
    think(ctx, memory)
    memory.distance = 1e9  -- found again by "look about"
  end,
})

--- The nearest pick-up.
ecs.system("look about", {
  group = "simulation", after = "pickups", query = { read = { C.Position, C.Pickup } },
  access = { read = { C.Game, C.Hero }, write = { C.Pilot } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Game).demo then return end
    local at, memory, pos = ctx:resource(C.Hero), ctx:resource(C.Pilot), chunk.Position
    for i = 1, chunk.count do
      local dx, dy = pos.x[i] - at.x, pos.y[i] - at.y
      local distance = math.sqrt(dx * dx + dy * dy)
      if distance < memory.distance then
        memory.distance, memory.treat_x, memory.treat_y = distance, pos.x[i], pos.y[i]
      end
    end
  end,
})

--- The card that it takes: the first weapon that it lacks, else the first card.
function pilot.card(offer, arsenal, list)
  for place = 1, offer.count do
    local number = offer.card[place]
    if list[number].weapon and arsenal.level[number] == 0 then return place end
  end
  return 1
end

return pilot
