-- ecs.prefab, ecs.patch_prefab and data files: extends prefab.lua on first use. Invariant: a prefab is checked when it
-- is created and never changes. Not here: turning bases, overrides and children into rows (ecs/prefab/prefab_desc.h).
local need = ...
local phase, host, fail, component = need "phase", need "host", need "fail", need "component"
local value, prefab, order = need "value", need "prefab", need "order"
local constants = need "constants"
local ffi = require("ffi")
local type, format, gmatch, tostring, rawget, ipairs, next =
  type, string.format, string.gmatch, tostring, rawget, ipairs, next
local handle_type, names = prefab.handle_type, prefab.names

local function refuse_kind(what, description)
  if description.kind == "resource" then
    fail.raise(format("%s: '%s' is a resource; resources belong to the world, not to entities", what, description.name))
  end
  if description.kind == "event" then
    fail.raise(format("%s: '%s' is an event; events are sent, no entity has them", what, description.name))
  end
  if description.kind == "cleanup" or description.kind == "shared_cleanup" then
    fail.raise(format("%s: '%s' is a cleanup component; the system that owns it adds it to the entities it has seen",
      what, description.name))
  end
end

local kDeepestValue = constants.max_struct_depth
local is_field_type = { number = true, string = true, boolean = true }

local function refuse_key(key, what)
  fail.raise(format("%s: expected names of fields, got key %s", what, fail.shown(key)))
end

