-- ctx.commands: recorded now, carried out at the end of the group.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local Bullet = ecs.prefab("Bullet", { C.Position { x = 1 }, C.Velocity, C.Frozen })
local victim = world:spawn(C.Health)
local hot = world:spawn(C.Health, C.Marked)
local step, born, batch = 0, {}, {}
local batch_rows, batch_sum = 0, 0

ecs.system("record", {
  run = function(_, ctx)
    step = step + 1
    local commands = ctx.commands
    if step > 1 then return end
    born.a = commands:spawn(Bullet)
    born.b = commands:spawn(Bullet, C.Position { x = 7 }, C.Health { current = 3 })
    born.c = commands:spawn(C.Position { y = 9 }, C.Marked)
    born.d = commands:spawn()
    born.many = commands:spawn(C.Position, C.Velocity, C.Health, C.Frozen, C.Marked, nil, C.Numbers, C.Body, C.Look,
      C.Bag { slots = { 5 } })
    born.passed_over = commands:spawn(Bullet, nil, C.Health)
    t.fails("expected a component", function() commands:spawn(Bullet, 5) end)
    t.fails("expected a prefab or a component first, got nil", function() commands:spawn(nil, C.Position) end)
    t.fails("expected a prefab or a component first, got nil", function() commands:spawn(nil) end)
    -- One that failed leaves nothing: the counts after playback would tell.
    t.is_true(not pcall(function() commands:spawn(C.Marked, C.Frozen, "bad") end))
    t.is_true(not pcall(function() commands:spawn(Bullet, nil, nil, nil, nil, nil, nil, C.Marked, "bad") end))
    t.is_true(born.a ~= born.b and born.a > 0)
    t.equal(ctx:is_alive(born.a), false)
    commands:add(born.d, C.Health)
    commands:set(born.d, C.Health { current = 5 })
    commands:destroy(victim)
    commands:destroy(victim)
    commands:remove(hot, C.Marked)
    commands:remove(hot, C.Frozen)
    commands:add(hot, C.Numbers { i16 = -5 })
    commands:set(hot, C.Position { x = 1 })  -- not there: dropped
    t.equal(ctx:is_alive(victim), true)
    commands:spawn_many(Bullet, 10, function(chunk, first, last)
      t.equal(first, 1)
      t.equal(chunk.count, last)
      for i = first, last do
        batch_rows = batch_rows + 1
        t.equal(chunk.Position.x[i], 1)
        chunk.Position.x[i] = 100 + batch_rows
        chunk.Velocity[i].y = ctx.random:range(5, 6)
        batch[batch_rows] = chunk.entity[i]
      end
      t.equal(chunk.Frozen, true)
      t.fails("out of range", function() return chunk.Position.x[last + 1] end)
      t.fails("'Health' is not in its query", function() return chunk.Health end)
      t.fails("outside of its system's run", function() commands:destroy(1) end)
      t.fails("outside of its system's run", function() return ctx:is_alive(1) end)
      t.fails("not inside an initialiser", function() world:spawn() end)
      kept_chunk = chunk
    end)
    commands:spawn_many(Bullet, 0)
    commands:spawn_many(Bullet, 2)
    for _, bad in ipairs { -1, 0 / 0, 2 ^ 31, "3", {} } do
      t.fails("expected a count", function() commands:spawn_many(Bullet, bad) end)
    end
    t.fails("expected a function", function() commands:spawn_many(Bullet, 1, 5) end)
    t.fails("expected a prefab", function() commands:spawn_many(C.Health, 1) end)
    t.fails("expected a component", function() commands:add(hot, nil) end)
    t.fails("'Wave' is a resource", function() commands:add(hot, C.Wave) end)
    t.fails("expected a value", function() commands:set(hot, C.Health) end)
    t.fails("expected an entity, got nil", function() commands:destroy(nil) end)
    t.fails("ctx has no field 'destroy'; did you mean ctx.commands:destroy?", function() ctx:destroy(hot) end)
    t.fails("has no method 'spwan'; did you mean 'spawn'?", function() commands:spwan() end)
  end,
})

