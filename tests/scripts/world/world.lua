-- ecs.world outside of systems, values and prefabs.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

-- values
t.equal(tostring(C.Health), "component Health")
t.equal(tostring(C.Health {}), "value of component Health")
t.fails("unknown field 'curent'; did you mean 'current'?", function() return C.Health { curent = 1 } end)
t.fails("unknown field 'curent'", function() return C.Health { current = 1, curent = 1 } end)
t.fails("unknown field 1", function() return C.Health { 5 } end)
t.fails("component 'Health', field 'current': expected f32, got 'x'", function() return C.Health { current = "x" } end)
t.fails("expected a table of fields, got 5", function() return C.Health(5) end)
t.fails("is a tag and has no fields", function() return C.Frozen { x = 1 } end)
t.fails("cannot be changed", function() C.Health {}.current = 1 end)
t.fails("no readable field", function() return C.Health {}.current end)
t.fails("expected u8 (0 to 255), got 256", function() return C.Bag { slots = { 256 } } end)
t.fails("unknown field 4", function() return C.Bag { slots = { 1, 2, 3, 4 } } end)
t.fails("unknown component 'Helth'; did you mean 'Health'?", function() return C.Helth end)
t.fails("unknown component 'Nothing'", function() return C["Nothing"] end)
t.fails("component names are strings", function() return C[1] end)
t.fails("not assigned", function() C.New = 1 end)
t.equal(C["game:Health"], C.Health)
t.fails("has no fields", function() return C.Health.current end)

-- a metatable on the table given is not asked
local asked = false
local sly = setmetatable({ current = 3 }, { __index = function() asked = true return 7 end })
local e = world:spawn(C.Health(sly))
t.equal(world:get(e, C.Health).max, 100)
t.equal(asked, false)

