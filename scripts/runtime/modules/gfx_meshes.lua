-- The part of "gfx" for meshes: triangles that a game makes once and draws many times.
-- Invariant: a mesh is a constant struct whose address no mod learns. Each access checks the type of its index,
-- converts it once, compares that value unsigned with the count, and uses the same value; the memory lives as long as
-- the struct (__gc). Methods check that what they get is such a struct before they read its fields. Code that writes a
-- vertex changes the version of the mesh (engine/draw/shapes/vertex_mesh.h).
-- Not here: where meshes are drawn (engine/draw/painter.h).
local need = ...
local layout, phase, fail, spend = need "layout", need "phase", need "fail", need "fuel".spend
local fill = need "template".fill
local ffi = require("ffi")
local type, tonumber, tostring, rawget, collect = type, tonumber, tostring, rawget, collectgarbage
local cast, istype, ffi_string, format, setmetatable = ffi.cast, ffi.istype, ffi.string, string.format, setmetatable
local bswap, band, rshift = bit.bswap, bit.band, bit.rshift
local raise, shown, is_finite = fail.raise, fail.shown, fail.is_finite

local kStepsPerMesh, kStepsPerVertex, kStepsPerKilobyte = 200, 4, 50  -- of fuel

local A, N, ID = layout.secret_name(), layout.secret_name(), layout.secret_name()
local Mesh = ffi.typeof(fill("struct { const uint64_t $address, $count; const double $id; }",
  { address = A, count = N, id = ID }))

