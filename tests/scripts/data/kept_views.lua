-- Whatever shows rows is kept, in tables, upvalues and coroutines, and used at every later moment: in the next visit of
-- the same system, in other systems, reactions and frames, outside of systems. Each use is an error and none reads or
-- writes a row; within its own visit each works. Two systems with the same views visit many chunks of different sizes, so
-- that a view that is lent again is always near.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

for i = 1, 12 do
  for k = 1, i do
    world:spawn(C.Position { x = i, y = k }, C.Health { current = i }, C.Shield { power = k }, C.Team { id = i },
      C.Bounds, C.Path, C.Brain, C.Numbers { i32 = i, i64 = k })
  end
end

-- ---- what is kept -----------------------------------------------------------------------------------------------

-- function(chunk) -> what is kept; function(kept, row) that uses it.
local kinds = {
  { function(chunk) return chunk end, function(kept) return kept.count end },
  { function(chunk) return chunk end, function(kept) return kept.index end },
  { function(chunk) return chunk end, function(kept, row) return kept.Position.x[row] end },
  { function(chunk) return chunk end, function(kept) return kept.Team end },
  { function(chunk) return chunk.entity end, function(kept, row) return kept[row] end },
  { function(chunk) return chunk.Position end, function(kept, row) return kept.x[row] end },
  { function(chunk) return chunk.Position end, function(kept, row) return kept[row].x end },
  { function(chunk) return chunk.Position end, function(kept, row) kept[row] = { x = -1 } end },
  { function(chunk) return chunk.Position end, function(kept) return #kept end },
  { function(chunk) return chunk.Position.y end, function(kept, row) return kept[row] end },
  { function(chunk) return chunk.Position.y end, function(kept, row) kept[row] = kept[row] end },
  { function(chunk) return chunk.Position.x end, function(kept, row) kept[row] = -1 end },
  { function(chunk) return chunk.Numbers.i32 end, function(kept, row) kept[row] = -1 end },
  { function(chunk) return chunk.Numbers.i64 end, function(kept, row) return kept[row] end },
  { function(chunk, row) return chunk.Position[row] end, function(kept) return kept.x end },
  { function(chunk, row) return chunk.Position[row] end, function(kept) kept.x = -1 end },
  { function(chunk) return chunk.Shield.enabled end, function(kept, row) return kept[row] end },
  { function(chunk) return chunk.Shield.enabled end, function(kept, row) kept[row] = false end },
  { function(chunk) return chunk.Team end, function(kept) return kept.id end },
  { function(chunk) return chunk.Team.base end, function(kept) return kept.x end },
  { function(chunk) return chunk.Bounds end, function(kept) kept.min_x = -1 end },
  { function(chunk) return chunk.Bounds.corner end, function(kept) return kept.x end },
  { function(chunk) return chunk.Path end, function(kept, row) return kept[row] end },
  { function(chunk, row) return chunk.Path[row] end, function(kept) return kept.count end },
  { function(chunk, row) return chunk.Path[row] end, function(kept) kept:push { x = 1 } end },
  { function(chunk, row) return chunk.Path[row].x end, function(kept) return kept[1] end },
  { function(chunk) return chunk.Brain end, function(kept, row) return kept[row] end },
  { function(chunk) return chunk.Brain end, function(kept, row) kept[row] = "bad" end },
  { function(chunk) return { chunk:runs() } end, function(kept) return kept[1](kept[2], 0) end },
  { function(chunk) return { chunk:rows() } end, function(kept) return kept[1](kept[2], 0) end },
}
local batch_kinds = {
  { function(batch) return batch end, function(kept) return kept.count end },
  { function(batch) return batch end, function(kept) return #kept end },
  { function(batch) return batch.target end, function(kept, row) return kept[row] end },
  { function(batch) return batch.amount end, function(kept, row) return kept[row] end },
  { function(batch, row) return batch[row] end, function(kept) return kept.amount end },
}
local observed_kinds = {
  { function(batch) return batch end, function(kept) return kept.count end },
  { function(batch) return batch.entity end, function(kept, row) return kept[row] end },
  { function(batch) return batch.Health end, function(kept, row) return kept.current[row] end },
  { function(batch) return batch.Health.current end, function(kept, row) return kept[row] end },
  { function(batch, row) return batch.Health[row] end, function(kept) return kept.current end },
}

local words = { "no longer lent", "used after its visit", "kept after its system's run", "used after its run",
  "outside of the visit to its chunk", "batches end with the run of their system" }

local function is_told(message)
  for _, word in ipairs(words) do
    if string.find(message, word, 1, true) then return true end
  end
  return false
end

-- ---- how it is kept ---------------------------------------------------------------------------------------------

local function in_upvalue(kind, kept)
  return function(row) return kind[2](kept, row) end
end
local function in_table(kind, kept)
  local place = { deep = { kept } }
  return function(row) return kind[2](place.deep[1], row) end
end
local function in_coroutine(kind, kept)
  local thread = coroutine.wrap(function()
    local row = coroutine.yield()
    while true do
      local ok, message = pcall(kind[2], kept, row)
      row = coroutine.yield(ok, message)
    end
  end)
  thread()
  return function(row)
    local ok, message = thread(row)
    if not ok then error(message, 0) end
  end
end
local ways = { in_upvalue, in_table, in_coroutine }

local stale, fresh, used = {}, {}, 0

local function keep(list, object)
  for _, kind in ipairs(list) do
    local use = ways[math.random(#ways)](kind, kind[1](object, 1))
    local ok, message = pcall(use, 1)
    t.is_true(ok, message)
    fresh[#fresh + 1] = use
  end
end

-- What was fresh in the visit before is stale now.
local function age()
  for i = 1, #fresh do
    if #stale < 3000 then
      stale[#stale + 1] = fresh[i]
    else
      stale[math.random(#stale)] = fresh[i]
    end
    fresh[i] = nil
  end
end

local function use_stale(where)
  for _ = 1, math.min(#stale, 60) do
    local use = stale[math.random(#stale)]
    local ok, message = pcall(use, math.random(3))
    used = used + 1
    t.is_true(not ok, where .. ": something kept was read or written")
    t.is_true(is_told(message), where .. ": " .. tostring(message))
  end
end

-- Loops that are compiled while a column is good go on testing when it is not.
local kept_column
local function sum_of(column, count)
  local sum = 0
  for i = 1, count do sum = sum + column[i] end
  return sum
end

local query = {
  write = { C.Position, C.Shield, C.Bounds, C.Path, C.Brain, C.Numbers }, read = { C.Team },
}
for number = 1, 2 do
  ecs.system("visitor " .. number, {
    query = query, access = { write = { C.Hit } },
    run = function(chunk, ctx)
      age()
      use_stale("the next visit")
      local column = chunk.Position.x
      for _ = 1, 20 do sum_of(column, chunk.count) end
      if kept_column then
        t.is_true(not pcall(sum_of, kept_column, 1))
        t.is_true(not pcall(function() return kept_column[1] end))
      end
      kept_column = column
      for i = 1, chunk.count do t.equal(column[i], chunk.Team.id) end
      keep(kinds, chunk)
      chunk.Position.x[1], chunk.Shield.enabled[1] = chunk.Team.id, true  -- as they were
      if chunk.index == 3 then ctx:send(C.Hit, { amount = 1 }) end
    end,
  })
end

ecs.system("hits", {
  after = "visitor 2", access = { read = { C.Hit } },
  run = function(_, ctx)
    age()
    use_stale("a system without rows")
    local events = ctx:events(C.Hit)
    if events.count > 0 then keep(batch_kinds, events) end
  end,
})
ecs.on(C.Hit, function(events)
  age()
  use_stale("a reaction")
  keep(batch_kinds, events)
end)
ecs.on_changed(C.Health, function(batch)
  age()
  use_stale("an observer")
  keep(observed_kinds, batch)
end)
ecs.system("change", {
  group = "initialization",
  run = function(_, ctx)
    age()
    use_stale("initialization")
    local out = ctx:send_many(C.Hit, 2)
    local second = ctx:send_many(C.Hit, 2)
    t.fails("no events here", function() out.amount[1] = 5 end)
    second.amount[1] = 2
  end,
  access = { write = { C.Hit } },
})
ecs.system("hurt", {
  group = "initialization", query = { write = { C.Health } },
  run = function(chunk)
    age()
    use_stale("another query")
    for i = 1, chunk.count do chunk.Health.current[i] = chunk.Health.current[i] + 1 end
  end,
})

function between_steps()
  age()
  use_stale("outside of systems")
end

local steps = 0
ecs.system("end", {
  group = "presentation",
  run = function()
    steps = steps + 1
    if steps == 12 then
      t.is_true(used > 10000, "too few uses: " .. used)
      finished = true
    end
  end,
})
