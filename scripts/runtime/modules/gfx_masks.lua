-- The masks of the module gfx: shapes that later drawing is kept inside or outside of.
-- Invariant: a mask that a function draws is ended when the function ends, also by an error.
-- Not here: what back ends do with masks (engine/draw/draw_list.h).
local need = ...
local fail, spend = need "fail", need "fuel".spend
local type, rawget, pcall, error = type, rawget, pcall, error
local raise, shown = fail.raise, fail.shown

local kOptions = { inverted = true }
local kStepsPerMask = 100  -- of fuel: a mask is a list of its own

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local kClosed, kIsDrawingMask, kFull = constants.mask_closed, constants.mask_is_drawn, constants.masks_full

  --- Raises while a mask is drawn.
  function shared.refuse_mask(name)
    if native.is_drawing_mask(context) then raise("gfx." .. name .. ": not in the function that draws a mask") end
  end

  local function is_inverted(options, name)
    if options == nil then return false end
    shared.check_options(options, kOptions, 2, name)
    local inverted = rawget(options, "inverted")
    if inverted ~= nil and type(inverted) ~= "boolean" then
      raise("gfx." .. name .. ": option 'inverted': expected true or false, got " .. shown(inverted))
    end
    return inverted or false
  end

  local function draw_mask(draw, options, is_within, name)
    if type(draw) ~= "function" then shared.wrong(1, name, "a function that draws the mask", draw) end
    local inverted = is_inverted(options, name)
    spend(kStepsPerMask)
    local begun = native.begin_mask(context, inverted, is_within)
    shared.check_open(begun ~= kClosed, name)
    if begun == kIsDrawingMask then shared.refuse_mask(name) end
    if begun == kFull then
      raise("gfx." .. name .. ": a frame has at most " .. constants.max_masks .. " masks, and a mask at most " ..
        constants.max_mask_depth .. " around it")
    end
    local ok, message = pcall(draw)
    native.end_mask(context)
    if not ok then error(message, 0) end
  end

  --- Keeps later drawing inside of what `draw` draws, or outside of it with { inverted = true }. What is at least half
  --- opaque counts; colours do not. Without a function, everything is drawn again.
  function gfx.set_mask(draw, options)
    if draw == nil and options == nil then return shared.check_open(native.clear_mask(context), "set_mask") end
    draw_mask(draw, options, false, "set_mask")
  end

  --- Like gfx.set_mask, within the mask that is set already.
  function gfx.intersect_mask(draw, options) draw_mask(draw, options, true, "intersect_mask") end
end