local kOptions = { mode = true, indices = true, image = true }

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local number, wrong, check_drawn = shared.number, shared.wrong, shared.check_drawn
  -- Declared by gfx_block.lua.
  local points, heads = ffi.typeof("perigee_mesh_point *"), ffi.typeof("perigee_mesh_head *")
  local kHeadBytes = ffi.sizeof("perigee_mesh_head")
  function shared.is_mesh(value) return istype(Mesh, value) end

  local modes, shown_modes = shared.numbers_of(constants.mesh_modes)
  local kMaxVertices = constants.max_mesh_vertices
  local images = setmetatable({}, { __mode = "k" })  -- canvases and pixels live as long as the meshes that show them
  local made, kManyVertices = 0, 2 ^ 18  -- vertices since the last collection

  local function check_mode(mode)
    if mode == nil then return modes.fan end
    return modes[mode] or raise("gfx.mesh: option 'mode': expected " .. shown_modes .. ", got " .. shown(mode) ..
      fail.suggestion(mode, constants.mesh_modes))
  end

  local function list_order(indices, count)
    native.mesh_begin(context)
    if indices == nil then return end
    if type(indices) ~= "table" then
      raise("gfx.mesh: option 'indices': expected a list of numbers of vertices, got " .. shown(indices))
    end
    if #indices > kMaxVertices then
      raise("gfx.mesh: option 'indices': expected at most " .. kMaxVertices .. ", got " .. #indices)
    end
    spend(#indices)
    for i = 1, #indices do
      local index = rawget(indices, i)
      if type(index) ~= "number" or not (index >= 1 and index <= count) or index % 1 ~= 0 then
        raise("gfx.mesh: index " .. i .. ": expected the number of a vertex, 1 to " .. count .. ", got " ..
          shown(index))
      end
      native.mesh_index(context, index - 1)
    end
  end

  local function collect_meshes()
    spend(kStepsPerKilobyte * collect("count"))
    collect()
    made = 0
  end

  -- A mesh that nothing refers to any more takes its room until Lua collects it, which sees only a few bytes of it.
  local function with_room(count, mode, image)
    spend(kStepsPerMesh + count)
    made = made + count + 100
    if made > kManyVertices then collect_meshes() end
    local id = native.mesh_end(context, count, mode, image)
    if id == 0 then
      collect_meshes()
      id = native.mesh_end(context, count, mode, image)
    end
    if id == 0 then raise("gfx.mesh: " .. ffi_string(native.error(context))) end
    return id
  end

  -- The bytes of a channel from 0 to 1.
  local function byte(value, what)
    if not is_finite(value) then
      raise(what .. ": expected a colour, or r, g, b and a from 0 to 1, got " .. shown(value))
    end
    return (value <= 0 and 0 or value >= 1 and 1 or value) * 255 + 0.5
  end

  local function finite(value, what)
    if not is_finite(value) then
      raise(what .. ": expected a finite number, got " .. shown(value))
    end
    return value
  end

  local function set_color(point, r, g, b, a, what)
    if g == nil and b == nil then
      local color = bswap(shared.any_color(r, nil, nil, nil, "mesh"))  -- r is the lowest byte
      point.r, point.g, point.b, point.a = band(color, 255), band(rshift(color, 8), 255), band(rshift(color, 16), 255),
        rshift(color, 24)
      return
    end
    point.r, point.g, point.b = byte(r, what), byte(g, what), byte(b, what)
    point.a = a == nil and 255 or byte(a, what)
  end

  -- Writes a list { x, y, u, v, r, g, b, a } to a vertex.
  local function set_from_list(point, vertex, what)
    if type(vertex) ~= "table" then
      raise(what .. ": expected { x, y, u, v, r, g, b, a }, got " .. shown(vertex))
    end
    if rawget(vertex, 1) == nil then
      raise(what .. ": expected { x, y, u, v, r, g, b, a }, in this order and without names")
    end
    local u, v, r = rawget(vertex, 3), rawget(vertex, 4), rawget(vertex, 5)
    point.x, point.y = finite(rawget(vertex, 1), what), finite(rawget(vertex, 2), what)
    point.u, point.v = u == nil and 0 or finite(u, what), v == nil and 0 or finite(v, what)
    if r == nil then
      point.r, point.g, point.b, point.a = 255, 255, 255, 255
    else
      set_color(point, r, rawget(vertex, 6), rawget(vertex, 7), rawget(vertex, 8), what)
    end
  end

  local function points_of(mesh) return cast(points, mesh[A] + kHeadBytes) end

  -- After a vertex was written.
  local function changed(mesh)
    local head = cast(heads, mesh[A])
    head.version = head.version + 1
  end

  local function write_list(mesh, list, first, name)
    spend(kStepsPerVertex * #list)
    local to = points_of(mesh)
    for i = 1, #list do set_from_list(to[first + i - 2], rawget(list, i), name .. ": vertex " .. i) end
    changed(mesh)
  end

  -- Methods --------------------------------------------------------------------------------------------------------

  local methods = {}
  local names = { "set", "get", "set_vertices", "set_image", "count" }

  local function expect_mesh(mesh, name)
    if not istype(Mesh, mesh) then
      raise("mesh:" .. name .. ": call it with a colon, as in mesh:" .. name .. "(…)")
    end
  end

  local function no_vertex(mesh, i, name)
    raise("mesh:" .. name .. ": there is no vertex " .. (type(i) == "number" and tostring(i) or shown(i)) ..
      "; these are 1 to " .. tonumber(mesh[N]))
  end

  --- mesh:set(i, x, y [, u, v [, r, g, b, a]]) moves a vertex; what is left out stays. A colour may be one argument.
  function methods.set(mesh, i, x, y, u, v, r, g, b, a)
    expect_mesh(mesh, "set")
    if type(i) == "number" then
      local k = i - 1ULL
      if k < mesh[N] then
        local point = points_of(mesh)[k]
        point.x, point.y = finite(x, "mesh:set, x"), finite(y, "mesh:set, y")
        if u ~= nil then point.u, point.v = finite(u, "mesh:set, u"), finite(v, "mesh:set, v") end
        if r ~= nil then set_color(point, r, g, b, a, "mesh:set") end
        changed(mesh)
        return
      end
    end
    no_vertex(mesh, i, "set")
  end

  --- x, y, u, v, r, g, b, a of a vertex, the colour from 0 to 1.
  function methods.get(mesh, i)
    expect_mesh(mesh, "get")
    if type(i) == "number" then
      local k = i - 1ULL
      if k < mesh[N] then
        local point = points_of(mesh)[k]
        return point.x, point.y, point.u, point.v, point.r / 255, point.g / 255, point.b / 255, point.a / 255
      end
    end
    no_vertex(mesh, i, "get")
  end

  --- Replaces vertices by those of a list, as in gfx.mesh, from number `first` (default 1) on.
  function methods.set_vertices(mesh, list, first)
    expect_mesh(mesh, "set_vertices")
    if type(list) ~= "table" then raise("mesh:set_vertices: expected a list of vertices, got " .. shown(list)) end
    first = first == nil and 1 or first
    local count = tonumber(mesh[N])
    if type(first) ~= "number" or first % 1 ~= 0 or not (first >= 1 and first + #list - 1 <= count) then
      raise("mesh:set_vertices: " .. #list .. " vertices from " .. shown(first) .. " on do not fit; these are 1 to " ..
        count)
    end
    write_list(mesh, list, first, "mesh:set_vertices")
  end

  --- The image of the mesh; without one, its colours alone.
  function methods.set_image(mesh, image)
    expect_mesh(mesh, "set_image")
    phase.refuse_hash("mesh:set_image")
    native.set_mesh_image(context, mesh[ID], image == nil and 0 or shared.any_image(image, "mesh"))
    images[mesh] = type(image) == "cdata" and image or nil
  end

  ffi.metatype(Mesh, {
    __index = function(mesh, key)
      if key == "count" then return tonumber(mesh[N]) end
      return methods[key] or raise("a mesh has no " .. shown(key) .. fail.suggestion(key, names))
    end,
    __newindex = function() raise("vertices of a mesh are set as in mesh:set(1, x, y)") end,
    __eq = layout.same(Mesh, ID, ID),
    __tostring = function(mesh) return format("mesh of %d vertices", tonumber(mesh[N])) end,
    __gc = function(mesh) native.release_mesh(context, mesh[ID]) end,
  })

  -- Functions ------------------------------------------------------------------------------------------------------

  --- gfx.mesh({ { x, y, u, v, r, g, b, a }, … } or a number of vertices [, { mode = "fan", "strip" or "triangles",
  --- indices = { … }, image = … }])
  function gfx.mesh(vertices, options)
    shared.expect_place("gfx.mesh")
    local is_list = type(vertices) == "table"
    local count = is_list and #vertices or vertices
    if type(count) ~= "number" or count % 1 ~= 0 or not (count >= 3 and count <= kMaxVertices) then
      if is_list then raise("gfx.mesh: expected 3 to " .. kMaxVertices .. " vertices, got " .. count) end
      wrong(1, "mesh", "a list of vertices { x, y, u, v, r, g, b, a }, or their number", vertices)
    end
    local mode, indices, image, wanted = modes.fan, nil, 0, nil
    if options ~= nil then
      shared.check_options(options, kOptions, 2, "mesh")
      mode, indices, wanted = check_mode(rawget(options, "mode")), rawget(options, "indices"), rawget(options, "image")
      if wanted ~= nil then image = shared.any_image(wanted, "mesh") end
    end
    list_order(indices, count)
    local id = with_room(count, mode, image)
    local mesh = Mesh(cast("uint64_t", native.mesh_memory(context, id)), count, id)
    if type(wanted) == "cdata" then images[mesh] = wanted end
    if is_list then write_list(mesh, vertices, 1, "gfx.mesh") end
    return mesh
  end

  --- gfx.draw_mesh(mesh, x, y [, rotation [, scale_x [, scale_y [, colour]]]]): its point 0, 0 is at x, y. One scale
  --- holds both ways; the colour multiplies.
  function gfx.draw_mesh(mesh, x, y, rotation, scale_x, scale_y, color)
    if not istype(Mesh, mesh) then wrong(1, "draw_mesh", "a mesh of gfx.mesh", mesh) end
    x = x == nil and 0 or number(x, 2, "draw_mesh")
    y = y == nil and 0 or number(y, 3, "draw_mesh")
    rotation = rotation == nil and 0 or number(rotation, 4, "draw_mesh")
    scale_x = scale_x == nil and 1 or number(scale_x, 5, "draw_mesh")
    scale_y = scale_y == nil and scale_x or number(scale_y, 6, "draw_mesh")
    spend(5)
    local surface = images[mesh]
    local image = surface and shared.find_surface(surface, "draw_mesh") or 0
    check_drawn(native.draw_mesh(context, mesh[ID], x, y, rotation, scale_x, scale_y,
      shared.optional_color(color, 7, "draw_mesh"), image), "draw_mesh")
  end
end
