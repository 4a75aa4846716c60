-- The transforms and the scissor of the module gfx.
-- Invariant: the matrix is that of C++ (engine/draw/painter.h); Lua keeps no copy. Each frame starts without one.
-- Not here: the camera (gfx.lua).
local need = ...
local fail, spend = need "fail", need "fuel".spend
local raise = fail.raise

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local number, check_open = shared.number, shared.check_open
  local kClosed, kYes, kMaxPushes = constants.stack_closed, constants.stacked, constants.max_pushes

  --- Saves the matrix, or with "all" the colour, the scissor and everything else that gfx.set_… sets in a frame, too.
  function gfx.push(what)
    if what ~= nil and what ~= "all" and what ~= "transform" then
      shared.wrong(1, "push", "\"transform\" or \"all\"", what, { "transform", "all" })
    end
    local pushed = native.push(context, what == "all")
    check_open(pushed ~= kClosed, "push")
    if pushed ~= kYes then
      raise("gfx.push: " .. kMaxPushes .. " are open already; each needs a gfx.pop")
    end
  end

  --- Back to what the last gfx.push saved.
  function gfx.pop()
    local popped = native.pop(context)
    check_open(popped ~= kClosed, "pop")
    if popped ~= kYes then raise("gfx.pop without a gfx.push in this frame") end
  end

  --- Later drawing is moved.
  function gfx.translate(x, y)
    check_open(native.translate(context, number(x, 1, "translate"), number(y, 2, "translate")), "translate")
  end

  --- Later drawing is turned about the origin, in radians, clockwise.
  function gfx.rotate(angle) check_open(native.rotate(context, number(angle, 1, "rotate")), "rotate") end

  --- Later drawing is scaled about the origin. One number scales both ways; negative ones mirror.
  function gfx.scale(x, y)
    number(x, 1, "scale")
    check_open(native.scale(context, x, y == nil and x or number(y, 2, "scale")), "scale")
  end

  --- x grows by `x` for each y, and y by `y` for each x.
  function gfx.shear(x, y)
    check_open(native.shear(context, number(x, 1, "shear"), number(y, 2, "shear")), "shear")
  end

  --- gfx.transform(xx, xy, x0, yx, yy, y0): any matrix. A point x, y is drawn where xx * x + xy * y + x0,
  --- yx * x + yy * y + y0 was drawn before.
  function gfx.transform(xx, xy, x0, yx, yy, y0)
    check_open(native.transform(context, number(xx, 1, "transform"), number(xy, 2, "transform"),
      number(x0, 3, "transform"), number(yx, 4, "transform"), number(yy, 5, "transform"),
      number(y0, 6, "transform")), "transform")
  end

  --- Ends all transforms. gfx.pop brings back what was pushed.
  function gfx.origin() check_open(native.origin(context), "origin") end

  local function matrix()
    spend(5)
    return native.matrix_entry(context, 0), native.matrix_entry(context, 1), native.matrix_entry(context, 2),
      native.matrix_entry(context, 3), native.matrix_entry(context, 4), native.matrix_entry(context, 5)
  end

  --- Where a point is drawn now: in the world for the camera, or on the screen.
  function gfx.transform_point(x, y)
    number(x, 1, "transform_point")
    number(y, 2, "transform_point")
    local xx, xy, x0, yx, yy, y0 = matrix()
    return xx * x + xy * y + x0, yx * x + yy * y + y0
  end

  --- The point that is drawn at x, y now.
  function gfx.inverse_transform_point(x, y)
    number(x, 1, "inverse_transform_point")
    number(y, 2, "inverse_transform_point")
    local xx, xy, x0, yx, yy, y0 = matrix()
    local area = xx * yy - xy * yx
    if area == 0 then
      raise("gfx.inverse_transform_point: the transform flattens everything, so no point is the one")
    end
    return (yy * (x - x0) - xy * (y - y0)) / area, (xx * (y - y0) - yx * (x - x0)) / area
  end

  --- Nothing outside this rectangle of the screen is drawn, in its logical pixels, whatever the transform and the
  --- camera are. Without arguments: everything is drawn again.
  function gfx.set_scissor(x, y, width, height)
    if x == nil and y == nil then return check_open(native.clear_scissor(context), "set_scissor") end
    check_open(native.set_scissor(context, number(x, 1, "set_scissor"), number(y, 2, "set_scissor"),
      shared.at_least_zero(width, 3, "set_scissor"), shared.at_least_zero(height, 4, "set_scissor")), "set_scissor")
  end

  --- Like gfx.set_scissor, within the scissor that is set already.
  function gfx.intersect_scissor(x, y, width, height)
    check_open(native.intersect_scissor(context, number(x, 1, "intersect_scissor"),
      number(y, 2, "intersect_scissor"), shared.at_least_zero(width, 3, "intersect_scissor"),
      shared.at_least_zero(height, 4, "intersect_scissor")), "intersect_scissor")
  end

  --- x, y, width, height of the scissor; nothing if there is none.
  function gfx.get_scissor()
    local width = native.scissor_entry(context, 2)
    if width < 0 then return end
    return native.scissor_entry(context, 0), native.scissor_entry(context, 1), width, native.scissor_entry(context, 3)
  end

  --- Colour, layer, space, blend mode, scissor and the rest are as at the start of a frame; the transform stays.
  function gfx.reset() check_open(native.reset(context), "reset") end
end
