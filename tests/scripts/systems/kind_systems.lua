-- What systems see of shared, chunk, enableable and cleanup components, and the query words beside read and write.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local step = 0
local red, blue = C.Team { id = 1, base = { 3, 4 } }, C.Team { id = 2 }
local team = {}
for i = 1, 10 do team[i] = world:spawn(C.Position { x = i }, i % 2 == 0 and red or blue) end
for i = 1, 6 do world:spawn(C.Velocity, C.Bounds, C.Health { current = i }) end
local shielded = {}
for i = 1, 11 do shielded[i] = world:spawn(C.Numbers { i32 = i }, C.Shield { power = i }, C.Stunned) end
for _, i in ipairs { 1, 4, 5, 6, 7, 8, 11 } do world:enable(shielded[i], C.Shield, false) end
for i = 1, 11 do world:enable(shielded[i], C.Stunned, i == 2) end

ecs.system("count steps", { group = "initialization", run = function() step = step + 1 end })

-- [K4] the chunk's one value, without an index; [Q5] chunk.index and chunk.first_row; [Q1] chunks of all that match
local kept_team, kept_base
local of_team = {}
ecs.system("teams", {
  query = { read = { C.Team, C.Position } },
  run = function(chunk, ctx)
    local id = chunk.Team.id
    for i = 1, chunk.count do of_team[chunk.entity[i]] = id end
    t.equal(chunk[C.Team].id, id)
    t.equal(chunk.Team.base.x, id == 1 and 3 or 0)
    t.is_true(chunk.index >= 1 and chunk.index <= ctx:chunk_count())
    t.equal(ctx:entity_count(), 10)
    t.equal(ctx:chunk_count(), 4)
    if chunk.index == 1 then t.equal(chunk.first_row, 1) end
    if chunk.index == 4 then t.equal(chunk.first_row + chunk.count - 1, 10) end
    t.fails("is shared by all rows of its chunks and is not written", function() chunk.Team.id = 3 end)
    t.fails("is shared by all rows", function() chunk.Team.base = { 1, 2 } end)
    t.fails("is shared by all rows", function() chunk.Team.base.x = 1 end)
    t.fails("component 'Team' has no field 'idd'; did you mean 'id'?", function() return chunk.Team.idd end)
    t.fails("has no field 1", function() return chunk.Team[1] end)
    t.fails("columns are written row by row", function() chunk.Team = red end)
    kept_team, kept_base = chunk.Team, chunk.Team.base
    t.equal(ctx:try_get(chunk.entity[1], C.Team).id, id)
    t.fails("is shared by all rows", function() ctx:try_get(chunk.entity[1], C.Team).id = 9 end)
    for first, last in chunk:runs() do
      t.equal(first, 1)
      t.equal(last, chunk.count)
    end
  end,
})
ecs.system("teams: after", {
  after = "teams",
  run = function(_, ctx)
    for i = 1, 10 do t.equal(of_team[team[i]], i % 2 == 0 and 1 or 2) end
    t.fails("no longer lent", function() return kept_team.id end)
    t.fails("no longer lent", function() return kept_base.x end)
    t.fails("is not declared", function() return ctx:try_get(team[1], C.Team) end)
  end,
})

-- [Q4] one value only
ecs.system("reds", {
  query = { write = { C.Position }, shared = { red } },
  run = function(chunk)
    for i = 1, chunk.count do t.equal(of_team[chunk.entity[i]] or 1, 1) end
    t.equal(chunk.first_row, chunk.index == 1 and 1 or 5)
  end,
})

