-- The module "gfx": immediate drawing, and the engine's own components gfx.Sprite and gfx.Camera. Invariant: arguments
-- are checked here, with messages that name the function; `native` is engine/modules/gfx_module.cpp, which takes any
-- number safely. Drawing works in draw() and in presentation systems only. Not here: loading pixels, windows.
local need, native, context = ...
local component, phase, fail = need "component", need "phase", need "fail"
local spend, find_handles = need "fuel".spend, need "asset_handles".finder
local constants = need "constants".of("gfx")
local type, tostring, rawget, ipairs = type, tostring, rawget, ipairs
local concat, ffi_string = table.concat, require("ffi").string
local raise, shown = fail.raise, fail.shown
local kStepsPerCall = 5  -- of fuel: drawing takes memory that is not counted elsewhere

local gfx = {}

-- `labels`: the allowed texts of the argument, if any.
local function wrong(position, name, expected, value, labels)
  raise("bad argument #" .. position .. " to 'gfx." .. name .. "': expected " .. expected .. ", got " .. shown(value) ..
    (labels and fail.suggestion(value, labels) or ""))
end

-- Infinity minus itself is NaN, so this rejects infinities too.
local function number(value, position, name)
  if type(value) ~= "number" or value - value ~= 0 then
    wrong(position, name, type(value) == "number" and "a finite number" or "a number", value)
  end
  return value
end

local function at_least_zero(value, position, name)
  if number(value, position, name) < 0 then wrong(position, name, "a number of at least 0", value) end
  return value
end

local function above_zero(value, position, name)
  if number(value, position, name) <= 0 then wrong(position, name, "a number above 0", value) end
  return value
end

local kClosed, kDrawn = constants.closed, constants.drawn

local function check_drawn(drawn, name)
  spend(kStepsPerCall)
  if drawn == kDrawn then return end
  if drawn ~= kClosed then raise("gfx." .. name .. ": " .. ffi_string(native.refusal(context))) end
  raise("gfx." .. name .. " outside of draw(): drawing is possible in draw() and in presentation systems only")
end

local function check_open(is_open, name)
  spend(kStepsPerCall)
  if not is_open then
    raise("gfx." .. name .. " outside of draw(): drawing is possible in draw() and in presentation systems only")
  end
end

-- Colours --------------------------------------------------------------------------------------------------------
-- A colour is a number 0xRRGGBBAA, as in colour fields of components, or a text.

local kNoColor = -1
local named = {}  -- text -> number

