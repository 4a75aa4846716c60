-- tostring and string.format without addresses.
-- Invariant: text made here depends on the program, not on addresses: an object without a name is numbered when it is
-- first printed ("table: 1"). Objects printed only by presentation or hash functions are numbered separately, "table:
-- p1", so that frames and hashes do not affect what simulation prints. A mod's __tostring runs only in the mod's own
-- calls.
local type, error, select, setmetatable = type, error, select, setmetatable
local raw_tostring, raw_getmetatable = tostring, debug.getmetatable
local format, find, rawget, unpack = string.format, string.find, rawget, unpack
local pcall = pcall
local need = ...
local spend, leaves_nothing = need "fuel".spend, need "running".leaves_nothing

local text = {}
local function new_series() return { last = 0, of = setmetatable({}, { __mode = "k" }) } end
local simulation, presentation = new_series(), new_series()

local function serial_in(series, object)
  local serial = series.of[object]
  if not serial then
    serial = series.last + 1
    series.last, series.of[object] = serial, serial
  end
  return raw_tostring(serial)
end

local function numbered(object, kind)
  if leaves_nothing() and not simulation.of[object] then
    return kind .. ": p" .. serial_in(presentation, object)
  end
  return kind .. ": " .. serial_in(simulation, object)
end

function text.tostring(...)
  if select("#", ...) == 0 then error("bad argument #1 to 'tostring' (value expected)", 2) end
  local value = ...
  local kind = type(value)
  if kind == "string" then return value end
  if kind == "number" or kind == "boolean" or kind == "nil" then return raw_tostring(value) end
  if kind == "table" then
    local meta = raw_getmetatable(value)
    local own = meta and rawget(meta, "__tostring")
    if own then
      local result = own(value)
      if type(result) ~= "string" then error("'__tostring' must return a string", 2) end
      return result
    end
  elseif kind == "cdata" then
    -- All cdata of mods prints without addresses; other cdata is only numbered.
    local ok, result = pcall(raw_tostring, value)
    if ok and not find(result, "0x", 1, true) then return result end
  end
  return numbered(value, kind)
end

-- Its calls are no tail calls, and its name here is the one in its messages.
-- When compiled, the stock function writes before its buffer if a format has many parts (LuaJIT issue 1203).
local kMaxCompiledBytes = 200
local function interpreted_format(...) return (format(...)) end
jit.off(interpreted_format)

--- Which arguments a format converts with %s or %q. Plans are kept: formats are few and used often.
local plans, plan_count = {}, 0

local function plan_of(fmt)
  local plan, position, argument = {}, 1, 0
  while true do
    local from, to, directive = find(fmt, "%%[-+ #0]*%d*%.?%d*(.?)", position)
    if not from then break end
    position = to + 1
    if directive == "p" then error("invalid option '%p' to 'format': addresses are not shown", 3) end
    if directive ~= "%" then argument = argument + 1 end  -- the stock function reports errors in others
    if directive == "s" or directive == "q" then plan[#plan + 1] = argument end
  end
  if plan_count >= 1000 then plans, plan_count = {}, 0 end
  plans[fmt] = plan
  plan_count = plan_count + 1
  return plan
end

-- Long results cost their bytes.
local function paid(result)
  if #result > 4096 then spend(#result / 256) end
  return result
end

local function with_text(plan, fmt, ...)
  local arguments, count = { ... }, select("#", ...)
  for i = 1, #plan do
    local at = plan[i]
    if at <= count then arguments[at] = text.tostring(arguments[at]) end
  end
  if #fmt > kMaxCompiledBytes then return interpreted_format(fmt, unpack(arguments, 1, count)) end
  return (format(fmt, unpack(arguments, 1, count)))
end

function text.format(fmt, ...)
  if type(fmt) == "number" then fmt = raw_tostring(fmt) end
  if type(fmt) ~= "string" then
    error("bad argument #1 to 'format' (string expected, got " .. type(fmt) .. ")", 2)
  end
  local plan = plans[fmt] or plan_of(fmt)
  local count = #plan
  if #fmt > kMaxCompiledBytes and count == 0 then return paid(interpreted_format(fmt, ...)) end
  if count == 0 then return paid(format(fmt, ...)) end
  if count == 1 and plan[1] == 1 and #fmt <= kMaxCompiledBytes then
    local kind = type((...))
    if kind == "string" or kind == "number" then return paid(format(fmt, ...)) end
  end
  return paid(with_text(plan, fmt, ...))
end

--- The arguments as print joins them.
function text.joined(...)
  local line = ""
  for i = 1, select("#", ...) do
    local piece = text.tostring((select(i, ...)))
    line = i == 1 and piece or line .. "\t" .. piece
  end
  return line
end

return text
