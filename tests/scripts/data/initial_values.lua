-- Values with more than the bytes of a row, given with an entity: elements of buffers, and enabled bits.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local function check_path(path, ...)
  local wanted = { ... }
  t.equal(path.count, #wanted)
  for i, x in ipairs(wanted) do t.equal(path.x[i], x) end
end

local long = {}
for i = 1, 300 do long[i] = { n = i } end

-- ---- outside of systems: at once ----
local e = world:spawn(C.Path { { x = 1 }, {}, { x = 3, cost = 9 } }, C.Steps(long),
  C.Shield { power = 4, enabled = false }, C.Stunned { enabled = false }, C.Notes { { text = "one" }, { text = "two" } })
local path = world:buffer(e, C.Path)
check_path(path, 1, 1, 3)
t.equal(path.cost[1], 5)
t.equal(path.cost[3], 9)
t.equal(world:buffer(e, C.Steps).count, 300)
t.equal(world:buffer(e, C.Steps).n[300], 300)
t.equal(world:buffer(e, C.Notes).text[2], "two")
t.equal(world:get(e, C.Shield).power, 4)
t.equal(world:is_enabled(e, C.Shield), false)
t.equal(world:is_enabled(e, C.Stunned), false)
t.equal(world:has(e, C.Stunned), true)

-- add replaces what is there; set needs it.
t.equal(world:add(e, C.Path { { x = 7 } }), true)
check_path(world:buffer(e, C.Path), 7)
t.equal(world:set(e, C.Path {}), true)
check_path(world:buffer(e, C.Path))
local other = world:spawn(C.Position)
t.equal(world:set(other, C.Path { { x = 1 } }), false)
t.equal(world:has(other, C.Path), false)
t.equal(world:add(other, C.Path { { x = 8 }, { x = 9 } }), true)
check_path(world:buffer(other, C.Path), 8, 9)
t.equal(world:set(e, C.Shield { power = 6, enabled = true }), true)
t.equal(world:is_enabled(e, C.Shield), true)
t.equal(world:get(e, C.Shield).power, 6)
t.equal(world:set(e, C.Stunned { enabled = true }), true)
t.equal(world:is_enabled(e, C.Stunned), true)
world:set(e, C.Stunned { enabled = false })
world:set(e, C.Shield { power = 1 })  -- says nothing of the bit
t.equal(world:is_enabled(e, C.Shield), true)
t.equal(world:set(other, C.Shield { enabled = false }), false)

-- With a prefab, whose own elements they replace; chunk values too.
local Walker = ecs.prefab("Walker", {
  C.Path { { x = 1 }, { x = 2 } }, C.Shield { power = 3, enabled = false }, C.Stunned { enabled = false },
})
local walker, plain = world:spawn(Walker, C.Path { { x = 5 } }, C.Bounds { min_x = 7 }), world:spawn(Walker)
check_path(world:buffer(walker, C.Path), 5)
check_path(world:buffer(plain, C.Path), 1, 2)
t.equal(world:is_enabled(plain, C.Shield), false)
t.equal(world:is_enabled(plain, C.Stunned), false)
t.equal(world:get(plain, C.Shield).power, 3)
t.equal(world:get(walker, C.Bounds).min_x, 7)
local Ready = ecs.prefab("Ready", { base = Walker, C.Shield { enabled = true } })
t.equal(world:is_enabled(world:spawn(Ready), C.Shield), true)

-- Calls that do not take them raise an error.
local query = ecs.query { read = { C.Path } }
for name, call in pairs {
  ["ecs.world:add_all"] = function() world:add_all(query, C.Path { {} }) end,
  ["ecs.world:set_all"] = function() world:set_all(query, C.Path { {} }) end,
  ["ecs.world:remove"] = function() world:remove(e, C.Path { {} }) end,
  ["ecs.world:has"] = function() world:has(e, C.Path { {} }) end,
} do
  t.fails(name, call)
  t.fails("a list of elements of 'Path' can only be given to spawn, add, set, change or a prefab", call)
end
t.fails("whether 'Shield' is enabled can only be given to spawn, add, set, change or a prefab; use enable", function()
  world:add_all(query, C.Shield { enabled = false })
end)
t.fails("component 'Shield', 'enabled': expected true or false, got 5", function() return C.Shield { enabled = 5 } end)
t.fails("unknown field 'enabeld'", function() return C.Shield { enabeld = false } end)
t.fails("unknown field 'enabled'", function() return C.Position { enabled = false } end)

-- All is checked before there is an entity.
local count = world:stats().entities
t.fails("'Wave' is a resource", function() world:spawn(C.Path { { x = 1 } }, C.Wave) end)
t.equal(world:stats().entities, count)

-- ---- commands ----
local step, born, many = 0, {}, {}
ecs.system("commands", {
  access = { read = { C.Path, C.Steps, C.Shield, C.Stunned, C.Notes, C.Position } },
  run = function(_, ctx)
    step = step + 1
    local commands = ctx.commands
    if step == 1 then
      born[1] = commands:spawn(C.Path { { x = 1 }, { x = 2 } }, C.Position, C.Shield { power = 2, enabled = false },
        C.Steps(long), C.Stunned { enabled = false }, C.Notes { { text = "n" .. ctx.tick } })
      born[2] = commands:spawn(Walker, C.Path { { x = 4, next = born[1] } })
      born[3] = commands:spawn(C.Position, C.Velocity, C.Health, C.Marked, C.Numbers, C.Brain, C.Label, C.Mover,
        C.Path { { x = 12 } }, C.Shield { enabled = false })
      for i = 1, 60 do many[i] = commands:spawn(C.Position, C.Path { { x = i }, { x = -i } }) end
      commands:add(other, C.Path { { x = 20 } })
      commands:add(other, C.Shield { power = 8, enabled = false })
      commands:set(e, C.Path { { x = 21 }, { x = 22 } })
      commands:set(walker, C.Stunned { enabled = true })
      commands:set(plain, C.Steps { { n = 1 } })  -- has none
      commands:spawn_many(Walker, 3, function(chunk, first, last)
        for i = first, last do chunk.Path[i]:push { x = 90 + i } end
      end)
      t.fails("commands:set_all: a list", function() commands:set_all(query, C.Path {}) end)
      t.fails("commands:set_all: whether", function() commands:set_all(query, C.Shield { enabled = true }) end)
    else
      check_path(ctx:buffer(born[1], C.Path), 1, 2)
      t.equal(ctx:buffer(born[1], C.Steps).n[300], 300)
      t.equal(ctx:buffer(born[1], C.Notes).text[1], "n0")
      t.equal(ctx:is_enabled(born[1], C.Shield), false)
      t.equal(ctx:try_get(born[1], C.Shield).power, 2)
      t.equal(ctx:is_enabled(born[1], C.Stunned), false)
      check_path(ctx:buffer(born[2], C.Path), 4)
      t.equal(ctx:buffer(born[2], C.Path).next[1], born[1])
      check_path(ctx:buffer(born[3], C.Path), 12)
      t.equal(ctx:is_enabled(born[3], C.Shield), false)
      for i = 1, 60 do check_path(ctx:buffer(many[i], C.Path), i, -i) end
      check_path(ctx:buffer(other, C.Path), 20)
      t.equal(ctx:is_enabled(other, C.Shield), false)
      check_path(ctx:buffer(e, C.Path), 21, 22)
      t.equal(ctx:is_enabled(walker, C.Stunned), true)
      t.equal(ctx:has(plain, C.Steps), false)
    end
  end,
})

local pushed = 0
ecs.system("of many", {
  after = "commands", query = { read = { C.Path }, include_disabled = true },
  run = function(chunk)
    for i = 1, chunk.count do
      local p = chunk.Path[i]
      if p.count == 3 and p.x[3] > 90 then pushed = pushed + 1 end
    end
    if step == 3 then
      t.is_true(pushed >= 3)
      finished = true
    end
  end,
})
