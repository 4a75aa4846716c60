-- The mods' view of chunk columns: chunk.Position.x[i]. chunk.lua asks for the columns of a system.
-- Invariant (docs/decisions/0027): a mod gets a constant struct of two fields: the address of the view, which C++ owns
-- for the life of the state, and the epoch under which the view was lent when the mod read the column. C++ arms views
-- for one chunk under a new epoch and disarms them (epoch 0) when the call returns (scripting/views/view.h), so using a
-- kept column is always an error, and it never shows later contents of its view. Each access checks the index's type,
-- converts it once, compares that value unsigned with the count, and uses the same value. No pointer, array, ctype or
-- address reaches a mod.
-- All columns of a chunk share one count, at one address (StateMemory::lent_rows, and lent_rows_of for each named query
-- of a system): compiled loops check a row once, however many columns they read, and the epoch once for all rows. Blobs
-- and events have separate counts. The values that a loop checks have types that no store to a column can alias
-- (layout.lua).
local need = ...
local parts, values, fail, codec, layout = need "parts", need "value", need "fail", need "codec", need "layout"
local proxy = need "proxy"
local fill = need "template".fill
local ID = need "component".id_name  -- value.lua queries it on every object
local ffi = require("ffi")
local type, format, concat, ipairs, tostring = type, string.format, table.concat, ipairs, tostring
local rawget = rawget
local cast, typeof, setmetatable = ffi.cast, ffi.typeof, setmetatable

local view = {}
local P, E = layout.secret_name(), layout.secret_name()

-- ---- errors -------------------------------------------------------------------------------------------------

local lent_pointer, lent_short_pointer = layout.lent_pointer, layout.lent_short_pointer
local helper = { cast = cast }

-- Its row count; 0 when it is no longer lent.
local function count_of(v)
  local lent = cast(lent_pointer, v[P])
  return lent.epoch == v[E] and lent.count or 0
end

function helper.bad_index(where, v, i)
  if i == ID then return nil end
  local count = count_of(v)
  if type(i) ~= "number" then
    if type(i) == "string" then fail.raise(format("%s: no such column '%s'", where, i)) end
    fail.raise(format("%s: a row index must be a number, got %s", where, type(i)))
  end
  if count == 0 then fail.column_ended(where) end
  fail.row_out_of_range(where, i, count)
end

helper.read_only = fail.read_only

function helper.not_boolean(where, value, row)
  fail.raise(format("%s: expected true or false, got %s", where, fail.shown(value)), row)
end

function helper.no_column(node, key)
  if key == ID then return nil end
  fail.no_field(node, key)
end

function helper.not_whole(node)
  fail.raise(node.where .. ": columns are written row by row, as in column[i] = value")
end

-- Blobs are columns too (blob.lua), which never change, and are lent until they are freed.
local blob_helper = setmetatable({}, { __index = helper })

function blob_helper.ended(where) proxy.blob_gone(where) end

function blob_helper.bad_index(where, v, i)
  if i == ID then return nil end
  if cast(lent_pointer, v[P]).epoch ~= v[E] then blob_helper.ended(where) end
  if type(i) ~= "number" then return helper.bad_index(where, v, i) end
  local count = count_of(v)
  if count == 0 then fail.raise(format("%s: row %s is out of range, this blob has no rows", where, tostring(i)), i) end
  fail.raise(format("%s: row %s is out of range, this blob has rows 1 to %d", where, tostring(i), count), i)
end

function blob_helper.read_only(where) fail.raise(where .. ": a blob never changes; build another one") end

-- So are events.
local event_helper = setmetatable({}, { __index = helper })

function event_helper.bad_index(where, v, i)
  if type(i) ~= "number" then return helper.bad_index(where, v, i) end
  local count = count_of(v)
  if count == 0 then
    fail.raise(format("%s: row %s is out of range, there are no events here; batches end with the run of their system",
      where, tostring(i)), i)
  end
  fail.raise(format("%s: row %s is out of range, this batch has rows 1 to %d", where, tostring(i), count), i)
