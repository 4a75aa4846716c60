-- The mods' view of dynamic buffers: local p = chunk.Path[i]; p.count, p.x[k], p[k].x, p:push { x = 1 }. Invariant:
-- mods have values with the address of a row's cell. Each access first compares the epoch, and outside systems the
-- world's structure version too, then reads length and start of the elements again; no element's address is kept.
-- During a run no row moves, since the world is locked. Elements count from 1; each access checks the index.
--
--   type      made by             index
--   root      chunk.Path[i], …    number: an element; name: a column, a method, or count
--   column    p.x                 number: the value of that element
--   element   p[k]                name: the value of a field
local need = ...
local fuel, row_column, fail, codec = need "fuel", need "row_column", need "fail", need "codec"
local component, layout, host, api = need "component", need "layout", need "host", need "api"
local value = need "value"
local fill, is_whole = need "template".fill, need "tables".is_whole
local ffi = require("ffi")
local type, format, concat, ipairs, tostring, setmetatable = type, string.format, table.concat, ipairs, tostring,
  setmetatable
local typeof, cast, new = ffi.typeof, ffi.cast, ffi.new

local buffer = {}
local ID = component.id_name  -- value.lua queries it on every object
local P, E, S, C, I, N, K = layout.secret_name(), layout.secret_name(), layout.secret_name(), layout.secret_name(),
  layout.secret_name(), layout.secret_name(), layout.secret_name()

-- Address of the epoch, epoch, structure version (0: not compared), cell, capacity in the chunk, component.
local words = "const uint64_t $place; const uint64_t $epoch; const uint64_t $version; const uint64_t $cell; " ..
  "const uint32_t $capacity; const uint32_t $id;"
local names = { place = P, epoch = E, version = S, cell = C, capacity = I, id = N }
local element_words = words .. " const uint64_t $element;"
local element_names = { place = P, epoch = E, version = S, cell = C, capacity = I, id = N, element = K }

local kHeaderBytes = ffi.sizeof("perigee_buffer")
local word_pointer = typeof("uint64_t *")

-- ---- errors -------------------------------------------------------------------------------------------------

local helper = {
  epoch_pointer = word_pointer, header_pointer = typeof("perigee_buffer *"),
  structure = new("uint64_t *[1]"),  -- set when a buffer is first used outside systems
}

function helper.stale(node)
  fail.raise(node.where .. ": this buffer was kept after its system's run; get it again with chunk." .. node.owner ..
    "[i] or ctx:buffer")
end

function helper.moved(node)
  fail.raise(node.where .. ": this buffer was kept while entities or components were added or removed; get it again " ..
    "with ecs.world:buffer")
end

function helper.bad_index(node, length, k)
  if type(k) ~= "number" then
    fail.raise(format("%s: an element's number must be a number, got %s", node.where, type(k)))
  end
  fail.raise(format("%s: element %s is out of range, this buffer has %s", node.where, tostring(k),
    length == 0 and "none" or length == 1 and "one" or format("elements 1 to %d", length)))
end

function helper.no_field(node, key)
  if key == ID then return nil end
  fail.no_field(node, key, node.is_root and "count" or nil)
end

function helper.read_only(node) fail.read_only(node.where) end

function helper.not_whole(node)
  fail.raise(node.where .. ": buffers are written element by element, as in buffer.field[k] = value or buffer[k] = " ..
    "{ field = value }")
end

function helper.full(node, id, wanted)
  local refusal = host.share_used_up()
  if refusal then fail.raise(node.where .. ": " .. refusal) end
  fail.raise(format("%s: the buffer cannot have %.0f elements; at most %.0f are allowed, and there may be no memory " ..
    "for as many", node.where, wanted, api.buffer_max_elements(host.world, id)))
end

-- ---- pieces of generated code -------------------------------------------------------------------------------

-- The cell's header, after the checks; then the start of the elements.
local function locate(object)
  return fill([[
    if cast(h.epoch_pointer, $object.$place)[0] ~= $object.$epoch then h.stale(node) end
    if $object.$version ~= 0 and h.structure[0][0] ~= $object.$version then h.moved(node) end
    local header = cast(h.header_pointer, $object.$cell)]],
    { object = object, place = P, epoch = E, version = S, cell = C })
end

local function base(object)
  return fill("local base = header.heap if base == 0 then base = $object.$cell + $header end",
    { object = object, cell = C, header = kHeaderBytes .. "ULL" })
end

local function copied(object)
  return fill("$object.$place, $object.$epoch, $object.$version, $object.$cell, $object.$capacity, $object.$id",
    { object = object, place = P, epoch = E, version = S, cell = C, capacity = I, id = N })
