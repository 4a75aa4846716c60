-- Shared, cleanup, chunk and enableable components from ecs.world and in queries, and what is refused.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local function values_of(component)
  local list = {}
  for _, entry in ipairs(world:shared_values(component)) do
    list[#list + 1] = tostring(entry.value.id or entry.value.number) .. ":" .. entry.entities
  end
  table.sort(list)
  return table.concat(list, " ")
end

-- [K1] general components are plain data by value, [K2] tags have none; [S4] new rows have the schema's defaults
local e = world:spawn(C.Position, C.Velocity, C.Frozen)
t.equal(world:get(e, C.Position).x, 0)
t.equal(world:get(e, C.Velocity).y, 2)
t.is_true(world:has(e, C.Frozen))
t.fails("is a tag and has no value", function() return world:get(e, C.Frozen) end)

-- required components come along
local engine = world:spawn(C.Engine)
t.equal(world:get(engine, C.Position).x, 0)
t.equal(world:get(engine, C.Shield).power, 1)
t.equal(world:get(engine, C.Engine).thrust, 2)

-- [K4] a shared value is found by content; setting it moves the row; the values are listed with their users
local red, blue = C.Team { id = 1, tint = 0xFF0000FF }, C.Team { id = 2 }
local team = {}
for i = 1, 9 do team[i] = world:spawn(C.Position { x = i }, i <= 6 and red or blue) end
t.equal(values_of(C.Team), "1:6 2:3")
t.equal(world:get(team[1], C.Team).id, 1)
t.equal(world:get(team[1], C.Team).tint, 0xFF0000FF)
t.equal(world:set(team[1], C.Team { id = 2 }), true)
t.equal(values_of(C.Team), "1:5 2:4")
t.equal(world:get(team[1], C.Team).id, 2)
t.equal(world:get(team[1], C.Position).x, 1)
t.fails("is shared by all rows of its chunks and is not written; ctx.commands:set(entity, C.Team { … })",
  function() world:get(team[1], C.Team).id = 3 end)
t.fails("is shared by all rows", function() world:get(team[1], C.Team).base.x = 3 end)
t.fails("component 'Team', field 'id': expected u8, got 'red'", function() return C.Team { id = "red" } end)
t.fails("'Health' is a component; only shared components", function() return world:shared_values(C.Health) end)
local entry = world:shared_values(C.Team)[1]
t.equal(world:get(world:spawn(C.Team(entry.value)), C.Team).id, entry.value.id)

-- [Q4] queries by shared value, [Q5] with counts
local reds = ecs.query { read = { C.Position }, shared = C.Team { id = 1, tint = 0xFF0000FF } }
local blues = ecs.query { read = { C.Position }, shared = { blue } }
local nobody = ecs.query { shared = { C.Team { id = 99 } } }
t.equal(world:entity_count(reds), 5)
t.equal(world:chunk_count(reds), 2)
t.equal(world:entity_count(blues), 4)
t.equal(world:entity_count(nobody), 0)
world:set(team[2], C.Team { id = 99 })
t.equal(world:entity_count(nobody), 1)
world:set(team[2], red)
t.equal(values_of(C.Team):find("99"), nil)

-- [K7] one value per chunk: rows of a chunk see the same one, a new chunk has the default, moving a row takes none along
local cells = {}
for i = 1, 5 do cells[i] = world:spawn(C.Velocity, C.Bounds) end
t.equal(world:get(cells[1], C.Bounds).min_x, 5)
world:get(cells[1], C.Bounds).min_x = 7
t.equal(world:get(cells[4], C.Bounds).min_x, 7)
t.equal(world:get(cells[5], C.Bounds).min_x, 5)
t.equal(world:set(cells[5], C.Bounds { min_x = 8, mood = "angry" }), true)
t.equal(world:get(cells[5], C.Bounds).mood, "angry")
t.equal(world:get(cells[1], C.Bounds).mood, "calm")
world:remove(cells[1], C.Bounds)
t.equal(world:has(cells[1], C.Bounds), false)
t.equal(world:get(cells[2], C.Bounds).min_x, 7)
world:add(cells[1], C.Bounds)
t.equal(world:get(cells[1], C.Bounds).min_x, world:get(cells[1], C.Bounds).min_x)
local with_bounds = ecs.query { read = { C.Velocity, C.Bounds } }
t.equal(world:set_all(with_bounds, C.Bounds { min_x = 1 }), 5)
for i = 1, 5 do t.equal(world:get(cells[i], C.Bounds).min_x, 1) end
t.equal(world:remove_all(with_bounds, C.Bounds), 5)
t.equal(world:entity_count(with_bounds), 0)
t.equal(world:add_all(ecs.query { read = { C.Velocity }, without = { C.Frozen } }, C.Bounds { min_x = 2 }), 5)
t.equal(world:get(cells[3], C.Bounds).min_x, 2)

-- [K7] a value that comes with an entity is for new chunks only, however it comes
local Cell = ecs.prefab("Cell", { C.Bounds { min_x = 73 } })
local with_value = {
  function() return world:spawn(C.Bounds { min_x = 70 }) end,
  function() return world:spawn(Cell) end,
  function() local e = world:spawn(); world:add(e, C.Bounds { min_x = 71 }); return e end,
  function() local e = world:spawn(); world:change(e, { C.Bounds { min_x = 72 } }, {}); return e end,
}
for _, create in ipairs(with_value) do
  local only = world:spawn(C.Bounds { min_x = 69 })
  t.equal(world:get(only, C.Bounds).min_x, 69)
  local next_one = create()
  t.equal(world:get(only, C.Bounds).min_x, 69)
  world:add(only, C.Bounds { min_x = 74 })                 -- it has one
  t.equal(world:get(next_one, C.Bounds).min_x, 69)
  world:destroy(only)
  world:destroy(next_one)
end

-- [K5] cleanup components outlive destroy and hold the id back
local voice = world:spawn(C.Position, C.Voice { channel = 4 }, C.Room { number = 3 })
local active, destroyed = ecs.query { read = { C.Voice, C.Position } }, ecs.query { read = { C.Voice, C.Destroyed } }
t.equal(world:entity_count(active), 1)
t.equal(world:entity_count(destroyed), 0)
t.equal(world:destroy(voice), true)
t.equal(world:is_alive(voice), false)
t.equal(world:destroy(voice), false)
t.equal(world:get(voice, C.Voice).channel, 4)
t.equal(world:get(voice, C.Room).number, 3)
t.equal(world:has(voice, C.Position), false)
t.equal(world:entity_count(active), 0)
t.equal(world:entity_count(destroyed), 1)
t.fails("is not alive", function() world:add(voice, C.Position) end)
t.equal(world:remove(voice, C.Voice), true)
t.equal(world:get(voice, C.Room).number, 3)
t.equal(world:remove(voice, C.Room), true)
t.equal(world:get(voice, C.Room), nil)
t.fails("is not alive", function() world:remove(voice, C.Room) end)
t.fails("is a cleanup component; the system that owns it", ecs.prefab, "Loud", { C.Position, C.Voice })

-- enableable: in place, new rows are on, queries count those that are on
local shields, all_shields = ecs.query { read = { C.Shield }, without = { C.Engine } },
  ecs.query { read = { C.Shield }, without = { C.Engine }, include_disabled = true }
local off = ecs.query { read = { C.Velocity }, without = { C.Stunned }, any = { C.Shield } }
local armed = {}
for i = 1, 6 do armed[i] = world:spawn(C.Velocity, C.Shield { power = i }, C.Stunned) end
t.equal(world:is_enabled(armed[1], C.Shield), true)
t.equal(world:enable(armed[1], C.Shield, false), true)
t.equal(world:enable(armed[1], C.Frozen == nil and C.Shield or C.Stunned, false), true)
t.equal(world:is_enabled(armed[1], C.Shield), false)
t.equal(world:has(armed[1], C.Shield), true)
t.equal(world:get(armed[1], C.Shield).power, 1)
t.equal(world:entity_count(shields), 5)
t.equal(world:entity_count(all_shields), 6)
t.equal(world:entity_count(off), 0)
world:enable(armed[2], C.Stunned, false)
t.equal(world:entity_count(off), 1)
t.equal(world:enable_all(all_shields, C.Shield, true), 6)
t.equal(world:entity_count(shields), 6)
t.equal(world:enable(e, C.Shield, true), false)
t.equal(world:is_enabled(e, C.Shield), false)
t.equal(world:is_enabled(e, C.Position), true)
t.equal(world:is_enabled(nil, C.Position), false)
t.fails("'Position' is a component and cannot be disabled", function() world:enable(e, C.Position, true) end)
t.fails("expected true or false, got 1", function() world:enable(e, C.Shield, 1) end)
t.fails("has no fields; use has", function() return world:get(armed[1], C.Stunned) end)
t.fails("is enableable and has no fields", function() return C.Stunned { x = 1 } end)
t.equal(C.Stunned {}, C.Stunned)

-- [C2] [S6] composition changes at run time, several at once; [S7] a stale number is recognised
local one = world:spawn(C.Position { x = 3 }, C.Frozen)
t.equal(world:change(one, { C.Velocity { x = 9 }, C.Marked, blue }, { C.Frozen }), true)
t.equal(world:get(one, C.Velocity).x, 9)
t.equal(world:get(one, C.Position).x, 3)
t.equal(world:get(one, C.Team).id, 2)
t.is_true(world:has(one, C.Marked) and not world:has(one, C.Frozen))
t.equal(world:change(one, nil, { C.Marked }), true)
t.equal(world:change(one, { C.Marked }), true)
t.equal(world:change(one), true)
t.is_true(world:has(one, C.Marked))
local copy = world:clone(one)
t.is_true(copy ~= one)
t.equal(world:get(copy, C.Velocity).x, 9)
t.equal(world:get(copy, C.Team).id, 2)
world:get(copy, C.Velocity).x = 1
t.equal(world:get(one, C.Velocity).x, 9)
world:destroy(copy)
local again = world:spawn()
t.is_true(again ~= copy)
t.equal(world:is_alive(copy), false)
t.fails("is not alive", function() return world:clone(copy) end)
t.fails("to add: expected a component", function() world:change(one, { 5 }) end)
t.fails("to remove: expected a component", function() world:change(one, nil, { "Frozen" }) end)
t.fails("to add: expected a list, got 5", function() world:change(one, 5) end)
t.fails("found key 'Velocity'", function() world:change(one, { Velocity = C.Velocity }) end)
t.fails("'Wave' is a resource", function() world:change(one, { C.Wave }) end)
local many = {}
for i = 1, 65 do many[i] = C.Position end
t.fails("at most 64 entries, got 65", function() world:change(one, many) end)
t.fails("at most 64 entries", function() world:change(one, nil, many) end)

-- by query; the query's filters count
local marked = ecs.query { read = { C.Marked } }
local before = world:entity_count(reds)
t.equal(world:add_all(reds, C.Marked), before)
t.equal(world:entity_count(marked), before + 1)
t.equal(world:add_all(reds, C.Health { current = 33 }), before)
t.equal(world:get(team[3], C.Health).current, 33)
t.equal(world:set_all(reds, C.Health { current = 44 }), before)
t.equal(world:get(team[3], C.Health).current, 44)
t.equal(world:has(team[7], C.Health), false)
t.equal(world:remove_all(marked, C.Marked), before + 1)
t.equal(world:entity_count(marked), 0)
t.equal(world:set_all(reds, blue), before)
t.equal(world:entity_count(reds), 0)
t.equal(world:get(team[5], C.Team).id, 2)
local before_all = world:entity_count()
local doomed = world:entity_count(blues)
t.equal(world:destroy_all(blues), doomed)
t.equal(world:entity_count(), before_all - doomed)
t.equal(world:is_alive(team[5]), false)

-- figures
local stats = world:stats()
t.equal(stats.entities, world:entity_count())
t.is_true(stats.chunks > 0 and stats.archetypes > 1 and stats.chunk_bytes > stats.unused_bytes)

-- what queries refuse
for wanted, make in pairs {
  ["expected a value such as C.Team { … }, got the component"] = { shared = { C.Team } },
  ["'Health' is a component; only shared components filter by value"] = { shared = { C.Health {} } },
  ["expected a component such as C.Health"] = { shared = { 5 } },
  ["unknown key 'chnaged'; did you mean 'changed'?"] = { chnaged = { C.Health } },
  ["expected true or false, got 1"] = { include_disabled = 1 },
  ["unknown key 'runs'"] = { runs = true },
  ["expected 'ascending' or 'descending', got 'down'"] = { read = { C.Health }, order_by = { C.Health, "max", "down" } },
  ["expected the name of a field of 'Health', got nil"] = { read = { C.Health }, order_by = { C.Health } },
  ["order by 'Health'"] = { order_by = { C.Health, "max" } },
  ["did you mean 'max'?"] = { read = { C.Health }, order_by = { C.Health, "mx" } },
  ["query.changed, entry 1: expected a component"] = { changed = { "Health" } },
  ["'Wave' is a resource"] = { changed = { C.Wave } },
} do
  t.fails(wanted, ecs.query, make)
end
t.fails("expected a table, got nil", ecs.query)
t.fails("a query has no fields", function() return reds.count end)
t.fails("a query cannot be changed", function() reds.count = 1 end)
for _, stranger in ipairs { 5, "x", C.Health, C.Health {}, world, {}, one } do
  t.fails("expected a query made by ecs.query", function() return world:entity_count(stranger) end)
  t.fails("expected a query made by ecs.query", function() return world:destroy_all(stranger) end)
end

ecs.system("reach", {
  access = { read = { C.Shield } },
  run = function(_, ctx)
    for _, name in ipairs { "stats", "clone", "change", "enable", "add_all", "destroy_all", "shared_values" } do
      t.fails("not inside a system", world[name], world, one, C.Shield, true)
    end
    t.equal(ctx:is_enabled(armed[1], C.Shield), true)
    t.equal(ctx:is_enabled(nil, C.Shield), false)
    t.equal(ctx:entity_count(shields), 6)
    t.equal(ctx:chunk_count(shields), 2)
    t.equal(ctx:entity_count(), 0)
    t.equal(ctx:chunk_count(), 0)
    t.fails("expected a query", function() ctx:entity_count(5) end)
    finished = true
  end,
})
