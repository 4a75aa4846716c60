-- The functions on the call stack: which of them are the mod's, and errors at their lines.
-- Invariant: functions of the library do not count as callers for mods.
local need = ...
local constants = need "constants"
local getinfo, sub, gsub, error, type, setmetatable =
  debug.getinfo, string.sub, string.gsub, error, type, setmetatable
local running = coroutine.running

-- `resumers`: coroutine -> the coroutine that resumed it last; none for the main one. Filled by call_depth.lua.
local resumers = setmetatable({}, { __mode = "kv" })
local callers = { resumers = resumers }

--- True if this source (from debug.getinfo) is that of a function of the library.
local kRuntime = "=" .. constants.runtime_files
local function is_runtime(source) return sub(source, 1, #kRuntime) == kRuntime end

callers.is_runtime = is_runtime

--- "main.lua" for the source of a mod's function (from debug.getinfo): the author's name of the file.
function callers.file_of(source) return (gsub(sub(source, 2), "^[^/]*/", "", 1)) end

-- A coroutine may contain no mod code except below its main function, which is the library's.
local function innermost_above(co, what)
  while co do
    local above, level = resumers[co], 0
    local info = above and getinfo(above, level, what)
    while info do
      if info.what ~= "C" and not is_runtime(info.source) then return info end
      level = level + 1
      info = getinfo(above, level, what)
    end
    co = above
  end
end

--- The caller of a function that runs later than it was called, from debug.getinfo; nil otherwise (late.lua).
callers.standing_for = nil

--- The result of debug.getinfo for the innermost function of mod code (`what` as there), and its level relative to the
--- caller of this function (nil for a function of another coroutine). nil if there is no mod code below.
function callers.innermost(what)
  local level = 2
  while true do
    local info = getinfo(level, what)
    if not info then return (innermost_above(running(), what) or callers.standing_for) end
    if info.what ~= "C" and not is_runtime(info.source) then return info, level - 1 end
    level = level + 1
  end
end

--- Raises an argument error in the words of the stock library; `level` as for `error` at this call.
function callers.refuse_argument(position, name, expected, value, level)
  error("bad argument #" .. position .. " to '" .. name .. "' (" .. expected .. " expected, got " ..
    (value == nil and "no value" or type(value)) .. ")", level + 1)
end

return callers
