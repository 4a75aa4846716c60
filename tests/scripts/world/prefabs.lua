-- Prefabs with bases, overrides and children: what is made from them, and what is refused.
-- [C6] parts and entities are written as data; files of such data have tests of their own.
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

-- Buffers are lists of elements, short ones in the chunk and long ones behind it.
local long = {}
for i = 1, 200 do long[i] = { n = i } end
local Walker = ecs.prefab("Walker", {
  C.Path { { x = 4, next = 7 }, { y = 5, mood = "angry", pair = { 8, 9 } } }, C.Steps(long), C.Notes { { text = "a note" }, {} },
})
local Slow = ecs.prefab("Slow", { base = Walker, C.Steps {}, C.Weights { { w = 1 } } })
for _ = 1, 2 do
  local walker, slow = world:spawn(Walker), world:spawn(Slow)
  local path, steps = world:buffer(walker, C.Path), world:buffer(walker, C.Steps)
  t.equal(path.count, 2)
  t.equal(path.x[1], 4)
  t.equal(path.x[2], 1)
  t.equal(path.cost[2], 5)
  t.equal(path.mood[2], "angry")
  t.equal(path.pair[2][2], 9)
  t.equal(steps.count, 200)
  for i = 1, 200 do t.equal(steps.n[i], i) end
  steps.n[7] = -1  -- its own
  steps:push { n = 1 }
  t.equal(world:buffer(walker, C.Notes).text[1], "a note")
  t.equal(world:buffer(slow, C.Steps).count, 0)
  t.equal(world:buffer(slow, C.Path).count, 2)
  t.equal(world:buffer(slow, C.Weights).w[1], 1)
end
t.fails("expected a list of elements, { { … }, { … } }, got 5", function() return C.Steps(5) end)
t.fails("found key 'n'", function() return C.Steps { { n = 1 }, n = 2 } end)
t.fails("entry 1 is nil, and more follow", function() return C.Steps { [3] = { n = 1 } } end)
t.fails("unknown field 'm'", function() return C.Steps { { m = 1 } } end)
t.fails("expected a table of fields, got 5", function() return C.Steps { 5 } end)
t.fails("is an object", function() return C.Brain { mood = 1 } end)

-- Only a program that reads them has files of data.
t.fails("ecs.load_prefabs: this program reads no data files", ecs.load_prefabs, "prefabs.json")
t.fails("ecs.world:load: this program reads no data files", function() world:load("level.json") end)
t.fails("ecs.world:load: expected a path, got 5", function() world:load(5) end)

t.fails("expected a prefab made by ecs.prefab, got 5", ecs.prefab, "A", { base = 5 })
t.fails("expected a number, a text or a boolean", ecs.prefab, "B", { base = Small, { C.Health, current = print } })
t.fails("no field 'curent'", ecs.prefab, "C", { base = Small, { C.Health, curent = 1 } })
t.fails("Velocity", ecs.prefab, "D", { base = Small, without = { C.Velocity } })
t.fails("expected a prefab first", ecs.prefab, "E", { base = Small, children = { { C.Position } } })
t.fails("expected a list for 'children', got 5", ecs.prefab, "F", { C.Position, children = 5 })
t.fails("found key 'child'", ecs.prefab, "G", { C.Position, child = {} })
t.fails("expected { component, field, part }", ecs.prefab, "H", { C.Position, references = { { C.Position } } })
t.fails("expected the component and then fields", ecs.prefab, "I", { { C.Position { x = 1 }, x = 2 } })
-- [C6] A field that is a table keeps the members and elements that an override does not name.
local Plain = ecs.prefab("Plain", {
  C.Look { state = { "burning", "wet" }, tint = 0x01020304 }, C.Bag { slots = { 1, 2, 3 } },
  C.Body { velocity = { x = 1, y = 2 }, at = { x = 5, y = 6 }, up = { 1, 2, 3 } },
  C.Label { text = "plain", lines = { "a", "b" } },
})
local Other = ecs.prefab("Other", {
  base = Plain,
  { C.Look, state = { "flying" }, tint = 0x05060708, mood = "calm" }, { C.Bag, slots = { 7 } },
  { C.Body, velocity = { y = 8 }, at = { x = 9 }, up = { 4, 5, 6 } },
  { C.Label, lines = { "c" }, of = { text = "new" } },
})
local other = world:spawn(Other)
local look, bag, body, label =
  world:get(other, C.Look), world:get(other, C.Bag), world:get(other, C.Body), world:get(other, C.Label)
