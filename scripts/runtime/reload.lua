-- The mod's files run again in the same state: a fresh environment beside the one that goes on, and a world that stays
-- as it is meanwhile.
-- Invariant: begin, then commit or abort, all called by C++. Until commit nothing of what runs has changed. Handles of
-- types, prefabs and queries, and values of object components, are the same before and after: they belong to the state.
-- While files run again, ecs.world:spawn gives what it gave before; only what is spawned for the first time is new.
local rt = ...
local ffi = require("ffi")
local type, next, select, ipairs = type, next, select, ipairs
local setmetatable, get_string_meta = setmetatable, debug.getmetatable
local host, fail, api, layout, component, value, prefab, world, proxy =
  rt.host, rt.fail, rt.api, rt.layout, rt.component, rt.value, rt.prefab, rt.world, rt.proxy
local cell, phases = layout.cell, layout.phases

local reload = {}
local libraries = { "bit", "coroutine", "math", "string", "table" }
local methods = world.methods

-- ---- what main.lua made of the world ---------------------------------------------------------------------------

local made = {}  -- as tables in tables, by what was asked for: lists of results, of the first time and since
local again = nil  -- while files run again: how many of each list were asked for
local new_results = {}  -- of this time, with their lists
local scratch = {}  -- rows that are written to instead of those of the world

local function loads_now() return cell.phase == phases.main end

local function inner(t, key)
  local found = t[key]
  if not found then
    found = {}
    t[key] = found
  end
  return found
end

-- Of what is spawned counts which prefab and components it is made of, not its values.
local function spawned_like(first, ...)
  local node = inner(made, "spawn")
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

-- What the same call gave when the files ran before; nil: it is new.
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

local spawn, clone, load_data = methods.spawn, methods.clone, methods.load

-- No function is made in these, which would keep a loop that spawns from being compiled.
local function spawn_at_load(self, ...)
  if not again then
    local entity = spawn(self, ...)  -- which looks at what it is given
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
  local list = inner(inner(made, "clone"), entity)
  return given_before(list) or remember(list, clone(self, entity))
end

function methods.load(self, path)
  if not loads_now() or type(path) ~= "string" then return load_data(self, path) end
  local list = inner(inner(made, "load"), path)
  local loaded = given_before(list)
  if not loaded then
    local entities, prefabs = load_data(self, path)
    local own = {}  -- the mod may change its list
    for i = 1, #entities do own[i] = entities[i] end
    loaded = remember(list, { entities = entities, prefabs = prefabs, own = own })
  end
  return loaded.entities, loaded.prefabs
end

-- What they answer while the world is not to change.
local answers = {
  destroy = true, add = true, remove = true, set = true, enable = true, change = true, set_object = true,
  set_parent = true, set_name = true, add_all = 0, remove_all = 0, set_all = 0, enable_all = 0, destroy_all = 0,
  send = false,
}

for name, answer in next, answers do
  local method = methods[name]
  methods[name] = function(self, ...)
    if again and loads_now() then
      world.expect_outside(self, name)
      if answer == false then return end
      return answer
    end
    return method(self, ...)
  end
end

-- Rows to write to that nobody sees.
local function copy_of(description, address)
  local bytes = ffi.new("uint8_t[?]", description.size)
  ffi.copy(bytes, address, description.size)
  scratch[#scratch + 1] = bytes
  return (proxy.over_bytes(description, bytes, world.epoch, true))
end

local get, resource, buffer = methods.get, methods.resource, methods.buffer

function methods.get(self, entity, v)
  local found = get(self, entity, v)
  if not (again and found and loads_now()) then return found end
  local _, _, description = world.parts(v, "get")
  return copy_of(description, api.world_get(host.world, entity, description.id))
end

function methods.resource(self, v)
  local found = resource(self, v)
  if not (again and loads_now()) then return found end
  local description = component.of_handle(v)
  return copy_of(description, api.resource_data(host.world, description.id))
end

function methods.buffer(self, entity, v)
  if again and loads_now() then
    fail.raise("ecs.world:buffer: while files run again, the world stays as it is; fill buffers in a system's " ..
      "on_create, or give them their elements when they are spawned")
  end
  return buffer(self, entity, v)
end

-- ---- the code ---------------------------------------------------------------------------------------------------

local saved = nil

--- From here on files run in an environment of their own.
function reload.begin()
  saved = { load = rt.load, env = rt.env, string = get_string_meta("").__index, modules = {} }
  for _, name in ipairs(libraries) do saved.modules[name] = rt.modules[name] end
  rt.load = rt.include("load")
  rt.env = setmetatable(rt.include("sandbox"), rt.env_meta)
  for _, name in ipairs(host.module_names) do rt.env[name] = rt.modules[name] end
  saved.names = rt.reaction.exchange_names {}
  saved.places, saved.migrations = rt.schema.exchange_declared({}, {})
  saved.dresses = layout.change_dresses()
  again, new_results = {}, {}
end

local function finish()
  saved, again, new_results, scratch = nil, nil, {}, {}
end

--- The new code counts.
function reload.commit()
  layout.end_dresses(saved.dresses)
  finish()
end

--- As if nothing had happened; what the files spawned goes.
function reload.abort()
  for i = #new_results, 1, -1 do
    local result, list = new_results[i][1], new_results[i][2]
    local entities = type(result) == "table" and result.own or { result }
    for j = #entities, 1, -1 do api.world_destroy(host.world, entities[j]) end
    list[#list] = nil
  end
  rt.load, rt.env = saved.load, saved.env
  get_string_meta("").__index = saved.string
  for name, module in next, saved.modules do rt.modules[name] = module end
  rt.reaction.exchange_names(saved.names)
  local _, migrations = rt.schema.exchange_declared(saved.places, saved.migrations)
  rt.schema.pending = migrations  -- of schemas that may be about to change
  layout.end_dresses(layout.change_dresses(saved.dresses))
  finish()
end

--- Layouts have changed: everything that was compiled for them is made anew. Expects: the code is replaced next.
function reload.forget_layouts()
  component.forget_layouts()
  value.forget_layouts()
  world.forget_layouts()
  rt.owned.forget_layouts()
end

return reload
