-- The part of "gfx" for images that fill rectangles: gfx.nine_slice and gfx.tiled.
-- Invariant: a call that draws takes no memory of Lua, if its border or style is made once.
-- Not here: what a tile becomes (engine/draw/painter_tiles.cpp).
local need = ...
local fail, spend = need "fail", need "fuel".spend
local ffi = require("ffi")
local type, rawget, setmetatable = type, rawget, setmetatable
local raise, shown = fail.raise, fail.shown

local kBorderOptions = { left = true, right = true, top = true, bottom = true, scale = true, quad = true }
local kWeak = { __mode = "k" }

-- The borders of an image, and its nine frames, row by row; -1 where a part has no pixels.
local Slices = ffi.typeof([[struct {
  double left, right, top, bottom, scale, x, y, width, height, image_width, parts[9];
}]])

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local block, items, ready = shared.block, shared.block.items, shared.ready
  local number, wrong, option, check_drawn = shared.number, shared.wrong, shared.option, shared.check_drawn
  local item_color = shared.item_color
  local kSized = constants.sized_sprite

  -- Nine slices ----------------------------------------------------------------------------------------------------

  local by_number = {}                        -- border -> image -> Slices
  local by_table = setmetatable({}, kWeak)

  -- The frames of the nine parts. What is missing has none.
  local function find_parts(slices, image)
    local left, right, top, bottom = slices.left, slices.right, slices.top, slices.bottom
    for i = 0, 8 do
      local column, row = i % 3, (i - i % 3) / 3
      local x = column == 0 and 0 or column == 1 and left or slices.width - right
      local y = row == 0 and 0 or row == 1 and top or slices.height - bottom
      local width = column == 0 and left or column == 1 and slices.width - left - right or right
      local height = row == 0 and top or row == 1 and slices.height - top - bottom or bottom
      local part = -1
      if width > 0 and height > 0 then
        part = native.part(context, image, slices.x + x, slices.y + y, width, height)
        if part < 0 then shared.check_frames("nine_slice") end
      end
      slices.parts[i] = part
    end
  end

  local function border_option(border, key)
    local value = option(border, key, 0, "nine_slice")
    if value < 0 or value % 1 ~= 0 then
      raise("gfx.nine_slice: option '" .. key .. "': expected a whole number of pixels, got " .. shown(value))
    end
    return value
  end

  local function new_slices(image, border)
    local slices = Slices()
    slices.scale = 1
    slices.width, slices.height = native.image_width(context, image), native.image_height(context, image)
    slices.image_width = slices.width
    if type(border) == "number" then
      slices.left, slices.right, slices.top, slices.bottom = border, border, border, border
    else
      if rawget(border, 1) ~= nil then
        raise("gfx.nine_slice: a border has names, as in { left = 8, right = 8, top = 8, bottom = 8 }")
      end
      shared.check_options(border, kBorderOptions, 6, "nine_slice")
      slices.left, slices.right = border_option(border, "left"), border_option(border, "right")
      slices.top, slices.bottom = border_option(border, "top"), border_option(border, "bottom")
      slices.scale = shared.option_above_zero(border, "scale", 1, "nine_slice")
      local quad = rawget(border, "quad")
      if quad ~= nil then
        if type(quad) ~= "table" then
          raise("gfx.nine_slice: option 'quad': expected { x, y, width, height }, got " .. shown(quad))
        end
        slices.x, slices.y = option(quad, 1, 0, "nine_slice"), option(quad, 2, 0, "nine_slice")
        slices.width, slices.height = option(quad, 3, 0, "nine_slice"), option(quad, 4, 0, "nine_slice")
      end
    end
    if slices.image_width > 0 and
        (slices.left + slices.right > slices.width or slices.top + slices.bottom > slices.height) then
      raise("gfx.nine_slice: the borders are larger than the image, which has " .. slices.width .. " x " ..
        slices.height .. " pixels")
    end
    find_parts(slices, image)
    return slices
  end

  -- The slices of an image for a border, which is read once.
  local function slices_of(image, border)
    local all = by_number
    if type(border) == "table" then
      all = by_table
    elseif type(border) ~= "number" or not (border >= 0 and border < 65536) or border % 1 ~= 0 then
      wrong(6, "nine_slice", "a border in whole pixels, or { left =, right =, top =, bottom = }", border)
    end
    local of_border = all[border]
    if not of_border then
      of_border = {}
      all[border] = of_border
    end
    local slices = of_border[image]
    if not slices or slices.image_width ~= native.image_width(context, image) then
      spend(100)
      slices = new_slices(image, border)
      of_border[image] = slices
    elseif image >= constants.first_surface then
      find_parts(slices, image)  -- a later surface may have the same id
    end
    return slices
  end

  local function piece(frame, x, y, width, height, color)
    if frame < 0 or not (width > 0 and height > 0) then return end
    ready("nine_slice")
    local item = items[block.count]
    item.x, item.y, item.w, item.h = x, y, width, height
    item.color, item.ref, item.angle, item.stroke = color, frame, 0, 0
    item.origin_x, item.origin_y, item.kind, item.flags = 0, 0, kSized, block.flags
    block.count = block.count + 1
  end

  --- gfx.nine_slice(image, x, y, width, height, border [, colour]): the corners keep their size, the edges are
  --- stretched one way, the middle both ways. The border is a number, or { left =, right =, top =, bottom =, scale =,
  --- quad = }.
  function gfx.nine_slice(image, x, y, width, height, border, color)
    local id = shared.image_of(image, "nine_slice")
    number(x, 2, "nine_slice")
    number(y, 3, "nine_slice")
    number(width, 4, "nine_slice")
    number(height, 5, "nine_slice")
    ready("nine_slice")
    local packed = item_color(color, 7, "nine_slice")
    local slices = slices_of(id, border)
    if slices.image_width == 0 then return piece(0, x, y, width, height, packed) end
    local left, right = slices.left * slices.scale, slices.right * slices.scale
    local top, bottom = slices.top * slices.scale, slices.bottom * slices.scale
    if left + right > width then
      local factor = width > 0 and width / (left + right) or 0
      left, right = left * factor, right * factor
    end
    if top + bottom > height then
      local factor = height > 0 and height / (top + bottom) or 0
      top, bottom = top * factor, bottom * factor
    end
    local x1, x2, y1, y2 = x + left, x + width - right, y + top, y + height - bottom
    -- A local `parts` would be an object of Lua in each call.
    piece(slices.parts[0], x, y, left, top, packed)
    piece(slices.parts[1], x1, y, x2 - x1, top, packed)
    piece(slices.parts[2], x2, y, right, top, packed)
    piece(slices.parts[3], x, y1, left, y2 - y1, packed)
    piece(slices.parts[4], x1, y1, x2 - x1, y2 - y1, packed)
    piece(slices.parts[5], x2, y1, right, y2 - y1, packed)
    piece(slices.parts[6], x, y2, left, bottom, packed)
    piece(slices.parts[7], x1, y2, x2 - x1, bottom, packed)
    piece(slices.parts[8], x2, y2, right, bottom, packed)
  end

  -- Tiles ----------------------------------------------------------------------------------------------------------

  local kTooManyTiles = 3  -- see engine/modules/internal/gfx_images.cpp

  --- gfx.tiled(image, x, y, width, height [, offset_x, offset_y] [, a gfx.style, or its options]): fills a rectangle
  --- with an image, a tile of which begins at the offset from its corner. Of the style: frame, quad, scales and colour.
  function gfx.tiled(image, x, y, width, height, offset_x, offset_y, options)
    if offset_y == nil and options == nil and (type(offset_x) == "table" or type(offset_x) == "cdata") then
      offset_x, options = nil, offset_x
    end
    local id = shared.image_of(image, "tiled")
    number(x, 2, "tiled")
    number(y, 3, "tiled")
    number(width, 4, "tiled")
    number(height, 5, "tiled")
    offset_x = offset_x == nil and 0 or number(offset_x, 6, "tiled")
    offset_y = offset_y == nil and 0 or number(offset_y, 7, "tiled")
    local frame, scale_x, scale_y, color = -1, 1, 1, -1
    if options ~= nil then
      local style = shared.style_of(options, 8, "tiled")
      frame, scale_x, scale_y, color = shared.style_frame(style, id), style.scale_x, style.scale_y, style.color
      if not (scale_x > 0 and scale_y > 0) then raise("gfx.tiled: a tile needs a scale above 0") end
    end
    if frame < 0 then frame = native.frame(context, id, 0) end
    spend(20)
    local drawn = native.tiled(context, frame, x, y, width, height, offset_x, offset_y, scale_x, scale_y, color)
    if drawn == kTooManyTiles then
      raise("gfx.tiled: more than " .. constants.max_tiles ..
        " tiles are in view; after gfx.set_wrap(image, \"repeat\") there may be any number")
    end
    check_drawn(drawn, "tiled")
  end
end
