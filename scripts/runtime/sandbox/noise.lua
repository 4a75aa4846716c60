-- math.noise: smooth random values of places in one to three dimensions, for terrain, clouds and flicker.
-- Gradient noise after Ken Perlin, "Improving Noise" (SIGGRAPH 2002), with a table of directions of its own.
-- Invariant: the same place has the same value on every machine and in every run: only + - * and floor are used.
-- Values repeat after 256 units. Not here: random numbers (numbers.lua).
local floor = math.floor

local kPeriod = 256

-- Directions: of a cube, the middles of its edges; of a square, its corners and the middles of its edges.
local cube = {
  { 1, 1, 0 }, { -1, 1, 0 }, { 1, -1, 0 }, { -1, -1, 0 }, { 1, 0, 1 }, { -1, 0, 1 }, { 1, 0, -1 }, { -1, 0, -1 },
  { 0, 1, 1 }, { 0, -1, 1 }, { 0, 1, -1 }, { 0, -1, -1 },
}
local square = { { 1, 1 }, { -1, 1 }, { 1, -1 }, { -1, -1 }, { 1, 0 }, { -1, 0 }, { 0, 1 }, { 0, -1 } }

-- The numbers 0 to 255 in a fixed random order, and a direction for each. They are repeated, so that a sum of two
-- numbers needs no remainder.
local order, cube_x, cube_y, cube_z, square_x, square_y = {}, {}, {}, {}, {}, {}

-- At the first call: most states never need them.
local function fill_tables()
  for i = 0, kPeriod - 1 do order[i] = i end
  local state = 1
  for i = kPeriod - 1, 1, -1 do
    state = state * 16807 % 2147483647  -- Park and Miller, "Random Number Generators", CACM 1988
    local k = state % (i + 1)
    order[i], order[k] = order[k], order[i]
  end
  for i = 0, 2 * kPeriod do
    order[i] = order[i % kPeriod]
    local solid, flat = cube[order[i] % #cube + 1], square[order[i] % #square + 1]
    cube_x[i], cube_y[i], cube_z[i] = solid[1], solid[2], solid[3]
    square_x[i], square_y[i] = flat[1], flat[2]
  end
end

local function smooth(t) return t * t * t * (t * (t * 6 - 15) + 10) end

local function mix(from, to, part) return from + part * (to - from) end

local function in_square(i, x, y) return square_x[i] * x + square_y[i] * y end

local function in_cube(i, x, y, z) return cube_x[i] * x + cube_y[i] * y + cube_z[i] * z end

local function noise2(x, y)
  local left, top = floor(x), floor(y)
  x, y = x - left, y - top
  local column, row = left % kPeriod, top % kPeriod
  local a, b, across = order[column] + row, order[column + 1] + row, smooth(x)
  return mix(mix(in_square(a, x, y), in_square(b, x - 1, y), across),
    mix(in_square(a + 1, x, y - 1), in_square(b + 1, x - 1, y - 1), across), smooth(y))
end

-- One side of the cell, whose corners have these directions.
local function side(a, b, c, d, x, y, z, across, down)
  return mix(mix(in_cube(a, x, y, z), in_cube(b, x - 1, y, z), across),
    mix(in_cube(c, x, y - 1, z), in_cube(d, x - 1, y - 1, z), across), down)
end

local function noise3(x, y, z)
  local left, top, front = floor(x), floor(y), floor(z)
  x, y, z = x - left, y - top, z - front
  local column, row, depth = left % kPeriod, top % kPeriod, front % kPeriod
  local a, b, across, down = order[column] + row, order[column + 1] + row, smooth(x), smooth(y)
  local c, d = order[a + 1] + depth, order[b + 1] + depth
  a, b = order[a] + depth, order[b] + depth
  return mix(side(a, b, c, d, x, y, z, across, down),
    side(a + 1, b + 1, c + 1, d + 1, x, y, z - 1, across, down), smooth(z))
end

--- From 0 to 1, around 0.5. Expects finite numbers; y and z may be nil.
return function(x, y, z)
  if not order[0] then fill_tables() end
  if z ~= nil then return 0.5 + 0.5 * noise3(x, y == nil and 0 or y, z) end
  return 0.5 + 0.5 * noise2(x, y == nil and 0.5 or y)
end
