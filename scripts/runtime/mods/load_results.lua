-- Remembers what main.lua created in the world, by the arguments of the call, so that a reload returns the same
-- entities (reload.lua).
-- Invariant: only calls of ecs.world's spawn, clone and load while main.lua runs are recorded, in call order.
local need = ...
local value, prefab, world = need "value", need "prefab", need "world"
local cell, phases, inner = need "layout".cell, need "layout".phases, need "tables".inner
local type, select = type, select

local load_results = {}
local created = {}  -- nested tables by argument: lists of results, from the first load and later
local again = nil  -- during a reload: how many of each list were requested
local new_results = {}  -- of this load, with their lists

local function loads_now() return cell.phase == phases.main end

-- A spawn is identified by its prefab and components, not by its values.
local function spawned_like(first, ...)
  local node = inner(created, "spawn")
  if prefab.is_prefab(first) then
    node = inner(node, -1 - prefab.expect(first))
  elseif first ~= nil then
    node = inner(node, (value.parts(first, "ecs.world:spawn", true)))
  end
  for i = 1, select("#", ...) do
    local part = select(i, ...)
    if part ~= nil then node = inner(node, (value.parts(part, "ecs.world:spawn", true))) end
  end
  return inner(node, "results")
end

-- The result of the same call in the previous load; nil: it is new.
local function given_before(list)
  if not again then return nil end
  local at = (again[list] or 0) + 1
  again[list] = at
  return list[at]
end

local function remember(list, result)
  list[#list + 1] = result
  if again then new_results[#new_results + 1] = { result, list } end
  return result
end

--- Wraps the methods of ecs.world so that they record what they create.
function load_results.wrap(methods)
  local spawn, clone, load_data = methods.spawn, methods.clone, methods.load

  -- These create no closures, which would prevent a spawning loop from being compiled.
  local function spawn_at_load(self, ...)
    if not again then
      local entity = spawn(self, ...)  -- which checks its arguments
      return remember(spawned_like(...), entity)
    end
    local list = spawned_like(...)
    return given_before(list) or remember(list, (spawn(self, ...)))
  end

  function methods.spawn(self, ...)
    if loads_now() and self == world.object then return spawn_at_load(self, ...) end
    return spawn(self, ...)
  end

  function methods.clone(self, entity)
    if not loads_now() or type(entity) ~= "number" or entity ~= entity then return clone(self, entity) end
    local list = inner(inner(created, "clone"), entity)
    return given_before(list) or remember(list, clone(self, entity))
  end

  function methods.load(self, path)
    if not loads_now() or type(path) ~= "string" then return load_data(self, path) end
    local list = inner(inner(created, "load"), path)
    local loaded = given_before(list)
    if not loaded then
      local entities, prefabs = load_data(self, path)
      local own = {}  -- the mod may change its list
      for i = 1, #entities do own[i] = entities[i] end
      loaded = remember(list, { entities = entities, prefabs = prefabs, own = own })
    end
    return loaded.entities, loaded.prefabs
  end
end

-- ---- for reload.lua -----------------------------------------------------------------------------------------------

load_results.loads_now = loads_now
function load_results.runs_again() return again ~= nil end

--- From here on recorded results are returned again.
function load_results.begin() again, new_results = {}, {} end

--- Returns the new results: { result, list that ends with it }.
function load_results.finish()
  local new = new_results
  again, new_results = nil, {}
  return new
end

return load_results
