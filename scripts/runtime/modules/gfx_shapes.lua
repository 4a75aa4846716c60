-- The shapes of the module gfx that are one item each: rectangles, circles, arcs, lines.
-- Invariant: a call takes no memory of Lua. Not here: shapes of any number of points (gfx_paths.lua).

local need = ...
local raise = need "fail".raise
local type, abs = type, math.abs

-- Adds the functions to the module. `shared`: gfx_block.lua.
return function(gfx, native, context, constants, shared)
  local block, items, ready = shared.block, shared.block.items, shared.ready
  local number, at_least_zero, above_zero = shared.number, shared.at_least_zero, shared.above_zero
  local is_filled, item_color, item_angle = shared.is_filled, shared.item_color, shared.item_angle
  local kRectangle, kCircle, kLine, kArc = constants.rectangle, constants.circle, constants.line, constants.arc
  local kTurn, kPerRadian = 2 * math.pi, 65536 / (2 * math.pi)
  local kCornerParts, kLargestCorner = constants.corner_parts, constants.max_corner
  local stroke_of_width = native.stroke_of_width

  --- Width of lines and outlines, in pixels of the world or of the screen.
  function gfx.set_line_width(width)
    above_zero(width, 1, "set_line_width")
    ready("set_line_width")
    block.line_width = width
    block.stroke = stroke_of_width(width)
  end

  function gfx.get_line_width()
    ready("get_line_width")
    return block.line_width
  end

  -- The next item, with what all shapes have. The caller called `ready`, and counts the item.
  local function shape(kind, filled, color, angle)
    local item = items[block.count]
    item.color, item.ref = color, 0
    item.angle, item.stroke = angle, filled and 0 or block.stroke
    item.origin_x, item.origin_y, item.kind, item.flags = 0, 0, kind, block.flags
    return item
  end

  --- gfx.rectangle("fill" or "line", x, y, width, height [, colour [, rotation]])
  function gfx.rectangle(mode, x, y, w, h, color, rotation)
    local filled = is_filled(mode, "rectangle")
    number(x, 2, "rectangle")
    number(y, 3, "rectangle")
    number(w, 4, "rectangle")
    number(h, 5, "rectangle")
    if rotation ~= nil and rotation == color then  -- as LÖVE has them
      raise("gfx.rectangle: argument 6 is a colour, and argument 7 an angle; " ..
        "gfx.rounded_rectangle(mode, x, y, width, height, radius) has round corners")
    end
    ready("rectangle")
    local angle = rotation == nil and 0 or item_angle(number(rotation, 7, "rectangle"))
    local item = shape(kRectangle, filled, item_color(color, 6, "rectangle"), angle)
    item.x, item.y, item.w, item.h = x, y, w, h
    block.count = block.count + 1
  end

  --- gfx.rounded_rectangle("fill" or "line", x, y, width, height, radius [, colour [, rotation]]): radius of the
  --- corners.
  function gfx.rounded_rectangle(mode, x, y, w, h, radius, color, rotation)
    local filled = is_filled(mode, "rounded_rectangle")
    number(x, 2, "rounded_rectangle")
    number(y, 3, "rounded_rectangle")
    number(w, 4, "rounded_rectangle")
    number(h, 5, "rounded_rectangle")
    at_least_zero(radius, 6, "rounded_rectangle")
    ready("rounded_rectangle")
    local angle = rotation == nil and 0 or item_angle(number(rotation, 8, "rounded_rectangle"))
    local item = shape(kRectangle, filled, item_color(color, 7, "rounded_rectangle"), angle)
    item.x, item.y, item.w, item.h = x, y, w, h
    local corner = radius * kCornerParts + 0.5
    item.ref = corner > kLargestCorner and kLargestCorner or corner
    block.count = block.count + 1
  end

  --- gfx.circle("fill" or "line", x, y, radius [, colour])
  function gfx.circle(mode, x, y, radius, color)
    local filled = is_filled(mode, "circle")
    number(x, 2, "circle")
    number(y, 3, "circle")
    at_least_zero(radius, 4, "circle")
    ready("circle")
    local item = shape(kCircle, filled, item_color(color, 5, "circle"), 0)
    item.x, item.y, item.w, item.h = x, y, radius, radius
    block.count = block.count + 1
  end

  --- gfx.ellipse("fill" or "line", x, y, radius_x, radius_y [, colour [, rotation]])
  function gfx.ellipse(mode, x, y, radius_x, radius_y, color, rotation)
    local filled = is_filled(mode, "ellipse")
    number(x, 2, "ellipse")
    number(y, 3, "ellipse")
    at_least_zero(radius_x, 4, "ellipse")
    at_least_zero(radius_y, 5, "ellipse")
    ready("ellipse")
    local angle = rotation == nil and 0 or item_angle(number(rotation, 7, "ellipse"))
    local item = shape(kCircle, filled, item_color(color, 6, "ellipse"), angle)
    item.x, item.y, item.w, item.h = x, y, radius_x, radius_y
    block.count = block.count + 1
  end

  local arc_number = shared.one_of(constants.arc_shapes)

  local function arc(filled, ends, first, x, y, radius, from, to, color)
    number(x, first, "arc")
    number(y, first + 1, "arc")
    at_least_zero(radius, first + 2, "arc")
    number(from, first + 3, "arc")
    number(to, first + 4, "arc")
    ready("arc")
    local packed = item_color(color, first + 5, "arc")
    if from > to then from, to = to, from end
    local begin = item_angle(from)
    begin = begin - begin % 1
    local opening = (to - from) * kPerRadian + 0.5
    opening = opening - opening % 1
    if opening == 0 then return end
    local item = shape(kArc, filled, packed, 0)
    local finish = abs(to - from) >= kTurn and begin or (begin + opening) % 65536
    item.x, item.y, item.w, item.h = x, y, radius, radius
    item.origin_x, item.origin_y = ends, block.cap
    item.ref = begin + finish * 65536
    block.count = block.count + 1
  end

  --- gfx.arc("fill" or "line", ["pie", "open" or "closed",] x, y, radius, from, to [, colour]): angles in radians,
  --- clockwise from the right. The ends are joined by the centre ("pie"), directly ("closed"), or not at all ("open"):
  --- then they look as gfx.set_line_cap says; "square" is as "butt".
  function gfx.arc(mode, a, b, c, d, e, f, g)
    local filled = is_filled(mode, "arc")
    if type(a) == "string" then
      arc(filled, arc_number(a, 2, "arc"), 3, b, c, d, e, f, g)
    else
      if type(a) ~= "number" then number(a, 2, "arc") end
      arc(filled, 0, 2, a, b, c, d, e, f)
    end
  end

  local cap_number, join_number = shared.one_of(constants.line_caps), shared.one_of(constants.line_joins)

  --- gfx.line(x1, y1, x2, y2 [, colour]). With a list, or with more numbers, it is gfx.polyline.
  function gfx.line(x1, y1, x2, y2, color, y3, ...)
    if y3 ~= nil then return gfx.polyline(x1, y1, x2, y2, color, y3, ...) end
    if type(x1) == "table" then return gfx.polyline(x1, y1) end
    number(x1, 1, "line")
    number(y1, 2, "line")
    number(x2, 3, "line")
    number(y2, 4, "line")
    ready("line")
    local item = shape(kLine, false, item_color(color, 5, "line"), 0)
    item.x, item.y, item.w, item.h = x1, y1, x2, y2
    item.origin_x = block.cap
    block.count = block.count + 1
  end

  --- The ends of lines: "butt" (the default), "round" or "square".
  function gfx.set_line_cap(name)
    cap_number(name, 1, "set_line_cap")
    ready("set_line_cap")
    block.cap = cap_number(name, 1, "set_line_cap")
  end

  --- The corners of lines and outlines of many points: "miter" (the default), "bevel" or "round".
  function gfx.set_line_join(name)
    shared.check_open(native.set_line_join(context, join_number(name, 1, "set_line_join")), "set_line_join")
  end

  function gfx.get_line_cap()
    ready("get_line_cap")
    return constants.line_caps[block.cap + 1]
  end

  function gfx.get_line_join()
    ready("get_line_join")
    return constants.line_joins[native.line_join(context) + 1]
  end
end
