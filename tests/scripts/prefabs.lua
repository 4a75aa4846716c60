-- Prefabs with bases, overrides and children: what is made from them, and what is refused.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local Small = ecs.prefab("Small", { C.Position { x = 1, y = 2 }, C.Health { current = 40, max = 40 } })
local Big = ecs.prefab("Big", { base = Small, { C.Health, current = 80 } })
local Bare = ecs.prefab("Bare", { base = Big, without = { C.Health }, C.Velocity { x = 3 } })

local big = world:spawn(Big)
t.equal(world:get(big, C.Health).current, 80)
t.equal(world:get(big, C.Health).max, 40)
t.equal(world:get(big, C.Position).y, 2)
local bare = world:spawn(Bare)
t.equal(world:has(bare, C.Health), false)
t.equal(world:get(bare, C.Velocity).x, 3)
t.equal(world:get(bare, C.Position).x, 1)

-- Children come along, and a variant changes one of them by name.
local Tank = ecs.prefab("Tank", {
  C.Position,
  children = { { Small, name = "turret", { C.Position, x = 7 } }, { Bare, name = "flag" } },
})
local Red = ecs.prefab("Red tank", { base = Tank, children = { { name = "turret", { C.Position, y = 9 } } } })
for _, case in ipairs { { Tank, 7, 2 }, { Red, 7, 9 } } do
  local tank = world:spawn(case[1])
  local parts = world:children(tank)
  t.equal(#parts, 2)
  t.equal(world:name(parts[1]), "turret")
  t.equal(world:get(parts[1], C.Position).x, case[2])
  t.equal(world:get(parts[1], C.Position).y, case[3])
  t.equal(world:parent(parts[2]), tank)
  world:destroy(tank)
  t.equal(world:is_alive(parts[1]), false)
end

t.fails("expected a prefab made by ecs.prefab, got 5", ecs.prefab, "A", { base = 5 })
t.fails("expected a number, a text or a boolean", ecs.prefab, "B", { base = Small, { C.Health, current = {} } })
t.fails("no field 'curent'", ecs.prefab, "C", { base = Small, { C.Health, curent = 1 } })
t.fails("Velocity", ecs.prefab, "D", { base = Small, without = { C.Velocity } })
t.fails("expected a prefab first", ecs.prefab, "E", { C.Position, children = { { C.Position } } })
t.fails("expected a list for 'children', got 5", ecs.prefab, "F", { C.Position, children = 5 })
t.fails("found key 'child'", ecs.prefab, "G", { C.Position, child = {} })
t.fails("expected { component, field, part }", ecs.prefab, "H", { C.Position, references = { { C.Position } } })
t.fails("expected the component and then fields", ecs.prefab, "I", { { C.Position { x = 1 }, x = 2 } })
finished = true
