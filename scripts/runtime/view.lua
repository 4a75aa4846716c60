-- Columns of chunks as mods see them: chunk.Position.x[i].
-- Invariant (measured and attacked, see docs/decisions): what a mod holds is a reference to a constant struct of two
-- fields, start and row count, owned by C++ for as long as the state lives. C++ arms it for one chunk and disarms it
-- (count 0) when the call returns. Each access tests the index's type, converts it once, compares that value without
-- sign against the count, and uses the same value. No pointer, array, ctype or address reaches a mod.
-- Columns of chunks have one count for all, at one address (StateMemory::lent_rows), and are lent while they have a
-- start: compiled loops test a row once however many columns they read, and the start once for all rows. Blobs and
-- events have each their own count.
-- What a loop tests has a type that no store to a column can alias, else each row would load it again: starts and the
-- common count are pointers, which no column holds; the count of an event is one or another integer.
local rt = ...
local ffi = require("ffi")
local type, format, concat, ipairs, tostring = type, string.format, table.concat, ipairs, tostring
local rawget = rawget
local cast, typeof, setmetatable = ffi.cast, ffi.typeof, setmetatable
local fail, codec, layout, proxy = rt.fail, rt.codec, rt.layout, rt.proxy

local view = {}
local ID = rt.component.id_name  -- value.lua asks every object for it
local A, N, E, SELF = layout.secret_name(), layout.secret_name(), layout.secret_name(), layout.secret_name()
local FIRST, MASK = layout.secret_name(), layout.secret_name()

-- ---- what goes wrong ----------------------------------------------------------------------------------------

local helper = { cast = cast }

function helper.bad_index(where, count, i)
  if i == ID then return nil end
  if type(i) ~= "number" then
    if type(i) == "string" then fail.raise(format("%s: no such column '%s'", where, i)) end
    fail.raise(format("%s: a row index must be a number, got %s", where, type(i)))
  end
  if count == 0 then
    fail.raise(where .. ": this column is no longer lent; columns end with the run of their system")
  end
  fail.raise(format("%s: row %s is out of range, this chunk has rows 1 to %d", where, tostring(i), count), i)
end

function helper.read_only(where)
  fail.raise(where .. " is read-only here; declare the component under 'write' to change it")
end

function helper.not_boolean(where, value, row)
  fail.raise(format("%s: expected true or false, got %s", where, fail.shown(value)), row)
end

function helper.no_column(node, key)
  if key == ID then return nil end
  local list = {}
  for i, child in ipairs(node.children or {}) do list[i] = tostring(child.name) end
  fail.raise(format("%s has no field %s%s", node.where, fail.shown(key), fail.suggestion(key, list)))
end

function helper.not_whole(node)
  fail.raise(node.where .. ": columns are written row by row, as in column[i] = value")
end

-- Blobs are columns too (blob.lua), which never end and never change.
local blob_helper = setmetatable({}, { __index = helper })

function blob_helper.bad_index(where, count, i)
  if type(i) ~= "number" then return helper.bad_index(where, 1, i) end
  if count == 0 then fail.raise(format("%s: row %s is out of range, this blob has no rows", where, tostring(i)), i) end
  fail.raise(format("%s: row %s is out of range, this blob has rows 1 to %d", where, tostring(i), count), i)
end

function blob_helper.read_only(where) fail.raise(where .. ": a blob never changes; build another one") end

-- So are events.
local event_helper = setmetatable({}, { __index = helper })

function event_helper.bad_index(where, count, i)
  if type(i) ~= "number" then return helper.bad_index(where, 1, i) end
  if count == 0 then
    fail.raise(format("%s: row %s is out of range, there are no events here; batches end with the run of their system",
      where, tostring(i)), i)
  end
  fail.raise(format("%s: row %s is out of range, this batch has rows 1 to %d", where, tostring(i), count), i)
end

function event_helper.read_only(where) fail.raise(where .. " is read-only: what has been sent never changes") end

local function helper_for(description)
  return description.kind == "blob" and blob_helper or description.kind == "event" and event_helper or helper
end

function blob_helper.not_whole(node) blob_helper.read_only(node.where) end

-- ---- the struct types ---------------------------------------------------------------------------------------
-- All are ways to see one perigee_view: start at 0, count at 8, first row at 12, epoch at 16, own address at 24,
-- enabled bits at 32.

