-- The chunk object of a system: row count, chunk index, runs of rows, and one object per term: columns, or the fields
-- of a value stored once per chunk.
-- Invariant: a chunk object and everything obtained from it is valid for one visit: each stores the epoch under which
-- C++ armed the views (ScriptSystem::visit), and compares it at each use. The memory behind them lives as long as the
-- state. An optional component that the current chunk lacks reads as nil.
-- A visit with two columns would create three objects, about 0.3 µs including garbage collection. So a system whose
-- function keeps no part of its chunk (keeps.lua) gets the same objects at each visit: references to the views
-- themselves, whose epoch is always current.
local need = ...
local buffer, object, order, fail = need "buffer", need "object", need "order", need "fail"
local layout, view, proxy, component = need "layout", need "view", need "proxy", need "component"
local fill_rows, changed_in, id_of = need "api".chunk_fill_rows, need "api".chunk_changed, component.id_of
local ffi = require("ffi")
local type, format, cast, typeof, istype = type, string.format, ffi.cast, ffi.typeof, ffi.istype

local chunk = {}

local function undeclared(terms, key)
  local description = component.of_handle(key)
  local name = description and description.name or key
  if type(name) ~= "string" then fail.raise("chunk has no entry of type " .. type(name)) end
  fail.raise(format("chunk: '%s' is not in its query; declare it under query.read or query.write%s", name,
    fail.suggestion(name, order.names(terms))))
end

local E = layout.epoch_name

-- function(epoch) -> the object of a term: its columns, the fields of the chunk's value, or true for a tag; and its
-- type, which can be laid over a view's epoch.
local function maker_of(description, writable, views, at, slot)
  if component.is_shared(description) or description.kind == "chunk" then
    return proxy.lent(description, writable, at)
  end
  if description.kind == "tag" then return function() return true end end
  if description.kind == "buffer" then return buffer.column(at, views, description, writable) end
  if description.kind == "object" then return object.column(at, views, description, writable) end
  return view.columns(description, writable, at, slot)
end

local kEpoch = ffi.offsetof("perigee_view", "epoch")

-- Two maps, so that required columns cost one look-up: key -> the function that creates the object, or with is_steady
-- the object of all visits; and the same for optional terms, each with its view.
local function maps_from(views, terms, is_steady, slot)
  local required, optional = {}, {}
  local function entry_of(at, make, ctype)
    if not is_steady then return make end
    return ctype and layout.reference(ctype, cast("uint64_t", cast("void *", at)) + kEpoch) or make()
  end
  required.entity = entry_of(views, view.entities(views, slot))
  for i = 1, #terms do
    local term = terms[i]
    local description = component.by_id(term.id)
    local at = views + i
    local entry = entry_of(at, maker_of(description, term.write, views, at, slot))
    local function name(key)
      if term.optional then optional[key] = { view = at, entry = entry } else required[key] = entry end
    end
    name(description.handle)
    -- By the names under which the mod finds it: "Position", "gfx:Sprite", and "Sprite" unless that is another's.
    if component.find(description.name) == description.handle then name(description.name) end
    local meant = component.find(description.short)
    if not meant or meant == description.handle then name(description.short) end
  end
  return required, optional
end

local entry_pointer = typeof("uint16_t *")

local function stale(what)
  fail.raise(what .. " is used after its visit; chunks, their rows and their columns end with it, so keep copies of " ..
    "the values, or entities")
end

-- for first, last in chunk:runs() and for row in chunk:rows(): the control variable indexes the next entry in tables
-- filled by C++. `is_lent`: tells whether this object is the chunk of the current visit.
local function iterators_of(memory, is_lent)
  local function next_run(self, first)
    if is_lent(self) and type(first) == "number" then
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

  local function next_row(self, row)
    if is_lent(self) and type(row) == "number" then
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
    if not is_lent(self) then fail.raise("call it as a method: for first, last in chunk:runs() do … end") end
    return next_run, self, 0
  end

  local function rows(self)
    if not is_lent(self) then fail.raise("call it as a method: for row in chunk:rows() do … end") end
    if memory.run_limit ~= 0 and not fill_rows(memory.views) then fail.raise(fail.no_memory) end
    return next_row, self, 0
  end

  return runs, rows
end

local kRows = 0xffffffff  -- ViewSet::kRows

-- Raises for a component whose changes a chunk cannot tell, with or without a declaration.
local function expect_visible(handle, visible)
  local description = component.expect(handle, "chunk:changed")
  local kind = description.kind
  if kind == "resource" or kind == "event" or kind == "blob" then
    fail.raise(format("chunk:changed: '%s' is %s %s, and chunks contain components", description.name,
      kind == "event" and "an" or "a", kind))
  end
  if visible[description.id] == nil then
    fail.raise(format("chunk:changed: '%s' is not declared; add it to the query, or to access.read of the system",
      description.name))
  end
  return description.id
end

