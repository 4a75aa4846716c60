-- The chunk object of a system: count, entity, and one column object per term.
-- Invariant: made once per system (and once per prefab, for initialisers), for the life of the state; C++ arms and
-- disarms the views behind it. An optional component that the current chunk lacks reads as nil.
local rt = ...
local ffi = require("ffi")
local type, format, next, cast, typeof = type, string.format, next, ffi.cast, ffi.typeof
local fail, layout, view, component = rt.fail, rt.layout, rt.view, rt.component

local chunk = {}

local function undeclared(terms, key)
  local list = {}
  for name in next, terms do
    if type(name) == "string" then list[#list + 1] = name end
  end
  local description = component.of_handle(key)
  local name = description and description.name or key
  if type(name) ~= "string" then fail.raise("chunk has no entry of type " .. type(name)) end
  fail.raise(format("chunk: '%s' is not in its query; declare it under query.read or query.write%s", name,
    fail.suggestion(name, list)))
end

-- Two maps, so that columns that are always there cost one look-up.
local function maps_from(views, terms)
  local required, optional = {}, {}
  required.entity = layout.reference(view.entity_type, views)
  for i = 1, #terms do
    local term = terms[i]
    local description = component.by_id(term.id)
    local object = true  -- a tag is there or not
    if description.kind == "buffer" then
      object = rt.buffer.column(views + i, views, description, term.write)
    elseif description.kind == "object" then
      object = rt.object.column(views + i, views, description, term.write)
    elseif description.size > 0 then
      object = layout.reference(view.column_type(description, term.write), views + i)
    end
    local to = term.optional and optional or required
    local entry = term.optional and { view = views + i, object = object } or object
    to[description.handle] = entry
    -- By the names under which the mod finds it: "Position", "gfx:Sprite", and "Sprite" unless that is another's.
    if component.find(description.name) == description.handle then to[description.name] = entry end
    local meant = component.find(description.short)
    if not meant or meant == description.handle then to[description.short] = entry end
  end
  return required, optional
end

--- terms: list of { id =, write =, optional = }. At views_address lie the view of the entity column and then one view
--- per term; at count_address an int32 with the number of rows.
function chunk.make(count_address, views_address, terms, what)
  local required, optional = maps_from(cast(layout.view_pointer, views_address), terms)
  local ctype = typeof("struct { const int32_t count; }")
  ffi.metatype(ctype, {
    __index = function(_, key)
      local column = required[key]
      if column ~= nil then return column end
      local entry = optional[key]
      if not entry then
        if key == component.id_name then return nil end  -- asked by value.lua
        undeclared(required, key)
      end
      if entry.view.address == 0 then return nil end
      return entry.object
    end,
    __newindex = function() fail.raise("chunk: columns are written row by row: chunk.Position.x[i] = value") end,
    __tostring = function() return "chunk of " .. what end,
  })
  return layout.reference(ctype, count_address)
end

return chunk