local lent_rows = cast(typeof("void **"), cast(typeof("uint64_t"), cast(typeof("void *"), layout.cell)) +
  ffi.offsetof("perigee_state", "lent_rows"))

--- Are the bits of floats that this description shows read as they are? Those in columns of chunks are: C++ has made
--- them canonical before it lends a chunk (ecs/canonical_columns.h), and scripts write no others.
function view.is_canonical(description)
  return description.kind ~= "blob" and description.kind ~= "event" and not description.is_list
end

local function header_text(leaf)
  local ctype = leaf and codec.ctype(leaf)
  local count = (ctype == "int32_t" or ctype == "uint32_t") and "uint16_t" or "int32_t"
  return format("void * const %s; const %s %s;", A, count, N)
end

local function group_header()
  return format("const uint64_t %s; const int32_t %s; const uint64_t %s; const uint64_t %s;", A, N, E, SELF)
end

-- Children are seen through the same memory: a cast of the reference, no object of their own.
-- Elements of arrays get their types when they are first asked for: there may be many.
local function child_text(g, node, types, make)
  local lines = {}
  if node.is_array then
    local pointers = {}
    local function pointer_to(i)
      local child = node.children[i]
      if not child then return nil end
      make(child)
      pointers[i] = typeof("$ *", types[child])
      return pointers[i]
    end
    return format("local p = %s[i] or %s(i) if p then return cast(p, v)[0] end", g:ref(pointers), g:ref(pointer_to))
  end
  for _, child in ipairs(node.children or {}) do
    local key = type(child.name) == "number" and tostring(child.name) or format("%q", child.name)
    lines[#lines + 1] = format("if i == %s then return cast(%s, v)[0] end", key, g:ref(typeof("$ *", types[child])))
  end
  return concat(lines, "\n")
end

local function leaf_type(leaf, stride, writable, types, is_blob, of)
  local g = codec.generator()
  local ctype = typeof("struct { " .. header_text(not is_blob and leaf or nil) .. " }")
  local start = "v." .. A
  local size = ffi.sizeof(codec.ctype(leaf))
  local address = format("cast(%s, v.%s) + (k * %d + %d)", g:ref(typeof("uint64_t")), A, stride, leaf.offset)
  if stride % size ~= 0 or leaf.offset % size ~= 0 then
    start = format("cast(%s, v.%s)", g:ref(typeof("uint64_t")), A)
  end
  local cell = codec.element(g, leaf, start, "k", leaf.offset, stride)
  local is_there = format("k < v.%s", N)
  if not is_blob and not (of and of.kind == "event") then
    is_there = format("k < cast(%s, %s[0]) and v.%s ~= nil", g:ref(typeof("uint64_t")), g:ref(lent_rows), A)
  end
  local write = writable and format([[
    if type(i) == "number" then
      local k = i - 1ULL
      if %s then %s return end
    end
    h.bad_index(where, v.%s, i)]], is_there, codec.write(g, leaf, cell, address, "i"), N) or "h.read_only(where)"
  local index, newindex = g:compile(format([[
    local h, where = %s, %s
    local function index(v, i)
      if type(i) == "number" then
        local k = i - 1ULL
        if %s then %s end
      end
      %s
      return h.bad_index(where, v.%s, i)
    end
    local function newindex(v, i, x)
      %s
    end
    return index, newindex]], g:ref(of and helper_for(of) or helper), g:ref(leaf.where), is_there,
    codec.read(g, leaf, cell, address, "i", of and view.is_canonical(of)), child_text(g, leaf, types), N, write))
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex,
    __len = function(v) return v[N] end,
    __tostring = function() return "column of " .. leaf.where end,
  })
  return ctype
end