-- chunk:changed(C.Position): C++ compares the versions of the columns (QueryVisit::changed).
local function changed_of(memory, is_lent, visible)
  local checked = {}
  return function(self, handle)
    if not is_lent(self) then fail.raise("call it as a method: chunk:changed(C.Position)") end
    if not visible then fail.raise("chunk:changed: these rows are new; only the chunks of a system's run can tell") end
    local id = kRows
    if handle ~= nil then
      id = id_of(handle)
      if id == nil or not checked[id] then
        id = expect_visible(handle, visible)
        checked[id] = true
      end
    end
    local answer = changed_in(memory.views, id)
    if answer >= 0 then return answer == 1 end
    if answer == -2 then
      fail.raise("chunk:changed: this query has an order, and its rows come from several chunks; filter with query." ..
        "changed, or visit the chunks with another query")
    end
    stale("this chunk")
  end
end

local constants = { count = true, index = true, first_row = true }

local function refuse_write(_, key)
  if constants[key] then fail.raise("chunk." .. key .. " is a constant of the visit") end
  fail.raise("chunk: columns are written row by row: chunk.Position.x[i] = value")
end

local function no_entry(names, key, takes_runs)
  if key == component.id_name then return nil end  -- queried by value.lua
  if takes_runs and key == "count" then
    fail.raise("chunk.count: this system asked for runs, and its chunks hold rows that do not match; loop " ..
      "with for first, last in chunk:runs() do for i = first, last do … end end")
  end
  undeclared(names, key)
end

local struct_text = "struct { const int32_t %s; const int32_t index; const double first_row; }"
local count_text, runs_text = format(struct_text, "count"), format(struct_text, "no_count")

-- The chunk object of all visits, for functions that keep no part of it.
local function steady_chunk(chunk_address, memory, required, optional, what, takes_runs, visible)
  local ctype = layout.dressed(takes_runs and runs_text or count_text, {
    __index = function(_, key)
      local entry = required[key]
      if entry ~= nil then return entry end
      local found = optional[key]
      if not found then return (no_entry(required, key, takes_runs)) end
      if found.view.address == 0 then return nil end
      return found.entry
    end,
    __newindex = refuse_write,
    __tostring = function() return "chunk of " .. what end,
  })
  local function is_lent(self) return istype(ctype, self) end
  required.runs, required.rows = iterators_of(memory, is_lent)
  required.changed = changed_of(memory, is_lent, visible)
  return layout.reference(ctype, chunk_address)
end

-- function() -> the chunk object of the visit that C++ has begun; and what tells whether an object is it.
local function chunk_maker(lent, memory, required, optional, what, takes_runs, visible)
  local ctype
  local function is_lent(self) return istype(ctype, self) and lent.epoch == self[E] end
  ctype = layout.dressed(layout.epoch_text, {
    __index = function(self, key)
      local make = required[key]
      if make ~= nil then
        if lent.epoch ~= self[E] then stale("this chunk") end
        return (make(self[E]))
      end
      local found = optional[key]
      if not found then return (no_entry(required, key, takes_runs)) end
      if lent.epoch ~= self[E] then stale("this chunk") end
      if found.view.address == 0 then return nil end
      return (found.entry(self[E]))
    end,
    __newindex = refuse_write,
    __tostring = function() return "chunk of " .. what end,
  }, E)
  local runs, rows = iterators_of(memory, is_lent)
  required.runs, required.rows = function() return runs end, function() return rows end
  local changed = changed_of(memory, is_lent, visible)
  required.changed = function() return changed end
  if not takes_runs then required.count = function() return memory.count end end
  required.index, required.first_row = function() return memory.index end, function() return memory.first_row end
  return function() return (ctype(lent.epoch)) end, is_lent
end

local kPlain = {}

--- The chunk of a system; its terms are { id =, write =, optional = }: function() -> the chunk object of the visit that
--- C++ has begun, and function(object) -> whether the object is that one. At views_address are the view of the entity
--- column and then one view per term, at chunk_address a perigee_chunk. `how`, optional: is_steady: for functions that
--- keep nothing, returns one object for all visits instead; takes_runs: the function also sees rows that do not pass;
--- slot: the number of a named query; visible: the components, by number, whose changes the chunk may tell.
function chunk.make(chunk_address, views_address, terms, what, how)
  how = how or kPlain
  local memory = cast(layout.chunk_pointer, chunk_address)
  local views, is_steady = cast(layout.view_pointer, views_address), how.is_steady
  local required, optional = maps_from(views, terms, is_steady, how.slot)
  if is_steady then
    return (steady_chunk(chunk_address, memory, required, optional, what, how.takes_runs, how.visible))
  end
  local lent = cast(layout.lent_pointer, views_address)
  return chunk_maker(lent, memory, required, optional, what, how.takes_runs, how.visible)
end

--- function(run, ctx): calls `run` with the result of `make`, as C++ does at each visit.
function chunk.entered(make)
  return function(run, ctx) return run(make(), ctx) end
end

return chunk
