-- Changes of components, as reactions see them.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local seen, kept = {}, nil
local function note(...) seen[#seen + 1] = table.concat({ ... }, " ") end
local function take()
  local all = table.concat(seen, ", ")
  seen = {}
  return all
end

local e = {}  -- entities of the run
local names = {}
local function name_of(entity) return names[entity] or tostring(entity) end

for _, word in ipairs { "added", "removed", "destroyed" } do
  ecs["on_" .. word](C.Health, {}, function(batch, ctx)
    t.equal(#batch, batch.count)
    for i = 1, batch.count do
      note(word, "Health", name_of(batch.entity[i]), word == "added" and "-" or batch.Health.current[i])
      if word ~= "added" then t.equal(batch.Health[i].current, batch[C.Health].current[i]) end
    end
    if word == "added" then
      t.fails("has no entry 'Health'", function() return batch.Health end)
    else
      t.fails("is read-only", function() batch.Health.current[1] = 5 end)
    end
    if word == "destroyed" then
      t.equal(ctx:is_alive(batch.entity[1]), false)
      kept = batch
    end
    t.fails("cannot be changed", function() batch.count = 5 end)
    for _, bad in ipairs { 0, batch.count + 1, 0 / 0, -1, 2 ^ 40 } do
      t.fails("out of range", function() return batch.entity[bad] end)
    end
  end)
end
-- access for try_get is declared like in any system
ecs.on_changed(C.Health, { name = "hurt", access = { read = { C.Health } } }, function(batch, ctx)
  for i = 1, batch.count do
    local now = ctx:try_get(batch.entity[i], C.Health)
    note("changed", name_of(batch.entity[i]), batch.Health.current[i], now and now.current or "gone")
  end
end)
ecs.on_added(C.Frozen, {}, function(batch) note("frozen", batch.count) end)
ecs.on_removed(C.Frozen, function(batch) note("thawed", batch.count) end)
ecs.on_destroyed(C.Shield, {}, function(batch)
  note("shield", batch.Shield.power[1])
  t.fails("has no field 'enabled'", function() return batch.Shield.enabled end)
end)
ecs.on_removed(C.Team, {}, function(batch) note("team", batch.Team.id[1], batch.Team.base.x[1]) end)
ecs.on_removed(C.Path, {}, function(batch)
  note("path", batch.count)
  t.fails("has no entry 'Path'", function() return batch.Path end)
end)

t.fails("it has no value in its row", function() ecs.on_changed(C.Frozen, {}, function() end) end)
t.fails("its value belongs to many rows", function() ecs.on_changed(C.Team, {}, function() end) end)
t.fails("belongs to a chunk", function() ecs.on_added(C.Bounds, {}, function() end) end)
t.fails("it belongs to no entity", function() ecs.on_changed(C.Wave, {}, function() end) end)
t.fails("expected a component", function() ecs.on_added("Health", {}, function() end) end)
t.fails("expected a function(batch, ctx)", function() ecs.on_added(C.Health, {}) end)

local steps = {
  function(ctx)
    e.a = ctx.commands:spawn(C.Health { current = 1 })
    e.b = ctx.commands:spawn(C.Health { current = 2 }, C.Frozen, C.Shield { power = 9 },
      C.Team { id = 3, base = { x = 4 } }, C.Path)
    names[e.a], names[e.b] = "a", "b"
  end,
  function(ctx)
    t.equal(take(), "frozen 1, added Health a -, added Health b -")
    ctx:try_get(e.a, C.Health).current = 7
    ctx.commands:set(e.b, C.Health { current = 5 })
    ctx.commands:remove(e.b, C.Frozen)
    ctx.commands:remove(e.b, C.Team)
    ctx.commands:remove(e.b, C.Path)
  end,
  function(ctx)
    t.equal(take(), "changed a 1 7, changed b 2 5, thawed 1, path 1, team 3 4")
    ctx:try_get(e.a, C.Health).current = 4
    ctx.commands:remove(e.a, C.Health)
    ctx.commands:destroy(e.b)
  end,
  function()
    t.equal(take(), "destroyed Health b 5, shield 9, removed Health a 4")
    t.fails("is used after its run", function() return kept.entity[1] end)
    t.fails("is used after its run", function() return kept.Health.current[1] end)
    t.fails("is used after its run", function() return kept.count end)
    t.fails("is used after its run", function() return #kept end)
  end,
  function()
    t.equal(take(), "")
    finished = true
  end,
}

ecs.system("steps", {
  access = { write = { C.Health } },
  run = function(_, ctx)
    local step = steps[ctx.tick + 1]
    if step then step(ctx) end
  end,
})
