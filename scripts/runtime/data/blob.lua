-- The mods' view of blobs: a field of type blob reads as an object with `count`, columns curve.t[k] and rows curve[k];
-- one of shape root as its fields, tree.value; a list of single values as these, tree.weights[k].
-- Invariant: one object per blob and state, over a view that C++ disarms when it frees the blob
-- (scripting/views/blob_views.h); so equal blobs are equal objects, and those of a freed blob raise errors. Only these
-- objects are accepted as blobs, and inside ecs.build_blob also the tables to build them from.
local need = ...
local phase, host, fail, api, component = need "phase", need "host", need "fail", need "api", need "component"
local value, view, proxy, library = need "value", need "view", need "proxy", need "library"
local fuel, running, constants = need "fuel", need "running", need "constants"
local first = need "order".first
local ffi = require("ffi")
local type, next, rawget, pcall, tostring, setmetatable = type, next, rawget, pcall, tostring, setmetatable
local format, concat, gsub, sub = string.format, table.concat, string.gsub, string.sub
local cast, floor = ffi.cast, math.floor

local blob = {}
-- Weak: an object lives while a mod uses it, and its blob does not live for it.
local objects = setmetatable({}, { __mode = "v" })  -- by handle
local known = setmetatable({}, { __mode = "k" })  -- by object: { handle =, name =, view =, epoch = }
local views, epochs = {}, {}  -- by handle: the view in C++, and the epoch of the object
local view_pointer = ffi.typeof("perigee_view *")

-- The object over an armed view.
local function object_over(description, lent)
  local epoch = lent.epoch
  if description.shape == "root" then
    return proxy.row_maker(description, false)(cast("uint64_t", cast("void *", lent)), epoch, 0ULL)
  end
  return view.columns(description, false, lent)(cast("void *", epoch))
end

local function make_object(handle)
  local id = api.blob_type(host.world, handle)
  local lent = id >= 0 and cast(view_pointer, api.blob_view(host.world, handle)) or nil
  if lent == nil then return nil end
  local description = component.by_id(id)
  local object = object_over(description, lent)
  objects[handle], views[handle], epochs[handle] = object, lent, lent.epoch
  known[object] = { handle = handle, name = description.name, view = lent, epoch = lent.epoch }
  return object
end

--- For generated code: the blob of a handle in a row.
function library.blob(handle)
  if handle == 0 then return nil end
  local object = objects[handle]
  if object ~= nil and views[handle].epoch == epochs[handle] then return object end
  return make_object(handle)
end

local empty = {}  -- the empty lists, by field

--- For generated code: the same for a list; none is an empty one.
function library.list(leaf, handle)
  if handle ~= 0 then return library.blob(handle) end
  local object = empty[leaf]
  if not object then
    local lent = ffi.new("perigee_view")
    lent.epoch = 1
    object = object_over(component.by_id(leaf.blob_type), lent)
    empty[leaf], empty[object] = object, lent
    known[object] = { handle = 0, name = leaf.labels[1], view = lent, epoch = 1ULL }
  end
  return object
end

-- ---- building -----------------------------------------------------------------------------------------------

local kMaxNoted, kMaxDepth, kOwnBytes = 20, constants.max_blob_depth, constants.blob_bytes
local kShownDepth = 8  -- levels at both ends of a long path

-- The outermost ecs.build_blob while it runs: { depth =, path = { field, … }, at = { row or false, … },
-- open = { table = true }, made = { table = { type = handle } }, work = fuel }.
local building

local function type_of(which)
  local handle = which
  if type(which) == "string" then
    local found, nearest = component.find(which)
    if not found then
      fail.raise(format("ecs.build_blob: unknown blob type '%s'%s", which, fail.did_you_mean(nearest)))
    end
    handle = found
  end
  local description = component.of_handle(handle)
  if not description then
    fail.raise("ecs.build_blob: expected a blob type such as C.Curve, got " .. fail.shown(which))
  end
  if description.kind ~= "blob" then
    fail.raise(format("ecs.build_blob: '%s' is a %s, not a blob type; declare blob types with ecs.blob",
      description.name, description.kind))
  end
  return description
end

-- Why `rows` is no list of rows; nil if it is one.
local function check_rows(rows, what)
  if type(rows) ~= "table" then fail.raise(format("%s: expected a list of rows, got %s", what, fail.shown(rows))) end
  fail.expect_whole(rows, what .. ", rows")
  local wrong
  for key in next, rows do
    if type(key) ~= "number" or key < 1 or key > #rows or key % 1 ~= 0 then wrong = first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: rows are listed one after the other, without keys; found key %s", what, fail.shown(wrong)))
  end
end

-- Writes rows with each(writer, address, i); returns the function that builds the blob of them.
local function store(description, count, each)
  local total, size = count * description.size, description.size
  local storage = ffi.new("uint64_t[?]", floor((total + 7) / 8))
  local bytes, writer = cast("uint8_t *", storage), value.writers(description)[description.root]
  for i = 1, count do
    local base = bytes + (i - 1) * size
    ffi.copy(base, description.defaults, size)
    each(writer, base, i)
  end
  return function()
    building.work = building.work + count + total / 16 + (total + kOwnBytes) * api.blob_looks_per_byte(host.world)
    local handle, message = host.build_blob(description.id, ffi.string(storage, total))
    if not handle then fail.raise(message) end
    return handle
  end
