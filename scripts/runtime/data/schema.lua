-- ecs.component and ecs.resource: convert the authors' tables to plain descriptions for C++.
-- Invariant: a declaration never stops at its first error; all errors of a file are collected with their lines and
-- reported together after the file has run. Not here: layouts (ecs/schema/schema.h).
local need = ...
local callers, object, proxy, values = need "callers", need "object", need "proxy", need "value"
local host, fail, component, phase = need "host", need "fail", need "component", need "phase"
local order, declared, constants = need "order", need "declared", need "constants"
local later, is_whole = need "parts".later, need "tables".is_whole
local world = later "world"
local ffi = require("ffi")
local type, next, rawget, ipairs, tonumber, tostring = type, next, rawget, ipairs, tonumber, tostring
local format, match, floor = string.format, string.match, math.floor
local setmetatable, sub = setmetatable, string.sub

local schema = {}
local compound, mistakes = declared.compound, declared.mistakes

-- ---- types with parameters ----------------------------------------------------------------------------------

local function compound_type(meaning)
  local marker = setmetatable({}, {
    __tostring = function() return "type " .. meaning.type end, __metatable = false,
    __newindex = function() fail.raise("a field type cannot be changed") end,
  })
  compound[marker] = meaning
  return marker
end

--- ecs.struct { { "x", "f32" }, … }
function schema.struct(fields) return compound_type { type = "struct", fields = fields } end
--- ecs.enum { "idle", "walking" }
function schema.enum(labels) return compound_type { type = "enum", labels = labels } end
--- ecs.flags { "burning", "wet" }
function schema.flags(labels) return compound_type { type = "flags", labels = labels } end
--- ecs.string(16): text of at most 16 bytes
function schema.string(capacity) return compound_type { type = "string", capacity = capacity } end
--- ecs.array("f32", 4)
function schema.array(element, length) return compound_type { type = "array", element = element, length = length } end

--- ecs.list("f32"), in blobs: any number of them
function schema.list(element) return compound_type { type = "list", element = element } end

