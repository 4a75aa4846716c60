-- A random program over every kind drives ecs.world and a naive model, a table of tables, and both must agree.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local state = 12345
local function pick(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return math.floor(state / 65536) % n + 1
end

-- One number tells each component's value; buffers have a list, objects any value, tags and chunk components `true`.
local kinds = {
  { c = C.Position, field = "x", default = 0, make = function(v) return C.Position { x = v } end },
  { c = C.Velocity, field = "x", default = 1, make = function(v) return C.Velocity { x = v } end },
  { c = C.Health, field = "current", default = 100, make = function(v) return C.Health { current = v } end },
  { c = C.Frozen }, { c = C.Marked },
  { c = C.Team, field = "id", default = 0, few = true, make = function(v) return C.Team { id = v } end },
  { c = C.Room, field = "number", default = 0, few = true, cleanup = true,
    make = function(v) return C.Room { number = v } end },
  { c = C.Shield, field = "power", default = 1, enableable = true, make = function(v) return C.Shield { power = v } end },
  { c = C.Stunned, enableable = true },
  { c = C.Engine, field = "thrust", default = 2, requires = { 1, 8 }, make = function(v) return C.Engine { thrust = v } end },
  { c = C.Bounds }, { c = C.Steps, list = true }, { c = C.Brain, object = true },
}
local alive, reserved, gone, count = {}, {}, {}, 0  -- alive and reserved: entity -> { [kind] = { value =, on = } }
local order = {}                                 -- of living entities, to choose from

local function fresh(kind)
  if kind.list then return { value = {}, on = true } end
  return { value = kind.default == nil and not kind.object or kind.default, on = true, nothing = kind.object }
end
local function give(parts, k)
  if parts[k] then return end
  for _, required in ipairs(kinds[k].requires or {}) do give(parts, required) end
  parts[k] = fresh(kinds[k])
end
local function born(entity, parts)
  t.equal(alive[entity], nil)
  alive[entity], count = parts, count + 1
  order[count] = entity
end
local function any()
  local at = pick(count)
  return order[at], at
end
local function value_for(kind) return kind.few and pick(3) or pick(90) end
local function copy(cell)
  local value = cell.value
  if type(value) == "table" and not cell.object then value = { unpack(value) } end
  return { value = value, on = cell.on, nothing = cell.nothing }
end

local operations = {
  function()
    local parts, list = {}, {}
    for k = 1, #kinds do
      local kind = kinds[k]
      if kind.make and not kind.requires and pick(4) == 1 then
        local v = value_for(kind)
        list[#list + 1], parts[k] = kind.make(v), { value = v, on = true }
      end
    end
    born(world:spawn(unpack(list)), parts)
  end,
  function()  -- destroy
    local entity, at = any()
    world:destroy(entity)
    local left
    for k, cell in pairs(alive[entity]) do
      if kinds[k].cleanup then left = left or {}; left[k] = cell end
    end
    if left then reserved[entity] = left else gone[#gone % 50 + 1] = entity end
    alive[entity] = nil
    order[at], order[count] = order[count], nil
    count = count - 1
  end,
  function()  -- add, with and without a value
    local entity, k = any(), pick(#kinds)
    local kind, parts = kinds[k], alive[entity]
    if kind.make and pick(2) == 1 then
      local v = value_for(kind)
      world:add(entity, kind.make(v))
      give(parts, k)
      parts[k].value = v
    else
      world:add(entity, kind.c)
      give(parts, k)
    end
  end,
  function()  -- remove
    local entity, k = any(), pick(#kinds)
    world:remove(entity, kinds[k].c)
    alive[entity][k] = nil
  end,
  function()  -- set
    local entity, k = any(), pick(#kinds)
    local cell, kind = alive[entity][k], kinds[k]
    if not cell or not kind.make then return end
    cell.value = value_for(kind)
    world:set(entity, kind.make(cell.value))
  end,
  function()  -- enable
    local entity, k = any(), pick(2) + 7
    local cell = alive[entity][k]
    if not cell then return end
    cell.on = pick(2) == 1
    world:enable(entity, kinds[k].c, cell.on)
  end,
  function()  -- several at once
    local entity, add, remove = any(), pick(#kinds), pick(#kinds)
    world:change(entity, { kinds[add].c }, { kinds[remove].c })
    if add ~= remove then give(alive[entity], add) end
    alive[entity][remove] = nil
  end,
  function()  -- clone
    local entity, parts = any(), {}
    for k, cell in pairs(alive[entity]) do
      if not kinds[k].cleanup then parts[k] = copy(cell) end
    end
    born(world:clone(entity), parts)
  end,
  function()  -- buffer
    local entity = any()
    local cell = alive[entity][12]
    if not cell then return end
    local steps, list = world:buffer(entity, C.Steps), cell.value
    t.equal(steps.count, #list)
    local what, v, at = pick(4), pick(100), pick(#list + 1)
    if what == 1 then steps:push { n = v }; list[#list + 1] = v end
    if what == 2 then steps:insert(at, { n = v }); table.insert(list, at, v) end
    if what == 3 and at <= #list then steps:remove(at); table.remove(list, at) end
    if what == 4 and pick(8) == 1 then steps:clear(); cell.value = {} end
  end,
  function()  -- object
    local entity = any()
    local cell = alive[entity][13]
    if not cell then return end
    cell.value, cell.nothing = pick(50), false
    world:set_object(entity, C.Brain, cell.value)
  end,
  function()  -- a reserved id loses its last cleanup component
    local entity, parts = next(reserved)
    if not entity then return end
    t.equal(world:is_alive(entity), false)
    t.equal(world:get(entity, C.Room).number, parts[7].value)
    world:remove(entity, C.Room)
    reserved[entity] = nil
    gone[#gone % 50 + 1] = entity
  end,
}

local function check()
  t.equal(world:entity_count(), count)
  for entity, parts in pairs(alive) do
    t.is_true(world:is_alive(entity))
    for k = 1, #kinds do
      local kind, cell = kinds[k], parts[k]
      t.equal(world:has(entity, kind.c), cell ~= nil, k)
      if cell and kind.field then t.equal(world:get(entity, kind.c)[kind.field], cell.value, kind.field) end
      if cell and kind.enableable then t.equal(world:is_enabled(entity, kind.c), cell.on) end
      if cell and kind.object then t.equal(world:object(entity, kind.c), not cell.nothing and cell.value or nil) end
      if cell and kind.list then
        local steps = world:buffer(entity, kind.c)
        t.equal(steps.count, #cell.value)
        for i = 1, #cell.value do t.equal(steps.n[i], cell.value[i]) end
      end
    end
  end
  for _, entity in ipairs(gone) do t.equal(world:is_alive(entity), false) end
end

function run_model(steps)
  for i = 1, steps do
    while count < 20 do operations[1]() end
    if count > 150 then operations[2]() else operations[pick(#operations)]() end
    if i % 2500 == 0 or i < 100 then check() end
  end
end
