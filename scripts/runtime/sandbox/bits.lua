-- The mods' bit library: the same functions, with the fractions of arguments dropped first.
-- Compiled code of LuaJIT takes the 32 bits of a sum from the 32 bits of its parts, which differs if a part has a
-- fraction or is NaN: bit.bxor(1 + x * 0.5, 0) with x = 1 is 2 interpreted and 1 compiled. So math.floor is applied
-- before the function, which costs compiled code nothing for integers. NaN and infinities count as 0; for numbers
-- beyond 2^51 LuaJIT's conversion applies, interpreted and compiled.
--
-- Some LuaJITs change the number whose bits a compiled loop takes, though the loop uses it again
-- (scripting/lua/luajit_version.h). There the functions get a number of their own, which costs time.
local need = ...
local refuse_argument = need "callers".refuse_argument
local type, tonumber, select, floor = type, tonumber, select, math.floor
local bit, ffi = require("bit"), require("ffi")
if need "constants".keeps_numbers_of_bits == 0 then
  local max, huge, whole = math.max, math.huge, math.floor
  floor = function(x) return max(whole(x), -huge) end
end
local istype, signed, unsigned = ffi.istype, ffi.typeof("int64_t"), ffi.typeof("uint64_t")

local bits = {}

local function integer(value, position, name)
  if type(value) == "number" then return floor(value) end
  if istype(signed, value) or istype(unsigned, value) then return value end
  local number = type(value) == "string" and tonumber(value)
  if number then return floor(number) end
  refuse_argument(position, name, "number", value, 3)
end

for _, name in ipairs { "bnot", "bswap", "tobit" } do
  local stock = bit[name]
  bits[name] = function(x)
    if type(x) == "number" then return (stock(floor(x))) end
    return (stock(integer(x, 1, name)))
  end
end

for _, name in ipairs { "arshift", "lshift", "rol", "ror", "rshift" } do
  local stock = bit[name]
  bits[name] = function(x, n)
    if type(x) == "number" and type(n) == "number" then return (stock(floor(x), floor(n))) end
    return (stock(integer(x, 1, name), integer(n, 2, name)))
  end
end

for _, name in ipairs { "band", "bor", "bxor" } do
  local stock = bit[name]
  bits[name] = function(a, b, ...)
    if select("#", ...) == 0 and type(a) == "number" and type(b) == "number" then
      return (stock(floor(a), floor(b)))
    end
    local result = integer(a, 1, name)
    if b == nil and select("#", ...) == 0 then return (stock(result)) end
    result = stock(result, integer(b, 2, name))
    for i = 1, select("#", ...) do result = stock(result, integer((select(i, ...)), i + 2, name)) end
    return result
  end
end

function bits.tohex(x, n)
  if n == nil then return (bit.tohex(integer(x, 1, "tohex"))) end
  return (bit.tohex(integer(x, 1, "tohex"), integer(n, 2, "tohex")))
end

return bits
