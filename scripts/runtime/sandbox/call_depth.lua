-- Limits the depth of calls that take C stack, which LuaJIT does not count: sort calls back into Lua from C, gsub may
-- do so indirectly, and a coroutine may resume another. At the limit there is an ordinary error, where the stock
-- functions would crash the process. A hash function runs only coroutines that it created.
local need = ...
local merge = need "merge"
local spend, resumers, main_thread = need "fuel".spend, need "callers".resumers, need "host".main_thread
local floor, refuse_argument = need "host".floor, need "callers".refuse_argument
local hash_call, expect_own = need "running".hash_call, need "running".expect_own
local constants = need "constants"
local type, error, pcall, setmetatable = type, error, pcall, setmetatable
local sort, log, match, gsub, sub, format = table.sort, math.log, string.match, string.gsub, string.sub, string.format
local getinfo, find = debug.getinfo, string.find
local create, resume, running = coroutine.create, coroutine.resume, coroutine.running

local kLimit = 64
local call_depth = {}
-- Levels inside each coroutine, and those of its resumer. Stored per coroutine: when a suspended one is dropped, its
-- levels go with it. The main thread has the key `main`.
local main = {}
local own = setmetatable({ [main] = 0 }, { __mode = "k" })
local base = setmetatable({ [main] = 0 }, { __mode = "k" })

local kOwnFiles = constants.runtime_files
local kOfMerge, kOfFloor = "^" .. kOwnFiles .. "merge%.lua:[%d?]+: (.*)$", "^" .. kOwnFiles .. "floor:%d+: "

-- LuaJIT functions written in Lua, such as math.deg.
local kBuiltIn, kOwnPlace = "[builtin:", "^[%[%l/.:%]]+:[%d?]+: "

-- LuaJIT numbers the C types of handles and values in the order of their creation, which presentation may change.
local kNumbered, kLongestMessage = "'struct %d+", 1000

local function without_numbers(message)
  if #message > kLongestMessage or not find(message, kNumbered) then return message end
  return (gsub(message, kNumbered, "'value"))
end

--- The results of a protected call. In a message raised by the library itself, its own line is replaced by the mod's:
--- the innermost one of the ended coroutine `co`, or of the caller.
function call_depth.placed(co, ok, ...)
  if ok then return true, ... end
  local message = ...
  if type(message) ~= "string" then return false, message end
  message = without_numbers(message)
  local is_own = sub(message, 1, #kOwnFiles) == kOwnFiles or sub(message, 1, #kBuiltIn) == kBuiltIn
  if not is_own then return false, message end
  message = gsub(message, kOwnPlace, "", 1)
  local level = 0
  while true do
    local info = co and getinfo(co, level, "Sl") or not co and getinfo(level, "Sl")
    if not info then return false, message end
    if info.what ~= "C" and sub(info.source, 1, 1) == "@" and info.currentline > 0 then
      return false, format("%s:%d: %s", sub(info.source, 2), info.currentline, message)
    end
    level = level + 1
  end
end
local placed = call_depth.placed

local function leave(co, ok, ...)
  own[co] = own[co] - 1
  if not ok then error((...), 0) end
  return ...
end

local function call(name, f, ...)
  local co = running() or main
  local levels = own[co] or 0
  if levels + (base[co] or 0) >= kLimit then
    error("'" .. name .. "' is nested too deeply in callbacks of gsub, sort or require", 3)
  end
  own[co] = levels + 1
  return leave(co, pcall(f, ...))
end

--- Calls f(...) as one level of nesting; for C functions that call back.
call_depth.call = call

local function sorted(ok, ...)
  if ok then return end
  local message = ...
  -- An error in the comparison of two elements belongs to the line that sorts them.
  local text = type(message) == "string" and match(message, kOfMerge)
  error(text or message, text and 3 or 0)
end

function call_depth.sort(t, comes_before)
  if type(t) ~= "table" then
    error("bad argument #1 to 'sort' (table expected, got " .. (t == nil and "no value" or type(t)) .. ")", 2)
  end
  if comes_before ~= nil and type(comes_before) ~= "function" then
    error("bad argument #2 to 'sort' (function expected, got " .. type(comes_before) .. ")", 2)
  end
  if type(t) == "table" then
    local count = #t
    if count > 1 then
      local comparisons = count * log(count)
      spend(comparisons)
      -- The mod's own comparison function is charged by its own code.
      if comes_before == nil and type(t[1]) == "string" then spend(merge.text_steps(t, count, comparisons)) end
    end
    if count > merge.kShort and (comes_before == nil or type(comes_before) == "function") then
      sorted(pcall(merge.sort, t, count, comes_before))
      return
    end
  end
  return call("sort", sort, t, comes_before)
end

local kDeepestCoroutine = 100
-- Nesting depth of a coroutine. Stored per coroutine instead of counted up and down, so that an error in between cannot
-- leave a wrong count.
local level_of = setmetatable({}, { __mode = "k" })

-- Under a watched compiler each coroutine has a Lua function at its bottom (scripting/sandbox/jit_health.h). An error
-- that is raised for its caller would name the floor; without a floor it names nothing.
local function without_floor(ok, message, ...)
  if not ok and type(message) == "string" then
    local plain, count = gsub(message, kOfFloor, "", 1)
    if count == 1 then message = gsub(plain, "^(bad argument #%d+ to )'f'", "%1'?'") end
  end
  return ok, message, ...
end

-- Coroutine -> the call of a hash function that created it; none for the others.
local made_in = setmetatable({}, { __mode = "k" })

function call_depth.resume(co, ...)
  if type(co) ~= "thread" then error("bad argument #1 to 'resume' (coroutine expected, got " .. type(co) .. ")", 2) end
  expect_own(made_in[co], "coroutine")
  local current = running()
  local level = (current and level_of[current] or 0) + 1
  if level > kDeepestCoroutine then return false, "coroutines resume each other too deeply" end
  level_of[co] = level
  resumers[co] = current or main_thread
  local from = current or main
  base[co] = (own[from] or 0) + (base[from] or 0)
  if floor then return placed(co, without_floor(resume(co, ...))) end
  return placed(co, resume(co, ...))
end

function call_depth.create(f)
  if type(f) ~= "function" then refuse_argument(1, "create", "function", f, 2) end
  local co = create(floor and function(...) return floor(f, ...) end or f)
  local call_number = hash_call()
  if call_number ~= 0 then made_in[co] = call_number end
  return co
end

local function results(ok, ...)
  if not ok then error((...), 0) end
  return ...
end

function call_depth.wrap(f)
  if type(f) ~= "function" then error("bad argument #1 to 'wrap' (function expected, got " .. type(f) .. ")", 2) end
  local co = call_depth.create(f)
  return function(...) return results(call_depth.resume(co, ...)) end
end

return call_depth
