-- Commands about kinds, several changes at once, clones, and all that a query matches; carried out at the group's end.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local red, blue = C.Team { id = 1 }, C.Team { id = 2 }
local a = world:spawn(C.Position { x = 1 }, red, C.Shield { power = 3 })
local b = world:spawn(C.Position { x = 2 }, C.Frozen)
local gone = world:spawn(C.Position, C.Shield)
local cell = world:spawn(C.Velocity, C.Bounds)
local crowd = {}
for i = 1, 9 do crowd[i] = world:spawn(C.Numbers { i32 = i }, C.Stunned) end
local all = ecs.query { read = { C.Numbers }, include_disabled = true }
local reds = ecs.query { shared = red }
local cells = ecs.query { read = { C.Velocity, C.Bounds } }
local step, made = 0, {}

ecs.system("voices", {
  access = { write = { C.Voice } },
  run = function(_, ctx)
    step = step + 1
    local commands = ctx.commands
    if step == 1 then
      commands:set(a, blue)                                   -- [K4] moves the row
      commands:enable(a, C.Shield, false)
      commands:change(b, { C.Velocity { x = 5 }, C.Marked, C.Health { current = 9 } }, { C.Frozen })
      made.copy = commands:clone(b)
      made.many = {}
      for i = 1, 3 do made.many[i] = commands:clone(crowd[1]) end
      commands:add(made.copy, C.Look { name = "copy" })
      commands:destroy(gone)
      commands:enable(gone, C.Shield, false)                  -- [C1] on the dead: dropped
      commands:change(gone, { C.Marked })
      made.stillborn = commands:clone(gone)
      t.is_true(made.copy > 0 and made.copy ~= made.many[1] and not ctx:is_alive(made.copy))
      -- [K7] a chunk component is nothing for commands on one entity
      for _, attempt in ipairs {
        function() commands:add(cell, C.Bounds) end, function() commands:remove(cell, C.Bounds) end,
        function() commands:set(cell, C.Bounds { min_x = 1 }) end,
        function() commands:change(cell, { C.Bounds }) end, function() commands:change(cell, nil, { C.Bounds }) end,
      } do
        t.fails("'Bounds' is a chunk component, one value for all rows of a chunk", attempt)
      end
      t.fails("cannot be disabled", function() commands:enable(a, C.Position, false) end)
      t.fails("expected true or false, got nil", function() commands:enable(a, C.Shield) end)
      t.fails("expected a component such as C.Health, got nil", function() commands:enable(a, nil, true) end)
      t.fails("expected an entity, got nil", function() commands:clone(nil) end)
      t.fails("expected a list, got 5", function() commands:change(a, 5) end)
      t.fails("'Wave' is a resource", function() commands:change(a, { C.Wave }) end)
      t.fails("expected a query made by ecs.query, got nil", function() commands:add_all(nil, C.Marked) end)
      t.fails("expected a query made by ecs.query, got cdata", function() commands:destroy_all(C.Marked) end)
      t.fails("expected a value", function() commands:set_all(all, C.Health) end)
      t.fails("expected true or false, got 0", function() commands:enable_all(all, C.Stunned, 0) end)
      t.fails("'Destroyed'", function() commands:add(a, C.Destroyed) end)
      t.fails("call it as a method", commands.clone, a)
      commands:add(a, C.Voice { channel = 2 })                -- [K5] declared as written
      commands:add_all(all, C.Health { current = 12 })
      commands:enable_all(all, C.Stunned, false)
      commands:add_all(all, C.Bounds { min_x = 3 })           -- [K7] for all chunks of a query
      commands:add_all(all, C.Bounds { min_x = 9 })           -- those that have it keep their value
    elseif step == 2 then
      commands:remove_all(cells, C.Bounds)
      commands:set_all(all, C.Health { current = 13 })
      commands:remove_all(all, C.Stunned)
      commands:add_all(all, red)
    elseif step == 3 then
      commands:destroy_all(reds)
    end
  end,
})

ecs.system("check", {
  group = "presentation", access = { read = { C.Velocity, C.Health, C.Look, C.Team, C.Shield, C.Voice, C.Numbers,
    C.Stunned, C.Bounds } },
  run = function(_, ctx)
    if step == 1 then
      t.equal(ctx:try_get(a, C.Team).id, 2)
      t.equal(ctx:is_enabled(a, C.Shield), false)
      t.equal(ctx:try_get(a, C.Shield).power, 3)
      t.equal(ctx:try_get(b, C.Velocity).x, 5)
      t.is_true(ctx:has(b, C.Marked) and not ctx:has(b, C.Frozen))
      t.equal(ctx:try_get(made.copy, C.Velocity).x, 5)      -- as the entity is at playback
      t.equal(ctx:try_get(made.copy, C.Look).name, "copy")
      t.equal(ctx:has(b, C.Look), false)
      for i = 1, 3 do t.equal(ctx:try_get(made.many[i], C.Numbers).i32, 1) end
      t.equal(ctx:is_alive(made.stillborn), false)
      t.equal(ctx:try_get(a, C.Voice).channel, 2)
      t.equal(ctx:has(cell, C.Bounds), true)
      t.equal(ctx:entity_count(all), 12)
      for i = 1, 9 do
        t.equal(ctx:try_get(crowd[i], C.Health).current, 12)
        t.equal(ctx:is_enabled(crowd[i], C.Stunned), false)
        t.equal(ctx:try_get(crowd[i], C.Bounds).min_x, 3)
      end
    elseif step == 2 then
      for i = 1, 9 do
        t.equal(ctx:try_get(crowd[i], C.Health).current, 13)
        t.equal(ctx:has(crowd[i], C.Stunned), false)
        t.equal(ctx:try_get(crowd[i], C.Team).id, 1)
      end
      t.equal(ctx:entity_count(reds), 12)
      t.equal(ctx:has(cell, C.Bounds), false)
    else
      t.equal(ctx:entity_count(all), 0)
      t.equal(ctx:is_alive(crowd[1]), false)
      t.is_true(ctx:is_alive(a))
      finished = true
    end
  end,
})
