-- math.noise: from 0 to 1, smooth, the same for the same place in every run, interpreted and compiled.
local t = require "harness"

-- Golden values: a change of them changes the worlds of all games that use it.
for _ = 1, 200 do  -- long enough to be compiled
  t.equal(math.noise(0.3), 0.72392400000000001)
  t.equal(math.noise(1.25, -7.5), 0.5452880859375)
  t.equal(math.noise(12.1, 3.7, -0.4), 0.39207184171950071)
  t.equal(math.noise(1e6 + 0.5, 0.25), 0.21337890625)
end

local lowest, highest, sum, count = 1, 0, 0, 0
for i = 1, 20000 do
  local x, y, z = i * 0.137 - 900, i * 0.071 - 300, i * 0.059
  for dimensions = 1, 3 do
    local value
    if dimensions == 1 then value = math.noise(x) elseif dimensions == 2 then value = math.noise(x, y)
    else value = math.noise(x, y, z) end
    if value < lowest then lowest = value end
    if value > highest then highest = value end
    sum, count = sum + value, count + 1
  end
end
t.is_true(lowest >= 0 and lowest < 0.15)
t.is_true(highest <= 1 and highest > 0.85)
t.is_true(math.abs(sum / count - 0.5) < 0.02)

-- Smooth: a small way changes little, also over the edges of cells.
for i = 1, 5000 do
  local x, y, z = i * 0.25 - 0.0005, i * 0.5 - 0.0005, i * 0.125
  t.is_true(math.abs(math.noise(x, y) - math.noise(x + 0.001, y + 0.001)) < 0.005)
  t.is_true(math.abs(math.noise(x, y, z) - math.noise(x + 0.001, y + 0.001, z)) < 0.005)
end

-- 0.5 at whole numbers, and again after 256.
for i = -300, 300, 7 do
  t.equal(math.noise(i, 2 * i), 0.5)
  t.equal(math.noise(i, 2 * i, -i), 0.5)
  t.equal(math.noise(i + 0.25, 0.75), math.noise(i + 256.25, 0.75))
end

-- Neighbours are no copies of each other: a field has features in both directions.
local same = 0
for i = 1, 200 do
  if math.noise(i + 0.5, 0.5) == math.noise(0.5, i + 0.5) then same = same + 1 end
end
t.is_true(same < 100)

t.fails("bad argument #1 to 'noise' (number expected, got no value)", math.noise)
t.fails("bad argument #2 to 'noise' (number expected, got table)", math.noise, 1, {})
t.fails("bad argument #1 to 'noise' (finite number expected)", math.noise, 0 / 0)
t.fails("bad argument #3 to 'noise' (finite number expected)", math.noise, 1, 2, 1 / 0)
