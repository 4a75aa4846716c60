-- The named queries of a system: `queries = { towers = { … } }` in its declaration, and ctx.queries in its run:
-- for chunk in ctx.queries.towers:chunks() do … end.
-- Invariant: what the queries access is part of the system's access, so the scheduler knows it. A query has one visit
-- at a time; the chunk of an earlier visit, and the loop over it, end when another begins (ScriptVisit). Visits of
-- different queries nest.
-- Not here: the parts of a query (query.lua), chunks (chunk.lua).
local need = ...
local query, chunk, component, order = need "query", need "chunk", need "component", need "order"
local host, fail, api, constants = need "host", need "fail", need "api", need "constants"
local query_handle, spend = need "query_handle", need "fuel".spend
local ffi = require("ffi")
local type, format, next, rawget, setmetatable = type, string.format, next, rawget, setmetatable

local queries = {}

local visit_steps, visit_begin, visit_next = api.visit_steps, api.visit_begin, api.visit_next
local max_queries = constants.max_queries

-- ---- declarations -------------------------------------------------------------------------------------------

-- Adds what a query accesses to the access of the system.
local function add_access(spec, one)
  for i = 1, #one.terms do
    local list = one.terms[i].write and spec.write or spec.read
    list[#list + 1] = one.terms[i].description
  end
  for _, ids in next, { one.any, one.without, one.changed } do
    for i = 1, #ids do
      local description = component.by_id(ids[i])
      -- The simulation may see that an entity has presentation data, but not that the data changed.
      if not description.presentation or spec.presentation or ids == one.changed then
        spec.read[#spec.read + 1] = description
      end
    end
  end
end

--- Components, by number, whose rows are copied and written back, because a query writes them in an order.
function queries.copied_by(spec)
  local copied = {}
  local function add(one)
    for i = 1, one.order_by and #one.terms or 0 do
      local term = one.terms[i]
      local kind = term.description.kind
      copied[term.id] = copied[term.id] or term.write and (kind == "component" or kind == "enableable") or nil
    end
  end
  add(spec)
  for i = 1, spec.queries and #spec.queries or 0 do add(spec.queries[i]) end
  return copied
end

-- While one query writes its copies of rows, another one would see and write the rows themselves.
local function expect_no_copies(spec, what)
  local copied, users = queries.copied_by(spec), {}
  local function look(one)
    for i = 1, #one.terms do
      local term = one.terms[i]
      users[term.id] = (users[term.id] or 0) + 1
      if copied[term.id] and users[term.id] > 1 then
        fail.raise(format("%s: a query writes '%s' in an order, so no other query of the system may name it; its " ..
          "rows are copies until the visit ends", what, term.description.name))
      end
    end
  end
  look(spec)
  for i = 1, #spec.queries do look(spec.queries[i]) end
end

local kOptions = { "runs" }

--- Reads `t`, the `queries` of a declaration, into `spec`, whose own query and access are there.
function queries.read(t, spec, what)
  if t == nil then return end
  if type(t) ~= "table" then fail.raise(what .. ", queries: expected a table of queries, got " .. fail.shown(t)) end
  local names = {}
  for name in next, t do
    fail.check_name(name, what .. ", queries")
    names[#names + 1] = name
  end
  if #names > max_queries then
    fail.raise(format("%s, queries: expected at most %d, got %d", what, max_queries, #names))
  end
  spec.queries = {}
  for i, name in ipairs(order.sort(names)) do
    local here = format("%s, queries.%s", what, name)
    local one = query.read(rawget(t, name), { name = name }, here, kOptions, here)
    one.runs = query.flag_of(t[name], "runs", here)
    spec.queries[i] = one
    add_access(spec, one)
  end
  expect_no_copies(spec, what)
end

-- ---- visits -------------------------------------------------------------------------------------------------

-- About the cost of finding the next chunk and lending it, in steps of fuel.
local kStepsPerVisit, kStepsPerTerm = 10, 2

local function refused(answer, name)
  if answer == -1 then fail.raise(format("ctx.queries.%s: there is %s to visit it", name, fail.no_memory)) end
  fail.raise(format("ctx.queries.%s: queries are visited in 'run'", name))
end

local function ended(name)
  fail.raise(format("ctx.queries.%s: this visit has ended, since the query was visited again, or a job was started, " ..
    "before its end; to visit a query inside itself, declare it under two names", name))
end

-- The object ctx.queries.<name>.
local function entry_of(one, slot, owner, address, visible)
  local cell, name = owner.cell, one.name
  local pointer, views, chunk_address, query_address = host.add_visit(address, one, one.runs)
  if not pointer then fail.raise(format("%s, queries.%s: %s", owner.what, name, views)) end
  local visit, at = ffi.cast("void *", pointer), ffi.cast("void *", query_address)
  local make, is_lent = chunk.make(chunk_address, views, one.terms, format("%s, queries.%s", owner.what, name),
    { takes_runs = one.runs, slot = slot, visible = visible })
  local steps = kStepsPerVisit + kStepsPerTerm * #one.terms
  local methods = {}
  local entry = setmetatable({}, {
    __index = function(_, key)
      local method = methods[key]
      if method ~= nil or key == component.id_name then return method end  -- value.lua queries the latter
      fail.raise(format("ctx.queries.%s has no %s%s", name, fail.shown(key),
        fail.suggestion(key, order.names(methods))))
    end,
    __newindex = function() fail.raise("a query cannot be changed") end,
    __metatable = false,
    __tostring = function() return "query " .. name end,
  })

  local function check(self, method)
    if self ~= entry then
      fail.raise(format("call it as a method: ctx.queries.%s:%s()", name, method))
    end
    if cell.epoch == 0 then fail.run_closed(format("ctx.queries.%s:%s", name, method), cell.open_jobs) end
  end

  -- The control variable is the chunk shown last.
  local function next_chunk(self, before)
    if self ~= entry or before ~= nil and not is_lent(before) then ended(name) end
    spend(steps)
    local answer = visit_next(visit)
    if answer == 1 then return (make()) end
    if answer ~= 0 then refused(answer, name) end
  end

  --- for chunk in ctx.queries.towers:chunks() do … end: each chunk with rows that match.
  function methods.chunks(self)
    check(self, "chunks")
    spend(visit_steps(visit))
    local answer = visit_begin(visit)
    if answer ~= 1 then refused(answer, name) end
    return next_chunk, self, nil
  end

  --- The number of rows that match.
  function methods.entity_count(self)
    check(self, "entity_count")
    query_handle.pay(at, query_handle.count_rows)
    return api.query_entity_count(at)
  end

  return entry
end

--- ctx.queries for the named queries of `spec`; owner as in context.lua, `address` that of its cell.
function queries.make(spec, owner, address, visible)
  local entries, names = {}, {}
  for i = 1, #spec.queries do
    local name = spec.queries[i].name
    names[i] = name
    entries[name] = entry_of(spec.queries[i], i, owner, address, visible)
  end
  return setmetatable({}, {
    __index = function(_, key)
      local entry = entries[key]
      if entry ~= nil or key == component.id_name then return entry end
      fail.raise(format("ctx.queries has no entry %s%s", fail.shown(key), fail.suggestion(key, names)))
    end,
    __newindex = function() fail.raise("ctx.queries cannot be changed; queries are declared with the system") end,
    __metatable = false,
    __tostring = function() return "queries of " .. owner.what end,
  })
end

return queries
