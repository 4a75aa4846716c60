-- The mods' view of blobs: a field of type blob reads as an object with `count`, columns curve.t[k] and rows curve[k].
-- Invariant: one object per blob and state, a read-only view that C++ never disarms, since blobs never change and live
-- as long as the world; so equal blobs are equal objects. Only these objects are accepted as blobs.
local need = ...
local phase, host, fail, api, component = need "phase", need "host", need "fail", need "api", need "component"
local value, view, library = need "value", need "view", need "library"
local first = need "order".first
local ffi = require("ffi")
local type, next, rawget, pcall, tostring = type, next, rawget, pcall, tostring
local format, concat, gsub = string.format, table.concat, string.gsub
local cast, floor = ffi.cast, math.floor

local blob = {}
local objects, handles = {}, {}  -- by handle; and back, with further data and the referenced memory

local function make_object(handle)
  local id = api.blob_type(host.world, handle)
  if id < 0 then return nil end
  local description = component.by_id(id)
  local lent = ffi.new("perigee_view")
  lent.address = cast("uint64_t", cast("void *", api.blob_data(host.world, handle)))
  lent.count, lent.epoch, lent.self = api.blob_count(host.world, handle), 1, cast("uint64_t", cast("void *", lent))
  local object = view.columns(description, false, lent)(cast("void *", lent.epoch))
  objects[handle], handles[object] = object, { handle = handle, name = description.name, memory = lent }
  return object
end

--- For generated code: the blob of a handle in a row.
function library.blob(handle)
  if handle == 0 then return nil end
  return objects[handle] or make_object(handle)
end

--- For generated code: the handle of a value that a mod assigns.
function library.blob_handle(leaf, x, row)
  if x == nil then return 0 end
  local found = x == x and handles[x]
  if not found then
    fail.raise(format("%s: expected a blob made by ecs.build_blob, or nil, got %s", leaf.where, fail.shown(x)), row)
  end
  local wanted = leaf.labels and leaf.labels[1]
  if wanted and wanted ~= found.name then
    fail.raise(format("%s: expected a blob of type '%s', got one of type '%s'", leaf.where, wanted, found.name), row)
  end
  return found.handle
end

local kMaxNoted = 20

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

-- Collects the errors of all rows, one per line, without their individual positions.
local function write_rows(description, rows, bytes)
  local writer, size, mistakes, count = value.writers(description)[description.root], description.size, {}, 0
  for i = 1, #rows do
    local base = bytes + (i - 1) * size
    ffi.copy(base, description.defaults, size)
    local ok, message = pcall(writer, base, rawget(rows, i), i)
    if not ok then
      count = count + 1
      if count <= kMaxNoted then
        mistakes[count] = format("  row %d: %s", i, (gsub(tostring(message), "^[^\n:]*:%d+: ", "")))
      end
    end
  end
  if count > kMaxNoted then mistakes[kMaxNoted + 1] = format("  and %d more", count - kMaxNoted) end
  return count, concat(mistakes, "\n")
end

--- ecs.build_blob(C.Curve, { { t = 0, v = 1 }, … }): an immutable array. The same rows give the same blob.
function blob.build(which, rows)
  phase.expect_loading("ecs.build_blob")
  local description = type_of(which)
  local what = format("ecs.build_blob: blob '%s'", description.name)
  if type(rows) ~= "table" then fail.raise(format("%s: expected a list of rows, got %s", what, fail.shown(rows))) end
  fail.expect_whole(rows, what .. ", rows")
  local wrong
  for key in next, rows do
    if type(key) ~= "number" or key < 1 or key > #rows or key % 1 ~= 0 then wrong = first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: rows are listed one after the other, without keys; found key %s", what, fail.shown(wrong)))
  end
  local total = #rows * description.size
  local storage = ffi.new("uint64_t[?]", floor((total + 7) / 8))
  local bytes = cast("uint8_t *", storage)
  local count, mistakes = write_rows(description, rows, bytes)
  if count > 0 then
    fail.raise(format("%s: %d of %d rows %s wrong:\n%s", what, count, #rows, count == 1 and "is" or "are", mistakes))
  end
  local handle, message = host.build_blob(description.id, ffi.string(bytes, total))
  if not handle then fail.raise(message) end
  return library.blob(handle)
end

--- Called to load this file, since generated code finds its functions in the library.
function blob.load() end

return blob
