-- Layers, far to near. The right half of a split screen lies as a whole over the left one: `split` is added to each.
return {
  floor = -20, grid = -16, light = -12, wall = -10, bloom = -8, trail = -4, glow = 0, particle = 2, thing = 4, shot = 6,
  flash = 8, split = 40, hud = 100, menu = 110,
}
