-- The pictures, all computed: a soft disc, and for each outline its bright line and its halo.
local gfx = require "gfx"
local kinds = require "kinds"
local floor, sqrt, max, min, exp = math.floor, math.sqrt, math.max, math.min, math.exp

local kSize, kUnit = 80, 25   -- pixels: of a picture, and of the outline's radius in it

local shapes = { unit = kUnit, lines = {}, halos = {} }

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

local function white(alpha) return 0xFFFFFF00 + floor(255 * min(1, max(0, alpha))) end

local function add(name, points)
  local line = gfx.pixels(kSize, kSize, { filter = "linear" })
  local halo = gfx.pixels(kSize, kSize, { filter = "linear" })
  for y = 0, kSize - 1 do
    for x = 0, kSize - 1 do
      local gap = distance(points, (x + 0.5 - kSize / 2) / kUnit, (y + 0.5 - kSize / 2) / kUnit) * kUnit
      local out = math.abs(gap)
      local rim = 2 * max(math.abs(x - kSize / 2), math.abs(y - kSize / 2)) / kSize
      line:set(x, y, white(2.1 - out))
      halo:set(x, y, white((0.85 * exp(-out / 3.2) + (gap < 0 and 0.22 or 0)) * min(1, 5 - 5 * rim)))
    end
  end
  shapes.lines[name], shapes.halos[name] = line, halo
end

for _, kind in ipairs(kinds) do add(kind.name, kind.points) end
add("ship", { 1.3, 0, 0.1, 0.34, -0.5, 1.05, -0.95, 0.9, -0.55, 0, -0.95, -0.9, -0.5, -1.05, 0.1, -0.34 })
add("gem", { 0.9, 0, 0, 0.55, -0.9, 0, 0, -0.55 })

shapes.soft = gfx.pixels(64, 64, { filter = "linear" })
shapes.vignette = gfx.pixels(64, 36, { filter = "linear" })
for y = 0, 63 do
  for x = 0, 63 do
    local gap = sqrt((x - 31.5) ^ 2 + (y - 31.5) ^ 2) / 31.5
    shapes.soft:set(x, y, white(max(0, 1 - gap) ^ 2))
    if y < 36 then
      local far = ((x - 31.5) / 32) ^ 2 + ((y - 17.5) / 18) ^ 2
      shapes.vignette:set(x, y, floor(190 * min(1, max(0, far - 0.55) * 0.6)))
    end
  end
end

--- A soft light of a radius, with the blend mode that is set.
function shapes.glow(x, y, radius, color)
  local scale = radius / 32
  gfx.sprite(shapes.soft, 0, x, y, scale, scale, 0, color)
end

--- Colour with a share of its opacity.
function shapes.fade(color, share)
  return color - color % 256 + floor(color % 256 * max(0, min(1, share)))
end

return shapes
