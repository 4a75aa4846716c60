-- The enemies: what each is worth, how it moves (enemies.lua). Their order is that of assets/shapes.png.
-- Each wave may bring one more kind; the last one, the young of the mother, never arrives by itself. `cost` is a part
-- of the wave's budget, `trail` the steps of its trail.

local kinds = {
  { name = "mote", color = 0xB26BFFFF, radius = 13, health = 1, speed = 110, turn = 3, score = 25, cost = 1,
    move = "wander", spin = 2.5 },
  { name = "hunter", color = 0xFF9A3CFF, radius = 14, health = 2, speed = 165, turn = 2.6, score = 50, cost = 1.5,
    move = "chase", trail = 12 },
  { name = "dodger", color = 0x4DFF8CFF, radius = 14, health = 1, speed = 190, turn = 5, score = 100, cost = 2,
    move = "dodge", spin = -3 },
  { name = "ram", color = 0xFF3B5CFF, radius = 16, health = 3, speed = 70, turn = 1.6, score = 150, cost = 2.5,
    move = "ram", trail = 22 },
  { name = "mother", color = 0xFF5CE1FF, radius = 26, health = 9, speed = 75, turn = 1.5, score = 300, cost = 4,
    move = "chase", spin = 0.8, young = 4 },
  { name = "eye", color = 0xFFE14AFF, radius = 20, health = 7, speed = 95, turn = 1.5, score = 400, cost = 5,
    move = "aim", spin = 1.5 },
  { name = "bit", color = 0xFF8CF0FF, radius = 9, health = 1, speed = 230, turn = 3.2, score = 20, cost = 1,
    move = "chase", trail = 8, spin = 6 },
  by_name = {}, arrival = 0.8,
}
for id, kind in ipairs(kinds) do kind.id, kinds.by_name[kind.name] = id, kind end

return kinds
