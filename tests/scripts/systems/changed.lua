-- chunk:changed against what a query's `changed` filter says, and against a list of what was written. [Q3]
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local step = 0
local movers, plain = {}, {}
for i = 1, 30 do movers[i] = world:spawn(C.Position { x = i }, C.Velocity, C.Numbers, C.Body) end
for i = 1, 10 do plain[i] = world:spawn(C.Position { x = i }, C.Marked, C.Shield) end
local Extra = ecs.prefab("Extra", { C.Position, C.Velocity, C.Numbers, C.Body })

ecs.system("count steps", { group = "initialization", run = function() step = step + 1 end })

-- Writes one row now and then, and adds and removes rows.
local touched = {}
ecs.system("touch", {
  access = { write = { C.Position, C.Velocity, C.Numbers } },
  run = function(_, ctx)
    local random = ctx.random
    touched = {}
    for _ = 1, random:integer(0, 3) do
      local entity = movers[random:integer(1, #movers)]
      local what = ({ C.Position, C.Velocity })[random:integer(1, 2)]
      local row = ctx:try_get(entity, what)
      if row then row.x = random:unit() end
    end
    for _ = 1, random:integer(0, 2) do
      local entity = movers[random:integer(1, #movers)]
      local row = ctx:try_get(entity, C.Numbers)
      if row then
        row.i32 = random:integer(1, 100)
        touched[entity] = true
      end
    end
    if step % 7 == 3 then ctx.commands:spawn(Extra) end
    if step % 11 == 5 then ctx.commands:destroy(movers[random:integer(1, #movers)]) end
    if step % 5 == 1 then ctx.commands:enable(plain[random:integer(1, 10)], C.Shield, step % 2 == 0) end
  end,
})

-- A filter for each component shows the chunks for which the question has the answer true.
local passed = { Position = {}, Velocity = {}, Shield = {}, Marked = {} }
for name, seen in pairs(passed) do
  ecs.system("filter " .. name, {
    group = "presentation", query = { read = { C.Position }, changed = { C[name] }, runs = true },
    run = function(chunk) seen[chunk.entity[1]] = step end,
  })
end

local asked, answers = 0, { [true] = 0, [false] = 0 }
local function look(chunk)
  for name, seen in pairs(passed) do
    local answer = chunk:changed(C[name])
    asked = asked + 1
    answers[answer] = answers[answer] + 1
    t.equal(answer, seen[chunk.entity[1]] == step, name .. " in step " .. step)
  end
end
ecs.system("look", {
  group = "presentation", after = { "filter Position", "filter Velocity", "filter Shield", "filter Marked" },
  query = { read = { C.Position }, optional = { C.Velocity }, runs = true },
  access = { read = { C.Shield, C.Marked } },
  run = look,
})
ecs.system("look from inside", {
  group = "presentation", after = "look",
  queries = {
    all = { read = { C.Position }, optional = { C.Marked }, runs = true },
    more = { changed = { C.Velocity }, any = { C.Shield, C.Position }, include_disabled = true },
  },
  run = function(_, ctx)
    for chunk in ctx.queries.all:chunks() do look(chunk) end
    for chunk in ctx.queries.more:chunks() do t.is_true(chunk:changed(C.Velocity)) end
  end,
})

-- Of what it writes itself: true for what others wrote since, although its own visit marks the column.
local by_hand = 0
ecs.system("write", {
  after = "touch", query = { write = { C.Numbers } },
  run = function(chunk)
    local numbers, expected = chunk.Numbers, chunk:changed()
    if step == 1 then t.is_true(expected) end
    for i = 1, chunk.count do
      if touched[chunk.entity[i]] then expected = true end
      numbers.u8[i] = step % 256
    end
    t.equal(chunk:changed(C.Numbers), expected)
    t.equal(chunk:changed(C.Numbers), expected)
    if not expected then by_hand = by_hand + 1 end
  end,
})
ecs.system("write twice", {
  after = "write", queries = { bodies = { write = { C.Body } } },
  run = function(_, ctx)
    for chunk in ctx.queries.bodies:chunks() do t.equal(chunk:changed(C.Body), chunk:changed()) end
    -- The second visit of a run sees that the first one wrote.
    for chunk in ctx.queries.bodies:chunks() do t.is_true(chunk:changed(C.Body)) end
  end,
})

-- Rows only: as often as rows came and went.
ecs.system("rows", {
  group = "presentation", query = { read = { C.Position } }, access = { read = { C.Bounds } },
  run = function(chunk)
    if chunk:changed() then t.is_true(chunk:changed(C.Position)) end
    t.equal(chunk:changed(C.Bounds), false)  -- no chunk has it
  end,
})

local tried
ecs.system("mistakes", {
  query = { read = { C.Position } }, access = { read = { C.Wave, C.Hit } },
  run = function(chunk, ctx)
    local changed = chunk.changed
    t.fails("chunk:changed: 'Health' is not declared; add it to the query, or to access.read of the system",
      function() return chunk:changed(C.Health) end)
    t.fails("chunk:changed: 'Wave' is a resource, and chunks contain components",
      function() return chunk:changed(C.Wave) end)
    t.fails("chunk:changed: 'Hit' is an event, and chunks contain components",
      function() return chunk:changed(C.Hit) end)
    t.fails("chunk:changed: expected a component such as C.Position, got 'Position'",
      function() return chunk:changed("Position") end)
    t.fails("call it as a method: chunk:changed(C.Position)", function() return changed(C.Position) end)
    if not tried then
      tried = true
      ctx.commands:spawn_many(Extra, 1, function(rows)
        t.fails("chunk:changed: these rows are new", function() return rows:changed(C.Position) end)
        t.fails("chunk:changed: these rows are new", function() return rows:changed() end)
      end)
    end
    if step == 200 then
      t.is_true(asked > 5000 and answers[true] > 500 and answers[false] > 500)
      t.is_true(by_hand > 200)
      finished = true
    end
  end,
})
ecs.system("sorted", {
  query = { read = { C.Position }, order_by = { C.Position, "x" } },
  run = function(chunk) t.fails("this query has an order", function() return chunk:changed(C.Position) end) end,
})
