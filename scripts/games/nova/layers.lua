-- Layers, far to near. `split` is added to each for the right half of a split screen, which lies over the left one.
return {
  floor = -20, grid = -16, light = -12, wall = -10, bloom = -8, trail = -4, gems = 0, particle = 2, enemies = 4,
  shots = 6, ships = 7, flashes = 8, split = 40, hud = 100, menu = 110,
}
