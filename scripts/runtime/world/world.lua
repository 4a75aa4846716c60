-- ecs.world: the world outside systems, at load and in tests. Its methods (world_methods.lua and others) load on first
-- use, and are unloaded when the mod's files have run.
local rt = ...
local ffi = require("ffi")
local next, setmetatable = next, setmetatable
local fail, layout, phase = rt.fail, rt.layout, rt.phase
local world = { methods = {}, epoch = ffi.cast("uint64_t", ffi.cast("void *", layout.cell)) }

--- Called when layouts have changed: drops the functions that create proxies, by type number.
function world.forget_layouts()
  world.makers, world.resource_makers = {}, {}
  if phase.has_sketch then rt.sketch.forget_layouts() end
end
world.forget_layouts()

local methods = world.methods

local function grow_methods()
  for name in next, methods do methods[name] = nil end
  rt.grow(methods,
    function() rt.made.wrap(rt.world_methods.extend(methods)) end,
    function() rt.include("world_more") end,
    function() rt.hierarchy.extend_world(methods, rt.world_methods.expect_outside, rt.world_methods.check_entity) end,
    function()
      rt.owned.extend_world(methods, world.epoch, rt.world_methods.expect_outside, rt.world_methods.check_entity)
    end,
    function() rt.event.extend_world(methods, rt.world_methods.expect_outside) end)
end

grow_methods()
rt.after_load(grow_methods)

world.object = setmetatable({}, {
  __index = function(_, key)
    local method = phase.is_sketch() and rt.sketch.method(key) or methods[key]
    if method then return method end
    fail.raise("ecs.world has no method " .. fail.shown(key) .. fail.suggestion(key, rt.order.names(methods)))
  end,
  __newindex = function() fail.raise("ecs.world cannot be changed") end,
  __metatable = false,
})
rt.words[world.object] = rt.keys_of(methods)

return world