-- archetypes, and their hashes [S9]
do
  local one = world:spawn(C.Velocity, C.Bag, C.Frozen)
  local here = world:archetype(one)
  t.equal(table.concat(here.components, " "), "Bag Frozen Velocity")
  t.equal(#here.hash, 16)
  t.equal(here.entities, 1)
  t.equal(here.chunks, 1)
  local other = world:spawn(C.Frozen, C.Velocity)
  t.is_true(world:archetype(other).hash ~= here.hash)
  world:add(other, C.Bag)
  t.equal(world:archetype(other).hash, here.hash)
  t.equal(world:archetype(here.hash).entities, 2)
  t.equal(world:archetype(here.hash:upper()).hash, here.hash)
  t.equal(world:archetype("0000000000000000"), nil)
  t.equal(world:archetype("no hash"), nil)
  t.equal(world:archetype(nil), nil)
  world:destroy(other)
  t.equal(world:archetype(other), nil)
  t.fails("ecs.world:archetype: expected an entity, got table", function() return world:archetype {} end)
  world:destroy(one)
end

-- spawn, destroy, add, remove, set, has
e = world:spawn(C.Position { x = 1, y = 2 }, C.Look { mood = "calm", name = "bob", state = 2, tint = 0xAABBCCDD,
  image = "assets/x.png", target = e }, C.Body { velocity = { x = 1 }, at = { 3, 4 } })
t.is_true(world:is_alive(e))
t.equal(world:get(e, C.Look).name, "bob")
t.equal(world:get(e, C.Look).tint, 0xAABBCCDD)
t.equal(world:get(e, C.Look).image, "assets/x.png")
t.equal(world:get(e, C.Body).velocity.x, 1)
t.equal(world:get(e, C.Body).velocity.y, 4)
t.equal(world:get(e, C.Body).at.y, 4)
t.equal(world:has(e, C.Frozen), false)
t.equal(world:add(e, C.Frozen), true)
t.equal(world:has(e, C.Frozen), true)
t.equal(world:remove(e, C.Frozen), true)
t.equal(world:remove(e, C.Frozen), true)
t.equal(world:set(e, C.Position { x = 9 }), true)
t.equal(world:get(e, C.Position).y, 0)
t.equal(world:set(e, C.Health { current = 9 }), false)
t.equal(world:get(e, C.Health), nil)
t.fails("is a tag", function() return world:get(e, C.Frozen) end)
t.fails("is a resource", function() return world:add(e, C.Wave) end)
t.fails("expected a value", function() return world:set(e, C.Position) end)
local count = world:entity_count()
t.equal(world:destroy(e), true)
t.equal(world:destroy(e), false)
t.equal(world:entity_count(), count - 1)
t.equal(world:is_alive(e), false)
t.equal(world:get(e, C.Position), nil)
t.fails("is not alive", function() world:add(e, C.Frozen) end)
t.fails("expected an entity, got nil", function() world:destroy(nil) end)
t.fails("has no method 'save'; use save.write_world(\"name\")", function() world:save("a") end)
t.fails("has no method 'spwan'; did you mean 'spawn'?", function() world:spwan() end)
t.fails("cannot be changed", function() world.x = 1 end)

t.fails("ecs has no entry 'sytem'; did you mean 'system'?", function() ecs.sytem("x", {}) end)
t.fails("ecs cannot be changed", function() ecs.system = nil end)

-- prefabs
local Zombie = ecs.prefab("Zombie", { C.Position, C.Health { current = 40, max = 40 }, C.Frozen })
t.equal(tostring(Zombie), "prefab Zombie")
local z = world:spawn(Zombie, C.Position { x = 5 }, C.Velocity)
t.equal(world:get(z, C.Health).current, 40)
t.equal(world:get(z, C.Position).x, 5)
t.equal(world:get(z, C.Velocity).y, 2)
t.is_true(world:has(z, C.Frozen))
t.fails("prefab 'Zombie'", ecs.prefab, "Zombie", { C.Position })
t.fails("component 'Position' is named twice", ecs.prefab, "Twice", { C.Position, C.Position { x = 1 } })
t.fails("entry 2: expected a component", ecs.prefab, "Wrong", { C.Position, "Health" })
t.fails("found key 'Position'", ecs.prefab, "Keyed", { Position = C.Position })
t.fails("is a resource", ecs.prefab, "Res", { C.Wave })
t.fails("expected a list", ecs.prefab, "List", 5)
t.fails("expected a name", ecs.prefab, 5, {})
t.fails("a prefab cannot be changed", function() Zombie.x = 1 end)

-- a dot instead of a colon
t.fails("call it as a method: ecs.world:spawn", world.spawn, C.Health { current = 1 }, C.Position)
t.fails("call it as a method: ecs.world:destroy", world.destroy, 5)

-- values are complete images: kept and used again they are the same
local kept = C.Health { current = 7 }
local first, second = world:spawn(kept), world:spawn(kept)
world:get(first, C.Health).current = 1
t.equal(world:get(second, C.Health).current, 7)

-- many values, so that their making is compiled
for i = 1, 300 do
  local v = C.Numbers { i32 = i, f64 = i / 2, bool = i % 2 == 0 }
  if i % 100 == 0 then
    local n = world:get(world:spawn(v), C.Numbers)
    t.equal(n.i32, i)
    t.equal(n.f64, i / 2)
    t.equal(n.bool, true)
    t.equal(n.u8, 0)
  end
end
for i = 1, 300 do
  local ok = pcall(function() return C.Health { current = i, [i < 290 and "max" or "mx"] = 1 } end)
  t.equal(ok, i < 290)
end

ecs.system("inside", {
  run = function(_, ctx)
    t.fails("not inside a system; use ctx.commands", function() world:spawn() end)
    t.fails("not inside a system; use ctx.commands", function() world:destroy(first) end)
    t.fails("not inside a system", function() return world:get(first, C.Health) end)
    t.fails("not inside a system", function() return world:resource(C.Wave) end)
    t.fails("not inside a system", function() ecs.group("x", {}) end)
    t.fails("not inside a system", function() ecs.on_added(C.Health, print) end)
    finished = true
  end,
})