end

function event_helper.read_only(where) fail.raise(where .. " is read-only: a sent event never changes") end

local function helper_for(description)
  return description.kind == "blob" and blob_helper or description.kind == "event" and event_helper or helper
end

function blob_helper.not_whole(node) blob_helper.read_only(node.where) end

helper.ended = fail.column_ended
function event_helper.ended(where)
  fail.raise(where .. ": these events are no longer lent; batches end with the run of their system")
end

-- The results of # and events.count.
local function length(helpers, where, v)
  if v[E] == nil or cast(lent_pointer, v[P]).epoch ~= v[E] then helpers.ended(where) end
  return count_of(v)
end

function helper.length(where, v) return (length(helper, where, v)) end
function blob_helper.length(where, v) return (length(blob_helper, where, v)) end
function event_helper.length(where, v) return (length(event_helper, where, v)) end

-- ---- the struct types ---------------------------------------------------------------------------------------

-- In the order in which perigee_view has them, so that an object can also be laid over a view (chunk.lua).
local header = fill("void * const $epoch; void * const $place;", { epoch = E, place = P })

local state_address = cast(typeof("uint64_t"), cast(typeof("void *"), layout.cell))

-- The count of the chunk that is lent to a query: 0, or from 1 the number of a named one.
local function lent_rows_of(slot)
  local at = slot == 0 and ffi.offsetof("perigee_state", "lent_rows") or
    ffi.offsetof("perigee_state", "lent_rows_of") + 8 * (slot - 1)
  return cast(typeof("void **"), state_address + at)
end

--- True if floats of this description are read unchecked. This applies to columns of chunks: C++ makes them canonical
--- before it lends a chunk (ecs/query/canonical_columns.h), and scripts write only canonical ones.
function view.is_canonical(description)
  return description.kind ~= "blob" and description.kind ~= "event" and not description.is_list
end

-- The kind of rows, and the count to check.
local function kind_of(description)
  return description and (description.kind == "blob" or description.kind == "event") and description.kind or "chunk"
end

-- Source text of the check that row `k` of `lent` exists for v.
local function is_there(g, kind, slot)
  local rows = kind ~= "chunk" and "lent.count" or
    fill("cast($word, $rows[0])", { word = g:ref(typeof("uint64_t")), rows = g:ref(lent_rows_of(slot)) })
  return fill("k < $rows and lent.epoch == v.$epoch and v.$epoch ~= nil", { rows = rows, epoch = E })
end

local function find_lent(g, kind, leaf)
  local ctype = kind ~= "chunk" and leaf and codec.ctype(leaf)
  local is_short = ctype == "int32_t" or ctype == "uint32_t"
  return fill("local lent = cast($pointer, v.$place)",
    { pointer = g:ref(is_short and lent_short_pointer or lent_pointer), place = P })
end

-- A part of a column is a separate object for the same rows; compiled code keeps it in registers.
local function part_text(ctype)
  return fill("return (new($ctype, v.$epoch, v.$place))", { ctype = ctype, epoch = E, place = P })
end

-- Array elements get their types on first use, since there may be many.
local function child_text(g, node, types, make)
  local lines = {}
  if node.is_array then
    local found = {}
    local function type_of_element(i)
      local child = node.children[i]
      if not child then return nil end
      make(child)
      found[i] = types[child]
      return found[i]
    end
    return fill("local ctype = $found[i] or $find(i) if ctype then $part end",
      { found = g:ref(found), find = g:ref(type_of_element), part = part_text("ctype") })
  end
  for _, child in ipairs(node.children or {}) do
    lines[#lines + 1] = fill("if i == $key then $part end",
      { key = codec.key_text(child.name), part = part_text(g:ref(types[child])) })
  end
  return concat(lines, "\n")
end

local function set_meta(ctype, where, index, newindex, what, helpers)
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex, __eq = layout.same(ctype, P, E),
    __len = function(v) return (helpers.length(where, v)) end,
    __tostring = function() return what .. where end,
  })