end

-- The blob that a table inside of another one describes.
local function build_part(leaf, given)
  local description = component.by_id(leaf.blob_type)
  local made = building.made[given]
  if made and made[description.id] then return made[description.id] end
  if building.open[given] then fail.raise(leaf.where .. ": this table is inside itself, and a blob cannot be") end
  local depth = building.depth + 1
  if depth >= kMaxDepth then fail.raise(format("%s: blobs refer to blobs at most %d deep", leaf.where, kMaxDepth)) end
  building.depth, building.open[given] = depth, true
  building.path[depth], building.at[depth] = leaf.path, false
  local handle = 0
  if description.shape == "root" then
    handle = store(description, 1, function(writer, base) writer(base, given, nil) end)()
  else
    check_rows(given, leaf.where)
    local count = #given
    if count > 0 or not leaf.is_list then
      handle = store(description, count, function(writer, base, i)
        building.at[depth] = i
        writer(base, rawget(given, i), nil)
      end)()
    end
  end
  building.depth, building.open[given] = depth - 1, nil
  building.made[given] = made or {}
  building.made[given][description.id] = handle
  return handle
end

-- Where in the tables an error arose: "children[2].children[1]".
local function place_of_error()
  local parts, depth = {}, building.depth
  for i = 1, depth do
    local name, row = building.path[i], building.at[i]
    if i > kShownDepth and i <= depth - kShownDepth then
      if i == kShownDepth + 1 then parts[#parts + 1] = " … " end
    else
      if name ~= "" then parts[#parts + 1] = (#parts > 0 and "." or "") .. name end
      if row then parts[#parts + 1] = "[" .. row .. "]" end
    end
  end
  return concat(parts)
end

-- Calls fn, which writes one row of the outermost blob; returns nothing, or what is wrong. The message goes behind the
-- name of that blob, and does not repeat it.
local function try(name, fn, ...)
  local ok, message = pcall(fn, ...)
  if ok then return nil end
  local place = place_of_error()
  building.depth, building.open = 0, {}
  local text, named = gsub(tostring(message), "^[^\n:]*:%d+: ", ""), format("blob '%s'", name)
  if place ~= "" then return "at " .. place .. ": " .. text end
  return sub(text, 1, #named) == named and sub(text, #named + 3) or text
end

local function build_root(description, given, what)
  local wrong
  local finish = store(description, 1, function(writer, base)
    wrong = try(description.name, writer, base, given, nil)
  end)
  if wrong then return nil, format("%s: %s", what, wrong) end
  return finish
end

-- Collects the errors of all rows, one per line, without their individual positions.
local function build_rows(description, rows, what)
  check_rows(rows, what)
  local mistakes, count = {}, 0
  local finish = store(description, #rows, function(writer, base, i)
    local wrong = try(description.name, writer, base, rawget(rows, i), i)
    if not wrong then return end
    count = count + 1
    if count <= kMaxNoted then mistakes[count] = format("  row %d: %s", i, wrong) end
  end)
  if count == 0 then return finish end
  if count > kMaxNoted then mistakes[kMaxNoted + 1] = format("  and %d more", count - kMaxNoted) end
  return nil, format("%s: %d of %d rows %s wrong:\n%s", what, count, #rows, count == 1 and "is" or "are",
    concat(mistakes, "\n"))
end

--- For generated code: the handle of a value that a mod assigns.
function library.blob_handle(leaf, x, row)
  if x == nil then return 0 end
  local found = x == x and known[x]
  if not found then
    if building and leaf.blob_type and type(x) == "table" then return build_part(leaf, x) end
    fail.raise(format("%s: expected a blob made by ecs.build_blob, or nil, got %s", leaf.where, fail.shown(x)), row)
  end
  local wanted = leaf.labels and leaf.labels[1]
  if wanted and wanted ~= found.name then
    fail.raise(format("%s: expected a blob of type '%s', got one of type '%s'", leaf.where, wanted, found.name), row)
  end
  if found.view.epoch ~= found.epoch then proxy.blob_gone(leaf.where) end
  return found.handle
end

--- ecs.build_blob(C.Curve, { { t = 0, v = 1 }, … }): an immutable array; of a blob with root = true, the fields of an
--- immutable struct. Tables in it become blobs that it refers to. The same contents give the same blob.
function blob.build(which, given)
  phase.expect_open("ecs.build_blob")
  if running.is_presentation() then
    fail.raise("ecs.build_blob: blobs belong to the world, and a presentation system cannot create any")
  end
  local description = type_of(which)
  local what = format("ecs.build_blob: blob '%s'", description.name)
  building = { depth = 0, path = {}, at = {}, open = {}, made = {}, work = 0 }
  local ok, finish, message = pcall(description.shape == "root" and build_root or build_rows, description, given, what)
  local handle
  if ok and finish then ok, handle = pcall(finish) end
  local work = building.work
  building = nil
  if work > 64 then fuel.spend(work) end
  if not ok then fail.raise((gsub(tostring(handle or finish), "^[^\n:]*:%d+: ", ""))) end
  if not finish then fail.raise(message) end
  return library.blob(handle)
end

--- Called to load this file, since generated code finds its functions in the library.
function blob.load() end

return blob
