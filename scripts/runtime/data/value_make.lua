-- Creates component values with code generated per component on first use; unknown field names are detected without
-- slowing down known ones. Stateless; value.lua and the descriptions keep the results.
local need = ...
local fail, codec, component, layout = need "fail", need "codec", need "component", need "layout"
local value = need "value"
local first, fill = need "order".first, need "template".fill
local ffi = require("ffi")
local type, next, rawget, tostring, ipairs, select = type, next, rawget, tostring, ipairs, select
local format, concat = string.format, table.concat
local cast, copy, typeof, new = ffi.cast, ffi.copy, ffi.typeof, ffi.new

local ID, FLAG, meta, with_handles = component.id_name, component.flag_name, value.meta, value.with_handles
local byte_pointer, word_pointer = typeof("uint8_t *"), typeof("uint32_t *")
local kHeaderBytes, kListHeaderBytes, list_type = value.header_bytes, value.list_header_bytes, value.list_type

local make = {}

-- Where the handles of texts are in a row, and, as `blobs`, those of blobs.
local function add_handles(node, offsets)
  if node.type == "text" then offsets[#offsets + 1] = node.offset end
  if node.type == "blob" then offsets.blobs[#offsets.blobs + 1] = node.offset end
  for _, child in ipairs(node.children or {}) do add_handles(child, offsets) end
  return offsets
end
local function handles_of(node) return add_handles(node, { blobs = {} }) end
local function has_handles(offsets) return #offsets + #offsets.blobs > 0 end

--- The fields of a row as plain tables; `fields` is a proxy or a column's row.
function make.table_of(node, fields)
  local t = {}
  for _, child in ipairs(node.children or {}) do
    local field = fields[child.name]
    if not child.type then field = make.table_of(child, field) end
    t[child.name] = field
  end
  return t
end

-- ---- writers: function(base, t, row) for the component and for each group of fields --------------------------
-- `base` is the address of the whole row (a number or a pointer); `row` is for messages.

local helper = { next = next, rawget = rawget, type = type }

function helper.check_kind(node, t, row)
  if type(t) ~= "table" then
    fail.raise(format("%s: expected a table of fields, got %s", node.where, fail.shown(t)), row)
  end
end

function helper.unknown_field(node, t, row)
  local known, list = {}, {}
  for i, child in ipairs(node.children or {}) do
    known[child.name] = true
    list[i] = tostring(child.name)
    if node.is_vector then known[i] = true end
  end
  local wrong
  for key in next, t do
    if not known[key] then wrong = first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s: unknown field %s%s", node.where, fail.shown(wrong), fail.suggestion(wrong, list)), row)
  end
  fail.raise(node.where .. ": a part is given by name and by position", row)
end

-- Counts the keys of t, up to `max` + 1, without a loop: an inner loop would end the trace of the mod's loop.
local function count_text(max)
  local text, ends = "local c, k = 0, h.next(t) ", ""
  for _ = 1, max + 1 do
    text = text .. "if k ~= nil then c = c + 1 k = h.next(t, k) "
    ends = ends .. "end "
  end
  return text .. ends
end

local function writer_text(g, node, names, is_buffer)
  if node.type then  -- an element of a list of single values
    return fill("function(base, x, row) $write end", {
      write = codec.write(g, node, codec.at(g, node, "base + " .. node.offset), "base + " .. node.offset, "row"),
    })
  end
  local lines = {
    "function(base, t, row)", fill("h.check_kind($node, t, row) local n, x = 0, nil", { node = g:ref(node) }),
  }
  local children = node.children or {}
  for i, child in ipairs(children) do
    local address = "base + " .. child.offset
    local write = child.type and codec.write(g, child, codec.at(g, child, address), address, "row",
      is_buffer) or
      names[child] .. "(base, x, row)"
    local fetch = fill("x = h.rawget(t, $key) ", { key = codec.key_text(child.name) })
    if node.is_vector then fetch = fetch .. fill("if x == nil then x = h.rawget(t, $i) end ", { i = i }) end
    lines[#lines + 1] = fill("$fetch if x ~= nil then n = n + 1 do $write end end", { fetch = fetch, write = write })
  end
  lines[#lines + 1] = #children <= 6 and count_text(#children) or "local c = 0 for _ in h.next, t do c = c + 1 end"
  lines[#lines + 1] = fill("if c ~= n then h.unknown_field($node, t, row) end end", { node = g:ref(node) })
  return concat(lines, "\n")
end

-- Groups first, so that the writer of a component finds the writers of its parts.
local function emit(g, node, names, lines, is_buffer)
  for _, child in ipairs(not node.type and node.children or {}) do
    if not child.type then emit(g, child, names, lines, is_buffer) end
  end
  names.count = names.count + 1
  names[node] = "w[" .. names.count .. "]"
  lines[#lines + 1] = names[node] .. " = " .. writer_text(g, node, names, is_buffer)
end

--- Writers by node: writers[node](base, t, row).
function make.writers(description)
  local g, names, lines = codec.generator(), { count = 0 }, { "local w = {}" }
  local h = g:ref(helper)
  lines[1] = "local w, h = {}, " .. h
  emit(g, description.root, names, lines, description.kind == "buffer")
  local functions = g:compile(concat(lines, "\n") .. "\nreturn w")
  local writers = {}
  for node, name in next, names do
    if type(node) == "table" then writers[node] = functions[tonumber(string.match(name, "%d+"))] end
  end
  return writers
end

-- ---- value objects ------------------------------------------------------------------------------------------

--- function(fields) -> value
function make.maker(description)
  local handles = handles_of(description.root)
  local size = description.size
  local ctype = typeof(fill("struct { const uint32_t $id; const uint32_t $flag; uint64_t $bytes[$words]; }",
    { id = ID, flag = FLAG, bytes = layout.secret_name(), words = math.ceil(size / 8) }))
  ffi.metatype(ctype, meta)
  local defaults = new("uint8_t[?]", size)
  copy(defaults, description.defaults, size)
  local writer, id = value.writers(description)[description.root], description.id
  local g = codec.generator()
  return g:compile(fill([[
    local ctype, defaults, writer, new, copy, words, bytes = $ctype, $defaults, $writer, $new, $copy, $words, $bytes
    return function(t)
      local v = new(ctype)
      local header = cast(words, v)
      header[0], header[1] = $id, $flag
      local base = cast(bytes, v) + $header_size
      copy(base, defaults, $size)
      if t ~= nil then writer(base, t, nil) end
      $note_handles
      return v
    end]], {
      ctype = g:ref(ctype), defaults = g:ref(defaults), writer = g:ref(writer), new = g:ref(new), copy = g:ref(copy),
      words = g:ref(word_pointer), bytes = g:ref(byte_pointer), id = id, flag = (value.flags()),
      header_size = kHeaderBytes, size = size,
      note_handles = has_handles(handles) and g:ref(with_handles) .. "[v] = " .. g:ref(handles) or "",
    }))
end

-- ---- values of buffers: all elements, after their number ---------------------------------------------------

local function check_list(description, list)
  local what = format("component '%s'", description.name)
  if type(list) ~= "table" then
    fail.raise(format("%s: expected a list of elements, { { … }, { … } }, got %s", what, fail.shown(list)))
  end
  fail.expect_whole(list, what)
  local count, wrong = #list, nil
  for key in next, list do
    if type(key) ~= "number" or key < 1 or key > count or key % 1 ~= 0 then wrong = first(wrong, key) end
  end
  if wrong ~= nil then
    fail.raise(format("%s is a buffer: expected a list of elements, { { … }, { … } }, found key %s", what,
      fail.shown(wrong)))
  end
  if count * description.size > 2 ^ 26 then
    fail.raise(format("%s: a list of %d elements is too long for a value", what, count))
  end
  return count
end

-- C.Path { { x = 1 }, { x = 2 } }: each element has the schema's defaults for missing fields.
function make.list_from(description, list)
  local count, size = check_list(description, list), description.size
  local v = new(list_type, math.ceil(count * size / 8))
  local header = cast(word_pointer, v)
  header[0], header[1], header[2] = description.id, select(2, value.flags()), count
  local base, write = cast(byte_pointer, v) + kListHeaderBytes, value.writers(description)[description.root]
  for i = 1, count do
    copy(base + (i - 1) * size, description.defaults, size)
    write(base + (i - 1) * size, rawget(list, i), nil)
  end
  local handles, offsets = handles_of(description.root), { blobs = {} }
  if has_handles(handles) then
    for i = 0, count - 1 do
      -- From the end of a single value's header, where value.detach counts from.
      local at = kListHeaderBytes - kHeaderBytes + i * size
      for k = 1, #handles do offsets[#offsets + 1] = at + handles[k] end
      for k = 1, #handles.blobs do offsets.blobs[#offsets.blobs + 1] = at + handles.blobs[k] end
    end
    with_handles[v] = offsets
  end
  return v
end

-- C.Shield { power = 2, enabled = false }: the value of a disabled or enabled row.
function make.switched_from(description, fields)
  local enabled, rest = rawget(fields, "enabled"), {}
  if type(enabled) ~= "boolean" then
    fail.raise(format("%s, 'enabled': expected true or false, got %s", description.root.where, fail.shown(enabled)))
  end
  for key, field in next, fields do
    if key ~= "enabled" then rest[key] = field end
  end
  local v = component.value_from(description, rest)
  if description.size == 0 then v = new(list_type, 0) end
  local header = cast(word_pointer, v)
  header[0], header[1] = description.id, select(enabled and 4 or 3, value.flags())
  return v
end

return make