end

local function leaf_type(leaf, stride, writable, types, of, slot)
  local g = codec.generator()
  local kind, helpers = kind_of(of), of and helper_for(of) or helper
  local ctype = typeof("struct { " .. header .. " }")
  local start = "lent.start"
  local size = ffi.sizeof(codec.ctype(leaf))
  local address = fill("cast($word, lent.start) + (k * $stride + $offset)",
    { word = g:ref(typeof("uint64_t")), stride = stride, offset = leaf.offset })
  if stride % size ~= 0 or leaf.offset % size ~= 0 then
    start = fill("cast($word, lent.start)", { word = g:ref(typeof("uint64_t")) })
  end
  local children = child_text(g, leaf, types)
  if of and leaf == of.root then  -- a list of single values
    children = children .. '\nif i == "count" then return (h.length(where, v)) end'
  end
  local cell = codec.element(g, leaf, start, "k", leaf.offset, stride)
  local find, there = find_lent(g, kind, leaf), is_there(g, kind, slot)
  local write = writable and fill([[
    if type(i) == "number" then
      local k = i - 1ULL
      $find
      if $is_there then $write return end
    end
    h.bad_index(where, v, i)]], { find = find, is_there = there, write = codec.write(g, leaf, cell, address, "i") }) or
    "h.read_only(where)"
  local index, newindex = g:compile(fill([[
    local h, where, new = $helpers, $where, $new
    local function index(v, i)
      if type(i) == "number" then
        local k = i - 1ULL
        $find
        if $is_there then $read end
      end
      $children
      return h.bad_index(where, v, i)
    end
    local function newindex(v, i, x)
      $write
    end
    return index, newindex]], {
      helpers = g:ref(helpers), where = g:ref(leaf.where), new = g:ref(ffi.new), find = find, is_there = there,
      read = codec.read(g, leaf, cell, address, "i", of and view.is_canonical(of)),
      children = children, write = write,
    }))
  set_meta(ctype, leaf.where, index, newindex, "column of ", helpers)
  return ctype
end

-- chunk.Shield.enabled[i]: the bit of a row among those of the chunk, by bytes, which cannot alias the view.
local function enabled_type(description, writable, slot)
  local g = codec.generator()
  local where = format("component '%s', 'enabled'", description.name)
  local bytes = g:ref(typeof("uint8_t *"))
  local ctype = typeof("struct { " .. header .. " }")
  local locate = fill([[
    if type(i) == "number" then
      local k = i - 1ULL
      $find
      if $is_there then
        local bit = tonumber(k) + lent.first_row
        local at, part = rshift(bit, 3), band(bit, 7)]],
    { find = find_lent(g, "chunk"), is_there = is_there(g, "chunk", slot) })
  local write = writable and fill([[
      $locate
        local word = cast($bytes, lent.mask)
        if x == true then word[at] = bor(word[at], lshift(1, part)) return end
        if x == false then word[at] = band(word[at], bnot(lshift(1, part))) return end
        h.not_boolean(where, x, i)
      end
    end
    h.bad_index(where, v, i)]], { locate = locate, bytes = bytes }) or "h.read_only(where)"
  local index, newindex = g:compile(fill([[
    local h, where, rshift, lshift = $helper, $where, $rshift, $lshift
    local function index(v, i)
      $locate
        return band(rshift(cast($bytes, lent.mask)[at], part), 1) ~= 0
      end
    end
    return h.bad_index(where, v, i)
    end
    local function newindex(v, i, x)
      $write
    end
    return index, newindex]], {
      helper = g:ref(helper), where = g:ref(where), rshift = g:ref(bit.rshift), lshift = g:ref(bit.lshift),
      locate = locate, bytes = bytes, write = write,
    }))
  set_meta(ctype, description.root.where, index, newindex, "enabled rows of ", helper)
  return ctype
end

-- The code for whole rows, chunk.Position[i], created on first access: most systems use only columns.
local function rows_of(description, writable)
  return parts.grow({}, function(rows) rows.new = proxy.row_maker(description, writable) end,
    function(rows) rows.write = values.writers(description)[description.root] end)