end

local function compile(g, node, text)
  return g:compile(fill("local h, node, new = $helper, $node, $new\n",
    { helper = g:ref(helper), node = g:ref(node), new = g:ref(new) }) .. text)
end

local function set_meta(ctype, node, index, newindex, what, length)
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex, __len = length,
    __tostring = function() return what .. " of " .. node.where end,
  })
end

-- Compiled code assumes that a store of one machine type never changes a load of another type. For reinterpreted
-- buffers that is wrong, so an opaque call comes before each load and after each store.
local function loads(context) return context.is_foreign and "lib.barrier() " or "" end
local function stores(context) return context.is_foreign and " lib.barrier()" or "" end

-- ---- columns: p.x -------------------------------------------------------------------------------------------

local make_column

-- Types of parts are created on first use; types of parts with a value, at once.
local function column_children(g, node, context)
  local lines = {}
  for _, child in ipairs(node.children or {}) do
    local ctype
    if child.type and not child.children then
      ctype = g:ref(make_column(child, context))
    else
      ctype = g:cold(function() return make_column(child, context) end) .. "()"
    end
    lines[#lines + 1] = fill("if k == $key then return (new($ctype, $words)) end",
      { key = codec.key_text(child.name), ctype = ctype, words = copied("p") })
  end
  return concat(lines, "\n")
end

function make_column(node, context)
  if context.columns[node] then return context.columns[node] end
  local g, size = codec.generator(), context.description.size
  local ctype = layout.opaque(words, names)
  local read, write = "", "h.not_whole(node)"
  if node.type then
    local address = fill("base + (i * $size + $offset)", { size = size, offset = node.offset })
    local cell = codec.at(g, node, address)
    local function access(body)
      return fill([[
        if type(k) == "number" then
          $locate
          local i = k - 1ULL
          if i < header.length then $base $body end
          h.bad_index(node, header.length, k)
        end]], { locate = locate("p"), base = base("p"), body = body })
    end
    read = access(loads(context) .. codec.read(g, node, cell, address, "k"))
    write = context.writable and access(loads(context) ..
      codec.write(g, node, cell, address, "k", true) .. stores(context) .. " return") ..
      "\nh.bad_index(node, 0, k)" or "h.read_only(node)"
  end
  local index, newindex = compile(g, node, fill([[
    local function index(p, k)
      $read
      $children
      return h.no_field(node, k)
    end
    local function newindex(p, k, x)
      $write
    end
    return index, newindex]], { read = read, children = column_children(g, node, context), write = write }))
  set_meta(ctype, node, index, newindex, "column")
  context.columns[node] = ctype
  return ctype
end

-- ---- elements: p[k] -----------------------------------------------------------------------------------------

