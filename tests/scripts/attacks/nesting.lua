-- Endless depth, in every form that takes C stack: each must be an error, and leave the state usable.
local t = require "harness"

local deepest = 0
local function wraps(n) deepest = n return coroutine.wrap(function() return wraps(n + 1) end)() end
local function resumes(n) return assert(coroutine.resume(coroutine.create(function() return resumes(n + 1) end))) end
local function replaces() return (("x"):gsub("x", replaces)) end
local function sorts() table.sort({ 2, 1 }, sorts) end
local function all() return (("x"):gsub("x", function() return coroutine.wrap(function() table.sort({ 2, 1 }, all) end)() end)) end
local function calls() return 1 + calls() end
local endless = setmetatable({}, { __index = function(self, key) return self[key] end })
local named = setmetatable({}, { __tostring = function(self) return tostring(self) end })

for _ = 1, 100 do
  t.fails("coroutines resume each other too deeply", wraps, 1)
  t.fails("coroutines resume each other too deeply", resumes, 1)
  t.fails("nested too deeply", replaces)
  t.fails("nested too deeply", sorts)
  t.fails("too deeply", all)
end
t.equal(deepest, 101)
t.fails("stack overflow", calls)
t.fails("stack overflow", function() return endless.x end)
t.fails("stack overflow", function() return tostring(named) end)

-- sequences are not depth, and usual code still works
for _ = 1, 1000 do t.equal(coroutine.wrap(function(a) return a end)(5), 5) end
local count = coroutine.wrap(function(a) while true do a = a + coroutine.yield(a) end end)
t.equal(count(1), 1)
t.equal(count(5), 6)
t.fails("boom", coroutine.wrap(function() error("boom") end))
local object = {}
local ok, same = pcall(coroutine.wrap(function() error(object) end))
t.is_true(not ok and same == object)
local finished = coroutine.wrap(print)
finished()
t.fails("cannot resume dead coroutine", finished)
for _, wrong in ipairs { {}, "x", 5, true } do
  t.fails("expected", coroutine.resume, wrong)
  t.fails("expected", coroutine.wrap, wrong)
end
local itself
itself = coroutine.create(function() return coroutine.resume(itself) end)
local _, resumed, why = coroutine.resume(itself)
t.equal(resumed, false)
t.is_true(why:find("cannot resume", 1, true), why)

-- the parser
for _, text in ipairs {
  ("("):rep(100000), "return " .. ("{"):rep(5000), ("if a then "):rep(3000), ("return function() "):rep(3000),
  "x = " .. ("-"):rep(100000, " ") .. "1", "return " .. ("a .. "):rep(100000) .. "a", ("local a = 1 "):rep(300),
} do
  t.is_true(not load(text))
end

-- patterns
for _, pattern in ipairs { ("a?"):rep(300000) .. "b", ("("):rep(100), "%", ("["):rep(100000), "%9", "%f", "(()" } do
  t.is_true(not pcall(string.find, ("a"):rep(300000), pattern), pattern:sub(1, 9))
end
t.is_true(not pcall(string.gsub, "x", ".", "%9"))
t.is_true(not pcall(unpack, {}, 1, 1e8))
