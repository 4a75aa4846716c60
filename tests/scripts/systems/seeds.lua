-- What the source documents say of systems and of references to rows, seen from a script. Ids are those of the list
-- of seeds; the kinds, queries and commands have scripts of their own.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

-- [C4] how well chunks are used: four rows fit into one here
local before = world:stats()
local rows = {}
for i = 1, 5 do rows[i] = world:spawn(C.Numbers { i32 = i, f64 = 1 }) end
local stats = world:stats()
t.equal(stats.entities, before.entities + 5)
t.equal(stats.archetypes, before.archetypes + 1)
t.equal(stats.chunks, before.chunks + 2)
t.is_true(stats.unused_bytes > before.unused_bytes)
t.is_true(stats.chunk_bytes > before.chunk_bytes)

-- [C5] a structural change makes references to a buffer stale; a new value of an object does not
local walker = world:spawn(C.Path, C.Brain)
local path = world:buffer(walker, C.Path)
path:push { x = 1 }
world:set_object(walker, C.Brain, { mood = 3 })
t.equal(path.x[1], 1)
world:add(walker, C.Frozen)
t.fails("entities or components were added or removed", function() return path.x[1] end)
t.equal(world:buffer(walker, C.Path).x[1], 1)

-- [Q2] what is declared as read is not written, and what is not declared is not there at all
local target = world:spawn(C.Position { x = 4 }, C.Velocity)
ecs.system("[Q2] reads", {
  query = { read = { C.Position } },
  run = function(chunk, ctx)
    t.fails("read-only", function() chunk.Position.x[1] = 1 end)
    t.fails("'Velocity' is not in its query", function() return chunk.Velocity end)
    t.fails("is not declared", function() return ctx:try_get(target, C.Velocity) end)
    t.fails("read-only", function() ctx:try_get(target, C.Position).x = 1 end)
    -- [C5] and the structure is changed by command only
    t.fails("ctx.commands", function() world:spawn(C.Position) end)
  end,
})

-- [C3] a system over components that no C++ knows, and [Q9] a result per chunk, folded by a second system in the
-- order of chunks: sums of floats come out the same however rows lie in between
local sums, total, folded = {}, 0, 0
ecs.system("[Q9] sum of each chunk", {
  query = { read = { C.Numbers } },
  run = function(chunk)
    local numbers, sum = chunk.Numbers, 0
    for i = 1, chunk.count do sum = sum + numbers.i32[i] * numbers.f64[i] end
    sums[chunk.index] = sum
  end,
})
ecs.system("[Q9] sum of all", {
  after = "[Q9] sum of each chunk",
  run = function(_, ctx)
    t.equal(#sums, 2)
    t.equal(sums[1], 1 + 2 + 3 + 4)
    t.equal(sums[2], 5)
    total = 0
    for i = 1, #sums do total = total + sums[i] end
    t.equal(total, 15)
    folded = folded + 1
    finished = folded == 3
  end,
})