local function make_element(node, context)
  if context.elements[node] then return context.elements[node] end
  local g, size = codec.generator(), context.description.size
  local writers = value.writers(context.description)
  local ctype = layout.opaque(element_words, element_names)
  local reads, writes = {}, {}
  for _, child in ipairs(node.children or {}) do
    local address = "base + " .. child.offset
    local key = codec.key_text(child.name)
    local body
    if child.type then
      body = loads(context) .. codec.read(g, child, codec.at(g, child, address), address, "nil")
    else
      body = fill("return (new($type_of(), $words, p.$element))", {
        type_of = g:cold(function() return make_element(child, context) end), words = copied("p"), element = K,
      })
    end
    reads[#reads + 1] = fill("if key == $key then $body end", { key = key, body = body })
    local write = child.type and codec.write(g, child, codec.at(g, child, address), address, "nil", true) or
      g:ref(writers[child]) .. "(base, x, nil)"
    writes[#writes + 1] = fill("if key == $key then $write return end",
      { key = key, write = loads(context) .. write .. stores(context) })
  end
  local find = fill([[
    $locate
    local k = p.$element
    if k >= header.length then h.bad_index(node, header.length, tonumber(k) + 1) end
    $base
    base = base + k * $size]], { locate = locate("p"), element = K, base = base("p"), size = size })
  local write = context.writable and find .. "\n" .. concat(writes, "\n") .. "\nh.no_field(node, key)" or
    "h.read_only(node)"
  local index, newindex = compile(g, node, fill([[
    local function index(p, key)
      $find
      $read
      return h.no_field(node, key)
    end
    local function newindex(p, key, x)
      $write
    end
    return index, newindex]], { find = find, read = concat(reads, "\n"), write = write }))
  set_meta(ctype, node, index, newindex, "element")
  context.elements[node] = ctype
  return ctype
end

-- ---- the buffer itself --------------------------------------------------------------------------------------

-- True if it contains texts or blobs, whose handles only their pools assign.
local function has_handles(node)
  if node.type == "text" or node.type == "blob" then return true end
  for _, child in ipairs(node.children or {}) do
    if has_handles(child) then return true end
  end
  return false
end

local type_of

local function reinterpreted(p, description, handle, writable, is_foreign)
  local other = component.expect(handle, "buffer:as")
  if other.size ~= description.size then
    fail.raise(format("buffer:as: an element of '%s' has %d bytes; expected the same of '%s', which has %d",
      description.name, description.size, other.name, other.size))
  end
  if other ~= description and (has_handles(other.root) or has_handles(description.root)) then
    fail.raise(format("buffer:as: '%s' cannot be read as '%s', because texts and blobs are not plain bytes",
      description.name, other.name))
  end
  return (new(type_of(other, writable, is_foreign or other ~= description), p[P], p[E], p[S], p[C], p[I], p[N]))
end

local function make_methods(description, writable, ctype, root)
  local g = codec.generator()
  local defaults, scratch = new("uint8_t[?]", description.size), new("uint8_t[?]", description.size)
  ffi.copy(defaults, description.defaults, description.size)
  local used = {
    element = scratch, defaults = defaults, size = description.size, writer = value.writers(description)[root],
    ctype = ctype, world = host.world, insert = api.buffer_insert, resize = api.buffer_resize,
    remove = api.buffer_remove, trim = api.buffer_trim, max = api.buffer_max_elements,
    spend = fuel.spend, free = 64, weight = description.size / 256,  -- for elements that move up or down
  }
  local function checked(name)
    return fill([[
      if not istype(n.ctype, p) then fail.raise("call it as a method: buffer:$name(…)") end
      $locate]], { name = name, locate = writable and locate("p") or "h.read_only(node)" })
  end
  local make_element_text = [[
      copy(n.element, n.defaults, n.size)
      if t ~= nil then n.writer(n.element, t, nil) end]]
  return compile(g, root, fill([[
    local n, fail, istype, copy, is_whole = $used, $fail, $istype, $copy, $is_whole
    local m = {}
    function m.push(p, t)
      $check_push
      $make_element
      if n.insert(n.world, p.$id, header, p.$capacity, header.length, n.element) then return end
      h.full(node, p.$id, header.length + 1)
    end
    function m.insert(p, k, t)
      $check_insert
      if not is_whole(k, 1, header.length + 1) then h.bad_index(node, header.length, k) end
      $make_element
      if header.length - k > n.free then n.spend((header.length - k) * n.weight) end
      if n.insert(n.world, p.$id, header, p.$capacity, k - 1, n.element) then return end
      h.full(node, p.$id, header.length + 1)
    end
    function m.remove(p, k)
      $check_remove
      if not is_whole(k, 1, header.length) then h.bad_index(node, header.length, k) end
      if header.length - k > n.free then n.spend((header.length - k) * n.weight) end
      n.remove(n.world, p.$id, header, k - 1)
    end
    function m.resize(p, length)
      $check_resize
      if not is_whole(length, 0, 4294967295) then
        fail.raise(node.where .. ": expected a whole number of elements, got " .. fail.shown(length))
      end
      if length > header.length and (length < 1e6 or length <= n.max(n.world, p.$id)) then
        n.spend(length - header.length)
      end
      if not n.resize(n.world, p.$id, header, p.$capacity, length) then h.full(node, p.$id, length) end
    end
    function m.clear(p)
      $check_clear
      header.length = 0
    end
    function m.trim(p)
      $check_trim
      n.trim(n.world, p.$id, header, p.$capacity)
    end
    return m]], {
      used = g:ref(used), fail = g:ref(fail), istype = g:ref(ffi.istype), copy = g:ref(ffi.copy),
      is_whole = g:ref(is_whole), id = N, capacity = I, make_element = make_element_text,
      check_push = checked("push"), check_insert = checked("insert"), check_remove = checked("remove"),
      check_resize = checked("resize"), check_clear = checked("clear"), check_trim = checked("trim"),
    }))
end

-- `is_foreign`: the elements were declared as another type.
function type_of(description, writable, is_foreign)
  local slot = (is_foreign and "foreign_" or "") .. (writable and "write_buffer" or "read_buffer")
  if description[slot] then return description[slot] end
  local root = setmetatable({ is_root = true }, { __index = description.root })
  local context = { description = description, writable = writable, is_foreign = is_foreign, columns = {},
    elements = {} }
  context.elements[root] = make_element(description.root, context)
  local ctype = layout.opaque(words, names)
  local methods = make_methods(description, writable, ctype, description.root)
  function methods.as(p, handle)
    if not ffi.istype(ctype, p) then fail.raise("call it as a method: buffer:as(C.Other)") end
    return (reinterpreted(p, description, handle, writable, is_foreign))
  end
  local g = codec.generator()
  local write = writable and fill([[
      if type(k) == "number" then
        $locate
        local i = k - 1ULL
        if i >= header.length then h.bad_index(node, header.length, k) end
        $base
        $write(base + i * $size, x, nil)$stores
        return
      end
      h.not_whole(node)]], {
        locate = locate("p"), base = base("p"), write = g:ref(value.writers(description)[description.root]),
        size = description.size, stores = stores(context),
      }) or "h.read_only(node)"
  local index, newindex, length = compile(g, root, fill([[
    local methods, element = $methods, $element
    local function length(p)
      $locate
      return header.length
    end
    local function index(p, k)
      if type(k) == "number" then
        $locate
        local i = k - 1ULL
        if i < header.length then return (new(element, $words, i)) end
        h.bad_index(node, header.length, k)
      end
      if k == "count" then return (length(p)) end
      local method = methods[k]
      if method then return method end
      $children
      return h.no_field(node, k)
    end
    local function newindex(p, k, x)
      $write
    end
    return index, newindex, length]], {
      methods = g:ref(methods), element = g:ref(context.elements[root]), locate = locate("p"), words = copied("p"),
      children = column_children(g, description.root, context), write = write,
    }))
  set_meta(ctype, description.root, index, newindex, "buffer", length)
  description[slot] = ctype
  return ctype
end

-- ---- creating buffers --------------------------------------------------------------------------------

local function capacity_of(description)
  description.inline_capacity = description.inline_capacity or
    api.buffer_inline_capacity(host.world, description.id)
  return description.inline_capacity
end

--- chunk.Path: function(epoch) -> an object whose i-th entry is the buffer of row i, while the views are lent under
--- this epoch (a pointer's bits); and the type of it.
function buffer.column(view, entity_view, description, writable)
  local element, find, world, id = type_of(description, writable), writable and api.world_edit or api.world_get,
    host.world, description.id
  local inline, where = capacity_of(description), description.root.where
  local place = cast("uint64_t", cast("void *", view)) + ffi.offsetof("perigee_view", "epoch")
  local function read(entity)
    return (new(element, place, view.epoch, 0, cast("uint64_t", find(world, entity, id)), inline, id))
  end
  local function write()
    fail.raise(where .. ": a buffer is changed through its methods: chunk." .. description.short .. "[i]:push { … }")
  end
  local function not_row(key)
    fail.raise(format("%s: each row has a buffer: chunk.%s[i].%s", where, description.short,
      type(key) == "string" and key or "[" .. type(key) .. "]"))
  end
  return row_column.make(view, entity_view, where, "buffers of ", read, write, not_row)
end

--- The component of a handle, or an error that says what it is.
function buffer.expect(handle, what)
  local description = component.expect(handle, what)
  if description.kind ~= "buffer" then
    fail.raise(format("%s: '%s' is a %s, not a buffer", what, description.name, description.kind))
  end
  return description
end

--- function(entity) -> buffer or nil; valid during the epoch at `epoch_address`.
function buffer.getter(description, writable, epoch_address)
  local ctype, find, world, id = type_of(description, writable), writable and api.world_edit or api.world_get,
    host.world, description.id
  local inline, epoch = capacity_of(description), cast(word_pointer, epoch_address)
  return function(entity)
    local cell = find(world, entity, id)
    if cell == nil then return nil end
    return (new(ctype, epoch_address, epoch[0], 0, cast("uint64_t", cell), inline, id))
  end
end

--- The same outside systems, where each structural change ends it too.
function buffer.outside_getter(description, writable, epoch_address)
  local ctype, find, world, id = type_of(description, writable), writable and api.world_edit or api.world_get,
    host.world, description.id
  local inline, epoch = capacity_of(description), cast(word_pointer, epoch_address)
  return function(entity)
    local cell = find(world, entity, id)
    if cell == nil then return nil end
    local place = cast(word_pointer, api.buffer_structure_place(world, entity))
    helper.structure[0] = place
    return (new(ctype, epoch_address, epoch[0], place[0], cast("uint64_t", cell), inline, id))
  end
end

--- A buffer to fill before playback.
function buffer.recorded(system, entity, description, is_set, epoch_address)
  local cell = api.command_buffer(system, entity, description.id, is_set)
  return (new(type_of(description, true), epoch_address, cast(word_pointer, epoch_address)[0], 0,
    cast("uint64_t", cell), 0, description.id))
end

return buffer
