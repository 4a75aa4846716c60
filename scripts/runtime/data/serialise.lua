-- Serialises plain values as text: numbers, texts, booleans, and tables of those. The format of save.*.
--
--   {1,2,{x=0.5,name="Ann",["two words"]=true,[10]=false}}
--
-- Invariant: equal values give equal text: a list first, then other numbers ascending, names bytewise, false, true.
-- Reading trusts no byte: it creates only plain tables and tonumber() results, runs no code, and is bounded. Sharing is
-- not preserved: a table that appears twice is read as two. Not here: permissions, and storage of the text.
local need = ...
local fail, order = need "fail", need "order"
local spend, is_name = need "fuel".spend, fail.is_name
local kMaxDepth = need "constants".max_table_depth
local type, next, rawget, tonumber, get_meta = type, next, rawget, tonumber, debug.getmetatable
local format, find, match, gsub, byte, char, sub = string.format, string.find, string.match, string.gsub, string.byte,
  string.char, string.sub
local floor, concat, sort, log = math.floor, table.concat, table.sort, math.log

local serialise = {}
local kStepsPerEntry = 4

-- ---- to text ------------------------------------------------------------------------------------------------

local function number_text(x, is_long)
  if x ~= x then return "nan" end
  if x == floor(x) and x > -1e15 and x < 1e15 then
    return x == 0 and 1 / x < 0 and "-0" or format("%d", x)
  end
  if x == 1 / 0 then return "inf" end
  if x == -1 / 0 then return "-inf" end
  if is_long then return format("%.17g", x) end
  local short = format("%.14g", x)
  return tonumber(short) == x and short or format("%.17g", x)
end

local function escaped(c) return format("\\%03d", byte(c)) end

local function quoted(text)
  return '"' .. gsub(text, '[%c"\\]', escaped) .. '"'
end

local ranks = { number = 1, string = 2, boolean = 3 }

local function comes_before(a, b)
  local of_a, of_b = ranks[type(a)], ranks[type(b)]
  if of_a ~= of_b then return of_a < of_b end
  if of_a == 3 then return b and not a end
  return a < b
end

local words = { cdata = "a row, a buffer or another part of the world", userdata = "a userdata",
  ["function"] = "a function", thread = "a coroutine" }

local function shown_path(out)
  local path = out.name
  for i = 1, out.depth do
    local key = out.path[i]
    if type(key) == "string" and #key <= 40 and is_name(key) then
      path = path .. "." .. key
    else
      path = path .. "[" .. fail.shown(key) .. "]"
    end
  end
  return path
end

local function refuse(out, what)
  fail.raise(out.what .. ": '" .. shown_path(out) .. "' is " .. what ..
    "; numbers, texts, booleans and tables of those can be kept")
end