-- Each kind of component in the rows that an initialiser fills.
local Kinds = ecs.prefab("Kinds", {
  C.Team { id = 3, base = { x = 4, y = 5 } }, C.Bounds { min_x = 6, mood = "angry" }, C.Shield { power = 7, enabled = false },
  C.Stunned, C.Path { { x = 8 }, { x = 9 } }, C.Frozen, C.Brain, C.Label { text = "ten" },
})
local kinds_rows, kinds_born = 0, nil

ecs.system("kinds", {
  run = function(_, ctx)
    if kinds_born then return end
    kinds_born = {}
    ctx.commands:spawn_many(Kinds, 40, function(chunk, first, last)
      t.equal(chunk.Team.id, 3)
      t.equal(chunk.Team.base.y, 5)
      t.fails("", function() chunk.Team.id = 4 end)
      t.equal(chunk.Bounds.min_x, 6)
      t.equal(chunk.Bounds.mood, "angry")
      for i = first, last do
        kinds_rows = kinds_rows + 1
        kinds_born[kinds_rows] = chunk.entity[i]
        t.equal(chunk.Shield.power[i], 7)
        t.equal(chunk.Shield.enabled[i], false)
        t.equal(chunk.Stunned.enabled[i], true)
        t.equal(chunk.Path[i].x[2], 9)
        t.equal(chunk.Label.text[i], "ten")
        chunk.Shield.enabled[i] = i % 2 == 0
        chunk.Path[i]:push { x = i }
        chunk.Label.text[i] = "number " .. kinds_rows
        chunk.Brain[i] = { mood = kinds_rows }
      end
    end)
  end,
})

ecs.system("check", {
  group = "presentation", access = { read = { C.Position, C.Velocity, C.Health, C.Numbers, C.Team, C.Label, C.Brain, C.Path } },
  run = function(_, ctx)
    t.fails("has no commands", function() return ctx.commands end)
    for _, e in pairs(born) do t.is_true(ctx:is_alive(e)) end
    t.equal(ctx:try_get(born.a, C.Position).x, 1)
    t.equal(ctx:try_get(born.b, C.Position).x, 7)
    t.equal(ctx:try_get(born.b, C.Health).current, 3)
    t.is_true(ctx:has(born.b, C.Frozen))
    t.equal(ctx:try_get(born.c, C.Position).y, 9)
    t.is_true(ctx:has(born.c, C.Marked))
    t.equal(ctx:try_get(born.d, C.Health).current, 5)
    for _, handle in ipairs { C.Position, C.Velocity, C.Health, C.Frozen, C.Marked, C.Numbers, C.Body, C.Look, C.Bag } do
      t.is_true(ctx:has(born.many, handle), tostring(handle))
    end
    t.is_true(ctx:has(born.passed_over, C.Health))
    t.equal(ctx:is_alive(victim), false)
    t.equal(ctx:has(hot, C.Marked), false)
    t.equal(ctx:has(hot, C.Position), false)
    t.equal(ctx:try_get(hot, C.Numbers).i16, -5)
    t.equal(batch_rows, 10)
    batch_sum = 0
    for i = 1, 10 do
      t.equal(ctx:try_get(batch[i], C.Position).x, 100 + i)
      local y = ctx:try_get(batch[i], C.Velocity).y
      t.is_true(y >= 5 and y <= 6)
      batch_sum = batch_sum + 1
    end
    t.equal(batch_sum, 10)
    t.equal(kinds_rows, 40)
    for i, e in ipairs(kinds_born) do
      t.equal(ctx:try_get(e, C.Team).id, 3)
      t.equal(ctx:try_get(e, C.Label).text, "number " .. i)
      t.equal(ctx:object(e, C.Brain).mood, i)
      t.equal(ctx:buffer(e, C.Path).count, 3)
    end
    t.fails("is used after its visit", function() return kept_chunk.Position.x[1] end)
    -- presentation code may walk tables in any order
    local seen = 0
    for _ in pairs { [{}] = 1, [print] = 2 } do seen = seen + 1 end
    t.equal(seen, 2)
    if step == 3 then finished = true end
  end,
})
