-- Positions in strings and lists: what they mean is stock Lua's, whatever number comes.
local t = require "harness"
local s, huge, nan = "abcdef", math.huge, 0 / 0

for _ = 1, 100 do  -- long enough to be compiled
  t.equal(s:sub(2, 4), "bcd")
  t.equal(s:sub(-3), "def")
  t.equal(s:sub(-3, -2), "de")
  t.equal(s:sub(2.9, 4.9), "bcd")
  t.equal(s:sub(-2.9), "ef")
  t.equal(s:sub("2", "3"), "bc")
  t.equal(s:sub(0), s)
  t.equal(s:sub(-100, 100), s)
  t.equal(s:sub(1, -42), "")
  t.equal(s:sub(7), "")
  t.equal(s:sub(2 ^ 32 + 1, -1), "")
  t.equal(s:sub(-huge, huge), s)
  t.equal(s:sub(huge), "")
  t.equal(s:sub(nan), s)
  t.equal(string.sub(12345, 2, 3), "23")
  t.equal(s:byte(), 97)
  t.equal(s:byte(-1), 102)
  t.equal(select("#", s:byte(1, -1)), 6)
  t.equal(select("#", s:byte(-2 ^ 40, 2 ^ 40)), 6)
  t.equal(s:byte(7), nil)
  t.equal(select("#", s:byte(4, 3)), 0)
  t.equal(s:find("c", 2 ^ 33, true), nil)
  t.equal(s:find("c", -2 ^ 33, true), 3)
  t.equal(s:find("d", -3), 4)
  t.equal(s:find("", 100), 7)
  t.equal(s:match(".", -1), "f")
  t.equal(s:match("..", huge), nil)
end
local message = t.fails("bad argument #2 to 'sub' (number expected, got no value)", string.sub, "x")
t.is_true(not message:find("whole", 1, true), message)
t.fails("bad argument #1 to 'sub' (string expected, got no value)", string.sub, nil, 1)
t.fails("positions.lua:37:", function() local _ = s:sub({}) end)
t.fails("bad argument #3 to 'match'", function() return s:match("c", {}) end)
t.fails("malformed pattern", string.find, s, "%")
t.fails("bad argument #3 to 'sub'", string.sub, "x", 1, {})
t.fails("bad argument #3 to 'find'", string.find, "x", "x", {})
t.fails("bad argument #2 to 'byte'", string.byte, "x", "y")

local list = { "a", "b" }
table.insert(list, "c")
table.insert(list, 1, "z")
table.insert(list, 9, "far")
t.equal(table.concat(list), "zabc")
t.equal(list[9], "far")
for _, position in ipairs { 0, -1, -2 ^ 40, -huge, nan } do t.fails("before the list", table.insert, list, position, 1) end
t.fails("wrong number of arguments to 'insert'", table.insert, list)
t.fails("wrong number of arguments to 'insert'", table.insert, list, 1, 2, 3)
t.fails("table expected", table.insert, 1, 2)

-- a positive zero, compiled or not
for i = 1, 100 do t.equal(1 / math.ceil(-1 / (i + 1)), huge) end
t.equal(math.ceil(1.5), 2)
t.equal(math.ceil("-1.5"), -1)
t.fails("bad argument #1 to 'ceil'", math.ceil, {})
