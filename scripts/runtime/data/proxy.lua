-- One component of one entity, as a value: hp = ctx:try_get(e, C.Health); hp.current = 5; and chunk.Position[i].
-- Invariant: each access compares the proxy's epoch with the one in C++, so using a proxy too late is an error and
-- never refers to another row. Rows do not move during an epoch: the world is locked during a run; outside runs, where
-- it is not, the proxy looks up its entity each time.
-- Compiled code does not allocate these objects: they are kept in registers.
--
--   kind       holds                           made by                valid until
--   row        view, epoch, row                chunk.Position[i]      the system's visit to this chunk ends
--   located    epoch's place, epoch, address   ctx:try_get            the system's run ends
--   entity     epoch's place, epoch, entity    ecs.world:get          the next run of a system begins
--   resource   epoch's place, epoch            ctx:resource, …        the same as located or entity
--   lent       view, epoch                     chunk.Team             the system's visit to this chunk ends
--
-- A lent one is the value of a shared or chunk component.
local need = ...
local component, fail, codec, layout = need "component", need "fail", need "codec", need "layout"
local host, api, value = need "host", need "api", need "value"
local later, fill = need "parts".later, need "template".fill
local ID = component.id_name  -- value.lua queries it on every object
local view = later "view"
local ffi = require("ffi")
local format, concat, ipairs = string.format, table.concat, ipairs
local rawget, setmetatable = rawget, setmetatable
local typeof, cast = ffi.typeof, ffi.cast

local proxy = {}
local P, E, R = layout.secret_name(), layout.secret_name(), layout.secret_name()

proxy.node_name = layout.secret_name()  -- the key with which console.lua queries a proxy's node
local NODE = proxy.node_name

local helper = {
  view_pointer = layout.view_pointer, lent_pointer = layout.lent_pointer, epoch_pointer = typeof("uint64_t *"),
}

function helper.stale(node)
  fail.raise(node.where .. ": this value was kept after its system's run; get it again with ctx:try_get or chunk." ..
    node.owner .. "[i]")
end

--- The error for a blob that is no longer there.
function proxy.blob_gone(where)
  fail.raise(where .. ": this blob was freed, since no field of the world referred to it any more; keep it in a " ..
    "component or a resource")
end

local blob_helper = setmetatable({ stale = function(node) proxy.blob_gone(node.where) end }, { __index = helper })

function helper.gone(node, entity)
  fail.raise(format("%s: entity %.0f is gone or no longer has it", node.where, entity))
end

function helper.no_field(node, key)
  if key == ID then return nil end
  if key == NODE then return node end
  fail.no_field(node, key)
end

function helper.read_only(node) fail.read_only(node.where) end

function helper.never_changes(node) fail.raise(node.where .. ": a blob never changes; build another one") end

function helper.not_lent(node)
  fail.raise(node.where .. ": this value is no longer lent; it ends with the visit to its chunk")
end

function helper.shared_value(node)
  fail.raise(format("%s is shared by all rows of its chunks and is not written; ctx.commands:set(entity, C.%s { … })" ..
    " gives an entity another value", node.where, node.owner))
end

-- The code that makes a separate object for a group of fields. The slot is for its type.
local kPart = fill("return (new($ctype, p.$place, p.$epoch, p.$row))",
  { ctype = "$ctype", place = P, epoch = E, row = R })

