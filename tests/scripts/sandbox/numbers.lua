-- math: the same results interpreted, compiled, and on every run.
local t = require "harness"
local nan = 0 / 0

for _ = 1, 200 do  -- long enough to be compiled
  t.equal(math.min(1, 2), 1)
  t.equal(math.max(1, 2), 2)
  t.equal(math.min(nan, 1), nan)
  t.equal(math.min(1, nan), nan)
  t.equal(math.max(nan, 1), nan)
  t.equal(math.max(1, nan), nan)
  t.equal(math.min(3, nan, 1), nan)
  t.equal(math.max(3, 5, 4), 5)
  t.equal(math.min(3, 5, -4), -4)
  t.equal(math.min(7), 7)
  t.equal(1 / math.min(0, -0), 1 / 0)
end
t.equal(math.max("10", 9), 10)
t.fails("number expected, got no value", math.max)
t.fails("number expected, got table", math.min, 1, {})
t.fails("number expected, got string", math.min, "x", 1)

for _ = 1, 1000 do
  local unit = math.random()
  t.is_true(unit >= 0 and unit < 1)
  local die = math.random(6)
  t.is_true(die >= 1 and die <= 6 and die % 1 == 0)
  local range = math.random(-3, 3)
  t.is_true(range >= -3 and range <= 3 and range % 1 == 0)
end
t.fails("interval is empty", math.random, 0)
t.fails("interval is empty", math.random, 3, 1)
t.fails("out of range", math.random, 1, math.huge)
t.fails("out of range", math.random, nan)
t.fails("number expected", math.random, {})

math.randomseed(42)
local first = { math.random(), math.random(100), math.random(5, 9) }
math.randomseed(42)
t.equal(math.random(), first[1])
t.equal(math.random(100), first[2])
t.equal(math.random(5, 9), first[3])

t.equal(tostring(nan), "nan")
t.equal(tostring(-nan), "nan")
t.equal(nan .. "", "nan")
t.equal(string.format("%g %.1f", nan, -nan), "nan nan")
t.equal(tostring(1 / 0), "inf")