local is_plain, is_compound, all_words = {}, { array = true, list = true }, {}
for _, word in ipairs(constants.field_types) do is_plain[word], all_words[#all_words + 1] = true, word end
for _, word in ipairs(constants.compound_types) do is_compound[word], all_words[#all_words + 1] = true, word end
all_words[#all_words + 1], all_words[#all_words + 2] = "array", "list"

local usual_slips = {
  float = "f32", double = "f64", int = "i32", integer = "i32", number = "f64", boolean = "bool", byte = "u8",
  uint = "u32", str = "text", vector = "vec2", vector2 = "vec2", handle = "entity",
  quaternion = "quat", matrix = "mat4", matrix4 = "mat4",
}

-- ---- one field ----------------------------------------------------------------------------------------------

local kDeepestStruct, kMaxLabels, kMaxFlags = constants.max_struct_depth, constants.max_enum_labels, constants.max_flags
local kMaxCapacity, kMaxLength = constants.max_string_capacity, constants.max_array_length
local field_keys = { unit = true, min = true, max = true, doc = true, range = true }
local fields_from
local depth = 0  -- of nested structs
local open = {}  -- the tables of those structs

local function labels_from(labels, what, max, note)
  local list, seen = {}, {}
  local hole = type(labels) == "table" and fail.hole_in(labels, what .. ", labels")
  if hole then note(hole) end
  if type(labels) ~= "table" or not hole and #labels == 0 then
    note(format("%s: expected a list of labels, got %s", what,
      type(labels) == "table" and "an empty one" or fail.shown(labels)))
    return list
  end
  for i, label in ipairs(labels) do
    if type(label) ~= "string" or label == "" then
      note(format("%s: label %d: expected a name, got %s", what, i, fail.shown(label)))
    elseif seen[label] then
      note(format("%s: label '%s' is named twice", what, label))
    else
      seen[label] = true
      list[#list + 1] = label
    end
  end
  if #list > max then note(format("%s: at most %d labels, got %d", what, max, #list)) end
  return list
end

local function unknown_type(word, what, note)
  if is_compound[word] then
    local example = { string = "ecs.string(16)", enum = 'ecs.enum { "a", "b" }', flags = 'ecs.flags { "a", "b" }',
      struct = 'ecs.struct { { "x", "f32" } }', array = 'ecs.array("f32", 4)', list = 'ecs.list("f32")' }
    note(format("%s: type '%s' needs parameters: %s", what, word, example[word]))
  elseif type(word) ~= "string" then
    note(format("%s: expected a type, got %s", what, fail.shown(word)))
  else
    local slip = usual_slips[word]
    note(format("%s: unknown type '%s'%s", what, word,
      slip and fail.did_you_mean(slip) or fail.suggestion(word, all_words)))
  end
end

-- Fills the type part of a plain field description.
local function take_type(field, wanted, what, note)
  if type(wanted) == "string" then
    local capacity, rows = match(wanted, "^string%((%d+)%)$"), match(wanted, "^blob%((.+)%)$")
    local element = match(wanted, "^list%((.+)%)$")
    if capacity then
      wanted = schema.string(tonumber(capacity))
    elseif element then
      wanted = schema.list(element)
    elseif rows then
      field.type, field.labels = "blob", { rows }
      return
    end
  end
  local meaning = type(wanted) == "table" and compound[wanted]
  if not meaning then
    if is_plain[wanted] then field.type = wanted else unknown_type(wanted, what, note) end
    return
  end
  field.type = meaning.type
  if meaning.type == "struct" then
    if open[meaning.fields] then return note(what .. ": a struct cannot contain itself") end
    if depth == kDeepestStruct then return note(format("%s: structs nest at most %d deep", what, kDeepestStruct)) end
    depth = depth + 1
    if type(meaning.fields) == "table" then open[meaning.fields] = true end
    field.nested = fields_from(meaning.fields, what, note)
    if type(meaning.fields) == "table" then open[meaning.fields] = nil end
    depth = depth - 1
  elseif meaning.type == "enum" then
    field.labels = labels_from(meaning.labels, what, kMaxLabels, note)
  elseif meaning.type == "flags" then
    field.labels = labels_from(meaning.labels, what, kMaxFlags, note)
  elseif meaning.type == "string" then
    if is_whole(meaning.capacity, 1, kMaxCapacity) then
      field.capacity = meaning.capacity
    else
      note(format("%s: expected a capacity of 1 to %d bytes, got %s", what, kMaxCapacity, fail.shown(meaning.capacity)))
    end
  elseif meaning.type == "array" then
    field.type = nil
    if not is_whole(meaning.length, 1, kMaxLength) then
      note(format("%s: expected a length of 1 to %d, got %s", what, kMaxLength, fail.shown(meaning.length)))
    end
    take_type(field, meaning.element, what, note)
    if field.array_length then
      note(what .. ": an array of arrays is not available; put the inner one into a struct")
    elseif field.is_list then
      note(what .. ": an array of lists is not available; put the list into a struct")
    end
    field.array_length = meaning.length
  elseif meaning.type == "list" then
    field.type = nil
    if type(meaning.element) == "table" and not compound[meaning.element] then
      return note(what .. ": a list of structs is ecs.list(ecs.struct { … })")
    end
    take_type(field, meaning.element, what, note)
    if field.is_list then note(what .. ": a list of lists is not available; put the inner one into a struct") end
    field.is_list = true
  end
end

-- Defaults in the form for C++: colours by channel, assets by number.
local function default_from(field, value, what, note)
  if value == nil then return nil end
  if field.type == "color" and type(value) == "number" then
    local channels = {}
    for i, name in ipairs { "a", "b", "g", "r" } do channels[name] = floor(value / 256 ^ (i - 1)) % 256 end
    return channels
  end
  if field.type == "asset" and type(value) == "string" then
    local handle, message = host.asset_handle(value)
    if not handle then note(what .. ": " .. message) end
    return handle
  end
  return value
end

local function number_or_note(value, what, key, note)
  if value == nil or type(value) == "number" then return value end
  note(format("%s: expected a number for '%s', got %s", what, key, fail.shown(value)))
end

local function text_or_note(value, what, key, note)
  if value == nil or type(value) == "string" then return value end
  note(format("%s: expected a text for '%s', got %s", what, key, fail.shown(value)))
end

-- What a field has besides its name, type, default and known keys.
local function note_other_keys(entry, what, note)
  local wrong = {}
  for key in next, entry do
    if type(key) == "string" and not field_keys[key] or type(key) == "number" and key > 3 then
      wrong[#wrong + 1] = key
    end
  end
  if #wrong == 0 then return end
  local list = order.names(field_keys)
  for _, key in ipairs(order.sort(wrong)) do
    if type(key) == "string" then
      note(format("%s: unknown key '%s'%s", what, key, fail.suggestion(key, list)))
    else
      note(format("%s: expected name, type and default, got %s in place %d", what, fail.shown(rawget(entry, key)), key))
    end
  end
end

local function field_from(entry, index, owner, note)
  if type(entry) ~= "table" then
    note(format('%s: expected fields such as { "x", "f32" }, got %s in place %d', owner, fail.shown(entry), index))
    return nil
  end
  local name = rawget(entry, 1)
  if type(name) ~= "string" or name == "" then
    note(format("%s: field %d: expected a name, got %s", owner, index, fail.shown(name)))
    return nil
  end
  local what = format("%s, field '%s'", owner, name)
  local field = { name = name }
  if rawget(entry, 2) == nil then note(what .. ": has no type") else take_type(field, rawget(entry, 2), what, note) end
  note_other_keys(entry, what, note)
  field.minimum = number_or_note(rawget(entry, "min"), what, "min", note)
  field.maximum = number_or_note(rawget(entry, "max"), what, "max", note)
  field.unit = text_or_note(rawget(entry, "unit"), what, "unit", note)
  field.doc = text_or_note(rawget(entry, "doc"), what, "doc", note)
  local policy = rawget(entry, "range") or "clamp"
  if policy ~= "clamp" and policy ~= "refuse" then
    note(format("%s: expected 'clamp' or 'refuse' for 'range', got %s", what, fail.shown(policy)))
  end
  field.policy = policy
  field.default = default_from(field, rawget(entry, 3), what, note)
  return field
end

function fields_from(entries, owner, note)
  local fields = {}
  if type(entries) ~= "table" then
    note(format("%s: expected a list of fields, got %s", owner, fail.shown(entries)))
    return fields
  end
  local hole = fail.hole_in(entries, owner .. ", fields")
  if hole then note(hole) end
  for i, entry in ipairs(entries) do fields[#fields + 1] = field_from(entry, i, owner, note) end
  return fields
end

-- ---- declarations -------------------------------------------------------------------------------------------

-- "game/schema.lua:12", the position of the mod's call.
local function position()
  local info = callers.innermost("Sl")
  return info and sub(info.source, 2) .. ":" .. info.currentline or ""
end

local kinds = {}
for _, kind in ipairs(constants.component_kinds) do kinds[kind] = true end
local component_keys = {
  kind = true, version = true, doc = true, migrate = true, capacity = true, requires = true, owner = true,
  hash = true, index = true, on_target_destroyed = true, presentation = true, root = true,
}

local function kind_from(spec, default, what, note)
  local kind = rawget(spec, "kind") or default
  if kinds[kind] then return kind end
  note(format("%s: unknown kind %s%s", what, fail.shown(kind), fail.suggestion(kind, order.names(kinds))))
end

-- Full names of components that are added together with this one.
local has_no_entity = {
  resource = "a resource belongs to the world", event = "no entity has an event", blob = "no entity has a blob",
}

local function requirements_from(list, name, kind, what, note)
  if list == nil then return nil end
  if has_no_entity[kind] then
    note(format("%s: 'requires' is for components of entities; %s", what, has_no_entity[kind]))
    return nil
  end
  if type(list) == "string" or component.of_handle(list) then list = { list } end
  if type(list) ~= "table" then
    note(format("%s: expected a list of components for 'requires', got %s", what, fail.shown(list)))
    return nil
  end
  local names = {}
  local hole = fail.hole_in(list, what .. ", requires")
  if hole then note(hole) end
  for i, entry in ipairs(list) do
    local handle, nearest = entry, ""
    if type(entry) == "string" then handle, nearest = component.find(entry) end
    local description = component.of_handle(handle)
    if entry == name then
      note(what .. ": requires itself")
    elseif description then
      names[#names + 1] = description.name
    elseif type(entry) ~= "string" then
      note(format("%s: requires, entry %d: expected the name of a component, got %s", what, i, fail.shown(entry)))
    elseif not declared.places[entry] then  -- otherwise its own error was already reported
      note(format("%s: requires '%s', which is not declared above it%s", what, entry,
        fail.did_you_mean(nearest)))
    end
  end
  local wrong
  for key in next, list do
    if not is_whole(key, 1, #list) then wrong = order.first(wrong, key) end
  end
  if wrong ~= nil then
    note(format("%s: 'requires' lists names one after the other, without keys; found key %s", what, fail.shown(wrong)))
  end
  return names
end

local function owner_from(owner, kind, what, note)
  if owner == nil then return nil end
  if type(owner) ~= "string" or owner == "" then
    note(format("%s: expected the name of a system for 'owner', got %s", what, fail.shown(owner)))
  elseif kind == "tag" then
    note(what .. ": a tag has no value that could have an 'owner'")
  elseif kind == "blob" then
    note(what .. ": a blob never changes, so it has no 'owner'")
  end
  return owner
end

local kMaxBufferCapacity = constants.max_buffer_capacity

local function capacity_from(capacity, kind, what, note)
  if capacity == nil then return nil end
  if kind ~= "buffer" then
    note(format("%s: 'capacity' is for buffers; this is a %s", what, kind))
  elseif not is_whole(capacity, 0, kMaxBufferCapacity) then
    note(format("%s: expected a whole number from 0 to %d for 'capacity', got %s", what, kMaxBufferCapacity,
      fail.shown(capacity)))
  end
  return capacity
end

-- C++ checks the kind and the fields.
local function presentation_from(spec, what, note)
  local flag = rawget(spec, "presentation")
  if flag ~= nil and type(flag) ~= "boolean" then
    note(format("%s: expected true or false for 'presentation', got %s", what, fail.shown(flag)))
  end
  return flag
end

local target_words = { clear = true, destroy = true }

-- index = true and on_target_destroyed = "clear" or "destroy"; C++ checks that there is one target.
local function index_from(spec, what, note)
  local index, word = rawget(spec, "index"), rawget(spec, "on_target_destroyed")
  if index ~= nil and type(index) ~= "boolean" then
    note(format("%s: expected true or false for 'index', got %s", what, fail.shown(index)))
  end
  if word ~= nil and not target_words[word] then
    note(format("%s: expected 'clear' or 'destroy' for 'on_target_destroyed', got %s", what, fail.shown(word)))
  elseif word ~= nil and not index then
    note(format("%s: 'on_target_destroyed' is for relations, which have 'index = true'", what))
  end
  return index, word
end

local function root_from(root, kind, what, note)
  if root ~= nil and type(root) ~= "boolean" then
    note(format("%s: expected true or false for 'root', got %s", what, fail.shown(root)))
  elseif root and kind ~= "blob" then
    note(format("%s: 'root' is for blobs; this is a %s", what, kind))
  end
  return root
end

local has_no_layout = { tag = "a tag", object = "an object" }

local function version_from(version, kind, what, note)
  if version == nil then return 1 end
  if not is_whole(version, 1, 1e9) then
    note(format("%s: expected a whole number from 1 for 'version', got %s", what, fail.shown(version)))
  elseif version > 1 and has_no_layout[kind] then
    note(format("%s: %s has no fields whose layout could have a 'version'", what, has_no_layout[kind]))
  end
  return version
end

-- migrate = { [1] = function(old) … end }: from each older version to the next.
local function check_migrations(list, version, kind, what, note)
  if list == nil then return end
  if has_no_layout[kind] or kind == "event" then
    note(format("%s: 'migrate' is for values that are kept; %s has none", what, has_no_layout[kind] or "an event"))
  elseif type(list) ~= "table" then
    note(format("%s: expected a function for each older version for 'migrate', got %s", what, fail.shown(list)))
  else
    local versions = {}
    for from in next, list do versions[#versions + 1] = from end
    for _, from in ipairs(order.sort(versions)) do
      local migration = rawget(list, from)
      if not is_whole(from, 1, version - 1) then
        note(format("%s: 'migrate' is from versions before %s, got %s", what, tostring(version), fail.shown(from)))
      elseif type(migration) ~= "function" then
        note(format("%s: expected a function(old) for 'migrate' from %d, got %s", what, from, fail.shown(migration)))
      end
    end
  end
end

-- Options of a single kind of component.
local function check_fields(fields, kind, what, note)
  if (kind == "tag" or kind == "object") and #fields > 0 then
    note(format("%s: %s has no fields; leave out the kind or the fields", what,
      kind == "tag" and "a tag" or "an object"))
  end
  for _, field in ipairs(kind == "enableable" and fields or {}) do
    if field.name == "enabled" then
      note(what .. ": a field cannot be named 'enabled' here; in columns of enableable components that is whether a " ..
        "row is switched on")
    end
  end
end

local function hash_from(hash, kind, what, note)
  if hash == nil then return nil end
  if kind ~= "object" then
    note(format("%s: 'hash' is for objects; this is a %s", what, kind))
  elseif type(hash) ~= "function" then
    note(format("%s: expected a function(value) for 'hash', got %s", what, fail.shown(hash)))
  end
  return hash
end

local function declare(name, spec, default_kind)
  local at = position()
  local failed = false
  local function note(message)
    failed = true
    mistakes[#mistakes + 1] = at .. ": " .. message
  end
  if type(name) ~= "string" or name == "" then
    return note(format("%s: expected a name, got %s", default_kind, fail.shown(name)))
  end
  local what = format("%s '%s'", default_kind, name)
  if match(name, "[:%c]") then
    return note(what .. ": a name holds no ':' and no control characters; the mod is added in front")
  end
  local first = declared.places[name]
  -- A game that was taken back to an earlier step declares the same type again.
  local is_late = callers.standing_for ~= nil
  if first and not (is_late and declared.late[name]) then
    return note(format("%s is declared twice, first at %s", what, first))
  end
  declared.places[name], declared.late[name] = at, is_late or nil
  if type(spec) ~= "table" then return note(format("%s: expected a table, got %s", what, fail.shown(spec))) end
  local message = fail.unknown_keys(spec, component_keys, what, function(key)
    return kinds[key] and format("; write kind = '%s'", key)
  end)
  if message then note(message) end
  local kind = kind_from(spec, default_kind, what, note)
  local fields = fields_from(spec, what, note)
  if kind == "component" and #fields == 0 and not failed then kind = "tag" end
  check_fields(fields, kind, what, note)
  local version = version_from(rawget(spec, "version"), kind, what, note)
  if is_whole(version, 1, 1e9) then check_migrations(rawget(spec, "migrate"), version, kind, what, note) end
  local required = requirements_from(rawget(spec, "requires"), name, kind, what, note)
  local owner = owner_from(rawget(spec, "owner"), kind, what, note)
  local capacity = capacity_from(rawget(spec, "capacity"), kind, what, note)
  local index, on_target_destroyed = index_from(spec, what, note)
  local root = root_from(rawget(spec, "root"), kind, what, note)
  local presentation = presentation_from(spec, what, note)
  local hash = hash_from(rawget(spec, "hash"), kind, what, note)
  local doc = text_or_note(rawget(spec, "doc"), what, "doc", note)
  if failed then return nil end
  local id, problems = host.declare {
    name = name, kind = kind, version = version, doc = doc, fields = fields, declared_at = at,
    required = required, owner = owner, buffer_capacity = capacity, migrates = rawget(spec, "migrate") ~= nil,
    index = index, on_target_destroyed = on_target_destroyed, presentation = presentation, root = root,
  }
  if not id then return note(problems) end
  declared.migrations[id] = rawget(spec, "migrate")
  if hash then object.declare_hash(id, hash) end
  return component.by_id(id).handle
end

--- ecs.component(name, { { field, type, default, unit =, min =, max =, doc = }, …, kind =, version =, requires =,
--- owner =, capacity =, index =, on_target_destroyed =, presentation = })
function schema.component(name, spec)
  phase.expect_declaring("ecs.component")
  return declare(name, spec, "component")
end

--- ecs.resource(name, { fields }): one value per world.
function schema.resource(name, spec)
  phase.expect_declaring("ecs.resource")
  return declare(name, spec, "resource")
end

--- ecs.blob(name, { fields, root = }): rows of immutable arrays, or one immutable struct; ecs.build_blob builds them.
function schema.blob(name, spec)
  phase.expect_declaring("ecs.blob")
  return declare(name, spec, "blob")
end

--- ecs.event(name, { fields }): something that happens, sent between systems; fields are optional.
function schema.event(name, spec)
  phase.expect_declaring("ecs.event")
  return declare(name, spec == nil and {} or spec, "event")
end

-- ---- a changed schema of an existing type (reload.lua) ----------------------------------------------------------

-- One value at the address `before`, of this description, becomes one of `target` at `now`. `list`: the functions by
-- version.
local function migrate_value(list, description, target, from_version, to_version, before, now)
  local fields = values.table_of(description.root, proxy.over_bytes(description, before, world.epoch))
  local changed = {}
  for version = from_version, to_version - 1 do
    local migrate = list[version]
    local result = migrate and migrate(fields)
    if result ~= nil then
      if type(result) ~= "table" then
        fail.raise(format("%s: expected a table of fields from 'migrate' of version %d, got %s", target.root.where,
          version, fail.shown(result)))
      end
      for key, entry in next, result do
        fields[key], changed[key] = entry, entry
      end
    end
  end
  -- Values that one migration step creates only for the next have no field in the final schema.
  local known = {}
  for _, child in ipairs(target.root.children or {}) do known[child.name] = changed[child.name] end
  local wrong
  for key in next, changed do
    if known[key] == nil and to_version - from_version == 1 then wrong = order.first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: 'migrate' of version %d gives a field %s, which it does not have", target.root.where,
      from_version, fail.shown(wrong)))
  end
  values.writers(target)[target.root](ffi.cast("uint8_t *", now), known, nil)
end

--- Called by C++, protected, once per value: `before` and `now` are addresses of rows, `to` is the new schema, in the
--- first call for the type.
local targets = {}
function schema.migrate(id, from_version, to_version, before, now, to)
  if to then targets[id] = component.described(to) end
  migrate_value(declared.pending[id] or {}, component.by_id(id), targets[id], from_version, to_version, before, now)
end

--- The same for a value of a saved world, whose schema is `from`.
local sources = {}
function schema.migrate_saved(id, from_version, to_version, before, now, from, to)
  if to then sources[id], targets[id] = component.described(from), component.described(to) end
  migrate_value(declared.migrations[id], sources[id], targets[id], from_version, to_version, before, now)
end

--- Whether the type with this number has functions for older versions. Called by C++.
function schema.has_migrations(id) return declared.migrations[id] ~= nil end

--- For other declarations whose errors are reported together with these: "game/main.lua:12: …".
function schema.note(message) mistakes[#mistakes + 1] = message end
--- The position of the mod's call, "game/main.lua:12"; "" if there is none.
schema.position = position

return schema