-- How each kind checks its epoch and finds `base`, the address of the row's bytes.
local kinds = {
  row = {
    fields = "const uint64_t $place; const uint64_t $epoch; const uint64_t $row;", part = kPart,
    locate = function(_, description)
      return fill([[
        local view = cast(h.view_pointer, p.$place)
        if view.epoch ~= p.$epoch then h.stale(node) end
        local base = view.address + p.$row * $size]],
        { place = P, epoch = E, row = R, size = description.size .. "ULL" })
    end,
    row = "tonumber(p." .. R .. ") + 1",
  },
  entity = {
    fields = "const uint64_t $place; const uint64_t $epoch; const double $row;", part = kPart,
    locate = function(g, description, writing)
      return fill([[
        if cast(h.epoch_pointer, p.$place)[0] ~= p.$epoch then h.stale(node) end
        local base = $get($world, p.$entity, $id)
        if base == nil then h.gone(node, p.$entity) end
        base = cast($bytes, base)]], {
          place = P, epoch = E, get = g:ref(writing and api.world_edit or api.world_get), world = g:ref(host.world),
          entity = R, id = description.id, bytes = g:ref(typeof("uint8_t *")),
        })
    end,
    row = "nil",
  },
  located = {
    fields = "const uint64_t $place; const uint64_t $epoch; const void * const $row;", part = kPart,
    locate = function(g)
      return fill([[
        if cast(h.epoch_pointer, p.$place)[0] ~= p.$epoch then h.stale(node) end
        local base = cast($bytes, p.$address)]],
        { place = P, epoch = E, bytes = g:ref(typeof("uint8_t *")), address = R })
    end,
    row = "nil",
  },
  resource = {
    fields = "const uint64_t $place; const uint64_t $epoch; const double $row;", part = kPart,
    locate = function(g, description)
      description.resource_address = description.resource_address or
        cast("uint8_t *", api.resource_data(host.world, description.id))
      return fill([[
        if cast(h.epoch_pointer, p.$place)[0] ~= p.$epoch then h.stale(node) end
        local base = $address]], { place = P, epoch = E, address = g:ref(description.resource_address) })
    end,
    row = "nil",
  },
  lent = {
    -- As in perigee_view.
    fields = "void * const $epoch; void * const $place; const uint32_t $row;",
    part = fill("return (new($ctype, p.$epoch, p.$place, p.$row))",
      { ctype = "$ctype", epoch = E, place = P, row = R }),
    locate = function(g)
      return fill([[
        local view = cast(h.lent_pointer, p.$place)
        if view.epoch ~= p.$epoch or p.$epoch == nil then h.not_lent(node) end
        local base = cast($bytes, view.start)]], { place = P, epoch = E, bytes = g:ref(typeof("uint8_t *")) })
    end,
    row = "nil",
  },
}

