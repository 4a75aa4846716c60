-- What one way of making entities takes, the others take too: the same values through ecs.world, commands, change, prefabs
-- and rows give the same entity.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

-- Name, how it is given, how it looks on an entity.
local forms = {
  { "a component", function() return C.Health end, function(e) return world:get(e, C.Health).current end, 100 },
  { "a value", function() return C.Health { current = 7 } end, function(e) return world:get(e, C.Health).current end, 7 },
  { "a tag", function() return C.Frozen end, function(e) return world:has(e, C.Frozen) end, true },
  { "flags as a list", function() return C.Look { state = { "wet", "flying" } } end,
    function(e) return world:get(e, C.Look).state end, 6 },
  { "flags by name", function() return C.Look { state = { burning = true, wet = false } } end,
    function(e) return world:get(e, C.Look).state end, 1 },
  { "one flag", function() return C.Look { state = "wet" } end, function(e) return world:get(e, C.Look).state end, 2 },
  { "a list of a buffer", function() return C.Steps { { n = 1 }, { n = 5 } } end,
    function(e) return world:buffer(e, C.Steps).n[2] end, 5 },
  { "an empty list", function() return C.Steps {} end, function(e) return world:buffer(e, C.Steps).count end, 0 },
  { "switched off", function() return C.Shield { power = 3, enabled = false } end,
    function(e) return tostring(world:is_enabled(e, C.Shield)) .. world:get(e, C.Shield).power end, "false3" },
  { "switched off, no fields", function() return C.Stunned { enabled = false } end,
    function(e) return world:has(e, C.Stunned) and world:is_enabled(e, C.Stunned) end, false },
  { "a shared value", function() return C.Team { id = 4 } end, function(e) return world:get(e, C.Team).id end, 4 },
  -- The value first: it is used by the entity with which a chunk starts.
  { "a value of a chunk", function() return C.Bounds { min_x = 8 } end,
    function(e) return world:get(e, C.Bounds).min_x end, 8, "spawn" },
  { "a chunk component", function() return C.Bounds end, function(e) return world:has(e, C.Bounds) end, true, "spawn" },
  { "what requires others", function() return C.Engine end,
    function(e) return world:has(e, C.Position) and world:has(e, C.Shield) and world:get(e, C.Engine).thrust end, 2 },
}

local base = ecs.prefab("Base", { C.Position })
local made = {}
local function note(form, way, entity) made[#made + 1] = { form, way, entity } end

for i, form in ipairs(forms) do
  local give = form[2]
  note(form, "world:spawn", world:spawn(C.Position, give()))
  note(form, "world:spawn with a prefab", world:spawn(base, give()))
  note(form, "world:spawn after nil", world:spawn(base, nil, give()))
  note(form, "a prefab", world:spawn(ecs.prefab("F" .. i, { C.Position, give() })))
  note(form, "a child of a prefab",
    world:children(world:spawn(ecs.prefab("G" .. i, { C.Position, children = { { C.Position, give() } } })))[1])
  local added = world:spawn(C.Position)
  world:add(added, give())
  note(form, "world:add", added)
  if form[5] ~= "spawn" then
    local changed = world:spawn(C.Position, C.Frozen)
    world:change(changed, { give() }, { C.Marked })
    note(form, "world:change", changed)
    local set = world:spawn(C.Position, C.Health, C.Look, C.Steps, C.Shield, C.Stunned, C.Team, C.Engine, C.Frozen)
    if form[1] ~= "a component" and form[1] ~= "a tag" and form[1] ~= "what requires others" then
      world:set(set, give())
      note(form, "world:set", set)
    end
  end
end
t.fails("expected a prefab or a component first, got nil", world.spawn, world, nil, C.Position)
t.fails("expected a prefab or a component first, got nil", world.spawn, world, nil)
t.equal(world:is_alive(world:spawn()), true)

local steps = 0
ecs.system("make", {
  run = function(_, ctx)
    steps = steps + 1
    if steps > 1 then return end
    local commands = ctx.commands
    for _, form in ipairs(forms) do
      local give = form[2]
      note(form, "commands:spawn", commands:spawn(C.Position, give()))
      note(form, "commands:spawn with a prefab", commands:spawn(base, nil, give()))
      if form[5] ~= "spawn" then
        local added, changed = commands:spawn(C.Position), commands:spawn(C.Position)
        commands:add(added, give())
        note(form, "commands:add", added)
        commands:change(changed, { give() })
        note(form, "commands:change", changed)
      else
        t.fails("chunk component", commands.add, commands, 1, give())
      end
    end
  end,
})

-- Rows of a system take flags by label, too.
local flagged = world:spawn(C.Look, C.Marked)
ecs.system("flag rows", {
  query = { write = { C.Look }, read = { C.Marked } },
  run = function(chunk)
    for i = 1, chunk.count do
      chunk.Look.state[i] = { "burning", "flying" }
      chunk.Look[i].state = { "wet" }
      chunk.Look[i] = { state = { "wet", "burning" } }
    end
    t.fails("expected one of the labels burning, wet, flying, got 'wett'; did you mean 'wet'?",
      function() chunk.Look.state[1] = { "wett" } end)
    t.fails("expected a number or labels", function() chunk.Look.state[1] = true end)
    t.fails("label 'wet': expected true or false, got 1", function() chunk.Look.state[1] = { wet = 1 } end)
  end,
})

function finished()
  t.is_true(steps >= 2)
  t.equal(world:get(flagged, C.Look).state, 3)
  for _, entry in ipairs(made) do
    local form, way, entity = entry[1], entry[2], entry[3]
    local got = form[3](entity)
    if got ~= form[4] then error(form[1] .. " through " .. way .. ": " .. tostring(got), 0) end
  end
  t.is_true(#made > 120, #made)
end
