-- Layers, far to near. The lights darken all up to the grid; what is above it shines, and glows.
return { floor = -20, grid = -16, wall = -10, trail = -4, gems = 0, particle = 2, enemies = 4, shots = 6, ships = 7,
  flashes = 8, hud = 100, menu = 110, glowing = "-4..8" }