-- False when the text has become too long, which ends the work at once.
local function put(out, text)
  out.count = out.count + 1
  out[out.count] = text
  out.bytes = out.bytes + #text
  spend(kStepsPerEntry + #text / 16)
  return out.bytes <= out.max_bytes
end

-- Its keys after the list part of `length`, in order. nil if there are too many. All are checked, so that the error of
-- a table does not depend on which key comes first.
local function other_keys(out, t, length)
  local keys, count, bytes, wrong = {}, 0, 0, nil
  for key in next, t do
    local kind = type(key)
    if not (kind == "number" and key >= 1 and key <= length and key == floor(key)) then
      if not ranks[kind] then wrong = order.first(wrong, key) end
      count = count + 1
      bytes = bytes + (kind == "string" and #key or 2)
      if bytes <= out.max_bytes then keys[count] = key end
      if count % 256 == 0 then spend(256 * kStepsPerEntry) end
    end
  end
  if wrong ~= nil then refuse(out, "a table with " .. (words[type(wrong)] or "a table") .. " as a key") end
  if bytes > out.max_bytes then return nil end
  if count > 1 then
    spend(count * log(count))
    sort(keys, comes_before)
  end
  return keys
end

local put_value

local function put_key(out, key)
  if is_name(key) then return put(out, key .. "=") end
  return put(out, "[") and put_value(out, key) and put(out, "]=")
end

local function put_table(out, t)
  if get_meta(t) ~= nil then refuse(out, "a table with a metatable") end
  if out.depth >= kMaxDepth then
    refuse(out, "more than " .. kMaxDepth .. " tables deep, or contains itself")
  end
  local depth = out.depth + 1
  local is_first, length = true, 0
  if not put(out, "{") then return false end
  while true do
    local value = rawget(t, length + 1)
    if value == nil then break end
    length = length + 1
    out.depth, out.path[depth] = depth, length
    if not (is_first or put(out, ",")) or not put_value(out, value) then return false end
    is_first = false
  end
  out.depth = depth - 1
  local keys = other_keys(out, t, length)
  if not keys then return false end
  for i = 1, #keys do
    local key = keys[i]
    out.depth, out.path[depth] = depth, key
    if not (is_first or put(out, ",")) or not put_key(out, key) or not put_value(out, rawget(t, key)) then
      return false
    end
    is_first = false
  end
  out.depth = depth - 1
  return put(out, "}")
end

function put_value(out, value)
  local kind = type(value)
  if kind == "number" then return put(out, number_text(value, out.is_long)) end
  if kind == "boolean" then return put(out, value and "true" or "false") end
  if kind == "table" then return put_table(out, value) end
  if kind ~= "string" then refuse(out, words[kind] or kind) end
  if #value > out.max_bytes then return false end
  return put(out, quoted(value))
end

local function writing(max_bytes, what, name, is_long)
  return { count = 0, bytes = 0, max_bytes = max_bytes, what = what, name = name, path = {}, depth = 0,
    is_long = is_long }
end

--- The text of a table, or nil if it takes more than `max_bytes` bytes. An unsupported value is an error that begins
--- with `what` and gives the path in the value, starting with `name`. `is_long`: 0.1 is 0.10000000000000001, which
--- takes half the time.
function serialise.to_text(t, max_bytes, what, name, is_long)
  local out = writing(max_bytes, what, name, is_long)
  if not put_table(out, t) then return nil end
  return concat(out, "", 1, out.count)
end

--- The same for any value.
function serialise.value_to_text(value, max_bytes, what, name, is_long)
  local out = writing(max_bytes, what, name, is_long)
  if not put_value(out, value) then return nil end
  return concat(out, "", 1, out.count)
end

-- ---- from text ----------------------------------------------------------------------------------------------

local kLongestNumber = 32
local constants = { ["true"] = true, ["false"] = false, nan = 0 / 0, inf = 1 / 0 }

local function unescaped(digits)
  local code = tonumber(digits)
  return code <= 255 and char(code) or ""
end

-- The value at `at` and its end, or nil.
local function value_at(text, at, depth)
  local first = byte(text, at)
  if first == 123 then  -- {
    if depth >= kMaxDepth then return nil end
    local t, length = {}, 0
    at = at + 1
    if byte(text, at) == 125 then return t, at + 1 end
    while true do
      local key, value
      local _, behind, name = find(text, "^([%a_][%w_]*)=", at)
      if name then
        key, at = name, behind + 1
      elseif byte(text, at) == 91 then  -- [
        key, at = value_at(text, at + 1, kMaxDepth)
        if key == nil or key ~= key or sub(text, at, at + 1) ~= "]=" then return nil end
        at = at + 2
      else
        length = length + 1
        key = length
      end
      value, at = value_at(text, at, depth + 1)
      if value == nil then return nil end
      t[key] = value
      local ending = byte(text, at)
      at = at + 1
      if ending == 125 then return t, at end
      if ending ~= 44 then return nil end  -- ,
    end
  end
  if first == 34 then  -- "
    local _, last, inner = find(text, '^"([^"%c]*)"', at)
    if not inner then return nil end
    if find(inner, "\\", 1, true) then inner = gsub(inner, "\\(%d%d%d)", unescaped) end
    return inner, last + 1
  end
  local _, last, word = find(text, "^(%-?%w[%w%.%+%-]*)", at)
  if not word then return nil end
  local constant = constants[word]
  if constant ~= nil then return constant, last + 1 end
  if word == "-inf" then return -1 / 0, last + 1 end
  if #word > kLongestNumber then return nil end  -- before the patterns, which try each length of the digits
  if not (match(word, "^%-?%d+%.?%d*$") or match(word, "^%-?%d+%.?%d*e[%+%-]?%d+$")) then return nil end
  return tonumber(word), last + 1
end

--- The table for a text made by to_text; nil for any other text.
function serialise.to_table(text)
  spend(#text)
  if byte(text, 1) ~= 123 then return nil end
  local t, behind = value_at(text, 1, 0)
  if t == nil or behind ~= #text + 1 then return nil end
  return t
end

--- The same for any value.
function serialise.to_value(text)
  spend(#text)
  local value, behind = value_at(text, 1, 0)
  if behind ~= #text + 1 then return nil end
  return value
end

return serialise
