-- The modules that mods require or use as globals, and the environment of mods.
-- Not here: require itself (load.lua).
local need = ...
local host, native, parts = need "host", need "native", need "parts"
local ffi = require("ffi")
local cast, void_pointer, rawset = ffi.cast, ffi.typeof("void *"), rawset

-- `state_of` returns the table `state` of an environment, in states with a world (ecs.lua).
local module = { loaded = {}, env = nil, state_of = nil }

--- Opens an engine module when a mod first requires it or uses it as a global: the wrapper is trusted, its result goes
--- to the mod.
function module.open(name)
  local context = host.modules[name]
  if context == nil then return nil end
  module.loaded[name] = parts.run(name, native.bind(name), cast(void_pointer, context))
  return module.loaded[name]
end

--- The metatable of environments.
module.env_meta = {
  __index = function(env, name)
    local found = module.open(name)
    if found ~= nil then rawset(env, name, found) end
    if found == nil and name == "state" and module.state_of then return module.state_of(env) end
    return found
  end,
  __metatable = false,
}

return module