-- [K7] bounding boxes, made again only in chunks in which something moved [Q3]
local rebuilt, visited = 0, 0
ecs.system("bounds", {
  query = { read = { C.Health }, write = { C.Bounds }, changed = { C.Health } },
  run = function(chunk)
    rebuilt = rebuilt + 1
    local least = math.huge
    for i = 1, chunk.count do least = math.min(least, chunk.Health.current[i]) end
    local bounds = chunk.Bounds
    bounds.min_x = least
    bounds.mood = least > 4 and "angry" or "calm"
    bounds.corner.y = -7.9
    bounds.corner = { x = least }
    bounds.counts[3] = 9
    bounds.spots[2].y = 2.5
    bounds.spots[1] = { 1, 2 }
    t.equal(bounds.min_x, least)
    t.equal(bounds.corner.y, -7)
    t.equal(bounds.counts[3], 9)
    t.equal(bounds.spots[2].y, 2.5)
    t.equal(bounds.spots[1].x, 1)
    t.fails("component 'Bounds', field 'min_x': expected f32, got 'x'", function() bounds.min_x = "x" end)
    t.fails("one of the labels calm, angry", function() bounds.mood = "clam" end)
    t.fails("expected u8 (0 to 255), got 256", function() bounds.counts[1] = 256 end)
    for _, key in ipairs { 0, 4, -1, 1.5, 2 ^ 53, 2 ^ 63, 1 / 0, 0 / 0, "1", true, print } do
      t.fails("has no field", function() return bounds.counts[key] end)
      t.fails("has no field", function() bounds.counts[key] = 1 end)
    end
    kept_bounds, kept_spot = bounds, bounds.spots[2]
  end,
})
ecs.system("look at bounds", {
  after = "bounds",
  query = { read = { C.Health, C.Bounds } },
  run = function(chunk)
    visited = visited + 1
    t.equal(chunk.Bounds.min_x, step >= 2 and chunk.index == 2 and 50 or chunk.Health.current[1])
    t.fails("is read-only here", function() chunk.Bounds.min_x = 1 end)
    t.fails("is read-only here", function() chunk.Bounds.corner.x = 1 end)
    t.fails("is read-only here", function() chunk.Bounds.corner = {} end)
    t.fails("no longer lent", function() return kept_bounds.min_x end)
    t.fails("no longer lent", function() return kept_spot.y end)
    t.fails("no longer lent", function() kept_spot.y = 1 end)
    t.fails("no longer lent", function() kept_bounds.corner = { x = 1 } end)
    t.equal(visited <= 2 and rebuilt, visited <= 2 and 2)
    if step >= 3 then t.equal(rebuilt, 3) end
  end,
})
ecs.system("move one", {
  after = "look at bounds", access = { write = { C.Health } },
  query = { read = { C.Health } },
  run = function(chunk, ctx)
    if step == 1 and chunk.index == 2 then
      for i = 1, chunk.count do ctx:try_get(chunk.entity[i], C.Health).current = 50 end
    end
  end,
})