end

local function group_type(node, description, writable, types, make, slot)
  local g = codec.generator()
  local ctype = typeof("struct { " .. header .. " }")
  local kind, helpers = kind_of(description), helper_for(description)
  local is_root = node == description.root
  local has_rows = is_root and description.size > 0
  local has_bits = is_root and description.kind == "enableable"
  local children = child_text(g, node, types, make)
  if has_bits then
    local bits = enabled_type(description, writable, slot)
    children = children .. fill('\nif i == "enabled" then $part end', { part = part_text(g:ref(bits)) })
  end
  if kind ~= "chunk" and is_root then
    children = children .. '\nif i == "count" then return (h.length(where, v)) end'
  end
  -- Only the component itself has rows: chunk.Position[i]. In arrays a number selects the element's column.
  local find, there, word = find_lent(g, kind), is_there(g, kind, slot), g:ref(typeof("uint64_t"))
  local row = has_rows and fill([[
      local k = i - 1ULL
      $find
      if $is_there then return (rows.new(cast($word, v.$place), cast($word, v.$epoch), k)) end
      h.bad_index(where, v, i)]], { find = find, is_there = there, word = word, place = P, epoch = E }) or
    (node.is_array and "" or "h.no_column(node, i)")
  local write_row = (has_rows and writable) and fill([[
      local k = i - 1ULL
      $find
      if $is_there then rows.write(cast($word, lent.start) + k * $size, x, i) return end
      h.bad_index(where, v, i)]], { find = find, is_there = there, word = word, size = description.size }) or
    "h.read_only(where)"
  local index, newindex = g:compile(fill([[
    local h, where, node, new, rows = $helpers, $where, $node, $new, $rows
    local function index(v, i)
      if type(i) == "number" then
        $read
      end
      $children
      return h.no_column(node, i)
    end
    local function newindex(v, i, x)
      if type(i) == "number" then
        $write
      end
      h.not_whole(node)
    end
    return index, newindex]], {
      helpers = g:ref(helpers), where = g:ref(node.where), node = g:ref(node), new = g:ref(ffi.new),
      rows = g:ref(has_rows and rows_of(description, writable) or false), read = row, children = children,
      write = has_rows and write_row or "h.not_whole(node)",
    }))
  set_meta(ctype, node.where, index, newindex, "columns of ", helpers)
  return ctype
end

local function types_from(node, description, writable, types, slot)
  local function make(child) types_from(child, description, writable, types, slot) end
  if not node.is_array then
    for _, child in ipairs(node.children or {}) do make(child) end
  end
  types[node] = node.type and leaf_type(node, description.size, writable, types, description, slot) or
    group_type(node, description, writable, types, make, slot)
  return types
end

-- The struct type of a component's column for mods. One per component, access, and number of a query in its system.
local function column_type(description, writable, slot)
  local key = writable and "write_view" or "read_view"
  if slot > 0 then key = key .. slot end
  local found = rawget(description, key)
  if not found then
    found = types_from(description.root, description, writable, {}, slot)[description.root]
    description[key] = found
  end
  return found
end

local function maker(ctype, at)
  local place = cast("void *", at)
  return function(epoch) return (ctype(epoch, place)) end, ctype
end

--- function(epoch) -> the columns of the view at `at`, while it is lent under this epoch (a pointer's bits); and their
--- type. `slot`: the number of its query, if that is a named one.
function view.columns(description, writable, at, slot)
  return maker(column_type(description, writable, slot or 0), at)
end

local entity_leaf = { name = "entity", type = "entity", offset = 0, size = 8, where = "chunk.entity" }
local entity_types = {}

--- The same for chunk.entity.
function view.entities(at, slot)
  slot = slot or 0
  local ctype = entity_types[slot] or leaf_type(entity_leaf, 8, false, {}, nil, slot)
  entity_types[slot] = ctype
  return maker(ctype, at)
end

return view
