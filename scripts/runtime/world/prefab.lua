-- Handles of prefabs (named sets of component values), and the initialisers of spawn_many. Invariant: a handle is
-- opaque like a component's. Not here: how prefabs are declared (prefab_declare.lua).
local need = ...
local parts, fail, layout, component = need "parts", need "fail", need "layout", need "component"
local later = parts.later
local chunk, late = later "chunk", later "late"
local ffi = require("ffi")
local istype = ffi.istype

local prefab = {}
local ID = layout.secret_name()
local handle_type = layout.opaque("const uint32_t $id;", { id = ID })
local names = {}

ffi.metatype(handle_type, {
  __index = function(_, key)
    if key == component.id_name then return nil end  -- queried by value.lua
    fail.raise("a prefab has no fields; spawn it with ctx.commands:spawn(prefab)")
  end,
  __newindex = function() fail.raise("a prefab cannot be changed") end,
  __tostring = function(handle) return "prefab " .. (names[handle[ID]] or "of a later step") end,
})

--- The number of a prefab, or an error.
function prefab.expect(handle, what)
  if istype(handle_type, handle) then
    if handle[ID] >= 2 ^ 31 then late.not_yet(handle[ID]) end
    return handle[ID]
  end
  fail.raise(what .. ": expected a prefab made by ecs.prefab, got " .. fail.shown(handle))
end

function prefab.is_prefab(handle) return istype(handle_type, handle) end

-- ---- initialisers of spawn_many -----------------------------------------------------------------------------

local init_chunks = {}  -- functions that return the chunk of the current call

--- Called by C++ once per prefab: passes the views for its new rows. ids[i] belongs to the i-th view.
function prefab.make_init_chunk(id, chunk_address, views_address, ids)
  -- Existing rows share the value of a chunk component, so it is read-only.
  for i = 1, #ids do ids[i].write = component.by_id(ids[i].id).kind ~= "chunk" end
  init_chunks[id] = chunk.make(chunk_address, views_address, ids, "prefab '" .. (names[id] or id) .. "'")
end

--- Called by C++ at playback, protected, for each run of new rows. They count from 1 to `count` here.
function prefab.run_initializer(initialize, id, count)
  initialize(init_chunks[id](), 1, count)
end

-- For prefab_declare.lua, which adds everything else.
prefab.handle_type, prefab.names = handle_type, names

return parts.grow(prefab, "prefab_declare")
