-- Named queries of a system, visited from its run, against what tables of entities say. Chunks have four rows.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local step = 0
local red, blue = C.Team { id = 1 }, C.Team { id = 2 }
local enemies = {}
for i = 1, 11 do world:spawn(C.Position { x = i, y = 1 }, i % 3 == 0 and red or blue) end
for i = 1, 23 do
  enemies[i] = world:spawn(C.Position { x = 10 * i }, C.Health { current = 0 }, C.Shield { power = i })
end
for i = 1, 23 do world:enable(enemies[i], C.Shield, i % 5 ~= 0 and i ~= 6) end

ecs.system("count steps", { group = "initialization", run = function() step = step + 1 end })

-- Rows of two queries, nested; one writes what the other reads, in other chunks.
ecs.system("aim", {
  queries = {
    towers = { read = { C.Position, C.Team } },
    enemies = { read = { C.Position }, write = { C.Health }, include_disabled = true },
  },
  run = function(chunk, ctx)
    t.equal(chunk, nil)
    local queries = ctx.queries
    local pairs_seen, index = 0, 0
    for tower in queries.towers:chunks() do
      local at, towers_here = tower.Position, tower.count
      index = index + 1
      t.equal(tower.index, index)
      for i = 1, towers_here do
        local x, rows = at.x[i], 0
        for enemy in queries.enemies:chunks() do
          local there, health = enemy.Position, enemy.Health
          t.equal(enemy.first_row, rows + 1)
          for j = 1, enemy.count do
            health.current[j] = math.min(1000, health.current[j] + (there.x[j] > x and 1 or 0))
            pairs_seen = pairs_seen + 1
          end
          rows = rows + enemy.count
          t.equal(at.x[i], x)             -- the outer chunk is still there, with its own rows
          t.equal(tower.count, towers_here)
          t.fails("row 5 is out of range", function() return at.x[5] end)
        end
        t.equal(rows, 23)
      end
    end
    t.equal(pairs_seen, 11 * 23)
    t.equal(queries.towers:entity_count(), 11)
    t.equal(queries.enemies:entity_count(), 23)
  end,
})

ecs.system("aim: after", {
  after = "aim", access = { read = { C.Position, C.Health } },
  run = function(_, ctx)
    for i = 1, 23 do
      local nearer = 0
      for k = 1, 11 do nearer = nearer + (10 * i > k and 1 or 0) end
      t.equal(ctx:try_get(enemies[i], C.Health).current, math.min(1000, nearer * step))
    end
  end,
})

-- The same rows under two names: every pair once. Enabled bits split chunks into runs of rows.
ecs.system("pairs", {
  after = "aim: after",
  queries = {
    one = { write = { C.Shield } }, other = { write = { C.Shield } },
    whole = { write = { C.Shield }, runs = true },
  },
  run = function(_, ctx)
    local one, other = ctx.queries.one, ctx.queries.other
    local seen, rows = {}, 0
    for a in one:chunks() do
      for i = 1, a.count do
        rows = rows + 1
        for b in other:chunks() do
          for j = 1, b.count do
            if a.entity[i] < b.entity[j] then
              local key = a.entity[i] .. " " .. b.entity[j]
              t.equal(seen[key], nil)
              seen[key] = true
              a.Shield.hits[i] = a.Shield.hits[i] + 1
              b.Shield.hits[j] = b.Shield.hits[j] + 1
            end
          end
        end
      end
    end
    local enabled = 23 - 4 - 1
    t.equal(rows, enabled)
    local count = 0
    for _ in pairs(seen) do count = count + 1 end
    t.equal(count, enabled * (enabled - 1) / 2)
    local by_runs, by_rows = 0, 0
    for chunk in ctx.queries.whole:chunks() do
      t.fails("this system asked for runs", function() return chunk.count end)
      for first, last in chunk:runs() do
        for i = first, last do
          t.equal(chunk.Shield.hits[i], step * (enabled - 1))
          by_runs = by_runs + 1
        end
      end
      for i in chunk:rows() do
        t.is_true(chunk.Shield.enabled[i])
        by_rows = by_rows + 1
      end
    end
    t.equal(by_runs, enabled)
    t.equal(by_rows, enabled)
  end,
})

-- Beside a query of its own: nested in the visit of each of its chunks.
ecs.system("beside", {
  query = { read = { C.Team, C.Position } },
  queries = { same_team = { read = { C.Team }, shared = { red } }, all = { read = { C.Team } } },
  run = function(chunk, ctx)
    local reds, all = 0, 0
    for other in ctx.queries.same_team:chunks() do
      t.equal(other.Team.id, 1)
      reds = reds + other.count
    end
    for other in ctx.queries.all:chunks() do all = all + other.count end
    t.equal(reds, 3)
    t.equal(all, 11)
    t.is_true(chunk.Team.id == 1 or chunk.Team.id == 2)
    t.equal(chunk.entity[1], chunk.entity[1])
    t.is_true(chunk.Position.x[chunk.count] >= 1)
    t.equal(ctx:try_get(chunk.entity[1], C.Team).id, chunk.Team.id)
  end,
})

