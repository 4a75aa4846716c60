-- Reload: runs the mod's files again in the same state, in a fresh environment, while the old one stays in use and the
-- world does not change.
-- Invariant: begin, then commit or abort, all called by C++. Until commit the running code is unchanged. Handles of
-- types, prefabs and queries, and values of object components, are the same before and after: they belong to the state.
-- During the reload, ecs.world:spawn returns its previous results; only new spawns create entities.
local need = ...
local declared, loading, load_results = need "declared", need "loading", need "load_results"
local module, kind_methods, parts = need "module", need "kind_methods", need "parts"
local world_methods = need "world_methods"
local host, fail, api, layout, component = need "host", need "fail", need "api", need "layout", need "component"
local value, world, proxy = need "value", need "world", need "proxy"
local loads_now, runs_again = load_results.loads_now, load_results.runs_again
local ffi = require("ffi")
local type, next, ipairs = type, next, ipairs
local setmetatable, get_string_meta = setmetatable, debug.getmetatable

local reload = {}
local libraries = { "bit", "coroutine", "math", "string", "table" }
local methods = world.methods

local scratch = {}  -- rows written instead of those of the world

-- The results of these methods while the world must not change.
local answers = {
  destroy = true, add = true, remove = true, set = true, enable = true, change = true, set_object = true,
  set_parent = true, set_name = true, add_all = 0, remove_all = 0, set_all = 0, enable_all = 0, destroy_all = 0,
  send = false, enable_system = false, run_group = false,
}

-- Rows outside the world, for writes that must have no effect.
local function copy_of(description, address)
  local bytes = ffi.new("uint8_t[?]", description.size)
  ffi.copy(bytes, address, description.size)
  scratch[#scratch + 1] = bytes
  return (proxy.over_bytes(description, bytes, world.epoch, true))
end

-- Applies until the files have run; then all methods of ecs.world are replaced.
local function wrap_methods()
  for name, answer in next, answers do
    local method = methods[name]
    methods[name] = function(self, ...)
      if runs_again() and loads_now() then
        world_methods.expect_outside(self, name)
        if answer == false then return end
        return answer
      end
      return method(self, ...)
    end
  end

  local get, resource, buffer = methods.get, methods.resource, methods.buffer

  function methods.get(self, entity, v)
    local found = get(self, entity, v)
    if not (runs_again() and found and loads_now()) then return found end
    local _, _, description = world_methods.parts(v, "get")
    return copy_of(description, api.world_get(host.world, entity, description.id))
  end

  function methods.resource(self, v)
    local found = resource(self, v)
    if not (runs_again() and loads_now()) then return found end
    local description = component.of_handle(v)
    return copy_of(description, api.resource_data(host.world, description.id))
  end

  function methods.buffer(self, entity, v)
    if runs_again() and loads_now() then
      fail.raise("ecs.world:buffer: while files run again, the world stays as it is; fill buffers in a system's " ..
        "on_create, or give them their elements when they are spawned")
    end
    return buffer(self, entity, v)
  end
end

-- ---- the code ---------------------------------------------------------------------------------------------------

local saved = nil

--- From here on files run in a separate environment.
function reload.begin()
  saved = { load = parts.all.load, env = module.env, string = get_string_meta("").__index, modules = {} }
  for _, name in ipairs(libraries) do saved.modules[name] = module.loaded[name] end
  parts.again("load")
  module.env = setmetatable(parts.again("sandbox"), module.env_meta)
  for _, name in ipairs(host.module_names) do module.env[name] = module.loaded[name] end
  saved.declared = declared.exchange()
  saved.dresses = layout.change_dresses()
  load_results.begin()
  loading.begin()
  wrap_methods()
end

local function finish()
  saved, scratch = nil, {}
  loading.finish()
  load_results.finish()
end

--- Puts the new code into use.
function reload.commit()
  layout.end_dresses(saved.dresses)
  finish()
end

--- Restores the previous state; entities spawned by the files are destroyed.
function reload.abort()
  local new_results = load_results.finish()
  for i = #new_results, 1, -1 do
    local result, list = new_results[i][1], new_results[i][2]
    local entities = type(result) == "table" and result.own or { result }
    for j = #entities, 1, -1 do api.world_destroy(host.world, entities[j]) end
    list[#list] = nil
  end
  parts.provide("load", saved.load)
  module.env = saved.env
  get_string_meta("").__index = saved.string
  for name, library in next, saved.modules do module.loaded[name] = library end
  -- Migrations of schemas that may change.
  declared.pending = declared.exchange(saved.declared).migrations
  layout.end_dresses(layout.change_dresses(saved.dresses))
  finish()
end

--- Called when layouts have changed: all code compiled for them is generated again. Expects: the code is replaced next.
function reload.forget_layouts()
  component.forget_layouts()
  value.forget_layouts()
  world.forget_layouts()
  kind_methods.forget_layouts()
end

return reload
