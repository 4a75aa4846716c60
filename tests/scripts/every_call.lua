-- Calls functions of the API with wrong arguments, in every way in which a script can be the innermost one: an error
-- names the script's line, never a file of the engine. Returns call(functions, selves, values): functions by name.
local random = math.random

local calls, refused = 0, 0

local function refuse(what, way, message)
  error(what .. ", " .. way .. ": " .. message:sub(1, 300), 0)
end

-- The result of one call. `is_ours`: the line of this file must be in front.
local function look(what, way, is_placed, ok, message)
  calls = calls + 1
  if ok or type(message) ~= "string" then return end
  refused = refused + 1
  if message:find("perigee/", 1, true) then refuse(what, way, message) end
  if is_placed and not message:match("^[%w_]+/[%w_]+%.lua:%d+: ") then refuse(what, way, message) end
end

local function each(what, is_stock, f, a, b, c, d)
  look(what, "called", true, pcall(function()
    local result = f(a, b, c, d)
    return result
  end))
  look(what, "by pcall", not is_stock, pcall(f, a, b, c, d))
  look(what, "resumed", not is_stock, coroutine.resume(coroutine.create(f), a, b, c, d))
  look(what, "wrapped", not is_stock, pcall(function()
    local result = coroutine.wrap(f)(a, b, c, d)
    return result
  end))
  look(what, "in a coroutine", true, coroutine.resume(coroutine.create(function()
    local result = f(a, b, c, d)
    return result
  end)))
  look(what, "as a comparison", true, pcall(function()
    table.sort({ 3, 1, 2 }, function()
      local result = f(a, b, c, d)
      return result
    end)
  end))
  look(what, "in gsub", true, pcall(function()
    local result = ("x"):gsub("x", function() return (f(a, b, c, d)) end)
    return result
  end))
end

local names = {}
--- `functions`: { "ecs.world:spawn", f }; `selves` are often the first argument, `values` the further arguments.
local function call(functions, selves, values, times, is_stock)
  for i = 1, #functions do
    local name, f = functions[i][1], functions[i][2]
    names[#names + 1] = name
    for _ = 1, times do
      local function any() return values[random(#values + 1)] end
      local first = random(4) > 1 and selves[random(#selves)] or any()
      each(name, is_stock, f, first, any(), any(), any())
    end
    for _ = 1, #selves do each(name, is_stock, f, selves[_]) end
    each(name, is_stock, f)
  end
end

return { call = call, count = function() return calls, refused end, names = names }