-- Groups of fields are separate proxies. Proxies of array elements get their types on first use.
local function index_text(g, node, types, rules, make, is_canonical)
  local lines = {}
  for _, child in ipairs(node.children or {}) do
    local address = "base + " .. child.offset
    local body
    if child.type then
      body = codec.read(g, child, codec.at(g, child, address), address, rules.row, is_canonical)
    elseif node.is_array then
      local found
      local function type_of_element()
        found = found or types[child] or make(child)
        return found
      end
      body = fill(rules.part, { ctype = g:cold(type_of_element) .. "()" })
    else
      body = fill(rules.part, { ctype = g:ref(types[child]) })
    end
    lines[#lines + 1] = fill("if key == $key then $body end", { key = codec.key_text(child.name), body = body })
  end
  return concat(lines, "\n")
end

local function newindex_text(g, node, writers, row)
  local lines = {}
  for _, child in ipairs(node.children or {}) do
    local address = "base + " .. child.offset
    local body = child.type and codec.write(g, child, codec.at(g, child, address), address, row) or
      fill("$write(base, x, $row)", { write = g:ref(writers[child]), row = row })
    lines[#lines + 1] = fill("if key == $key then $body return end", { key = codec.key_text(child.name), body = body })
  end
  return concat(lines, "\n")
end

-- The error for an assignment that no proxy, or not this one, allows.
local function refusal_of(description)
  if description.kind == "blob" then return "h.never_changes(node)" end
  return component.is_shared(description) and "h.shared_value(node)" or "h.read_only(node)"
end

local function types_from(node, description, kind, writable, types)
  local rules = kinds[kind]
  local function make(child) return types_from(child, description, kind, writable, types)[child] end
  for _, child in ipairs(node.children or {}) do
    if not (child.type or node.is_array) then make(child) end
  end
  local g = codec.generator()
  local ctype = layout.opaque(rules.fields, { place = P, epoch = E, row = R })
  local write = writable and
    rules.locate(g, description, true) .. "\n" .. newindex_text(g, node, value.writers(description), rules.row) ..
    "\nh.no_field(node, key)" or refusal_of(description)
  local index, newindex = g:compile(fill([[
    local h, node, new = $helper, $node, $new
    local function index(p, key)
      $locate
      $read
      return h.no_field(node, key)
    end
    local function newindex(p, key, x)
      $write
    end
    return index, newindex]], {
      helper = g:ref(description.kind == "blob" and blob_helper or helper), node = g:ref(node), new = g:ref(ffi.new),
      locate = rules.locate(g, description, false),
      read = index_text(g, node, types, rules, make, kind == "row" and view.is_canonical(description)), write = write,
    }))
  ffi.metatype(ctype, {
    __index = index, __newindex = newindex,
    __tostring = function() return "value in " .. node.where end,
  })
  types[node] = ctype
  return types
end

local function type_of(description, kind, writable)
  writable = writable and not component.is_shared(description)
  local slot = kind .. (writable and "_write_proxy" or "_read_proxy")
  local found = rawget(description, slot)
  if not found then
    found = types_from(description.root, description, kind, writable, {})[description.root]
    description[slot] = found
  end
  return found
end

--- function(view address, epoch, row from 0) -> proxy
function proxy.row_maker(description, writable) return type_of(description, "row", writable) end

--- function(epoch) -> the chunk's value of a shared or chunk component, while the view at `at` is lent under this epoch
--- (a pointer's bits); and the type of it.
function proxy.lent(description, writable, at)
  local ctype, place = type_of(description, "lent", writable), cast("void *", at)
  return function(epoch) return (ctype(epoch, place, 0)) end, ctype
end

--- function(entity) -> proxy or nil, with one look-up. Write access marks the column as changed.
function proxy.located_maker(description, writable, epoch_address)
  local g = codec.generator()
  return g:compile(fill([[
    local ctype, get, world, epoch, place = $ctype, $get, $world, $epoch, $place
    return function(entity)
      local base = get(world, entity, $id)
      if base == nil then return nil end
      return (ctype(place, epoch[0], base))
    end]], {
      ctype = g:ref(type_of(description, "located", writable)),
      get = g:ref(writable and not component.is_shared(description) and api.world_edit or api.world_get),
      world = g:ref(host.world), epoch = g:ref(cast("uint64_t *", epoch_address)),
      place = g:ref(cast("uint64_t", epoch_address)), id = description.id,
    }))
end

--- A proxy over the bytes of a value. They live as long as the string or array.
function proxy.over_bytes(description, bytes, epoch_address, writable)
  local epoch, place = cast("uint64_t *", epoch_address), cast("uint64_t", epoch_address)
  return (type_of(description, "located", writable)(place, epoch[0], cast("const void *", bytes)))
end

--- function(entity) -> proxy or nil. `epoch_address` is the place of the epoch that limits the proxy's life.
function proxy.entity_maker(description, writable, epoch_address)
  local g = codec.generator()
  return g:compile(fill([[
    local ctype, has, world, epoch, place = $ctype, $has, $world, $epoch, $place
    return function(entity)
      if not has(world, entity, $id) then return nil end
      return (ctype(place, epoch[0], entity))
    end]], {
      ctype = g:ref(type_of(description, "entity", writable)), has = g:ref(api.world_has), world = g:ref(host.world),
      epoch = g:ref(cast("uint64_t *", epoch_address)), place = g:ref(cast("uint64_t", epoch_address)),
      id = description.id,
    }))
end

--- function() -> proxy
function proxy.resource_maker(description, writable, epoch_address)
  local ctype = type_of(description, "resource", writable)
  local epoch, place = cast("uint64_t *", epoch_address), cast("uint64_t", epoch_address)
  return function() return (ctype(place, epoch[0], 0)) end
end

return proxy
