-- The images of the module gfx: drawing them, and cutting them into frames.
-- Invariant: a call that draws takes no memory of Lua, except for a table of options that the caller makes.
-- Not here: loading pixels.
local need = ...
local fail, phase = need "fail", need "phase"
local find_handles = need "asset_handles".finder
local ffi = require("ffi")
local type, tostring, rawget, istype, ffi_string = type, tostring, rawget, ffi.istype, ffi.string
local raise, shown = fail.raise, fail.shown

local kOptions = {
  frame = true, quad = true, rotation = true, scale = true, scale_x = true, scale_y = true,
  origin_x = true, origin_y = true, color = true,
}
local kStyleFields = { "scale_x", "scale_y", "rotation", "origin_x", "origin_y", "frame", "color" }
local kLastFrame = 65535

-- The bits that name an image and the number of its frame.
local function frame_bits(handle, frame)
  if frame > 0 then return handle + (frame < kLastFrame and frame - frame % 1 or kLastFrame) * 65536 end
  return handle  -- also for NaN
end

local function origin_bits(part, key)
  if not (part >= 0 and part <= 1) then
    raise("gfx.image: option '" .. key .. "': expected a part of the size from 0 (left or top) to 1, got " ..
      tostring(part) .. "; of a place in pixels, divide by the size of the image or frame")
  end
  return part * 128 + 0.5
end

-- How an image is drawn. `part`: the frame of the quad, if it has one, of the image `part_of`. Mods may write the
-- fields; any numbers are safe.
local style_type = ffi.typeof([[struct {
  double scale_x, scale_y, rotation, origin_x, origin_y, frame, color;
  double left, top, width, height, part, part_of;
}]])

local function refuse_field(_, key)
  raise("a style has no field '" .. tostring(key) .. "'" .. fail.suggestion(key, kStyleFields))
end

