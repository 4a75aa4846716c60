-- Every function that declares types, with wrong arguments: all mistakes are reported, each with its line.
local ecs, every = require "ecs", require "every_call"
local hot = setmetatable({}, { __index = function() return 1 end, __tostring = function() error("hot") end })
local values = {
  0, 1, -1, 0.5, 0 / 0, 1 / 0, 2 ^ 53, "", "x", "f32", "a\nb", true, false, print, {}, { 1 }, { x = 1 }, hot, { kind = "tag" },
  { { "x", "f32" } }, { hot }, { "a", "b" }, { "a", "a" }, coroutine.create(print), 5LL, ecs, ecs.components, ("x"):rep(300),
}
local functions = {}
for name in ("component resource event blob struct enum flags string array"):gmatch("%S+") do
  functions[#functions + 1] = { "ecs." .. name, ecs[name] }
end
every.call(functions, { "made", { "a" }, 1 }, values, 3, true)
