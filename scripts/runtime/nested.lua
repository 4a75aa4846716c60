-- gsub and sort call back into Lua from C, so each nested call takes C stack, and nothing in LuaJIT counts it.
-- Here it is counted: at the limit comes an ordinary error, where the stock functions crash the process.
local type, error, pcall = type, error, pcall
local gsub, sort = string.gsub, table.sort

local kLimit = 64
local nested = {}
local depth = 0

local function leave(ok, ...)
  depth = depth - 1
  if not ok then error((...), 0) end
  return ...
end

local function call(name, f, ...)
  if depth >= kLimit then error("'" .. name .. "' is nested too deeply in callbacks of gsub, sort or require", 3) end
  depth = depth + 1
  return leave(pcall(f, ...))
end

--- Calls f(...) as one level of nesting; for C functions that call back.
nested.call = call

function nested.gsub(s, pattern, replacement, limit)
  local kind = type(replacement)
  if kind == "function" or kind == "table" then return call("gsub", gsub, s, pattern, replacement, limit) end
  return gsub(s, pattern, replacement, limit)
end

function nested.sort(t, comes_before)
  return call("sort", sort, t, comes_before)
end

return nested
