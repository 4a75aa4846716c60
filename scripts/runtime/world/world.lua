-- ecs.world: the world outside systems, at load and in tests. Its methods (world_methods.lua and others) load on first
-- use, and are unloaded when the mod's files have run.
local need = ...
local hierarchy, order, kind_methods, parts = need "hierarchy", need "order", need "kind_methods", need "parts"
local relation = need "relation"
local words, fail, layout, phase = need "words", need "fail", need "layout", need "phase"
local later = parts.later
local event, load_results, sketch = later "event", later "load_results", later "sketch"
local switches = later "switches"
local world_methods = later "world_methods"
local ffi = require("ffi")
local next, setmetatable = next, setmetatable
local world = { methods = {}, epoch = ffi.cast("uint64_t", ffi.cast("void *", layout.cell)) }

--- Called when layouts have changed: drops the functions that create proxies, by type number.
function world.forget_layouts()
  world.makers, world.resource_makers = {}, {}
  if phase.has_sketch then sketch.forget_layouts() end
end
world.forget_layouts()

local methods = world.methods

local function grow_methods()
  for name in next, methods do methods[name] = nil end
  parts.grow(methods,
    function() load_results.wrap(world_methods.extend(methods)) end,
    "world_more",
    function() hierarchy.extend_world(methods, world_methods.expect_outside, world_methods.check_entity) end,
    function()
      kind_methods.extend_world(methods, world.epoch, world_methods.expect_outside, world_methods.check_entity)
    end,
    function() relation.extend_world(methods, world_methods.expect_outside, world_methods.check_entity) end,
    function() event.extend_world(methods, world_methods.expect_outside) end,
    function() switches.extend_world(methods, world_methods.expect_outside) end)
end

grow_methods()
parts.after_load(grow_methods)

world.object = setmetatable({}, {
  __index = function(_, key)
    local method = phase.is_sketch() and sketch.method(key) or methods[key]
    if method then return method end
    local other = key == "save" and "; use save.write_world(\"name\")" or fail.suggestion(key, order.names(methods))
    fail.raise("ecs.world has no method " .. fail.shown(key) .. other)
  end,
  __newindex = function() fail.raise("ecs.world cannot be changed") end,
  __metatable = false,
})
words.of[world.object] = words.keys_of(methods)

return world
