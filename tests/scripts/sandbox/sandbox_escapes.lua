-- Every escape that was confirmed on a stock build, and its variants. One block each; all are closed.
local t = require "harness"

-- bytecode: by load in every disguise
local bytecode = "\27LJ\2\2\0"
for _, chunk in ipairs { bytecode, "#!/bin/lua\n" .. bytecode, "\239\187\191" .. bytecode, "#\n" .. bytecode } do
  local f, message = load(chunk)
  t.equal(f, nil)
  t.is_true(message)
  t.equal(load(chunk, "x", "b"), nil)
  t.equal(load(chunk, "x", "bt"), nil)
  local sent = false
  t.equal(load(function() if not sent then sent = true return chunk end end), nil)
end
t.equal(load("return 1", "x", "b"), nil)
t.fails("table expected", load, "return 1", "x", "t", 5)

-- loaded code sees the mod's environment, not the real globals
t.equal(load("return os")(), nil)
leaked_global = 7
t.equal(load("return leaked_global")(), 7)
t.equal(load("return x", "n", "t", { x = 3 })(), 3)
t.equal(load("return print", "n", "t", {})(), nil)

-- nor does code in coroutines or behind string methods
t.equal(coroutine.wrap(function() return load("return io")() end)(), nil)

-- the string metatable is locked; poisoning one's own table poisons only oneself
t.equal(getmetatable(""), false)
t.fails("protected", function() setmetatable(getmetatable("x") or error("protected"), {}) end)
t.fails("table expected", setmetatable, "", {})
local rep = string.rep
string.rep = function() return "poison" end
t.equal(("x"):rep(3), "poison")
string.rep = rep
t.equal(("x"):rep(3), "xxx")
t.equal(string.format("%s", "x"), "x")

-- a poisoned library does not reach trusted code
local saved = { string.find, string.sub, string.gsub, table.concat, table.sort, math.floor }
string.find, string.sub, string.gsub, table.concat, table.sort, math.floor = nil, nil, nil, nil, nil, nil
t.equal(t ~= nil and string.format("%s %d", "a", 3), "a 3")
t.equal(load("return 5")(), 5)
local seen = ""
for k in pairs { b = 1, a = 1 } do seen = seen .. k end
string.find, string.sub, string.gsub, table.concat, table.sort, math.floor = unpack(saved, 1, 6)
t.equal(seen, "ab")

-- protected metatables stay
local locked = setmetatable({}, { __metatable = "closed" })
t.equal(getmetatable(locked), "closed")
t.fails("protected", setmetatable, locked, {})
t.equal(getmetatable(print), false)
t.equal(getmetatable(coroutine.create(print)), false)
t.equal(getmetatable(5), nil)
t.equal(getmetatable(nil), nil)

-- no addresses
t.fails("addresses are not shown", string.format, "%p", {})
t.fails("addresses are not shown", string.format, "%10p", print)
for _, value in ipairs { {}, print, coroutine.create(print), function() end } do
  t.is_true(not tostring(value):find("0x"), tostring(value))
  t.is_true(not string.format("%s", value):find("0x"))
  t.equal(tostring(value), string.format("%s", value))
  t.is_true(tostring(value):find("^%a+: %d+$"))
end
local first, second = {}, {}
t.is_true(tostring(first) ~= tostring(second))
t.equal(tostring(first), tostring(first))
t.equal(tostring(setmetatable({}, { __tostring = function() return "mine" end })), "mine")
t.equal(string.format("%s|%5s|%d%%", setmetatable({}, { __tostring = function() return "me" end }), "x", 3), "me|    x|3%")
t.fails("must return a string", tostring, setmetatable({}, { __tostring = function() return 5 end }))
t.equal(string.format("%s %s %s", nil, true, 1.5), "nil true 1.5")
t.fails("bad argument #2 to 'format'", string.format, "%s")
t.fails("bad argument #2 to 'format' (number expected", string.format, "%d", "x")
t.fails("bad argument #2 to 'format' (number expected", string.format, ("x"):rep(300) .. "%d", "x")
t.fails("bad argument #3 to 'format' (number expected", string.format, "%s %d", {}, "x")
t.fails("string expected", string.format, {})
t.equal(string.format("%q", "a\nb"), '"a\\\nb"')

-- xpcall: the handler runs after unwinding, its own failure is a result
local ok, message = xpcall(function() error("deep", 0) end, function(m) return "handled " .. m end)
t.equal(ok, false)
t.equal(message, "handled deep")
ok = xpcall(function() error("a") end, function() error("b") end)
t.equal(ok, false)
local all = { xpcall(function(...) return select("#", ...), ... end, print, nil, 2, nil) }
t.equal(all[1], true)
t.equal(all[2], 3)
t.fails("function expected", xpcall, print, "x")

-- nested callbacks from C end in an error, not in a crash
local function nest(n) return (("x"):gsub("x", function() return nest(n + 1) end)) end
t.fails("nested too deeply", nest, 1)
t.equal(("abc"):gsub("%w", function(c) return (c:gsub(".", string.upper)) end), "ABC")
local function sorting() table.sort({ 3, 2, 1 }, function(a, b) sorting() return a < b end) end
t.fails("nested too deeply", sorting)
local looped = setmetatable({}, {})
getmetatable(looped).__index = function() return (("x"):gsub("x", looped)) end
t.fails("nested too deeply", function() return (("x"):gsub("x", looped)) end)
t.fails("nested too deeply", nest, 1)  -- the count is right again after errors
t.equal(("a-b"):gsub("%-", { ["-"] = "+" }), "a+b")

-- 64-bit and complex literals make boxed numbers; they open nothing
local boxed, complex = 5LL, 2i
t.fails("", function() return boxed.x end)
t.fails("", function() return boxed[1] end)
t.fails("", function() boxed[0] = 1 end)
t.fails("", function() complex[0] = 1 end)
t.fails("", function() complex.re = 1 end)
t.equal(type(complex[1000000]), "number")
t.equal(getmetatable(boxed), false)
t.is_true(not tostring(complex):find("0x"))
t.fails("no repeatable order", function() for _ in pairs { [5LL] = 1, [6LL] = 2 } do t.equal(1, 2) end end)

-- their arithmetic stops at nothing, compiled or not
for round = 1, 100 do
  local zero, least = 1LL * (round % 1), -9223372036854775807LL - 1
  t.is_true(type(least / zero) == "cdata" and type(least % zero) == "cdata")
  t.is_true(type(least / (zero - 1)) == "cdata" and type(least % (zero - 1)) == "cdata")
  t.is_true(type(5ULL / (0ULL * round)) == "cdata" and type(2LL ^ 70LL) == "cdata")
end

-- tonumber makes no boxed numbers
t.equal(tonumber("5LL"), nil)
t.equal(type(tonumber("0x10")), "number")

-- error objects come back as they are, and weird ones are just values
local object = setmetatable({}, { __tostring = function() error("in tostring") end })
local caught, value = pcall(error, object)
t.equal(caught, false)
t.is_true(rawequal(value, object))

-- deep and odd programs that must not crash
t.is_true(pcall(load, ("("):rep(5000) .. "1" .. (")"):rep(5000)))
local function deep(n) return n == 0 and 0 or 1 + deep(n - 1) end
t.fails("stack overflow", deep, 1e7)
local chain = {}
for _ = 1, 300 do chain = setmetatable({}, { __index = chain }) end
t.fails("", function() return chain.x.y end)
t.fails("too many results", unpack, {}, 1, 1e8)
