-- The pictures, all computed: a soft disc, and for each outline its bright line and its halo.
local gfx, kinds = require "gfx", require "kinds"
local floor, sqrt, abs, max, min = math.floor, math.sqrt, math.abs, math.max, math.min

local kSize, kUnit = 80, 25   -- pixels: of a picture, and of the outline's radius in it
local shapes = { lines = {}, halos = {} }

-- The distance of a point from an outline, negative inside.
local function distance(points, x, y)
  local best, is_inside, count = 1e9, false, #points
  local ax, ay = points[count - 1], points[count]
  for k = 1, count, 2 do
    local bx, by = points[k], points[k + 1]
    local ex, ey, px, py = bx - ax, by - ay, x - ax, y - ay
    local along = min(1, max(0, (px * ex + py * ey) / (ex * ex + ey * ey)))
    local dx, dy = px - ex * along, py - ey * along
    best = min(best, dx * dx + dy * dy)
    if (ay > y) ~= (by > y) and x < ax + (y - ay) / ey * ex then is_inside = not is_inside end
    ax, ay = bx, by
  end
  return is_inside and -sqrt(best) or sqrt(best)
end

-- An image in white; light(x, y) is its opacity, with x and y from -1 to 1.
local function paint(width, height, light)
  local image = gfx.pixels(width, height, { filter = "linear" })
  for y = 0, height - 1 do
    for x = 0, width - 1 do
      local alpha = light(2 * (x + 0.5) / width - 1, 2 * (y + 0.5) / height - 1)
      image:set(x, y, 0xFFFFFF00 + floor(255 * min(1, max(0, alpha))))
    end
  end
  return image
end

local function add(name, points)
  local scale = kSize / 2 / kUnit
  shapes.lines[name] = paint(kSize, kSize, function(x, y)
    return 2.1 - abs(distance(points, x * scale, y * scale)) * kUnit
  end)
  shapes.halos[name] = paint(kSize, kSize, function(x, y)
    local gap = distance(points, x * scale, y * scale) * kUnit
    return (0.7 * math.exp(-abs(gap) / 3.2) + (gap < 0 and 0.22 or 0)) * min(1, 5 - 5 * max(abs(x), abs(y)))
  end)
end

for _, kind in ipairs(kinds) do add(kind.name, kind.points) end
add("ship", { 1.3, 0, 0.1, 0.34, -0.5, 1.05, -0.95, 0.9, -0.55, 0, -0.95, -0.9, -0.5, -1.05, 0.1, -0.34 })
add("gem", { 0.9, 0, 0, 0.55, -0.9, 0, 0, -0.55 })
local soft = paint(64, 64, function(x, y) return max(0, 1 - sqrt(x * x + y * y)) ^ 2 end)
shapes.rim = paint(64, 36, function(x, y) return (x * x + y * y - 0.55) * 0.45 end)

--- A soft light of a radius, with the blend mode that is set.
function shapes.glow(x, y, radius, color) gfx.sprite(soft, 0, x, y, radius / 32, radius / 32, 0, color) end

--- One outline with its halo.
function shapes.draw(name, x, y, radius, angle, color, line_color)
  gfx.sprite(shapes.halos[name], 0, x, y, radius / kUnit, radius / kUnit, angle, color)
  gfx.sprite(shapes.lines[name], 0, x, y, radius / kUnit, radius / kUnit, angle, line_color)
end

--- Colour with a part of its opacity.
function shapes.fade(color, part) return color - color % 256 + floor(color % 256 * max(0, min(1, part))) end

return shapes