-- Enableable: run sees runs of rows that are on, and nothing else
local seen = {}
ecs.system("shields", {
  query = { read = { C.Numbers }, write = { C.Shield } },
  run = function(chunk, ctx)
    if chunk.index == 1 then seen = {} end
    t.equal(chunk.first_row, #seen + 1)
    t.equal(ctx:entity_count(), 4)
    t.equal(ctx:chunk_count(), 2)
    for i = 1, chunk.count do
      seen[#seen + 1] = chunk.Numbers.i32[i]
      t.equal(chunk.Shield.power[i], chunk.Numbers.i32[i])
      t.equal(chunk.Shield.enabled[i], true)
      t.equal(chunk.Shield[i].power, chunk.Numbers.i32[i])
    end
    t.equal(#chunk.Shield.enabled, chunk.count)
    local from, to = 0, 0
    for first, last in chunk:runs() do from, to = from + first, to + last end
    t.equal(from, 1)
    t.equal(to, chunk.count)
    for row in chunk:rows() do
      from = from + 1
      t.equal(row, from - 1)
    end
    t.equal(from, chunk.count + 1)
    t.fails("out of range", function() return chunk.Shield.enabled[chunk.count + 1] end)
    kept_enabled = chunk.Shield.enabled
  end,
})
ecs.system("shields: after", {
  after = "shields",
  query = { read = { C.Numbers, C.Shield }, include_disabled = true },
  run = function(chunk)
    t.equal(table.concat(seen, " "), "2 3 9 10")
    t.fails("no longer lent", function() return kept_enabled[1] end)
    t.fails("no longer lent", function() kept_enabled[1] = true end)
    for i = 1, chunk.count do
      local n = chunk.Numbers.i32[i]
      t.equal(chunk.Shield.enabled[i], n == 2 or n == 3 or n == 9 or n == 10)
      t.fails("is read-only here", function() chunk.Shield.enabled[i] = true end)
    end
  end,
})
ecs.system("shields as runs", {
  query = { read = { C.Numbers, C.Shield }, runs = true },
  run = function(chunk, ctx)
    local rows, runs = {}, 0
    for first, last in chunk:runs() do
      runs = runs + 1
      for i = first, last do
        rows[#rows + 1] = chunk.Numbers.i32[i]
        t.is_true(chunk.Shield.enabled[i])
      end
    end
    t.equal(table.concat(rows, " "), chunk.index == 1 and "2 3" or "9 10")
    local again = {}
    for row in chunk:rows() do again[#again + 1] = chunk.Numbers.i32[row] end
    t.equal(table.concat(again, " "), table.concat(rows, " "))
    t.equal(chunk.first_row, chunk.index == 1 and 1 or 3)
    t.equal(ctx:chunk_count(), 2)
    t.equal(#chunk.Numbers.i32, chunk.index == 1 and 4 or 3)
    t.fails("this system asked for runs", function() return chunk.count end)
    local iterate = chunk:runs()
    for _, bad in ipairs { -1, 1e9, 2 ^ 53, -2 ^ 63, 1 / 0, 0 / 0, "1", {}, true, 5LL, print } do
      local ok, first, last = pcall(iterate, nil, bad)
      if ok and first ~= nil then t.is_true(first <= 65535 and last <= 65535) end
      t.is_true(not ok or bad ~= bad or type(bad) == "number", tostring(bad))
    end
    t.fails("wrong row", iterate, nil, -1)
    t.fails("wrong row", iterate, nil, 2 ^ 32)
    t.fails("wrong row", iterate, nil, 2050)
    t.fails("wrong row", iterate, setmetatable({}, { __index = function() return 1e9 end }), 1e6)
    local walk = chunk:rows()
    for _, bad in ipairs { -1, 5, 1e9, 2 ^ 53, -2 ^ 63, 2 ^ 63, 1 / 0, 0 / 0, "1", {}, true, 5LL, print } do
      t.fails("wrong row", walk, nil, bad)
    end
    t.fails("wrong row", walk)
    t.fails("call it as a method", chunk.rows, {})
    t.fails("call it as a method", chunk.runs, {})
    t.fails("call it as a method", chunk.runs)
    kept_runs, kept_rows, kept_chunk = iterate, walk, chunk
  end,
})
ecs.system("shields as runs: after", {
  after = "shields as runs",
  run = function()
    t.fails("outside of the visit", kept_runs, nil, 0)
    t.fails("outside of the visit", kept_rows, nil, 0)
    t.fails("used after its visit", function() for _ in kept_chunk:rows() do error("a row") end end)
    t.fails("used after its visit", function() for _ in kept_chunk:runs() do error("a row") end end)
  end,
})
-- a filter only: those that are not stunned, or do not have it
ecs.system("awake", {
  query = { read = { C.Numbers }, without = { C.Stunned } },
  run = function(chunk)
    for i = 1, chunk.count do t.is_true(chunk.Numbers.i32[i] ~= 2) end
    t.equal(chunk.index == 1 and chunk.count or 1, 1)
  end,
})
-- an optional one does not filter; one without fields is nothing but its bits
local stunned = 0
ecs.system("flip", {
  query = { optional = { write = { C.Stunned } }, read = { C.Numbers, C.Shield }, include_disabled = true },
  after = { "awake", "shields: after", "shields as runs" },
  run = function(chunk)
    local bits = chunk.Stunned.enabled
    for i = 1, chunk.count do
      if bits[i] then stunned = stunned + 1 end
      if step == 3 then bits[i] = not bits[i] end
    end
    t.fails("expected true or false, got 1", function() bits[1] = 1 end)
    t.fails("expected true or false, got nil", function() bits[1] = nil end)
    for _, bad in ipairs { 0, -1, chunk.count + 1, 2 ^ 31, 2 ^ 53, 1 / 0, 0 / 0, "1", {}, true, 1LL } do
      t.is_true(not pcall(function() return bits[bad] end), tostring(bad))
      t.is_true(not pcall(function() bits[bad] = true end), tostring(bad))
    end
    t.fails("has no field", function() return chunk.Stunned.x end)
    t.is_true(not pcall(function() return chunk.Stunned[1] end))
    t.is_true(not pcall(function() chunk.Stunned[1] = {} end))
  end,
})

-- [Q1] order: gathered from all chunks, written back
local last_power
ecs.system("by power", {
  query = { write = { C.Shield }, read = { C.Numbers }, order_by = { C.Shield, "power", "descending" } },
  run = function(chunk)
    if chunk.index == 1 then last_power = math.huge end
    for i = 1, chunk.count do
      t.is_true(chunk.Shield.power[i] <= last_power)
      t.is_true(chunk.Shield.enabled[i])
      last_power = chunk.Shield.power[i]
      chunk.Shield.hits[i] = chunk.Shield.hits[i] + 1
    end
  end,
})

-- [K5] cleanup: new, active and destroyed, seen by the one system that owns it
local log = {}
local noisy = world:spawn(C.Health { current = 7 }, C.Marked)
ecs.system("voices", {
  query = { read = { C.Marked }, without = { C.Voice } }, access = { write = { C.Voice } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      log[#log + 1] = "new"
      ctx.commands:add(chunk.entity[i], C.Voice { channel = 3 })
    end
  end,
})
ecs.system("strangers", {
  after = "voices", query = { read = { C.Voice } },
  run = function(chunk, ctx)
    t.fails("system 'strangers'", function() ctx.commands:remove(chunk.entity[1], C.Voice) end)
    t.fails("'Voice'", function() ctx.commands:add(chunk.entity[1], C.Voice) end)
    t.fails("'Voice'", function() ctx.commands:set(chunk.entity[1], C.Voice { channel = 1 }) end)
    t.fails("'Voice'", function() ctx.commands:spawn(C.Voice) end)
    t.fails("'Voice'", function() ctx.commands:change(chunk.entity[1], { C.Voice }) end)
    t.fails("is read-only here", function() chunk.Voice.channel[1] = 4 end)
    if step == 2 then
      log[#log + 1] = "active " .. chunk.Voice.channel[1]
      ctx.commands:destroy(noisy)
    else
      log[#log + 1] = "destroyed " .. tostring(ctx:is_alive(noisy))
      t.equal(chunk.entity[1], noisy)
    end
  end,
})
t.fails("Voice", ecs.system, "thieves", { query = { write = { C.Voice } }, run = print })
t.fails("Voice", ecs.system, "thieves", { access = { write = { C.Voice } }, run = print })
ecs.system("rooms", { access = { write = { C.Room } }, run = function() end })  -- the first that writes it owns it
t.fails("Room", ecs.system, "room thieves", { access = { write = { C.Room } }, run = print })

ecs.system("the end", {
  group = "presentation",
  run = function()
    if step < 3 then return end
    t.equal(table.concat(log, ", "), "new, active 3, destroyed false")
    t.equal(stunned, 3)
    finished = true
  end,
})