t.equal(look.state, 4)  -- flying
t.equal(look.tint, 0x05060708)
t.equal(look.mood, "calm")
t.equal(bag.slots[1], 7)
t.equal(bag.slots[3], 3)
t.equal(body.velocity.x, 1)
t.equal(body.velocity.y, 8)
t.equal(body.at.x, 9)
t.equal(body.at.y, 6)
t.equal(body.up.z, 6)
t.equal(label.text, "plain")
t.equal(label.lines[1], "c")
t.equal(label.lines[2], "b")
t.equal(label.of.text, "new")
local cycle = {}
cycle[1] = cycle
for message, values in pairs {
  ["'hot'"] = { C.Look, state = { "hot" } },
  ["field 'velocity.x': expected a number, a text or a boolean"] = { C.Body, velocity = { x = print } },
  ["'velocity'"] = { C.Body, velocity = 5 },
  ["'z'"] = { C.Body, velocity = { z = 1 } },
  ["field 'slots': expected names of fields, got key 'n'"] = { C.Bag, slots = { 1, n = 2 } },
  ["field 'slots': expected names of fields, got key true"] = { C.Bag, slots = { [true] = 2 } },
  ["and more follow"] = { C.Bag, slots = { 1, nil, 3 } },
  ["'slots'"] = { C.Bag, slots = { 1, 2, 3, 4 } },
  ["tables inside more than"] = { C.Bag, slots = cycle },
  ["'current'"] = { C.Health, current = {} },
} do
  t.fails(message, ecs.prefab, "P", { base = Plain, C.Health, values })
end
-- Children without a prefab, and children below children.
ecs.component("Crew", { { "seats", ecs.array("entity", 2) }, { "at", ecs.struct { { "who", "entity" } } } })
ecs.component("Route", { kind = "buffer", { "to", "entity" }, { "n", "i32" } })
local Ship = ecs.prefab("Ship", {
  C.Position, C.Crew, C.Route { { n = 1 }, { n = 2 } },
  references = { { C.Crew, "seats[2]", "mast/flag" }, { C.Crew, "at.who", "mast" }, { C.Route, 2, "to", "mast/flag" } },
  children = {
    { name = "mast", C.Position { x = 1 }, children = {
      { Small, name = "flag", { C.Position, x = 2 }, children = { { Bare, name = "top" } } },
      { C.Position { x = 3 } },
    } },
  },
})
local Yacht = ecs.prefab("Yacht", { base = Ship, children = {
  { name = "mast", children = { { name = "flag", { C.Position, x = 9 } } } },
} })
for _, case in ipairs { { Ship, 2 }, { Yacht, 9 } } do
  local ship = world:spawn(case[1])
  local mast = world:children(ship)[1]
  local parts = world:children(mast)
  t.equal(#parts, 2)
  t.equal(world:name(parts[1]), "flag")
  t.equal(world:get(parts[1], C.Position).x, case[2])
  t.equal(world:get(parts[2], C.Position).x, 3)
  t.equal(world:name(world:children(parts[1])[1]), "top")
  local crew, route = world:get(ship, C.Crew), world:buffer(ship, C.Route)
  t.equal(crew.seats[1], nil)
  t.equal(crew.seats[2], parts[1])
  t.equal(crew.at.who, mast)
  t.equal(route.to[1], nil)
  t.equal(route.to[2], parts[1])
  t.equal(route.n[2], 2)
end
-- "." is the part itself, as in data files.
for number, path in ipairs { ".", "./mast", "mast/.", "mast/..", "#1", "./#1/../." } do
  local Own = ecs.prefab("Own" .. number, {
    C.Crew, references = { { C.Crew, "at.who", path } }, children = { { name = "mast", C.Position } },
  })
  local own = world:spawn(Own)
  local mast = world:children(own)[1]
  t.equal(world:get(own, C.Crew).at.who, ({ own, mast, mast, own, mast, own })[number], path)
end
t.fails("no field 'seat[2]'", ecs.prefab, "K", { C.Crew, references = { { C.Crew, "seat[2]", ".." } } })
t.fails("is not an entity field", ecs.prefab, "L", { C.Crew, references = { { C.Crew, "at", ".." } } })
t.fails("is a buffer: say which element", ecs.prefab, "M", { C.Route { {} }, references = { { C.Route, "to", ".." } } })
t.fails("is not a buffer", ecs.prefab, "N", { C.Crew, references = { { C.Crew, 1, "at.who", ".." } } })
t.fails("Route", ecs.prefab, "O", { C.Route { {} }, children = {}, references = { { C.Route, 2, "to", "" } } })
local deep = { C.Position }
for _ = 1, 70 do deep = { C.Position, children = { deep } } end
t.fails("more than 64 levels of children", ecs.prefab, "Q", deep)
t.fails("children: entry 1 is nil", ecs.prefab, "R", { C.Position, children = { nil, { C.Position } } })
finished = true
