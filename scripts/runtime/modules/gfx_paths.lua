-- The shapes of the module gfx that have any number of points: polygons, polylines, curves, points, gradients.
-- Invariant: a call takes no memory of Lua, but for the list of points that the caller makes.
-- Not here: how they become triangles (engine/draw/shapes/).
local need = ...
local fail, spend = need "fail", need "fuel".spend
local type, select, rawget = type, select, rawget
local raise, shown, is_finite = fail.raise, fail.shown, fail.is_finite

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local block, numbers, ready = shared.block, shared.block.numbers, shared.ready
  local number, wrong, check_drawn = shared.number, shared.wrong, shared.check_drawn
  local optional_color, is_filled = shared.optional_color, shared.is_filled
  local kMaxPoints = constants.max_points

  local function check_count(count, least, name)
    if count % 2 ~= 0 then
      raise("gfx." .. name .. ": expected x and y of each point, got " .. count .. " numbers")
    end
    if count < 2 * least then
      raise("gfx." .. name .. ": expected at least " .. least .. " points, got " .. count / 2)
    end
    if count > 2 * kMaxPoints then
      raise("gfx." .. name .. ": expected at most " .. kMaxPoints .. " points, got " .. count / 2)
    end
    spend(2 * count)
  end

  -- Writes the points of a list { x1, y1, x2, y2, … }; returns how many.
  local function from_list(points, least, position, name)
    if type(points) ~= "table" then wrong(position, name, "a list of numbers { x1, y1, x2, y2, … }", points) end
    local count = #points
    if type(rawget(points, 1)) == "table" then
      raise("gfx." .. name .. ": the points are one list of numbers, { x1, y1, x2, y2, … }, not a list of lists")
    end
    check_count(count, least, name)
    for i = 1, count do
      local value = rawget(points, i)
      if not is_finite(value) then
        raise("gfx." .. name .. ": number " .. i .. " of the points: expected a finite number, got " .. shown(value))
      end
      numbers[i - 1] = value
    end
    return count / 2
  end

  -- The same for points that are arguments, from number `position` on. A colour may follow them; also returns that.
  local function from_arguments(least, position, name, ...)
    local count, color = select("#", ...), nil
    if count % 2 ~= 0 then
      color = select(count, ...)
      if type(color) ~= "number" then
        if color ~= nil then color = optional_color(color, position + count - 1, name) end
        count = count - 1
      else
        color = nil
      end
    end
    check_count(count, least, name)
    for i = 1, count do numbers[i - 1] = number((select(i, ...)), position + i - 1, name) end
    return count / 2, color
  end

  --- gfx.polygon("fill" or "line", { x1, y1, x2, y2, … } [, colour]), or the numbers without a list. It may be concave;
  --- one that crosses itself is filled where an odd number of its edges is crossed on the way out.
  function gfx.polygon(mode, points, color, ...)
    local filled = is_filled(mode, "polygon")
    local count
    if type(points) == "number" then
      count, color = from_arguments(3, 2, "polygon", points, color, ...)
    else
      count = from_list(points, 3, 2, "polygon")
    end
    check_drawn(native.polygon(context, filled, count, optional_color(color, 3, "polygon")), "polygon")
  end

  --- gfx.triangle("fill" or "line", x1, y1, x2, y2, x3, y3 [, colour])
  function gfx.triangle(mode, x1, y1, x2, y2, x3, y3, color)
    local filled = is_filled(mode, "triangle")
    numbers[0], numbers[1] = number(x1, 2, "triangle"), number(y1, 3, "triangle")
    numbers[2], numbers[3] = number(x2, 4, "triangle"), number(y2, 5, "triangle")
    numbers[4], numbers[5] = number(x3, 6, "triangle"), number(y3, 7, "triangle")
    spend(12)
    check_drawn(native.polygon(context, filled, 3, optional_color(color, 8, "triangle")), "triangle")
  end

  --- gfx.polyline({ x1, y1, x2, y2, … } [, colour [, closed]]), or the numbers without a list: a line through all
  --- points, with the corners of gfx.set_line_join and the ends of gfx.set_line_cap.
  function gfx.polyline(points, color, closed, ...)
    local count
    if type(points) == "number" then
      count, color = from_arguments(2, 1, "polyline", points, color, closed, ...)
      closed = nil
    else
      count = from_list(points, 2, 1, "polyline")
    end
    check_drawn(native.polyline(context, count, closed and true or false, optional_color(color, 2, "polyline")),
      "polyline")
  end

  --- gfx.bezier({ x1, y1, x2, y2, … } [, colour]), or the numbers without a list: a curve from the first point to the
  --- last, pulled by those between.
  function gfx.bezier(points, color, ...)
    local count
    if type(points) == "number" then
      count, color = from_arguments(2, 1, "bezier", points, color, ...)
    else
      count = from_list(points, 2, 1, "bezier")
    end
    if count > constants.max_control_points then
      raise("gfx.bezier: expected at most " .. constants.max_control_points .. " points, got " .. count)
    end
    check_drawn(native.bezier(context, count, optional_color(color, 2, "bezier")), "bezier")
  end

  --- gfx.points({ x1, y1, x2, y2, … } [, colour]), or the numbers without a list: squares of gfx.set_point_size.
  function gfx.points(points, color, ...)
    local count
    if type(points) == "number" then
      count, color = from_arguments(1, 1, "points", points, color, ...)
    else
      count = from_list(points, 1, 1, "points")
    end
    check_drawn(native.points(context, count, optional_color(color, 2, "points")), "points")
  end

  --- Side of the squares that gfx.points draws.
  function gfx.set_point_size(size)
    shared.above_zero(size, 1, "set_point_size")
    ready("set_point_size")
    block.point_size = size
  end

  function gfx.get_point_size()
    ready("get_point_size")
    return block.point_size
  end

  --- gfx.gradient(x, y, width, height, from, to [, angle]): a rectangle whose colour runs along the angle: 0 is from
  --- left to right, math.pi / 2 from top to bottom.
  function gfx.gradient(x, y, width, height, from, to, angle)
    number(x, 1, "gradient")
    number(y, 2, "gradient")
    number(width, 3, "gradient")
    number(height, 4, "gradient")
    from, to = optional_color(from, 5, "gradient"), optional_color(to, 6, "gradient")
    if from < 0 then wrong(5, "gradient", "a colour", nil) end
    if to < 0 then wrong(6, "gradient", "a colour", nil) end
    spend(5)
    check_drawn(native.gradient(context, x, y, width, height, from, to,
      angle == nil and 0 or number(angle, 7, "gradient")), "gradient")
  end
end
