-- The enemies: what each is worth, how it moves (enemies.lua), and the outline that it shows (shapes.lua).
-- `from` is the first wave that may bring it, `cost` its part of the wave's budget, `trail` the steps of its trail.

-- Corners of a regular shape; with `inner` a star.
local function ring(corners, inner)
  local points, count = {}, inner and 2 * corners or corners
  for i = 0, count - 1 do
    local radius, angle = inner and i % 2 == 1 and inner or 1, i * 2 * math.pi / count
    points[2 * i + 1], points[2 * i + 2] = radius * math.cos(angle), radius * math.sin(angle)
  end
  return points
end

local kinds = {
  { name = "mote", color = 0xB26BFFFF, radius = 13, health = 1, speed = 110, turn = 3, score = 25, cost = 1, from = 1,
    move = "wander", spin = 2.5, points = ring(4, 0.38) },
  { name = "hunter", color = 0xFF9A3CFF, radius = 14, health = 2, speed = 165, turn = 2.6, score = 50, cost = 1.5,
    from = 1, move = "chase", trail = 12, points = { 1.1, 0, -0.7, 0.8, -0.3, 0, -0.7, -0.8 } },
  { name = "dodger", color = 0x4DFF8CFF, radius = 14, health = 1, speed = 190, turn = 5, score = 100, cost = 2,
    from = 2, move = "dodge", spin = -3, points = ring(4) },
  { name = "ram", color = 0xFF3B5CFF, radius = 16, health = 3, speed = 70, turn = 1.6, score = 150, cost = 2.5,
    from = 3, move = "ram", trail = 22, points = { 1.25, 0, -0.5, 0.65, -1, 0.65, -0.4, 0, -1, -0.65, -0.5, -0.65 } },
  { name = "mother", color = 0xFF5CE1FF, radius = 26, health = 9, speed = 75, turn = 1.5, score = 300, cost = 4,
    from = 4, move = "chase", spin = 0.8, points = ring(6), young = 4 },
  { name = "eye", color = 0xFFE14AFF, radius = 20, health = 7, speed = 95, turn = 1.5, score = 400, cost = 5,
    from = 5, move = "aim", spin = 1.5, points = ring(3) },
  { name = "bit", color = 0xFF8CF0FF, radius = 9, health = 1, speed = 230, turn = 3.2, score = 20, cost = 1,
    from = 1e9, move = "chase", trail = 8, spin = 6, points = ring(3) },
  by_name = {}, arrival = 0.8,
}
for id, kind in ipairs(kinds) do kind.id, kinds.by_name[kind.name] = id, kind end

return kinds