ffi.metatype(style_type, {
  __index = refuse_field,
  __newindex = refuse_field,
  __tostring = function() return "gfx.style" end,
})

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local block, items, ready = shared.block, shared.block.items, shared.ready
  local number, wrong, option, above_zero = shared.number, shared.wrong, shared.option, shared.above_zero
  local item_color, item_angle, optional_color = shared.item_color, shared.item_angle, shared.optional_color
  local check_options_of_call = shared.check_options_of_call
  local kSprite, kImage = constants.sprite, constants.image
  local kCentre = 64  -- of 128

  local handle_of = find_handles("gfx", native, context, function(path, name)
    if shared.is_mesh(path) then raise("gfx." .. name .. ": a mesh is drawn with gfx.draw_mesh(mesh, x, y)") end
    wrong(1, name, "the path of an image" .. (type(path) == "string" and ", *.png or *.jpg" or ""), path)
  end, { "%.png$", "%.jpe?g$" })
  shared.handle_of = handle_of

  -- The id of an image: of a file, or of what the game made itself.
  local find_surface, kFirstSurface = shared.find_surface, constants.first_surface
  local function image_of(image, name) return find_surface(image, name, handle_of) end
  -- The same where nothing is drawn, so a canvas may be any.
  local function any_image(image, name) return find_surface(image, name, handle_of, true) end
  shared.image_of, shared.any_image = image_of, any_image

  -- Raises if there is no room for more frames.
  local function check_frames(name)
    if native.frames_full(context) then raise("gfx." .. name .. ": " .. ffi_string(native.error(context))) end
  end

  shared.check_frames = check_frames

  -- `check`: of the keys.
  local function read_style(style, options, position, name, check)
    if type(options) == "number" then
      raise("gfx." .. name .. ": rotation, scale and origin have names: { rotation = 1, scale = 2, origin_x = 0.5 }")
    end
    check(options, kOptions, position, name)
    local scale = option(options, "scale", 1, name)
    style.scale_x = scale * option(options, "scale_x", 1, name)
    style.scale_y = scale * option(options, "scale_y", 1, name)
    style.rotation = option(options, "rotation", 0, name)
    style.origin_x, style.origin_y = option(options, "origin_x", 0, name), option(options, "origin_y", 0, name)
    style.frame = option(options, "frame", 0, name)
    style.color = optional_color(rawget(options, "color"), position, name)
    style.width, style.part_of = -1, -1
    local quad = rawget(options, "quad")
    if quad == nil then return end
    if type(quad) ~= "table" then
      raise("gfx." .. name .. ": option 'quad': expected { x, y, width, height }, got " .. shown(quad))
    end
    style.left, style.top = option(quad, 1, 0, name), option(quad, 2, 0, name)
    style.width, style.height = option(quad, 3, 0, name), option(quad, 4, 0, name)
  end

  --- gfx.style { frame =, quad = { x, y, w, h }, rotation =, scale =, scale_x =, scale_y =, origin_x =, origin_y =,
  --- color = }: options for gfx.image that are made once. Its fields can be changed: style.rotation = 1.
  function gfx.style(options)
    local style = style_type()
    read_style(style, options, 1, "style", shared.check_options)
    return style
  end

  -- The frame of the style's quad.
  local function part_of(style, handle)
    if style.part_of ~= handle or handle >= kFirstSurface then  -- a later surface may have the same id
      style.part = native.part(context, handle, style.left, style.top, style.width, style.height)
      if style.part < 0 then
        check_frames("image")
        style.part = 0
      end
      style.part_of = handle
    end
    return style.part
  end

  local passing = style_type()  -- of options that are a table

  --- The style that an argument is, or that its options are, until the next call.
  function shared.style_of(options, position, name)
    if istype(style_type, options) then return options end
    read_style(passing, options, position, name, check_options_of_call)
    return passing
  end

  --- The frame of a style, in an image.
  function shared.style_frame(style, handle)
    if style.width >= 0 then return part_of(style, handle) end
    return native.frame(context, handle, style.frame)
  end

  --- gfx.image(path, x, y [, a gfx.style, or its options]): origin 0.5 is the middle; the default 0 is the top left
  --- corner.
  function gfx.image(path, x, y, options)
    local handle = image_of(path, "image")
    number(x, 2, "image")
    number(y, 3, "image")
    ready("image")
    if options == nil then
      local item = items[block.count]
      item.x, item.y, item.w, item.h = x, y, 1, 1
      item.color, item.ref, item.angle, item.stroke = block.color, handle, 0, 0
      item.origin_x, item.origin_y, item.kind, item.flags = 0, 0, kImage, block.flags
      block.count = block.count + 1
      return
    end
    local style = options
    if not istype(style_type, style) then
      read_style(passing, options, 4, "image", check_options_of_call)
      style = passing
    end
    local kind, ref
    if style.width >= 0 then
      kind, ref = kSprite, part_of(style, handle)
    else
      kind, ref = kImage, frame_bits(handle, style.frame)
    end
    local color = style.color
    color = color >= 0 and color < 2 ^ 32 and item_color(color, 4, "image") or block.color
    local item = items[block.count]
    item.x, item.y, item.w, item.h = x, y, style.scale_x, style.scale_y
    item.color, item.ref, item.angle, item.stroke = color, ref, item_angle(style.rotation), 0
    item.origin_x, item.origin_y = origin_bits(style.origin_x, "origin_x"), origin_bits(style.origin_y, "origin_y")
    item.kind, item.flags = kind, block.flags
    block.count = block.count + 1
  end

  --- gfx.sprite(path, frame, x, y [, scale_x, scale_y, rotation, colour]): one frame, centred at x, y. The fast way to
  --- draw many.
  function gfx.sprite(path, frame, x, y, scale_x, scale_y, rotation, color)
    local handle = image_of(path, "sprite")
    number(frame, 2, "sprite")
    number(x, 3, "sprite")
    number(y, 4, "sprite")
    scale_x = scale_x == nil and 1 or number(scale_x, 5, "sprite")
    scale_y = scale_y == nil and 1 or number(scale_y, 6, "sprite")
    local angle = rotation == nil and 0 or item_angle(number(rotation, 7, "sprite"))
    ready("sprite")
    color = item_color(color, 8, "sprite")
    local item = items[block.count]
    item.x, item.y, item.w, item.h = x, y, scale_x, scale_y
    item.color, item.ref, item.angle, item.stroke = color, frame_bits(handle, frame), angle, 0
    item.origin_x, item.origin_y, item.kind, item.flags = kCentre, kCentre, kImage, block.flags
    block.count = block.count + 1
  end

  --- Cuts an image into frames of this size, for Sprite.frame and the option `frame`: 0 is the first. Works at any
  --- time. Returns the number of frames.
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

  --- Cuts an image into frames of any size, each { x, y, width, height }: 0 is the first. Works at any time. Returns
  --- the number of frames.
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

  -- Sampling -------------------------------------------------------------------------------------------------------

  local filter_of, wrap_of = shared.one_of(constants.image_filters), shared.one_of(constants.image_wraps)
  local kDefault = -1

  -- LÖVE has a filter for smaller images and one for larger ones.
  local function one_filter(filter, larger, position, name)
    local number_of_filter = filter_of(filter, position, name)
    if larger ~= nil and larger ~= filter then
      raise("gfx." .. name .. ": an image has one filter, for smaller and for larger sizes")
    end
    return number_of_filter
  end

  --- What is between the pixels of an image that is drawn larger or turned: "nearest" or "linear". nil: as
  --- gfx.set_default_filter says. Works at any time, for whole frames.
  function gfx.set_filter(image, filter, larger)
    phase.refuse_hash("gfx.set_filter")
    local wanted = filter == nil and kDefault or one_filter(filter, larger, 2, "set_filter")
    native.set_filter(context, any_image(image, "set_filter"), wanted)
  end

  --- The same for all images, canvases and pixels of this mod that have no filter of their own; that of the game holds
  --- for mods without one.
  function gfx.set_default_filter(filter, larger)
    phase.refuse_hash("gfx.set_default_filter")
    native.set_default_filter(context, one_filter(filter, larger, 1, "set_default_filter"))
  end

  --- What parts outside of an image show: "clamp" cuts them off, "repeat" and "mirror" show the image again.
  function gfx.set_wrap(image, wrap)
    phase.refuse_hash("gfx.set_wrap")
    local wanted = wrap_of(wrap, 2, "set_wrap")
    native.set_wrap(context, any_image(image, "set_wrap"), wanted)
  end

  --- Width and height of an image in pixels; 0, 0 when it is missing.
  function gfx.image_size(path)
    local handle = any_image(path, "image_size")
    return native.image_width(context, handle), native.image_height(context, handle)
  end
end
