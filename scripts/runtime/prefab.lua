-- ecs.prefab: named sets of component values from which entities are made.
-- Invariant: a prefab is checked when it is made and never changes; its handle is opaque like a component's.
local rt = ...
local ffi = require("ffi")
local type, format, istype, rawget = type, string.format, ffi.istype, rawget
local host, fail, layout, component, value = rt.host, rt.fail, rt.layout, rt.component, rt.value

local prefab = {}
local ID = layout.secret_name()
local handle_type = layout.opaque("const uint32_t %s;", ID)
local names = {}

ffi.metatype(handle_type, {
  __index = function(_, key)
    if key == component.id_name then return nil end  -- asked by value.lua
    fail.raise("a prefab has no fields; spawn it with ctx.commands:spawn(prefab)")
  end,
  __newindex = function() fail.raise("a prefab cannot be changed") end,
  __tostring = function(handle) return "prefab " .. names[handle[ID]] end,
})

--- The number of a prefab, or an error.
function prefab.expect(handle, what)
  if istype(handle_type, handle) then return handle[ID] end
  fail.raise(what .. ": expected a prefab made by ecs.prefab, got " .. fail.shown(handle))
end

function prefab.is_prefab(handle) return istype(handle_type, handle) end

--- ecs.prefab(name, { C.Position, C.Health { current = 40 }, … })
function prefab.declare(name, list)
  if type(name) ~= "string" or name == "" then
    fail.raise("ecs.prefab: expected a name, got " .. fail.shown(name))
  end
  local what = format("prefab '%s'", name)
  if type(list) ~= "table" then fail.raise(what .. ": expected a list of components, got " .. fail.shown(list)) end
  rt.world.expect_loading(what)
  local ids, images, seen = {}, {}, {}
  for i = 1, #list do
    local id, bytes = value.parts(rawget(list, i), format("%s, entry %d", what, i))
    local description = component.by_id(id)
    if description.kind == "resource" then
      fail.raise(format("%s: '%s' is a resource; resources belong to the world, not to entities", what,
        description.name))
    end
    if description.kind == "cleanup" or description.kind == "shared_cleanup" then
      fail.raise(format("%s: '%s' is a cleanup component; the system that owns it adds it to the entities it has seen",
        what, description.name))
    end
    if seen[id] then fail.raise(format("%s: component '%s' is named twice", what, description.name)) end
    seen[id] = true
    ids[i] = id
    images[i] = bytes ~= nil and ffi.string(bytes, description.size) or false
  end
  for key in next, list do
    if type(key) ~= "number" or key < 1 or key > #list then
      fail.raise(format("%s: components are listed one after the other, without keys; found key %s", what,
        fail.shown(key)))
    end
  end
  local id, message = host.add_prefab(name, ids, images)
  if not id then fail.raise(message) end
  names[id] = name
  return ffi.new(handle_type, id)
end

-- ---- initialisers of spawn_many -----------------------------------------------------------------------------

local init_chunks = {}

--- Called by C++ once per prefab: where the views for its new rows are. ids[i] belongs to the i-th view.
function prefab.make_init_chunk(id, chunk_address, views_address, ids)
  -- Of a chunk component the rows that were there have the same value.
  for i = 1, #ids do ids[i].write = component.by_id(ids[i].id).kind ~= "chunk" end
  init_chunks[id] = rt.chunk.make(chunk_address, views_address, ids, "prefab '" .. (names[id] or id) .. "'")
end

--- Called by C++ at playback, protected, for each run of new rows. They count from 1 to `count` here.
function prefab.run_initializer(initialize, id, count)
  initialize(init_chunks[id], 1, count)
end

return prefab
