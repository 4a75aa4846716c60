-- Layers of the module gfx: their names, gfx.layer, which declares one, and how it looks.
-- Invariant: a layer is a number; wherever a number is taken, its name is, too. Files declare layers; what changes them
-- later changes pictures alone, from the next one on. Not here: how layers are drawn (engine/draw/draw_list.h).
local need = ...
local fail, phase, library = need "fail", need "phase", need "library"
local spend = need "fuel".spend
local type, rawget, find, ffi_string, ipairs = type, rawget, string.find, require("ffi").string, ipairs
local raise, shown, finite = fail.raise, fail.shown, fail.finite

local kStepsPerLayer, kStepsPerName = 200, 5  -- of fuel
local kMaxNameBytes = 64

local options_known = { order = true, sort = true, parallax = true, origin = true, camera = true, blend = true,
  effect = true, from = true, space = true, background = true }

-- Adds the functions to the module. `shared`: gfx_block.lua and gfx_shaders.lua.
return function(gfx, native, context, constants, shared)
  local number, wrong = shared.number, shared.wrong
  local kMinLayer, kMaxLayer = constants.min_layer, constants.max_layer
  local kRange = "a whole number from " .. kMinLayer .. " to " .. kMaxLayer
  local sorts, all_sorts = shared.numbers_of(constants.layer_sorts)
  local spaces, space_names = { world = false, screen = true }, { "world", "screen" }
  local all_spaces = '"world" or "screen"'
  local blends, all_blends = shared.numbers_of(constants.blend_modes)

  -- The number of a name; nil and why.
  local function number_of(name)
    spend(kStepsPerName)
    local layer = native.layer_number(context, name, #name)
    if layer == layer then return layer end
    return nil, ffi_string(native.error(context))
  end
  library.layers.number_of = number_of

  --- The number of an argument that is a layer.
  function shared.layer_of(layer, position, name)
    if type(layer) == "string" then
      local found, message = number_of(layer)
      return found or raise("gfx." .. name .. ": " .. message)
    end
    if type(layer) ~= "number" then wrong(position, name, "a layer: its name or its number", layer) end
    number(layer, position, name)
    if layer < kMinLayer or layer > kMaxLayer then
      wrong(position, name, "a layer from " .. kMinLayer .. " to " .. kMaxLayer, layer)
    end
    return layer
  end
  local layer_of = shared.layer_of

  -- The numbers of a table with these names, `defaults` for those that it lacks.
  local function numbers_in(value, names, defaults, what)
    if type(value) ~= "table" then
      raise(what .. ": expected a table such as { " .. names[1] .. " = 1 }, got " .. shown(value))
    end
    if rawget(value, 1) ~= nil then raise(what .. ": its numbers have names, as in { " .. names[1] .. " = 1 }") end
    local known, found = {}, {}
    for i, name in ipairs(names) do
      known[name] = true
      local entry = rawget(value, name)
      found[i] = entry == nil and defaults[i] or finite(entry, what .. "." .. name)
    end
    local message = fail.unknown_keys(value, known, what)
    if message then raise(message) end
    return found[1], found[2], found[3], found[4]
  end

  local kPoint, kCamera = { "x", "y" }, { "x", "y", "zoom", "rotation" }

  -- x and y of a parallax: a number is both.
  local function parallax_of(value, what)
    if type(value) ~= "table" then return finite(value, what), value end
    local x, y = numbers_in(value, kPoint, { 1, 1 }, what)
    return x, y
  end

  local function zoom_of(zoom, what)
    if zoom <= 0 then raise(what .. ": expected a number above 0, got " .. shown(zoom)) end
    return zoom
  end

  -- The number of a shader or of an effect by its name, or 0.
  local function effect_of(effect, what)
    if effect == nil then return 0 end
    if type(effect) == "string" then effect = gfx.effect(effect) end
    return shared.shader_number(effect) or
      raise(what .. ": expected a shader of gfx.shader, or the name of an effect of gfx.effect, got " .. shown(effect))
  end

  -- The number of a text among `numbers`.
  local function word(value, numbers, all, names, what)
    if numbers[value] == nil then
      raise(what .. ": expected " .. all .. ", got " .. shown(value) .. fail.suggestion(value, names))
    end
    return numbers[value]
  end

  local function check_name(name)
    if type(name) ~= "string" or #name > kMaxNameBytes or not find(name, "^[%a_][%w_-]*$") then
      raise("gfx.layer: expected a name of letters, digits, '-' and '_' that begins with a letter, got " .. shown(name))
    end
  end

  local function order_of(order, what)
    if order == nil then raise(what .. ": expected order = " .. kRange .. "; a layer of a higher order is nearer") end
    if type(order) ~= "number" or order % 1 ~= 0 or order < kMinLayer or order > kMaxLayer then
      raise(what .. ", order: expected " .. kRange .. ", got " .. shown(order))
    end
    return order
  end

  -- The first of the layers that are drawn as a whole: a name or a number up to `order`.
  local function first_of(from, order, what)
    if type(from) == "string" then
      local found, message = number_of(from)
      from = found or raise(what .. ": " .. message)
    end
    if type(from) ~= "number" or not (from >= kMinLayer and from <= order) or from % 1 ~= 0 then
      raise(what .. ": expected a layer below this one, by its name or its order, got " .. shown(from))
    end
    return from
  end

  --- gfx.layer("sky", { order = -100, sort = "none" or "y" or "order", parallax = 0.3 or { x =, y = },
  --- origin = { x =, y = }, camera = { x =, y =, zoom =, rotation = }, blend = "add", effect = shader,
  --- from = "hills", background = "black", space = "world" or "screen" }) declares a layer, and returns its number: its
  --- order. gfx.layer("sky") returns that of a declared one.
  function gfx.layer(name, options)
    if options == nil then
      if type(name) ~= "string" then raise("gfx.layer: expected the name of a layer, got " .. shown(name)) end
      return layer_of(name, 1, "layer")
    end
    phase.expect_declaring("gfx.layer")
    check_name(name)
    local what = "gfx.layer '" .. name .. "'"
    if type(options) ~= "table" then raise(what .. ": expected a table of options, got " .. shown(options)) end
    local message = fail.unknown_keys(options, options_known, what)
    if message then raise(message) end
    spend(kStepsPerLayer)
    local order, sort = order_of(rawget(options, "order"), what), rawget(options, "sort")
    local parallax, camera, blend = rawget(options, "parallax"), rawget(options, "camera"), rawget(options, "blend")
    local origin = rawget(options, "origin")
    if parallax ~= nil and camera ~= nil then raise(what .. ": 'parallax' and 'camera' exclude each other") end
    if origin ~= nil and parallax == nil then raise(what .. ": 'origin' needs 'parallax', which it is for") end
    native.layer_begin(context, order, sort == nil and constants.layer_sort_of_camera or
      word(sort, sorts, all_sorts, constants.layer_sorts, what .. ", sort"))
    local home_x, home_y = native.layer_home(context, 0), native.layer_home(context, 1)
    if parallax ~= nil then native.layer_parallax(context, parallax_of(parallax, what .. ", parallax")) end
    if origin ~= nil then
      local x, y = numbers_in(origin, kPoint, { home_x, home_y }, what .. ", origin")
      native.layer_origin(context, x, y)
    end
    if camera ~= nil then
      local x, y, zoom, rotation = numbers_in(camera, kCamera, { home_x, home_y, 1, 0 }, what .. ", camera")
      native.layer_camera(context, x, y, zoom_of(zoom, what .. ", camera.zoom"), rotation)
    end
    local is_screen = word(rawget(options, "space") or "world", spaces, all_spaces, space_names, what .. ", space")
    if is_screen and (parallax ~= nil or camera ~= nil) then
      raise(what .. ": no camera sees the screen; leave out " .. (parallax ~= nil and "'parallax'" or "'camera'"))
    end
    local from = rawget(options, "from")
    from = from == nil and order or first_of(from, order, what .. ", from")
    local mode = blend == nil and 0 or word(blend, blends, all_blends, constants.blend_modes, what .. ", blend")
    native.layer_whole(context, from, is_screen, mode, effect_of(rawget(options, "effect"), what .. ", effect"))
    local background = rawget(options, "background")
    if background ~= nil then native.layer_background(context, shared.any_color(background, nil, nil, nil, "layer")) end
    if not native.layer_end(context, name, #name) then raise(ffi_string(native.error(context))) end
    return order
  end

  -- Changes -------------------------------------------------------------------------------------------------------

  -- Begins a change of a layer that this mod has declared.
  local function change(layer, name)
    phase.refuse_hash("gfx." .. name)
    spend(kStepsPerName)
    if not native.layer_change(context, layer_of(layer, 1, name)) then
      raise("gfx." .. name .. ": this mod has not declared layer " .. shown(layer) .. "; gfx.layer(\"name\", " ..
        "{ order = 5 }) does")
    end
  end

  --- Another camera sees the layer, from the next picture on; without numbers, the one that it was declared with.
  function gfx.set_layer_camera(layer, x, y, zoom, rotation)
    change(layer, "set_layer_camera")
    if x == nil then
      native.layer_own_camera(context)
    else
      zoom = zoom == nil and 1 or shared.above_zero(zoom, 4, "set_layer_camera")
      rotation = rotation == nil and 0 or number(rotation, 5, "set_layer_camera")
      native.layer_camera(context, number(x, 2, "set_layer_camera"), number(y, 3, "set_layer_camera"), zoom, rotation)
    end
    native.layer_changed(context)
  end

  --- How far the layer moves with the camera, from the next picture on.
  function gfx.set_layer_parallax(layer, x, y)
    change(layer, "set_layer_parallax")
    number(x, 2, "set_layer_parallax")
    native.layer_parallax(context, x, y == nil and x or number(y, 3, "set_layer_parallax"))
    native.layer_changed(context)
  end

  --- The shader with which the layer is drawn as a whole, from the next picture on; without one, none.
  function gfx.set_layer_effect(layer, effect)
    change(layer, "set_layer_effect")
    native.layer_effect(context, effect_of(effect, "gfx.set_layer_effect"))
    native.layer_changed(context)
  end

  --- The shader with which the whole picture is drawn, from the next one on: the world, all views, and what is fixed on
  --- the screen. Without one, none. Works at any time.
  function gfx.set_picture_effect(effect)
    phase.refuse_hash("gfx.set_picture_effect")
    spend(kStepsPerName)
    native.picture_effect(context, effect_of(effect, "gfx.set_picture_effect"))
  end
end
