-- Queries with an order beside terms that are more than a column: buffers, objects, bits, shared values.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

-- Keys in no order, spread over several archetypes and chunks of four rows.
local kCount = 23
local keys = {}
for i = 1, kCount do
  local key = i * 7 % kCount
  local e = world:spawn(C.Health { current = key }, C.Path, C.Brain)
  if i % 3 == 0 then world:add(e, C.Steps) end
  if i % 2 == 0 then world:add(e, C.Team { id = 1 }) end
  for n = 1, key % 6 do world:buffer(e, C.Path):push { x = key, y = n } end
  world:set_object(e, C.Brain, { mood = key })
  keys[e] = key
end

local step, visits = 0, {}

-- Every row once, in order, with its own buffer and object; both may be changed, and numbers are written back.
local function check_walk(chunk, ctx, seen, direction)
  t.equal(ctx:entity_count(), kCount)
  t.equal(chunk.index, seen.visits + 1)
  t.equal(chunk.first_row, seen.rows + 1)
  t.is_true(chunk.index <= ctx:chunk_count())
  t.equal(#chunk.Path, chunk.count)
  t.equal(#chunk.Brain, chunk.count)
  for i = 1, chunk.count do
    local e, key = chunk.entity[i], chunk.Health.current[i]
    t.equal(key, direction > 0 and seen.rows + i - 1 or kCount - seen.rows - i)
    t.equal(keys[e], key)
    local path = chunk.Path[i]
    t.equal(path.count, key % 6 + step)
    for n = 1, key % 6 do
      t.equal(path.x[n], key)
      t.equal(path.y[n], n)
    end
    t.equal(chunk.Brain[i].mood, key)
  end
  seen.visits, seen.rows = seen.visits + 1, seen.rows + chunk.count
end

local up = { visits = 0, rows = 0 }
ecs.system("[Q1] ascending, read only", {
  query = { read = { C.Health, C.Path, C.Brain }, order_by = { C.Health, "current" } },
  run = function(chunk, ctx)
    check_walk(chunk, ctx, up, 1)
    t.fails("is read-only here", function() chunk.Path[1]:push { x = 1 } end)
    t.fails("is read-only here", function() chunk.Brain[1] = 1 end)
    t.fails("out of range", function() return chunk.Path[chunk.count + 1] end)
    t.fails("out of range", function() return chunk.Brain[0] end)
    if up.rows == kCount then
      t.equal(up.visits, ctx:chunk_count())
      up = { visits = 0, rows = 0 }
    end
  end,
})

local down = { visits = 0, rows = 0 }
ecs.system("[Q1] descending, written", {
  after = "[Q1] ascending, read only",
  query = {
    write = { C.Path, C.Brain, C.Health }, optional = { write = { C.Steps } },
    order_by = { C.Health, "current", "descending" },
  },
  run = function(chunk, ctx)
    check_walk(chunk, ctx, down, -1)
    for i = 1, chunk.count do
      local key = chunk.Health.current[i]
      chunk.Path[i]:push { x = 100 + key, y = step }
      chunk.Brain[i] = { mood = key, times = step + 1 }
      chunk.Health.max[i] = 200 + key
      if chunk.Steps then chunk.Steps[i]:push { n = key } end
    end
    visits[#visits + 1] = chunk.Steps ~= nil
    if down.rows == kCount then
      t.equal(down.visits, ctx:chunk_count())
      down = { visits = 0, rows = 0 }
    end
  end,
})

-- Shared values split the visit where they change; the rows stay in order.
local last = -1
ecs.system("[Q1] [K4] with a shared term", {
  after = "[Q1] descending, written",
  query = { read = { C.Health, C.Team, C.Path, C.Brain }, order_by = { C.Health, "current" } },
  run = function(chunk, ctx)
    if chunk.index == 1 then last = -1 end
    t.equal(chunk.Team.id, 1)
    t.equal(ctx:entity_count(), math.floor(kCount / 2))
    for i = 1, chunk.count do
      t.is_true(chunk.Health.current[i] > last)
      last = chunk.Health.current[i]
      t.equal(chunk.Path[i].x[chunk.Path[i].count], 100 + last)
      t.equal(chunk.Brain[i].times, step + 1)
    end
  end,
})

ecs.system("afterwards", {
  after = "[Q1] [K4] with a shared term", access = { read = { C.Health, C.Path, C.Brain, C.Steps } },
  run = function(_, ctx)
    step = step + 1
    for e, key in pairs(keys) do
      t.equal(ctx:try_get(e, C.Health).max, 200 + key)
      t.equal(ctx:buffer(e, C.Path).count, key % 6 + step)
      t.equal(ctx:object(e, C.Brain).times, step)
      local steps = ctx:buffer(e, C.Steps)
      if steps then
        t.equal(steps.count, step)
        t.equal(steps.n[step], key)
      end
    end
    if step == 3 then
      local with, without = 0, 0
      for _, has_steps in ipairs(visits) do
        if has_steps then with = with + 1 else without = without + 1 end
      end
      t.is_true(with > 3 and without > 3)
      finished = true
    end
  end,
})

-- What has no number per row cannot give the order; handles count like systems do.
t.fails("order by 'Path': expected a component with a value per row, got a buffer", function()
  ecs.query { read = { C.Path }, order_by = { C.Path, "x" } }
end)
t.fails("order by 'Brain': expected a component with a value per row, got a", function()
  ecs.query { read = { C.Brain }, order_by = { C.Brain, "x" } }
end)
local ordered = ecs.query { read = { C.Path, C.Brain, C.Health }, order_by = { C.Health, "current" } }
t.equal(world:entity_count(ordered), kCount)
t.is_true(world:chunk_count(ordered) >= 1)
