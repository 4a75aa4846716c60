-- Declarations made of nonsense: thousands of mistakes, all reported, none of them the library's own.
local ecs, nonsense = require "ecs", require "nonsense"
local random, draw = nonsense.random, nonsense.draw
local C = ecs.components

local words = { "kind", "version", "doc", "unit", "min", "max", "range", "name", "fields" }
local function type_from(depth)
  local choice = random(9)
  if depth > 4 then return "f32" end
  if choice == 1 then return ecs.struct { { "a", type_from(depth + 1) }, { "b", type_from(depth + 1), draw {} } } end
  if choice == 2 then return ecs.enum(random(3) == 1 and draw {} or { "a", "b", draw {} }) end
  if choice == 3 then return ecs.flags(random(3) == 1 and draw {} or { "a", draw {} }) end
  if choice == 4 then return ecs.string(random(3) == 1 and draw {} or random(20)) end
  if choice == 5 then return ecs.array(type_from(depth + 1), random(3) == 1 and draw {} or random(9)) end
  if choice == 6 then return draw {} end
  return ({ "f32", "u8", "i64", "vec3", "color", "entity", "asset", "bool", "text", "blob", "blob(Type1)" })[random(11)]
end

for i = 1, 3000 do
  local spec = {}
  for k = 1, random(4) do
    spec[k] = random(10) == 1 and draw {} or { random(10) == 1 and draw {} or "f" .. k, type_from(1), draw {} }
    if type(spec[k]) == "table" and random(4) == 1 then rawset(spec[k], words[random(#words)], draw {}) end
  end
  if random(4) == 1 then spec[words[random(#words)]] = draw {} end
  local declare = random(2) == 1 and ecs.component or ecs.resource
  local name = random(8) == 1 and draw {} or "Type" .. i
  local ok, handle = pcall(declare, name, random(12) == 1 and draw {} or spec)
  if not ok and tostring(handle):find("perigee/", 1, true) then error(handle) end
  -- what was accepted can be used
  if ok and handle and declare == ecs.component then
    ecs.world:spawn(handle)
    pcall(function() return handle { f1 = draw {}, f2 = draw {} } end)
    pcall(function() return ecs.world:get(ecs.world:spawn(handle), C["Type" .. i]).f1 end)
  end
end
error("the end was reached")
