-- Buffers: as columns of a chunk, by entity, through commands, outside of systems, and when they are misused.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local walkers = {}
for i = 1, 10 do walkers[i] = world:spawn(C.Path, C.Position { x = i }) end
local target = world:spawn(C.Health)
local step, kept, kept_column, kept_recorded, visited = 0, nil, nil, nil, 0
local born, early

local function check_elements(p, wanted)
  t.equal(p.count, #wanted)
  t.equal(#p, #wanted)
  for k = 1, #wanted do
    t.equal(p.x[k], wanted[k])
    t.equal(p[k].x, wanted[k])
  end
end

ecs.system("[K6] fill by row", {
  query = { write = { C.Path }, read = { C.Position } },
  run = function(chunk)
    if step > 0 then return end
    for i = 1, chunk.count do
      visited = visited + 1
      local p, n = chunk.Path[i], chunk.Position.x[i]
      t.equal(p.count, 0)
      for k = 1, n do p:push { x = k * n, y = -k } end
      t.equal(p.count, n)
      for k = 1, n do
        t.equal(p.x[k], k * n)
        p.y[k] = p.y[k] * 2
        t.equal(p[k].y, -2 * k)
        t.equal(p.cost[k], 5)
        t.equal(p.mood[k], "calm")
      end
      kept, kept_column = p, chunk.Path
      t.fails("out of range, this chunk has rows 1 to", function() return chunk.Path[chunk.count + 1] end)
      t.fails("out of range", function() return chunk.Path[0 / 0] end)
      t.fails("each row has a buffer", function() return chunk.Path.x end)
      t.fails("changed through its methods", function() chunk.Path[i] = {} end)
    end
  end,
})

ecs.system("[K6] read only", {
  query = { read = { C.Path } },
  run = function(chunk)
    for i = 1, chunk.count do
      local p = chunk.Path[i]
      local sum = 0
      for k = 1, p.count do sum = sum + p.x[k] + p.at.x[k] end
      t.fails("is read-only here", function() p:push {} end)
      t.fails("is read-only here", function() p:clear() end)
      t.fails("is read-only here", function() p.x[1] = 2 end)
      t.fails("is read-only here", function() p[1] = {} end)
      if p.count > 0 then t.fails("is read-only here", function() p[1].x = 2 end) end
    end
  end,
})

local function check_methods(p)
  p:clear()
  for _, x in ipairs { 10, 20, 30 } do p:push { x = x } end
  p:insert(1, { x = 5 })
  p:insert(5, { x = 40 })
  check_elements(p, { 5, 10, 20, 30, 40 })  -- five do not fit into the chunk
  p:insert(3)
  t.equal(p.x[3], 1)
  p:remove(3)
  p:remove(1)
  p:remove(4)
  check_elements(p, { 10, 20, 30 })
  p:trim()
  check_elements(p, { 10, 20, 30 })
  p:resize(6)
  check_elements(p, { 10, 20, 30, 1, 1, 1 })
  p:resize(1)
  check_elements(p, { 10 })
  p[1] = { y = 7, at = { x = 1, y = 2 } }
  t.equal(p[1].x, 10)
  t.equal(p[1].y, 7)
  t.equal(p.at.y[1], 2)
  p.at.x[1] = 9
  t.equal(p[1].at.x, 9)
  p[1].at = { 3, 4 }
  p[1].at.x = 5
  t.equal(p[1].at.y, 4)
  t.equal(p.at.x[1], 5)
  p[1].mood = "angry"
  t.equal(p.mood[1], "angry")
  p.next[1] = target
  t.equal(p[1].next, target)
  p[1].next = nil
  t.equal(p.next[1], nil)
  p.pair[2][1] = 200
  t.equal(p[1].pair[2], 200)
  p.cost[1] = 100  -- beyond its range
  t.equal(p[1].cost, 9)
  t.equal(tostring(p), "buffer of component 'Path'")
end

local function check_mistakes(p)
  p:resize(2)
  for _, k in ipairs { 0, 3, -1, 0 / 0, 1 / 0, 2 ^ 53 } do
    t.fails("element " .. tostring(k) .. " is out of range, this buffer has elements 1 to 2", function() return p.x[k] end)
    t.fails("out of range", function() p.x[k] = 1 end)
    t.fails("out of range", function() return p[k] end)
    t.fails("out of range", function() p[k] = {} end)
    t.fails("out of range", function() p:remove(k) end)
    if k ~= 3 then t.fails("out of range", function() p:insert(k) end) end
  end
  t.fails("out of range", function() p:remove(1.5) end)
  t.fails("must be a number, got nil", function() p:remove() end)
  t.fails("has no field 'z'", function() return p.z end)
  t.fails("did you mean 'count'?", function() return p.cout end)
  t.fails("unknown field 'z'", function() p:push { z = 1 } end)
  t.fails("expected a table of fields, got 5", function() p:push(5) end)
  t.fails("expected f32, got '1'", function() p:push { x = "1" } end)
  t.fails("expected f32", function() p.x[1] = {} end)
  t.fails("expected f32", function() p[1].x = {} end)
  t.fails("one of the labels", function() p.mood[1] = "sad" end)
  t.fails("written element by element", function() p.x = 5 end)
  t.fails("written element by element", function() p.count = 5 end)
  t.fails("call it as a method", function() p.push {} end)
  t.fails("call it as a method", function() p.push(5, {}) end)
  for _, n in ipairs { -1, 1.5, 0 / 0, 2 ^ 40, "3" } do
    t.fails("expected a whole number of elements", function() p:resize(n) end)
  end
  t.fails("cannot have 4000000000 elements; at most", function() p:resize(4e9) end)
  t.equal(p.count, 2)
  local second = p[2]
  p:resize(1)
  t.fails("element 2 is out of range, this buffer has one", function() return second.x end)
end

local function check_as(p, w)
  p:clear()
  p:push { n = 0x3F800000 }
  local floats = p:as(C.Weights)
  t.equal(floats.w[1], 1)
  floats.w[1] = 2
  t.equal(p.n[1], 0x40000000)
  for _ = 1, 20 do floats:push { w = 0.5 } end
  t.equal(p.count, 21)
  t.equal(p.n[21], 0x3F000000)
  t.equal(floats:as(C.Steps).n[1], 0x40000000)
  t.fails("an element of 'Steps' has 4 bytes; expected the same of 'Position', which has 8", function()
    p:as(C.Position)
  end)
  t.fails("texts and blobs are not plain bytes", function() p:as(C.Notes) end)
  t.fails("texts and blobs are not plain bytes", function() w:as(C.Steps) end)
  t.fails("expected a component", function() p:as(5) end)
end

ecs.system("[K6] by entity and by command", {
  after = { "[K6] fill by row", "[K6] read only" },
  access = { write = { C.Path, C.Steps, C.Notes }, read = { C.Weights } },
  run = function(_, ctx)
    step = step + 1
    local commands = ctx.commands
    if step == 1 then
      t.equal(visited, 10)
      t.fails("kept after its system's run", function() return kept.count end)
      t.fails("kept after its system's run", function() kept:push {} end)
      t.fails("no longer lent", function() return kept_column[1] end)
      t.equal(ctx:buffer(walkers[7], C.Path).x[2], 14)
      check_methods(ctx:buffer(walkers[3], C.Path))
      check_mistakes(ctx:buffer(walkers[4], C.Path))
      t.equal(ctx:buffer(target, C.Path), nil)
      t.equal(ctx:buffer(nil, C.Path), nil)
      t.equal(ctx:buffer(0 / 0, C.Path), nil)
      t.fails("'Health' is a component, not a buffer", function() ctx:buffer(target, C.Health) end)
      t.fails("is a buffer; reach it with ctx:buffer", function() ctx:try_get(walkers[1], C.Path) end)
      t.fails("is a buffer: expected a list of elements", function() return C.Path { x = 1 } end)

      born = commands:spawn(C.Position)
      early = commands:buffer(born, C.Path)
      for k = 1, 100 do early:push { x = k } end
      t.equal(early.x[100], 100)
      early:remove(1)
      kept_recorded = early
      local steps = commands:buffer(target, C.Steps)
      steps:push { n = 4 }
      commands:buffer(target, C.Notes):push { text = "hello" }
      commands:set_buffer(walkers[5], C.Path):push { x = 77 }
      commands:set_buffer(walkers[5], C.Steps):push {}  -- not there: dropped
      commands:set_buffer(walkers[6], C.Path)
      t.equal(ctx:buffer(walkers[5], C.Path).count, 5)
      t.fails("is a tag, not a buffer", function() commands:buffer(born, C.Frozen) end)
      t.fails("expected an entity", function() commands:buffer("x", C.Path) end)
      return
    end
    if step == 2 then
      t.fails("kept after its system's run", function() return kept_recorded.count end)
      local p = ctx:buffer(born, C.Path)
      t.equal(p.count, 99)
      t.equal(p.x[1], 2)
      t.equal(p.x[99], 100)
      check_elements(ctx:buffer(walkers[5], C.Path), { 77 })
      check_elements(ctx:buffer(walkers[6], C.Path), {})
      t.equal(ctx:has(walkers[5], C.Steps), false)
      t.equal(ctx:buffer(target, C.Steps).n[1], 4)
      t.equal(ctx:buffer(target, C.Notes).text[1], "hello")
      check_as(ctx:buffer(target, C.Steps), ctx:buffer(target, C.Notes))
      return
    end
    finished = true
  end,
})

ecs.system("[K6] undeclared", {
  access = { read = { C.Path } },
  run = function(_, ctx)
    t.fails("is not declared", function() return ctx:buffer(target, C.Steps) end)
    t.fails("is read-only here", function() ctx:buffer(walkers[1], C.Path):clear() end)
  end,
})

-- Outside of systems a structural change ends a buffer, wherever it happens.
local p = world:buffer(walkers[1], C.Path)
p:push { x = 3 }
t.equal(world:buffer(walkers[1], C.Path).x[1], 3)
p:clear()
local other = world:spawn()
t.fails("kept while entities or components were added or removed", function() return p.count end)
t.fails("kept while entities or components were added or removed", function() p:push {} end)
p = world:buffer(walkers[1], C.Path)
local element, column = p:as(C.Path), p.x
world:destroy(other)
t.fails("were added or removed", function() return element[1] end)
t.fails("were added or removed", function() return column[1] end)
t.equal(world:buffer(target, C.Path), nil)
t.fails("is a buffer; reach it with", function() world:get(walkers[1], C.Path) end)
