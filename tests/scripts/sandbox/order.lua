-- pairs and next: the order depends on the keys alone.
local t = require "harness"

-- 1, 2, 3 …; other numbers; strings bytewise; booleans
local mixed = { "a", "b", [10] = 1, [0] = 1, [-1] = 1, [1.5] = 1, z = 1, B = 1, a = 1, [true] = 1, [false] = 1 }
t.equal(t.keys(mixed), "1 2 10 -1 0 1.5 B a z false true")

-- the same content built in another order gives the same order
local again = {}
for _, k in ipairs { true, "z", 1.5, 10, "a", 2, 0, "B", false, -1, 1 } do again[k] = 1 end
t.equal(t.keys(again), t.keys(mixed))

-- next walks the same way, also with keys of every kind
local by_next, k = {}, nil
repeat
  k = next(mixed, k)
  if k ~= nil then by_next[#by_next + 1] = tostring(k) end
until k == nil
t.equal(table.concat(by_next, " "), t.keys(mixed))
t.equal(next({}), nil)
t.equal(next({ 5 }), 1)
t.equal(t.keys(mixed, function(x) return next, x end), t.keys(mixed))

-- the empty table, arrays, arrays with holes
t.equal(t.keys({}), "")
t.equal(t.keys({ 7, 8, 9 }), "1 2 3")
t.equal(t.keys({ 7, nil, 9 }), "1 3")
t.equal(t.keys({ [3] = 1, [2] = 1, [1] = 1 }), "1 2 3")

-- strings go by bytes, not by length or locale
t.equal(t.keys { ["ä"] = 1, z = 1, [""] = 1, aa = 1, a = 1, ["a\0b"] = 1 }, " a a\0b aa z ä")

-- setting fields to nil inside the loop, the current one or another
local shrinking = { 1, 2, 3, 4, x = 1, y = 2, w = 3 }
local seen = {}
for key in pairs(shrinking) do
  seen[#seen + 1] = tostring(key)
  shrinking[key] = nil
  if key == 2 then shrinking[3] = nil end
  if key == "w" then shrinking.x = nil end
end
t.equal(table.concat(seen, " "), "1 2 4 w y")
t.equal(next(shrinking), nil)

-- assigning to existing fields
local doubled = { 1, 2, a = 3, b = 4 }
for key, value in pairs(doubled) do doubled[key] = value * 2 end
t.equal(doubled[1] + doubled[2] + doubled.a + doubled.b, 20)

-- two loops over one table do not disturb each other
local cells = {}
for a in pairs { x = 1, y = 1 } do for b in pairs { x = 1, y = 1 } do cells[#cells + 1] = a .. b end end
t.equal(table.concat(cells, " "), "xx xy yx yy")

-- emptying with next
local bag = { c = 1, a = 2, b = 3 }
local taken = ""
while true do
  local key = next(bag)
  if not key then break end
  taken = taken .. key
  bag[key] = nil
end
t.equal(taken, "abc")

-- one key of another type comes last, as in the tables of tweens: { [ball] = { x = 5 } }
local ball = {}
local tweens = { [ball] = "ball", z = 1, [true] = 1, 7 }
local found = {}
for key in pairs(tweens) do found[#found + 1] = key end
assert(#found == 4 and found[1] == 1 and found[2] == "z" and found[3] == true and found[4] == ball)
found, k = {}, nil
repeat
  k = next(tweens, k)
  found[#found + 1] = k
until k == nil
assert(#found == 4 and found[4] == ball)
t.equal(next({ [print] = 1 }), print)
t.equal(next({ [print] = 1 }, print), nil)
for key, value in pairs { [ball] = 5 } do assert(key == ball and value == 5) end
for key in pairs(tweens) do tweens[key] = nil end
t.equal(next(tweens), nil)
t.fails("invalid key to 'next'", next, { [ball] = 1 }, {})
tweens[ball], tweens[print] = 1, 1
k = nil
t.fails("no repeatable order", function() k = next(tweens, k) end)

-- several keys without an order
t.fails("several keys of types such as 'table' have no repeatable order",
  function() for _ in pairs { [{}] = 1, [{}] = 2 } do t.equal(1, 2) end end)
t.fails("such as 'function' have no repeatable order", next, { [print] = 1, [{}] = 1 })
t.fails("table expected, got no value", pairs)
t.fails("table expected, got number", pairs, 3)
t.fails("table expected, got string", next, "x")

-- a walk over a large set by next is not quadratic: it sorts once
local set = {}
for i = 1, 20000 do set["key" .. i] = true end
local count, key = 0, nil
repeat key = next(set, key); if key then count = count + 1 end until not key
t.equal(count, 20000)

-- compiled and interpreted loops agree
local sums = {}
for round = 1, 100 do
  local text = ""
  for name, value in pairs { one = 1, two = 2, three = 3, 10, 20, [-5] = 7 } do text = text .. name .. value end
  sums[round] = text
end
for round = 2, 100 do t.equal(sums[round], sums[1]) end

-- long lists are sorted by a merge: the same order, equal elements as they came, errors at the line that sorts
local long, pairs_of = {}, {}
for i = 1, 5000 do long[i] = (i * 7919) % 5003 end
table.sort(long)
for i = 2, #long do assert(long[i - 1] < long[i]) end
for i = 1, 3001 do pairs_of[i] = { key = i % 7, place = i } end
table.sort(pairs_of, function(a, b) return a.key < b.key end)
for i = 2, #pairs_of do
  local a, b = pairs_of[i - 1], pairs_of[i]
  assert(a.key < b.key or a.key == b.key and a.place < b.place)
end
table.sort(pairs_of, function() return true end)
t.equal(#pairs_of, 3001)
long[2500] = "x"
local ok, message = pcall(function() table.sort(long) end)
assert(not ok and message:find("^test/sandbox/order%.lua:%d+: attempt to compare"), message)
t.equal(long[2500], "x")
local sparse = {}
for i = 1, 3000 do sparse["k" .. (i * 7919) % 3001] = i end
local before, seen = "", 0
for key in pairs(sparse) do
  assert(before < key)
  before, seen = key, seen + 1
end
t.equal(seen, 3000)

-- many numbers, whole and broken, on both sides of zero: positive integers first, then the others, each ascending
local seed = 1
local function draw(n) seed = seed * 48271 % 2147483647 return seed % n end
local function is_positive(key) return key >= 1 and key % 1 == 0 end
for round = 1, 40 do
  local many, expected = {}, {}
  for _ = 1, draw(2000) do
    local kind = draw(4)
    many[kind == 0 and draw(100) - 50 or kind == 1 and draw(1e6) / 8 or kind == 2 and draw(3000) or
      draw(1e6) + 2 ^ 33] = round
  end
  many.text, many[true] = round, round
  for key in pairs(many) do
    if type(key) == "number" then expected[#expected + 1] = key end
  end
  table.sort(expected, function(a, b)
    if is_positive(a) ~= is_positive(b) then return is_positive(a) end
    return a < b
  end)
  local at = 0
  for key in pairs(many) do
    at = at + 1
    local wanted = expected[at]
    if at == #expected + 1 then wanted = "text" elseif at == #expected + 2 then wanted = true end
    if key ~= wanted then t.equal(key, wanted) end
  end
  t.equal(at, #expected + 2)
end