-- In an order, with the order of another query around it.
ecs.system("ordered", {
  queries = {
    up = { read = { C.Position }, any = { C.Team, C.Health }, order_by = { C.Position, "x" } },
    down = { read = { C.Position }, write = { C.Health }, order_by = { C.Position, "x", "descending" } },
  },
  after = "pairs",
  run = function(_, ctx)
    local last = -1
    for chunk in ctx.queries.up:chunks() do
      for i = 1, chunk.count do
        t.is_true(chunk.Position.x[i] >= last)
        last = chunk.Position.x[i]
        if i == 1 then
          local before = 1e9
          for other in ctx.queries.down:chunks() do
            for j = 1, other.count do
              t.is_true(other.Position.x[j] <= before)
              before = other.Position.x[j]
              other.Health.max[j] = before + step
            end
          end
        end
      end
      t.fails("this query has an order", function() return chunk:changed(C.Position) end)
    end
    t.equal(last, 230)
    t.fails("of this system writes 'Health' in an order", function() return ctx:try_get(enemies[1], C.Health) end)
  end,
})
ecs.system("ordered: after", {
  after = "ordered", query = { read = { C.Position, C.Health } },
  run = function(chunk)
    for i = 1, chunk.count do t.equal(chunk.Health.max[i], chunk.Position.x[i] + step) end
  end,
})

-- What is kept beyond its time, and what is not a visit.
local kept = {}
ecs.system("kept", {
  queries = { a = { write = { C.Position } }, b = { read = { C.Position } } },
  access = { read = { C.Velocity } },
  run = function(_, ctx)
    local a, b = ctx.queries.a, ctx.queries.b
    if kept.chunk then
      t.fails("this chunk is used after its visit", function() return kept.chunk.count end)
      t.fails("no longer lent", function() return kept.column[1] end)
      t.fails("no longer lent", function() kept.column[1] = 5 end)
      t.fails("kept after its system's run", function() return kept.row.x end)
      t.fails("this chunk is used after its visit", function() return kept.chunk:changed(C.Position) end)
      t.fails("this visit has ended", function() return kept.next(kept.self, kept.chunk) end)
    end
    local before
    for chunk in a:chunks() do
      if before then
        t.fails("this chunk is used after its visit", function() return before.chunk.Position end)
        t.fails("no longer lent", function() return before.column[1] end)
        t.fails("no longer lent", function() before.column[1] = 7 end)
      end
      before = { chunk = chunk, column = chunk.Position.x }
      kept.chunk, kept.column, kept.row = chunk, chunk.Position.x, chunk.Position[1]
      chunk.Position.y[1] = chunk.Position.y[1] + 1
    end
    t.fails("no longer lent", function() return before.column[1] end)
    -- Again from the start, from inside its own visit: the outer one ends.
    local outer = 0
    local ok = pcall(function()
      for _ in a:chunks() do
        outer = outer + 1
        for _ in a:chunks() do break end
      end
    end)
    t.equal(ok, false)
    t.equal(outer, 1)
    local message = t.fails("ctx.queries.a: this visit has ended, since the query was visited again, or a job was " ..
      "started, before its end; to " ..
      "visit a query inside itself, declare it under two names", function()
        for _ in a:chunks() do for _ in a:chunks() do end end
      end)
    t.is_true(message:find("queries.lua:%d+:"))
    -- Left early, any number of times.
    for i = 1, 200 do
      for chunk in a:chunks() do
        t.equal(chunk.index, 1)
        for other in b:chunks() do
          t.equal(other.Position.y[1], chunk.Position.y[1])
          break
        end
        break
      end
    end
    -- In a coroutine that is never resumed.
    local co = coroutine.wrap(function() for chunk in b:chunks() do coroutine.yield(chunk) end end)
    t.is_true(co().count > 0)
    t.is_true(co().count > 0)
    -- The parts of the loop by hand.
    local next_chunk, self, nothing = b:chunks()
    kept.next, kept.self = next_chunk, self
    t.equal(nothing, nil)
    local first = next_chunk(self, nil)
    t.equal(first.index, 1)
    t.fails("this visit has ended", function() return next_chunk(self, 5) end)
    t.fails("this visit has ended", function() return next_chunk(self, kept.chunk) end)
    t.fails("this visit has ended", function() return next_chunk(a, nil) end)
    t.fails("this visit has ended", function() return next_chunk({}, first) end)
    t.fails("this visit has ended", function() return next_chunk() end)
    t.equal(next_chunk(self, first).index, 2)
    t.fails("this visit has ended", function() return next_chunk(self, first) end)
    repeat local chunk = next_chunk(self, nil) until chunk == nil
    t.equal(next_chunk(self, nil), nil)
    t.fails("call it as a method: ctx.queries.b:chunks()", function() return b.chunks() end)
    t.fails("call it as a method: ctx.queries.b:chunks()", function() return b.chunks(a) end)
    t.fails("ctx.queries.b has no 'chunk'; did you mean 'chunks'?", function() return b.chunk end)
    t.fails("ctx.queries has no entry 'aa'", function() return ctx.queries.aa end)
    t.fails("ctx.queries cannot be changed", function() ctx.queries.c = 5 end)
    t.fails("a query cannot be changed", function() a.chunks = 5 end)
    t.equal(tostring(a), "query a")
    t.fails("is read-only here", function() for chunk in b:chunks() do chunk.Position.x[1] = 1 end end)
    t.fails("'Velocity' is not in its query", function() for chunk in b:chunks() do return chunk.Velocity end end)
    kept.queries, kept.a = ctx.queries, a
  end,
})
ecs.system("kept: after", {
  after = "kept",
  run = function(_, ctx)
    t.fails("ctx.queries.a:chunks is used outside of its system's run", function() return kept.a:chunks() end)
    t.fails("ctx.queries.a:entity_count is used outside", function() return kept.queries.a:entity_count() end)
    t.fails("this visit has ended", function() return kept.next(kept.self, kept.chunk) end)
    t.fails("this system has no named queries", function() return ctx.queries end)
    if step == 3 then finished = true end
  end,
})