local function color_from_name(text, name)
  local color = named[text]
  if not color then
    color = native.color_from_name(text, #text)
    if color < 0 then
      raise("gfx." .. name .. ": " .. ffi_string(native.why_no_color(context, text, #text)))
    end
    named[text] = color
  end
  return color
end

local function optional_color(value, position, name)
  if value == nil then return kNoColor end
  if type(value) == "string" then return color_from_name(value, name) end
  if type(value) ~= "number" or not (value >= 0 and value < 2 ^ 32) then
    wrong(position, name, "a colour (0xRRGGBBAA, \"#rrggbb\" or a name like \"red\")", value)
  end
  return value
end

local function any_color(r, g, b, a, name)
  if type(r) == "string" then return color_from_name(r, name) end
  if g == nil then
    if r == nil then wrong(1, name, "a colour", r) end
    return optional_color(r, 1, name)
  end
  number(r, 1, name)
  return native.color_from_numbers(r, number(g, 2, name), number(b, 3, name), a == nil and 1 or number(a, 4, name))
end

--- gfx.color("#ff8800"), gfx.color("orange"), gfx.color(1, 0.5, 0, 1): the number for fields and arguments.
function gfx.color(r, g, b, a) return any_color(r, g, b, a, "color") end

--- Sets the colour of later drawing, as in gfx.color.
function gfx.set_color(r, g, b, a)
  check_open(native.set_color(context, any_color(r, g, b, a, "set_color")), "set_color")
end

--- Colour behind everything; stays until it is set again. Works at any time.
function gfx.set_background(r, g, b, a)
  phase.refuse_hash("gfx.set_background")
  native.set_background(context, any_color(r, g, b, a, "set_background"))
end

-- State of the frame ---------------------------------------------------------------------------------------------

local kMinLayer, kMaxLayer = constants.min_layer, constants.max_layer

function gfx.set_layer(layer)
  number(layer, 1, "set_layer")
  if layer < kMinLayer or layer > kMaxLayer then
    wrong(1, "set_layer", "a layer from " .. kMinLayer .. " to " .. kMaxLayer, layer)
  end
  check_open(native.set_layer(context, layer), "set_layer")
end

local spaces = { world = false, screen = true }

--- "world": through the camera (the default). "screen": fixed, over the world.
function gfx.set_space(space)
  local is_screen = spaces[space]
  if is_screen == nil then wrong(1, "set_space", "\"world\" or \"screen\"", space, { "world", "screen" }) end
  check_open(native.set_screen(context, is_screen), "set_space")
end

function gfx.set_line_width(width)
  check_open(native.set_line_width(context, above_zero(width, 1, "set_line_width")), "set_line_width")
end

function gfx.set_font_size(size)
  check_open(native.set_font_size(context, above_zero(size, 1, "set_font_size")), "set_font_size")
end

-- Name -> number for C++, and the names for messages.
local function numbers_of(names)
  local numbers = {}
  for i, name in ipairs(names) do numbers[name] = i - 1 end
  return numbers, '"' .. concat(names, '", "', 1, #names - 1) .. '" or "' .. names[#names] .. '"'
end

local blend_names = constants.blend_modes
local blends, shown_blends = numbers_of(blend_names)

function gfx.set_blend(mode)
  local blend = blends[mode]
  if not blend then
    wrong(1, "set_blend", shown_blends, mode, blend_names)
  end
  check_open(native.set_blend(context, blend), "set_blend")
end

--- Centres the view on world point x, y for later drawing in this frame; a game with entities writes the resource
--- gfx.Camera instead.
function gfx.set_camera(x, y, zoom)
  zoom = zoom == nil and 1 or above_zero(zoom, 3, "set_camera")
  check_drawn(native.set_camera(context, number(x, 1, "set_camera"), number(y, 2, "set_camera"), zoom), "set_camera")
end

-- Shapes ---------------------------------------------------------------------------------------------------------

local modes = { fill = true, line = false }

local function is_filled(mode, name)
  local filled = modes[mode]
  if filled == nil then wrong(1, name, "\"fill\" or \"line\"", mode, { "fill", "line" }) end
  return filled
end

--- gfx.rectangle("fill" or "line", x, y, width, height [, colour [, rotation]])
function gfx.rectangle(mode, x, y, w, h, color, rotation)
  local filled = is_filled(mode, "rectangle")
  number(x, 2, "rectangle")
  number(y, 3, "rectangle")
  number(w, 4, "rectangle")
  number(h, 5, "rectangle")
  color = optional_color(color, 6, "rectangle")
  rotation = rotation == nil and 0 or number(rotation, 7, "rectangle")
  check_drawn(native.rectangle(context, filled, x, y, w, h, rotation, color), "rectangle")
end

--- gfx.circle("fill" or "line", x, y, radius [, colour])
function gfx.circle(mode, x, y, radius, color)
  local filled = is_filled(mode, "circle")
  number(x, 2, "circle")
  number(y, 3, "circle")
  at_least_zero(radius, 4, "circle")
  check_drawn(native.circle(context, filled, x, y, radius, optional_color(color, 5, "circle")), "circle")
end

--- gfx.line(x1, y1, x2, y2 [, colour])
function gfx.line(x1, y1, x2, y2, color)
  number(x1, 1, "line")
  number(y1, 2, "line")
  number(x2, 3, "line")
  number(y2, 4, "line")
  check_drawn(native.line(context, x1, y1, x2, y2, optional_color(color, 5, "line")), "line")
end

-- Options --------------------------------------------------------------------------------------------------------

local function check_options(options, known, position, name)
  if type(options) ~= "table" then wrong(position, name, "a table of options", options) end
  local message = fail.unknown_keys(options, known, "gfx." .. name)
  if message then raise(message) end
end

local function option(options, key, default, name)
  local value = rawget(options, key)
  if value == nil then return default end
  if type(value) ~= "number" or value - value ~= 0 then
    raise("gfx." .. name .. ": option '" .. key .. "': expected a " .. (type(value) == "number" and "finite " or "") ..
      "number, got " .. shown(value))
  end
  return value
end

local function option_above_zero(options, key, default, name)
  local value = option(options, key, default, name)
  if value <= 0 and rawget(options, key) ~= nil then
    raise("gfx." .. name .. ": option '" .. key .. "': expected a number above 0, got " .. shown(value))
  end
  return value
end

-- Text -----------------------------------------------------------------------------------------------------------

local align_names = constants.text_aligns
local aligns, shown_aligns = numbers_of(align_names)
local text_options = { size = true, width = true, align = true, color = true }

local function text_of(value, position, name)
  if type(value) == "string" then return value end
  if type(value) == "number" or type(value) == "boolean" then return tostring(value) end
  wrong(position, name, "a text", value)
end

--- gfx.print(text, x, y [, size or { size =, width =, align =, color = } [, colour]])
function gfx.print(text, x, y, options, color)
  text = text_of(text, 1, "print")
  x = x == nil and 0 or number(x, 2, "print")
  y = y == nil and 0 or number(y, 3, "print")
  local size, width, align = 0, 0, 0
  if type(options) == "number" then
    size = above_zero(options, 4, "print")
  elseif options ~= nil then
    check_options(options, text_options, 4, "print")
    size, width = option_above_zero(options, "size", 0, "print"), option_above_zero(options, "width", 0, "print")
    local wanted = rawget(options, "align")
    if wanted ~= nil then
      align = aligns[wanted]
      if not align then
        raise("gfx.print: option 'align': expected " .. shown_aligns .. ", got " .. shown(wanted) ..
          fail.suggestion(wanted, align_names))
      end
    end
    if color == nil then color = rawget(options, "color") end
  end
  color = optional_color(color, 5, "print")
  spend(#text)
  check_drawn(native.print(context, text, #text, x, y, size, width, align, color), "print")
end

--- Width and height that gfx.print needs for a text; `width` wraps it. A word wider than that is not broken.
function gfx.text_size(text, size, width)
  text = text_of(text, 1, "text_size")
  size = size == nil and 16 or above_zero(size, 2, "text_size")
  width = width == nil and 0 or above_zero(width, 3, "text_size")
  spend(2 * #text)
  return native.text_width(text, #text, size, width), native.text_height(text, #text, size, width)
end

-- Images ---------------------------------------------------------------------------------------------------------

local image_options = {
  frame = true, quad = true, rotation = true, scale = true, scale_x = true, scale_y = true,
  origin_x = true, origin_y = true, color = true,
}

local handle_of = find_handles("gfx", native, context, function(path, name)
  wrong(1, name, "the path of an image" .. (type(path) == "string" and ", *.png" or ""), path)
end, "%.png$")

-- Raises if there is no room for more frames.
local function check_frames(name)
  if native.frames_full(context) then raise("gfx." .. name .. ": " .. ffi_string(native.error(context))) end
end

local function frame_of(handle, options)
  local quad = rawget(options, "quad")
  if quad == nil then return native.frame(context, handle, option(options, "frame", 0, "image")) end
  if type(quad) ~= "table" then
    raise("gfx.image: option 'quad': expected { x, y, width, height }, got " .. shown(quad))
  end
  local part = native.part(context, handle, option(quad, 1, 0, "image"), option(quad, 2, 0, "image"),
    option(quad, 3, 0, "image"), option(quad, 4, 0, "image"))
  if part < 0 then check_frames("image") end
  return part
end

--- gfx.image(path, x, y [, { frame =, quad = { x, y, w, h }, rotation =, scale =, scale_x =, scale_y =, origin_x =,
--- origin_y =, color = }]): origin 0.5 is the middle; the default 0 is the top left corner.
function gfx.image(path, x, y, options)
  local handle = handle_of(path, "image")
  number(x, 2, "image")
  number(y, 3, "image")
  if options == nil then
    check_drawn(native.image(context, native.frame(context, handle, 0), x, y, 1, 1, 0, 0, 0, kNoColor), "image")
    return
  end
  check_options(options, image_options, 4, "image")
  local scale = option(options, "scale", 1, "image")
  check_drawn(native.image(context, frame_of(handle, options), x, y,
    scale * option(options, "scale_x", 1, "image"), scale * option(options, "scale_y", 1, "image"),
    option(options, "rotation", 0, "image"), option(options, "origin_x", 0, "image"),
    option(options, "origin_y", 0, "image"), optional_color(rawget(options, "color"), 4, "image")), "image")
end

--- Cuts an image into frames of this size, for Sprite.frame and the option `frame`: 0 is the first. Works at any time.
--- Returns the number of frames.
function gfx.sheet(path, frame_width, frame_height)
  phase.refuse_hash("gfx.sheet")
  local handle = handle_of(path, "sheet")
  above_zero(frame_width, 2, "sheet")
  above_zero(frame_height, 3, "sheet")
  if not native.sheet(context, handle, frame_width, frame_height) then
    check_frames("sheet")
    raise("gfx.sheet: '" .. path .. "' is missing or smaller than one frame of " .. tostring(frame_width) .. " x " ..
      tostring(frame_height))
  end
  return native.frame_count(context, handle)
end

--- Cuts an image into frames of any size, each { x, y, width, height }: 0 is the first. Works at any time. Returns the
--- number of frames.
function gfx.atlas(path, rectangles)
  phase.refuse_hash("gfx.atlas")
  local handle = handle_of(path, "atlas")
  if type(rectangles) ~= "table" then wrong(2, "atlas", "a list of { x, y, width, height }", rectangles) end
  fail.expect_whole(rectangles, "gfx.atlas, rectangles")
  native.atlas_begin(context)
  for i = 1, #rectangles do
    local box = rectangles[i]
    if type(box) ~= "table" then
      raise("gfx.atlas, rectangle " .. i .. ": expected { x, y, width, height }, got " .. shown(box))
    end
    native.atlas_add(context, option(box, 1, 0, "atlas"), option(box, 2, 0, "atlas"), option(box, 3, 0, "atlas"),
      option(box, 4, 0, "atlas"))
  end
  if not native.atlas_end(context, handle) then
    check_frames("atlas")
    raise("gfx.atlas: '" .. path .. "' is missing or the list of rectangles is empty")
  end
  return #rectangles
end

--- gfx.sprite(path, frame, x, y [, scale_x, scale_y, rotation, colour]): one frame, centred at x, y. The fast way to
--- draw many: no table of options is read.
function gfx.sprite(path, frame, x, y, scale_x, scale_y, rotation, color)
  local handle = handle_of(path, "sprite")
  number(frame, 2, "sprite")
  number(x, 3, "sprite")
  number(y, 4, "sprite")
  scale_x = scale_x == nil and 1 or number(scale_x, 5, "sprite")
  scale_y = scale_y == nil and 1 or number(scale_y, 6, "sprite")
  rotation = rotation == nil and 0 or number(rotation, 7, "sprite")
  color = optional_color(color, 8, "sprite")
  check_drawn(native.image(context, native.frame(context, handle, frame), x, y, scale_x, scale_y, rotation, 0.5, 0.5,
    color), "sprite")
end

--- Width and height of an image in pixels; 0, 0 when it is missing.
function gfx.image_size(path)
  local handle = handle_of(path, "image_size")
  return native.image_width(context, handle), native.image_height(context, handle)
end

-- The screen -----------------------------------------------------------------------------------------------------

--- Logical size of the screen, independent of the window's size.
function gfx.size() return native.width(context), native.height(context) end

--- Converts a screen point to a world point, and back, with the camera after the last step.
function gfx.to_world(x, y)
  local zoom = native.camera_zoom(context)
  return (number(x, 1, "to_world") - native.width(context) / 2) / zoom + native.camera_x(context),
    (number(y, 2, "to_world") - native.height(context) / 2) / zoom + native.camera_y(context)
end

function gfx.to_screen(x, y)
  local zoom = native.camera_zoom(context)
  return (number(x, 1, "to_screen") - native.camera_x(context)) * zoom + native.width(context) / 2,
    (number(y, 2, "to_screen") - native.camera_y(context)) * zoom + native.height(context) / 2
end

--- The engine's components: an image at an entity's Position, and the resource with the view.
gfx.Sprite = component.find("gfx:Sprite")
gfx.Camera = component.find("gfx:Camera")

return fail.close_module("gfx", gfx)
