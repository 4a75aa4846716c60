-- The part of the module "gfx" that defines presets of particles and emits them: gfx.particles and gfx.burst.
-- Invariant: presets are data that files define; a preset is a text, its name. Particles are pictures: what scripts do
-- with them never affects the world. Not here: the component gfx.Emitter, which emits in each step.
local need = ...
local phase, fail, fuel, running = need "phase", need "fail", need "fuel", need "running"
local constants = need "constants".of("gfx")
local type, rawget, ipairs, tostring = type, rawget, ipairs, tostring
local concat, find, abs, ffi_string = table.concat, string.find, math.abs, require("ffi").string
local raise, shown, number = fail.raise, fail.shown, fail.finite
local kStepsPerPreset, kStepsPerBurst = 200, 20  -- of fuel
local kMaxPoints, kMaxFrames, kMaxNameBytes = 16, 64, 64

local gfx_particles = {}

local numbers = {}  -- field -> number for C++
for i, name in ipairs(constants.particle_fields) do numbers[name] = i - 1 end
local ranges = { "lifetime", "speed", "spin", "rotation", "radial", "tangential" }
local range_hints = { speed = "; a speed that changes during a life is 'speed_curve', for example { 1, 0.5, 0 }" }
local singles = { "rate", "count", "direction", "spread", "radius", "drag", "frame", "layer",
  "size_variation" }
local options_known = { image = true, shape = true, size = true, color = true, blend = true, space = true,
  gravity = true, collisions = true, speed_curve = true,
  area = true, frames = true, faces_velocity = true }
for _, name in ipairs(ranges) do options_known[name] = true end
for _, name in ipairs(singles) do options_known[name] = true end

local blends = {}
for i, name in ipairs(constants.blend_modes) do blends[name] = i - 1 end
local responses = {}
for i, name in ipairs(constants.hit_responses) do responses[name] = i - 1 end
local kMinCell, kMaxCell, kFarthest = constants.min_collision_cell, constants.max_collision_cell,
  constants.farthest_collision_grid
local collisions_known = { grid = true, cell = true, x = true, y = true, bounce = true, friction = true,
  on_hit = true }
local area_shapes = {}
for i, name in ipairs(constants.area_shapes) do area_shapes[name] = i - 1 end
local kLargestArea = constants.largest_particle_area
local area_known = { shape = true, width = true, height = true, rotation = true, outward = true }
local shapes, spaces = { circle = 0, rectangle = 1 }, { world = false, ["local"] = true }
local shape_names, space_names = { "circle", "rectangle" }, { "world", "local" }

