-- Reads and checks query descriptions for systems, and for ecs.query, whose handles (query_handle.lua) refer to a query
-- in commands and tools. Stateless.
local need = ...
local phase, query_handle, host, fail = need "phase", need "query_handle", need "host", need "fail"
local component, value, relation = need "component", need "value", need "relation"
local ffi = require("ffi")
local type, format, rawget, ipairs, unpack = type, string.format, rawget, ipairs, unpack

local query = {}

local known_keys = {
  write = true, read = true, without = true, any = true, optional = true, changed = true, shared = true,
  include_disabled = true, order_by = true, related = true,
}
local access_keys = { read = true, write = true }

-- ---- lists --------------------------------------------------------------------------------------------------

function query.check_table(t, known, what)
  if type(t) ~= "table" then fail.raise(what .. ": expected a table, got " .. fail.shown(t)) end
  local message = fail.unknown_keys(t, known, what)
  if message then fail.raise(message) end
end

--- A list; a single entry becomes a list.
function query.list_of(t, what)
  if t == nil then return {} end
  if type(t) == "cdata" or type(t) == "string" then return { t } end
  if type(t) ~= "table" then fail.raise(what .. ": expected a list, got " .. fail.shown(t)) end
  fail.expect_whole(t, what)
  return t
end

--- Descriptions of the listed components. `wanted` is "query" if they must belong to entities.
function query.components_of(t, what, wanted)
  local list = {}
  for i, handle in ipairs(query.list_of(t, what)) do
    local description = component.expect(handle, format("%s, entry %d", what, i))
    if description.kind == "resource" and wanted == "query" then
      fail.raise(format("%s: '%s' is a resource, name it under access", what, description.name))
    end
    if description.kind == "event" and wanted == "query" then
      fail.raise(format("%s: '%s' is an event, name it under access", what, description.name))
    end
    list[i] = description
  end
  return list
end

local function ids_of(t, what)
  local ids = {}
  for i, description in ipairs(query.components_of(t, what, "query")) do ids[i] = description.id end
  return ids
end

-- ---- the parts of a description -----------------------------------------------------------------------------

local function terms_of(t, what, here)
  local terms, seen = {}, {}
  local function take(key, write, optional)
    for _, description in ipairs(query.components_of(t[key], here .. "." .. key, "query")) do
      local before = seen[description.id]
      if before and not (optional and not before.optional) then
        fail.raise(format("%s: component '%s' is named twice in the query", what, description.name))
      end
      if before then
        fail.raise(format("%s: component '%s' is both required and optional", what, description.name))
      end
      local term = { id = description.id, write = write and description.kind ~= "tag", optional = optional,
        description = description }
      seen[description.id] = term
      terms[#terms + 1] = term
    end
  end
  take("write", true, false)
  take("read", false, false)
  -- optional = { C.A } reads; optional = { write = { C.A }, read = { C.B } } is explicit.
  local optional = t.optional
  if type(optional) == "table" and (rawget(optional, "write") or rawget(optional, "read")) then
    query.check_table(optional, access_keys, here .. ".optional")
    t = optional
    take("write", true, true)
    take("read", false, true)
  else
    take("optional", false, true)
  end
  return terms
end

local function shared_of(t, what)
  local filters = {}
  for i, wanted in ipairs(query.list_of(t, what)) do
    local id, bytes = value.parts(wanted, format("%s, entry %d", what, i))
    local description = component.by_id(id)
    if not component.is_shared(description) then
      fail.raise(format("%s: '%s' is a %s; only shared components filter by value", what, description.name,
        description.kind))
    end
    if bytes == nil then
      fail.raise(format("%s: expected a value such as C.%s { … }, got the component", what, description.short))
    end
    filters[i] = { id = id, bytes = ffi.string(bytes, description.size) }
  end
  return filters
end

-- { C.Likes, player } or a list of such pairs.
local function related_of(t, what)
  if type(t) == "table" and component.of_handle(rawget(t, 1)) then t = { t } end
  local filters = {}
  for i, pair in ipairs(query.list_of(t, what)) do
    local here = format("%s, entry %d", what, i)
    if type(pair) ~= "table" then
      fail.raise(format("%s: expected { C.Relation, entity }, got %s", here, fail.shown(pair)))
    end
    local target = rawget(pair, 2)
    if type(target) ~= "number" or rawget(pair, 3) ~= nil then
      fail.raise(format("%s: expected a relation and an entity, got %s in place 2", here, fail.shown(target)))
    end
    filters[i] = { id = relation.expect(rawget(pair, 1), here).id, target = target }
  end
  return filters
end

local function order_of(t, what)
  if t == nil then return nil end
  if type(t) ~= "table" then
    fail.raise(format('%s: expected { C.Component, "field" }, got %s', what, fail.shown(t)))
  end
  fail.expect_whole(t, what)
  local description = component.expect(rawget(t, 1), what)
  local field, direction = rawget(t, 2), rawget(t, 3)
  if type(field) ~= "string" then
    fail.raise(format("%s: expected the name of a field of '%s', got %s", what, description.name, fail.shown(field)))
  end
  if direction ~= nil and direction ~= "ascending" and direction ~= "descending" then
    fail.raise(format("%s: expected 'ascending' or 'descending', got %s", what, fail.shown(direction)))
  end
  return { id = description.id, field = field, descending = direction == "descending" }
end

--- true or false; nil is false.
function query.flag_of(t, key, what)
  local flag = rawget(t, key)
  if flag ~= nil and type(flag) ~= "boolean" then
    fail.raise(format("%s.%s: expected true or false, got %s", what, key, fail.shown(flag)))
  end
  return flag == true
end

--- Writes the query into `spec`, in the shape for C++. `more` lists further allowed keys. `here` names the query in
--- messages, if it is not the only one.
function query.read(t, spec, what, more, here)
  here = here or what .. ", query"
  local known = known_keys
  if more then
    known = {}
    for key in next, known_keys do known[key] = true end
    for _, key in ipairs(more) do known[key] = true end
  end
  query.check_table(t, known, here)
  spec.terms = terms_of(t, what, here)
  spec.any = ids_of(t.any, here .. ".any")
  spec.without = ids_of(t.without, here .. ".without")
  spec.changed = ids_of(t.changed, here .. ".changed")
  spec.shared = shared_of(t.shared, here .. ".shared")
  spec.related = related_of(t.related, here .. ".related")
  spec.order_by = order_of(t.order_by, here .. ".order_by")
  spec.include_disabled = query.flag_of(t, "include_disabled", here)
  return spec
end

-- ---- ecs.query ----------------------------------------------------------------------------------------------

-- Commands and exclusive systems use these queries, so what they match must not depend on the frame rate.
local function refuse_presentation_data(spec)
  local ids = { unpack(spec.changed) }
  if spec.order_by then ids[#ids + 1] = spec.order_by.id end
  for i = 1, #ids do
    local description = component.by_id(ids[i])
    if description.presentation then
      fail.raise(format("ecs.query: '%s' is presentation data, whose values depend on the frame rate; 'changed' and " ..
        "'order_by' name it only in the query of a presentation system", description.name))
    end
  end
end

--- ecs.query { read = { C.Position }, without = { C.Frozen }, … }: a query for commands and for ecs.world.
function query.make(t)
  phase.expect_loading("ecs.query")
  local spec = query.read(t, {}, "ecs.query")
  refuse_presentation_data(spec)
  local address, message = host.add_query(spec)
  if not address then fail.raise("ecs.query: " .. message) end
  return (query_handle.at(address))
end

return query