-- A value of a field: a number, text or boolean; the list or the named members of a vector, array, structure or set of
-- flags. C++ checks it against the type of the field.
local function check_field_value(given, what, path, depth)
  if is_field_type[type(given)] then return end
  local place = format("%s, field '%s'", what, path)
  if type(given) ~= "table" then
    fail.raise(format("%s: expected a number, a text or a boolean, or a table of them, got %s", place,
      fail.shown(given)))
  end
  if depth > kDeepestValue then fail.raise(format("%s: tables inside more than %d others", place, kDeepestValue)) end
  local is_list, wrong, members = rawget(given, 1) ~= nil, nil, {}
  local length = is_list and #given or 0
  if is_list then fail.expect_whole(given, place) end
  for i = 1, length do check_field_value(rawget(given, i), what, format("%s[%d]", path, i), depth + 1) end
  for key in next, given do
    if type(key) == "string" and not is_list then
      members[#members + 1] = key
    elseif type(key) ~= "number" or key < 1 or key > length or key % 1 ~= 0 then
      wrong = order.first(wrong, key)
    end
  end
  if wrong ~= nil then refuse_key(wrong, place) end
  for _, name in ipairs(order.sort(members)) do
    check_field_value(rawget(given, name), what, path .. "." .. name, depth + 1)
  end
end

-- An override, { C.Health, current = 80 }: the component, then fields by name. They are kept in the order of their
-- names.
local function add_fields(into, entry, what)
  local id, bytes = value.parts(rawget(entry, 1), what)
  if bytes ~= nil then
    fail.raise(what .. ": expected the component and then fields, { C.Health, current = 80 }, got a value")
  end
  local fields, wrong = {}, nil
  for key in next, entry do
    if type(key) == "string" then fields[#fields + 1] = key elseif key ~= 1 then wrong = order.first(wrong, key) end
  end
  if wrong ~= nil then refuse_key(wrong, what) end
  for _, name in ipairs(order.sort(fields)) do
    local at, given = #into.field_ids + 1, rawget(entry, name)
    check_field_value(given, what, name, 1)
    into.field_ids[at], into.field_names[at], into.field_values[at] = id, name, given
  end
end

-- Offset of the entity field in the value: "target", "list[2]", "inner.target"; for a buffer in element `number`.
local function offset_of(id, path, number, what)
  local description = component.by_id(id)
  local node, known = description.root, {}
  for name in gmatch(path, "[^%.%[%]]+") do
    local found
    for i, child in ipairs(node.children or {}) do
      known[i] = tostring(child.name)
      if known[i] == name then found = child end
    end
    if not found then
      fail.raise(format("%s: '%s' has no field '%s'%s", what, description.name, path, fail.suggestion(name, known)))
    end
    node, known = found, {}
  end
  if node.type ~= "entity" then
    fail.raise(format("%s: '%s' of '%s' is not an entity field", what, path, description.name))
  end
  if (description.kind == "buffer") ~= (number ~= nil) then
    fail.raise(format(number and "%s: '%s' is not a buffer, so its fields have no numbers" or
      "%s: '%s' is a buffer: say which element, { C.Path, 1, \"next\", \"turret\" }", what, description.name))
  end
  return node.offset + ((number or 1) - 1) * description.size
end

local function add_reference(into, entry, what)
  local id = type(entry) == "table" and value.parts(rawget(entry, 1), what)
  local number = id and rawget(entry, 2)
  if type(number) ~= "number" or number < 1 or number > 2 ^ 20 or number % 1 ~= 0 then number = nil end
  local at = number and 3 or 2
  local field, part = id and rawget(entry, at), id and rawget(entry, at + 1)
  if type(field) ~= "string" or type(part) ~= "string" then
    fail.raise(what .. ": expected { component, field, part }, such as { C.Link, \"target\", \"turret/barrel\" }")
  end
  at = #into.reference_ids + 1
  into.reference_ids[at], into.reference_fields[at], into.reference_parts[at] = id, field, part
  into.reference_offsets[at] = offset_of(id, field, number, what)
end

local function list_of(list, key, what)
  local entries = rawget(list, key)
  if entries == nil then return {} end
  if type(entries) == "table" then
    fail.expect_whole(entries, what .. ", " .. key)
    return entries
  end
  fail.raise(format("%s: expected a list for '%s', got %s", what, key, fail.shown(entries)))
end

-- The values of a prefab or of a child, from entry `first` on; `keys` are the allowed named keys.
local function read_values(list, first, what, keys)
  local into = { ids = {}, images = {}, off = {}, field_ids = {}, field_names = {}, field_values = {}, removed = {},
    reference_ids = {}, reference_fields = {}, reference_parts = {}, reference_offsets = {} }
  local seen = {}
  fail.expect_whole(list, what)
  for i = first, #list do
    local entry, place = rawget(list, i), format("%s, entry %d", what, i)
    if type(entry) == "table" and rawget(entry, 1) ~= nil then
      add_fields(into, entry, place)
    else
      local id, bytes, more = value.parts(entry, place, true)
      local description = component.by_id(id)
      refuse_kind(what, description)
      if seen[id] then fail.raise(format("%s: component '%s' is named twice", what, description.name)) end
      seen[id] = true
      local at = #into.ids + 1
      local count = type(more) == "number" and more or 1
      into.ids[at], into.images[at] = id, bytes ~= nil and ffi.string(bytes, count * description.size) or false
      into.off[at] = more == false
    end
  end
  for i, entry in ipairs(list_of(list, "without", what)) do
    into.removed[i] = value.parts(entry, format("%s, without, entry %d", what, i))
  end
  for i, entry in ipairs(list_of(list, "references", what)) do
    add_reference(into, entry, format("%s, references, entry %d", what, i))
  end
  local wrong
  for key in next, list do
    if not keys[key] and (type(key) ~= "number" or key < 1 or key > #list) then wrong = order.first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: components are listed one after the other, without keys; found key %s", what,
      fail.shown(wrong)))
  end
  return into
end

local prefab_keys = { base = true, without = true, references = true, children = true }
local child_keys = { name = true, without = true, references = true, children = true }
local kDeepestChild = constants.max_child_levels

-- `is_free`: its parent has no children yet, so a child without a prefab is new.
local function read_child(entry, what, is_free, depth)
  if type(entry) ~= "table" then
    fail.raise(what .. ": expected a table such as { Turret, name = \"turret\" }, got " .. fail.shown(entry))
  end
  local name = rawget(entry, "name")
  if name ~= nil then fail.check_name(name, what) end
  local has_prefab = prefab.is_prefab(rawget(entry, 1))
  if not has_prefab and name == nil and not is_free then
    fail.raise(what .. ": expected a prefab first, or the name of a child of the base")
  end
  if depth > kDeepestChild then fail.raise(format("%s: more than %d levels of children", what, kDeepestChild)) end
  local child = read_values(entry, has_prefab and 2 or 1, what, child_keys)
  child.name, child.prefab, child.may_be_new = name, has_prefab and prefab.expect(entry[1], what) or nil, is_free
  child.children = {}
  for i, below in ipairs(list_of(entry, "children", what)) do
    child.children[i] = read_child(below, format("%s, child %d", what, i), is_free and not has_prefab, depth + 1)
  end
  return child
end

-- The contents of a description, without the base.
local function read_prefab(name, list, of, is_free)
  fail.check_name(name, of)
  local what = format("prefab '%s'", name)
  if type(list) ~= "table" then fail.raise(what .. ": expected a list of components, got " .. fail.shown(list)) end
  phase.expect_loading(what)
  local description = read_values(list, 1, what, prefab_keys)
  description.children = {}
  for i, entry in ipairs(list_of(list, "children", what)) do
    description.children[i] = read_child(entry, format("%s, child %d", what, i), is_free, 1)
  end
  return description, what
end

--- ecs.prefab(name, { C.Position, C.Health { current = 40 }, …, base =, without =, references =, children = })
function prefab.declare(name, list)
  local is_free = type(list) == "table" and rawget(list, "base") == nil
  local description, what = read_prefab(name, list, "ecs.prefab", is_free)
  local base = rawget(list, "base")
  if base ~= nil then description.base = prefab.expect(base, what .. ", base") end
  local id, message = host.add_prefab(name, description)
  if not id then fail.raise(message) end
  names[id] = name
  return ffi.new(handle_type, id)
end

--- ecs.patch_prefab("mod:Name", { C.Health { current = 80 }, without = { C.Frozen }, children = { … } }): from now on
--- the prefab has these changes. Entities spawned from it and prefabs derived from it stay unchanged.
function prefab.patch(name, list)
  local description, what = read_prefab(name, list, "ecs.patch_prefab", false)
  if rawget(list, "base") ~= nil then fail.raise(what .. ": a patch has no base; the prefab itself is that") end
  local done, message = host.patch_prefab(name, description)
  if not done then fail.raise("ecs.patch_prefab: " .. message) end
end

--- The prefab of a name, "mod:Name" for another mod's; nil if there is none.
function prefab.find(name)
  local id = host.find_prefab(name)
  if not id then return nil end
  names[id] = names[id] or name
  return ffi.new(handle_type, id)
end

-- ---- data files -----------------------------------------------------------------------------------------------

--- Reads a file of the mod: prefabs by name, and a list of entities. Raises all errors of the file.
function prefab.load_file(path, only_prefabs, what)
  if type(path) ~= "string" then fail.raise(what .. ": expected a path, got " .. fail.shown(path)) end
  local loaded, entities = host.load_data(path, only_prefabs)
  if not loaded then fail.raise(what .. ": " .. entities) end
  local by_name = {}
  for _, entry in ipairs(loaded) do
    names[entry[2]] = entry[1]
    by_name[entry[1]] = ffi.new(handle_type, entry[2])
  end
  return by_name, entities
end

--- ecs.load_prefabs("data/ships.json"): a table of prefabs by name.
function prefab.load(path)
  phase.expect_loading("ecs.load_prefabs")
  return (prefab.load_file(path, true, "ecs.load_prefabs"))
end