-- One of these words; `default` without one.
local function word(value, default, allowed, names, what)
  if value == nil then value = default end
  if allowed[value] == nil then
    raise(what .. ": expected \"" .. concat(names, "\", \"", 1, #names - 1) .. "\" or \"" .. names[#names] ..
      "\", got " .. shown(value) .. fail.suggestion(value, names))
  end
  return allowed[value]
end

-- One value, or a list of up to `most`.
local function each_point(value, what, visit, most)
  most = most or kMaxPoints
  if value == nil then return end
  if type(value) ~= "table" then return visit(value, what) end
  fail.expect_whole(value, what)
  if #value == 0 or #value > most then
    raise(what .. ": expected a value or a list of 1 to " .. most .. ", got " .. #value)
  end
  for i = 1, #value do visit(value[i], what .. "[" .. i .. "]") end
end

-- A frame, a list, or { from =, to = }.
local function each_frame(frames, what, visit)
  local from = type(frames) == "table" and rawget(frames, "from")
  if not from and not (type(frames) == "table" and rawget(frames, "to")) then
    return each_point(frames, what, function(frame, where) visit(number(frame, where)) end, kMaxFrames)
  end
  local message = fail.unknown_keys(frames, { from = true, to = true }, what)
  if message then raise(message) end
  local to = number(rawget(frames, "to"), what .. ".to")
  number(from, what .. ".from")
  if abs(to - from) >= kMaxFrames then
    raise(what .. ": expected at most " .. kMaxFrames .. " frames, got " .. shown(abs(to - from) + 1))
  end
  for frame = from, to, from <= to and 1 or -1 do visit(frame) end
end

-- Whether a list is the parts of one colour, as elsewhere in gfx. As colours of their own, such numbers show nothing.
local function is_one_color(value)
  if type(value) ~= "table" or #value < 3 or #value > 4 then return false end
  for i = 1, #value do
    local part = rawget(value, i)
    if type(part) ~= "number" or part < 0 or part > 1 then return false end
  end
  return true
end

-- A number, or { min =, max = }. `hint`: what a list may have meant.
local function range(value, what, hint)
  if type(value) ~= "table" then
    value = number(value, what)
    return value, value
  end
  local message = fail.unknown_keys(value, { min = true, max = true }, what)
  if message then raise(message) end
  local low, high = rawget(value, "min"), rawget(value, "max")
  if low == nil and high == nil and #value ~= 0 then
    raise(what .. ": expected a number or { min =, max = }, got a list" .. (hint or ""))
  end
  return number(low, what .. ".min"), number(high, what .. ".max")
end

local function boolean(value, what)
  if value ~= nil and type(value) ~= "boolean" then
    raise(what .. ": expected true or false, got " .. shown(value))
  end
  return value == true
end

-- A number of a table of options within its limits; `default` without one.
local function limited(options, key, default, low, high, what)
  local value = rawget(options, key)
  if value == nil then return default end
  if type(value) ~= "number" or not (value >= low and value <= high) then
    raise(what .. "." .. key .. ": expected a number from " .. low .. " to " .. high .. ", got " .. shown(value))
  end
  return value
end

-- Without a height an area is as high as it is wide. Returns true if particles fly outwards.
local function set_area(options, set, what)
  what = what .. ", area"
  if type(options) ~= "table" then
    raise(what .. ": expected a table such as { shape = \"ring\", width = 80 }, got " .. shown(options))
  end
  local message = fail.unknown_keys(options, area_known, what)
  if message then raise(message) end
  local shape = rawget(options, "shape")
  set("area_shape", word(shape, "disc", area_shapes, constants.area_shapes, what .. ".shape"), 0)
  local width, height = limited(options, "width", nil, 0, kLargestArea, what), rawget(options, "height")
  if not width then raise(what .. ".width: expected a number from 0 to " .. kLargestArea .. ", got nil") end
  if shape == "line" and height ~= nil then
    raise(what .. ".height: a line has none; it lies along its 'rotation'")
  end
  height = limited(options, "height", shape == "line" and 0 or width, 0, kLargestArea, what)
  set("area_size", width, height)
  local rotation = rawget(options, "rotation")
  if rotation ~= nil then set("area_rotation", number(rotation, what .. ".rotation"), 0) end
  local is_outward = boolean(rawget(options, "outward"), what .. ".outward")
  set("area_outward", is_outward and 1 or 0, 0)
  return is_outward
end

--- Adds its functions to the module. `handle_of(path, name)`: the handle of an image; `pixels_id(value)`: the id of
--- pixels, nil for all else.
function gfx_particles.extend(gfx, native, context, handle_of, pixels_id)
  local presets = {}  -- name -> number
  local kept = {}     -- name -> the pixels of its collisions, which are released when nothing refers to them

  local function set_collisions(options, set, what)
    what = what .. ", collisions"
    if type(options) ~= "table" then
      raise(what .. ": expected a table such as { grid = pixels, cell = 16 }, got " .. shown(options))
    end
    local message = fail.unknown_keys(options, collisions_known, what)
    if message then raise(message) end
    local grid = rawget(options, "grid")
    local image = pixels_id(grid)
    if not image then
      raise(what .. ".grid: expected pixels of gfx.pixels(columns, rows), in which every pixel that is not " ..
        "transparent is a solid cell, got " .. (type(grid) == "cdata" and tostring(grid) or shown(grid)))
    end
    set("cell", limited(options, "cell", 16, kMinCell, kMaxCell, what), 0)
    set("grid_place", limited(options, "x", 0, -kFarthest, kFarthest, what),
      limited(options, "y", 0, -kFarthest, kFarthest, what))
    set("bounce", limited(options, "bounce", 0.5, 0, 1, what), 0)
    set("friction", limited(options, "friction", 0, 0, 1, what), 0)
    set("on_hit", word(rawget(options, "on_hit"), "bounce", responses, constants.hit_responses, what .. ".on_hit"), 0)
    native.preset_grid(context, image)
    return grid
  end

  --- gfx.particles("fire", { image =, frame = or frames = { 0, 1 }, or shape = "circle", rate = 50, count = 20,
  --- lifetime = { min =, max = }, speed =, speed_curve = { 1, 0 }, direction =, spread =, radius = or
  --- area = { shape = "ring", width =, height =, rotation =, outward = true }, gravity = { x =, y = }, radial =,
  --- tangential =, drag =, size = { 8, 2 }, size_variation =, color = { "yellow", "#ff000000" }, spin =, rotation =,
  --- faces_velocity = true, blend =, layer =, space = "world" or "local", collisions = { grid = pixels, cell = 16,
  --- x =, y =, bounce =, friction =, on_hit = "bounce", "stop" or "die" } }): returns the preset's name.
  function gfx.particles(name, options)
    phase.expect_declaring("gfx.particles")
    if type(name) ~= "string" or name == "" or #name > kMaxNameBytes or find(name, ":", 1, true) then
      raise("gfx.particles: expected a name without ':' of at most " .. kMaxNameBytes .. " bytes, got " .. shown(name))
    end
    local what = "gfx.particles '" .. name .. "'"
    if type(options) ~= "table" then raise(what .. ": expected a table of options, got " .. shown(options)) end
    local message = fail.unknown_keys(options, options_known, what)
    if message then raise(message) end
    local image, shape = rawget(options, "image"), rawget(options, "shape")
    if image ~= nil and shape ~= nil then raise(what .. ": 'image' and 'shape' exclude each other") end
    local area = rawget(options, "area")
    if area ~= nil and rawget(options, "radius") ~= nil then
      raise(what .. ": 'radius' and 'area' exclude each other")
    end
    fuel.spend(kStepsPerPreset)
    native.preset_begin(context, image == nil and 0 or handle_of(image, "particles"))
    local function set(field, first, second) native.preset_set(context, numbers[field], first, second) end
    set("shape", word(shape, "circle", shapes, shape_names, what .. ", shape"), 0)
    if area ~= nil and set_area(area, set, what) then set("spread", 0, 0) end
    for _, field in ipairs(singles) do
      local value = rawget(options, field)
      if field == "layer" and type(value) == "string" then value = gfx.layer(value) end
      if value ~= nil then set(field, number(value, what .. ", " .. field), 0) end
    end
    for _, field in ipairs(ranges) do
      local value = rawget(options, field)
      if value ~= nil then set(field, range(value, what .. ", " .. field, range_hints[field])) end
    end
    local gravity = rawget(options, "gravity")
    if type(gravity) == "table" then
      message = fail.unknown_keys(gravity, { x = true, y = true }, what .. ", gravity")
      if message then raise(message) end
      set("gravity", number(rawget(gravity, "x") or 0, what .. ", gravity.x"),
        number(rawget(gravity, "y") or 0, what .. ", gravity.y"))
    elseif gravity ~= nil then
      set("gravity", 0, number(gravity, what .. ", gravity"))
    end
    set("faces_velocity", boolean(rawget(options, "faces_velocity"), what .. ", faces_velocity") and 1 or 0, 0)
    local frames = rawget(options, "frames")
    if frames ~= nil then
      if image == nil then raise(what .. ": 'frames' are those of an 'image'") end
      if rawget(options, "frame") ~= nil then raise(what .. ": 'frame' and 'frames' exclude each other") end
      each_frame(frames, what .. ", frames", function(frame) native.preset_frame(context, frame) end)
    end
    each_point(rawget(options, "size"), what .. ", size", function(size, where)
      native.preset_size(context, number(size, where))
    end)
    local colors = rawget(options, "color")
    if is_one_color(colors) then colors = { colors } end
    each_point(colors, what .. ", color", function(color)
      native.preset_color(context, gfx.color(color))
    end)
    each_point(rawget(options, "speed_curve"), what .. ", speed_curve", function(factor, where)
      native.preset_speed_factor(context, number(factor, where))
    end)
    local collisions, grid = rawget(options, "collisions"), nil
    if collisions ~= nil then grid = set_collisions(collisions, set, what) end
    local blend = word(rawget(options, "blend"), "alpha", blends, constants.blend_modes, what .. ", blend")
    local is_local = word(rawget(options, "space"), "world", spaces, space_names, what .. ", space")
    if not native.preset_end(context, name, #name, blend, is_local) then
      raise("gfx.particles: " .. ffi_string(native.error(context)))
    end
    if kept[name] ~= grid then kept[name] = grid end
    return ffi_string(native.preset_name(context))
  end

  --- gfx.burst("fire", x, y [, count]): emits particles at once.
  function gfx.burst(name, x, y, count)
    fuel.spend(kStepsPerBurst)
    phase.refuse_hash("gfx.burst")
    if running.is_presentation() then
      raise("gfx.burst: not while a picture is drawn, since particles belong to steps; call it in a system or update()")
    end
    local preset = presets[name]
    if not preset then
      if type(name) ~= "string" then raise("gfx.burst: expected the name of a preset, got " .. shown(name)) end
      preset = native.particle_preset(context, name, #name)
      if preset < 0 then raise("gfx.burst: " .. ffi_string(native.error(context))) end
      presets[name] = preset
    end
    number(x, "gfx.burst, x")
    number(y, "gfx.burst, y")
    count = count == nil and -1 or number(count, "gfx.burst, count")
    if count ~= -1 and count < 0 then
      raise("gfx.burst, count: expected a number of at least 0, got " .. shown(count))
    end
    if count > 0 and count < 1 then
      raise("gfx.burst, count: expected whole particles, got " .. shown(count) ..
        "; gfx.Emitter emits a number of them each second")
    end
    native.burst(context, preset, x, y, count)
  end
end

return gfx_particles
