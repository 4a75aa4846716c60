-- Run by luajit.sh with the LuaJIT that it has just built: what earlier ones got wrong in compiled code. Each part
-- would end the program, or fail.
jit.opt.start("hotloop=2", "hotexit=2")

-- A table that is only made in one exit of a loop (LuaJIT's issues 980 and 994).
for _ = 1, 200 do
  local t = { "a", "b" }
  for _ = 1, 3 do
    local _ = t[2]
    t = { 1, 2, 3 }
  end
end

-- Arguments in `...` of a compiled loop.
local function sum(...)
  local total = 0
  for i = 1, select("#", ...) do
    local value = select(i, ...)
    total = total + value
  end
  return total
end
for i = 1, 300 do
  local a, b, c = i, i * 2, i * 3
  assert(sum(a) == a and sum(a, b) == a + b and sum(a, b, c) == a + b + c)
end

-- The bits of a number that the loop also uses for something else (luajit_mend in luajit.sh).
local bor, floor = bit.bor, math.floor
for kept, expected in pairs { [3] = 84, [4] = 95, [5] = 95, [6] = 84, [7] = 84, [8] = 27, [9] = 27 } do
  local n, sum = 8, 0
  for i = 1, 14 do
    if bor(5, floor(n)) > (floor(kept) == 2 and 13 or i) then n = kept else sum = sum + i end
  end
  assert(sum == expected)
end

-- Reads past an array in a loop whose bounds check was hoisted (issue 1194).
local function fill(list, from, to)
  for i = from, to do list[i] = i end
  return #list
end
for i = 1, 100 do assert(fill({}, 1, i) == i) end