-- chunk.Shield.enabled[i]: the bit of a row among those of the chunk, by bytes, which cannot alias the header.
local function enabled_type(description, writable)
  local g = codec.generator()
  local where = format("component '%s', 'enabled'", description.name)
  local bytes = g:ref(typeof("uint8_t *"))
  local ctype = typeof(format("struct { const uint64_t %s; const int32_t %s; const uint32_t %s; " ..
    "const uint64_t %s; const uint64_t %s; const uint64_t %s; }", A, N, FIRST, E, SELF, MASK))
  local locate = format([[
    if type(i) == "number" then
      local k = i - 1ULL
      if k < v.%s then
        local bit = tonumber(k) + v.%s
        local at, part = rshift(bit, 3), band(bit, 7)]], N, FIRST)
  local write = writable and format([[
      %s
        local word = cast(%s, v.%s)
        if x == true then word[at] = bor(word[at], lshift(1, part)) return end
        if x == false then word[at] = band(word[at], bnot(lshift(1, part))) return end
        h.not_boolean(where, x, i)
      end
    end
    h.bad_index(where, v.%s, i)]], locate, bytes, MASK, N) or "h.read_only(where)"
  local index, newindex = g:compile(format([[
    local h, where, rshift, lshift = %s, %s, %s, %s
    local function index(v, i)
      %s
        return band(rshift(cast(%s, v.%s)[at], part), 1) ~= 0
      end
    end
    return h.bad_index(where, v.%s, i)
    end
    local function newindex(v, i, x)
      %s
    end
    return index, newindex]], g:ref(helper), g:ref(where), g:ref(bit.rshift), g:ref(bit.lshift), locate, bytes, MASK, N,
    write))
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex,
    __len = function(v) return v[N] end,
    __tostring = function() return "enabled rows of " .. description.root.where end,
  })
  return ctype
end

-- What whole rows take, chunk.Position[i], made when one is first read or written: most systems use columns alone.
local function rows_of(description, writable)
  return rt.grow({}, function(rows) rows.new = proxy.row_maker(description, writable) end,
    function(rows) rows.write = rt.value.writers(description)[description.root] end)
end

local function group_type(node, description, writable, types, make)
  local g = codec.generator()
  local ctype = typeof("struct { " .. group_header() .. " }")
  local is_root = node == description.root
  local is_blob = description.kind == "blob"
  local has_count = is_blob or description.kind == "event"
  local has_rows = is_root and description.size > 0
  local has_bits = is_root and description.kind == "enableable"
  local children = child_text(g, node, types, make)
  if has_bits then
    children = children .. format('\nif i == "enabled" then return cast(%s, v)[0] end',
      g:ref(typeof("$ *", enabled_type(description, writable))))
  end
  -- Only the component itself has rows: chunk.Position[i]. In arrays a number names the element's column.
  local row = has_rows and format([[
      local k = i - 1ULL
      if k < v.%s then return (rows.new(v.%s, v.%s, k)) end
      h.bad_index(where, v.%s, i)]], N, SELF, E, N) or (node.is_array and "" or "h.no_column(node, i)")
  local write_row = (has_rows and writable) and format([[
      local k = i - 1ULL
      if k < v.%s then rows.write(v.%s + k * %d, x, i) return end
      h.bad_index(where, v.%s, i)]], N, A, description.size, N) or "h.read_only(where)"
  local index, newindex = g:compile(format([[
    local h, where, node, rows = %s, %s, %s, %s
    local function index(v, i)
      if type(i) == "number" then
        %s
      end
      %s
      %s
      return h.no_column(node, i)
    end
    local function newindex(v, i, x)
      if type(i) == "number" then
        %s
      end
      h.not_whole(node)
    end
    return index, newindex]], g:ref(helper_for(description)), g:ref(node.where), g:ref(node),
    g:ref(has_rows and rows_of(description, writable) or false), row, children,
    (has_count and is_root) and format('if i == "count" then return v.%s end', N) or "",
    has_rows and write_row or "h.not_whole(node)"))
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex,
    __len = function(v) return v[N] end,
    __tostring = function() return "columns of " .. node.where end,
  })
  return ctype
end

local function types_from(node, description, writable, types)
  local function make(child) types_from(child, description, writable, types) end
  if not node.is_array then
    for _, child in ipairs(node.children or {}) do make(child) end
  end
  local is_blob = description.kind == "blob"
  types[node] = node.type and leaf_type(node, description.size, writable, types, is_blob, description) or
    group_type(node, description, writable, types, make)
  return types
end

--- The struct type through which a mod sees the column of a component. One per component and access.
function view.column_type(description, writable)
  local slot = writable and "write_view" or "read_view"
  local found = rawget(description, slot)
  if not found then
    found = types_from(description.root, description, writable, {})[description.root]
    description[slot] = found
  end
  return found
end

local entity_leaf = { name = "entity", type = "entity", offset = 0, size = 8, where = "chunk.entity" }
view.entity_type = leaf_type(entity_leaf, 8, false, {})

return view
