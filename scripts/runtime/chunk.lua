-- The chunk object of a system: how many rows, which chunk, the runs of rows, and one object per term: columns, or the
-- fields of a value that the chunk has once.
-- Invariant: made once per system (and once per prefab, for initialisers), for the life of the state; C++ arms and
-- disarms the views behind it. An optional component that the current chunk lacks reads as nil.
local rt = ...
local ffi = require("ffi")
local type, format, next, cast, typeof, istype = type, string.format, next, ffi.cast, ffi.typeof, ffi.istype
local fail, layout, view, proxy, component = rt.fail, rt.layout, rt.view, rt.proxy, rt.component

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

-- What stands for a term: its columns, the fields of the chunk's one value, or true, since a tag is there or not.
local function object_of(description, writable, views, at)
  if component.is_shared(description) or description.kind == "chunk" then
    return layout.reference(proxy.lent_type(description, writable), at)
  end
  if description.kind == "tag" then return true end
  if description.kind == "buffer" then return rt.buffer.column(at, views, description, writable) end
  if description.kind == "object" then return rt.object.column(at, views, description, writable) end
  return layout.reference(view.column_type(description, writable), at)
end

-- Two maps, so that columns that are always there cost one look-up.
local function maps_from(views, terms)
  local required, optional = {}, {}
  required.entity = layout.reference(view.entity_type, views)
  for i = 1, #terms do
    local term = terms[i]
    local description = component.by_id(term.id)
    local object = object_of(description, term.write, views, views + i)
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

local entry_pointer = typeof("uint16_t *")
local fill_rows = rt.api.chunk_fill_rows

-- for first, last in chunk:runs() and for row in chunk:rows(): the control variable leads to the entry of what follows
-- in tables that C++ has filled. The iterators are the chunk's own and look at nothing they are given but that number.
local function iterators_of(memory, ctype)
  local function next_run(_, first)
    if type(first) == "number" then
      local k = first - 0ULL
      if k < memory.run_limit then
        local runs = cast(entry_pointer, memory.runs)
        local following = runs[2 * k]
        if following == 0 then return nil end
        return following, runs[2 * k + 1]
      end
    end
    fail.raise("chunk:runs() is used outside of the visit to its chunk, or with a wrong row")
  end

  local function next_row(_, row)
    if type(row) == "number" then
      local k = row - 0ULL
      if k <= memory.count and memory.rows ~= 0 then
        local following = cast(entry_pointer, memory.rows)[k]
        if following == 0 then return nil end
        return following
      end
    end
    fail.raise("chunk:rows() is used outside of the visit to its chunk, or with a wrong row")
  end

  local function runs(self)
    if not istype(ctype, self) then fail.raise("call it as a method: for first, last in chunk:runs() do … end") end
    return next_run, nil, 0
  end

  local function rows(self)
    if not istype(ctype, self) then fail.raise("call it as a method: for row in chunk:rows() do … end") end
    if memory.run_limit ~= 0 and not fill_rows(memory.views) then fail.raise("not enough memory") end
    return next_row, nil, 0
  end

  return runs, rows
end

local struct_text = "struct { const int32_t %s; const int32_t index; const double first_row; }"
local count_text, runs_text = format(struct_text, "count"), format(struct_text, layout.secret_name())

--- terms: list of { id =, write =, optional = }. At views_address lie the view of the entity column and then one view
--- per term, at chunk_address a perigee_chunk. With takes_runs the function sees chunks with rows that do not pass.
function chunk.make(chunk_address, views_address, terms, what, takes_runs)
  local required, optional = maps_from(cast(layout.view_pointer, views_address), terms)
  local ctype = layout.dressed(takes_runs and runs_text or count_text, {
    __index = function(_, key)
      local column = required[key]
      if column ~= nil then return column end
      local entry = optional[key]
      if not entry then
        if key == component.id_name then return nil end  -- asked by value.lua
        if takes_runs and key == "count" then
          fail.raise("chunk.count: this system asked for runs, and its chunks hold rows that do not match; loop " ..
            "with for first, last in chunk:runs() do for i = first, last do … end end")
        end
        undeclared(required, key)
      end
      if entry.view.address == 0 then return nil end
      return entry.object
    end,
    __newindex = function() fail.raise("chunk: columns are written row by row: chunk.Position.x[i] = value") end,
    __tostring = function() return "chunk of " .. what end,
  })
  required.runs, required.rows = iterators_of(cast(layout.chunk_pointer, chunk_address), ctype)
  return layout.reference(ctype, chunk_address)
end

return chunk
