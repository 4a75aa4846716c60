-- find, match, gmatch, gsub: the results of the stock functions, with a matcher whose steps cost fuel. The stock
-- matcher can take hours for a short pattern and cannot be interrupted.
-- Callbacks of gsub are called from Lua, not from C. Patterns without special characters are searched as plain text.
local need = ...
local scan, find_plain, spend = need "host".scan, need "host".find_plain, need "fuel".spend
local raise, string_of, start_in = need "host".raise, need "positions".string_of, need "positions".start_in
local call = need "call_depth".call
local hash_call, expect_own = need "running".hash_call, need "running".expect_own
local type, tostring, tonumber, error, select = type, tostring, tonumber, error, select
local raw_find, sub, concat, floor = string.find, string.sub, table.concat, math.floor

local pattern = {}

local plain_of, known = {}, 0

local function is_plain(p)
  local plain = plain_of[p]
  if plain == nil then
    plain = not raw_find(p, "[%^%$%*%+%?%.%(%[%%%-]")
    if known >= 1000 then plain_of, known = {}, 0 end
    plain_of[p] = plain
    known = known + 1
  end
  return plain
end

local function search(s, p, from)
  local work = #s * #p
  if work > 2 ^ 16 then return find_plain(s, p, from) end
  if work > 512 then spend(work / 512) end
  return raw_find(s, p, from, true)
end

function pattern.find(s, p, init, plain)
  s, p = string_of(s, 1, "find"), string_of(p, 2, "find")
  local from = start_in(s, init, "find")
  if plain or is_plain(p) then return search(s, p, from) end
  return scan(s, p, from, "find")
end

function pattern.match(s, p, init)
  s, p = string_of(s, 1, "match"), string_of(p, 2, "match")
  local from = start_in(s, init, "match")
  return scan(s, p, from, "match")
end

function pattern.gmatch(s, p)
  s, p = string_of(s, 1, "gmatch"), string_of(p, 2, "gmatch")
  local from, made_in = 1, hash_call()
  local function step(first, last, ...)
    if not first then
      from = #s + 2
      return nil
    end
    from = last < first and last + 2 or last + 1
    return ...
  end
  return function()
    expect_own(made_in, "iterator of gmatch")
    if from > #s + 1 then return nil end
    return step(scan(s, p, from, "each"))
  end
end

-- "<%1>" becomes { "<", 1, ">" }: texts, and numbers of captures, 0 for the whole match.
local function template_of(replacement)
  local parts, from = {}, 1
  while true do
    local at = raw_find(replacement, "%", from, true)
    if not at then break end
    if at > from then parts[#parts + 1] = sub(replacement, from, at - 1) end
    local letter = sub(replacement, at + 1, at + 1)
    parts[#parts + 1] = tonumber(letter) or letter ~= "" and letter or "\0"
    from = at + 2
  end
  if from <= #replacement then parts[#parts + 1] = sub(replacement, from) end
  return parts
end

local function filled(parts, whole, ...)
  local pieces = {}
  for i = 1, #parts do
    local part = parts[i]
    if part == 0 then
      part = whole
    elseif type(part) == "number" then
      if part > select("#", ...) then raise("invalid capture index") end
      part = (select(part, ...))
      if not part then raise("unfinished capture") end
    end
    pieces[i] = part
  end
  return concat(pieces)
end

local function replaced(replacement, kind, parts, whole, ...)
  local value
  if kind == "string" then
    if not parts then return replacement end
    return filled(parts, whole, ...)
  elseif kind == "function" then
    value = replacement(...)
  else
    value = replacement[(...)]
  end
  if not value then return whole end
  if type(value) == "string" or type(value) == "number" then return value end
  raise("invalid replacement value (a " .. type(value) .. ")")
end

local function step_of(s, replacement, kind, parts, first, last, ...)
  if not first then return nil end
  return first, last, replaced(replacement, kind, parts, sub(s, first, last), ...)
end

local function whole_or(s, first, last, capture, ...)
  if not first then return nil end
  if capture == nil then return first, last, sub(s, first, last) end
  return first, last, capture, ...
end

local function anchored(s, p) return whole_or(s, scan(s, p, 1, "find")) end

-- For replacement texts: unclosed captures are false, and an error only if the text uses them.
local function next_for_text(s, p, from, is_anchored) return scan(s, p, from, is_anchored and "once" or "all") end

local function substitute(s, p, replacement, kind, limit)
  local is_anchored = sub(p, 1, 1) == "^"
  local parts = kind == "string" and raw_find(replacement, "%", 1, true) and template_of(replacement) or nil
  local pieces, used, count, from, size = {}, 0, 0, 1, 0
  local length = #s
  while count < limit and from <= length + 1 do
    -- An anchored pattern is tried once, and only at the beginning.
    local first, last, value
    if kind == "string" then
      first, last, value = step_of(s, replacement, kind, parts, next_for_text(s, p, from, is_anchored))
    elseif is_anchored then
      first, last, value = step_of(s, replacement, kind, parts, anchored(s, p))
    else
      first, last, value = step_of(s, replacement, kind, parts, scan(s, p, from, "each"))
    end
    if not first then break end
    count = count + 1
    if first > from then
      used = used + 1
      pieces[used] = sub(s, from, first - 1)
    end
    used = used + 1
    pieces[used] = value
    size = size + #tostring(value)
    spend(1 + size / 256)
    size = size % 256
    from = last + 1
    if last < first then
      if first <= length then
        used = used + 1
        pieces[used] = sub(s, first, first)
      end
      from = first + 1
    end
    if is_anchored then break end
  end
  if count == 0 then return s, 0 end
  if from <= length then pieces[used + 1] = sub(s, from) end
  return concat(pieces), count
end

function pattern.gsub(s, p, replacement, limit)
  s, p = string_of(s, 1, "gsub"), string_of(p, 2, "gsub")
  local kind = type(replacement)
  if kind == "number" then replacement, kind = tostring(replacement), "string" end
  if kind ~= "string" and kind ~= "function" and kind ~= "table" then
    error("bad argument #3 to 'gsub' (string/function/table expected, got " ..
      (replacement == nil and "no value" or kind) .. ")", 2)
  end
  if limit == nil then
    limit = #s + 1
  else
    limit = tonumber(limit) or error("bad argument #4 to 'gsub' (number expected, got " .. type(limit) .. ")", 2)
    limit = floor(limit)
  end
  if kind == "string" then return substitute(s, p, replacement, kind, limit) end
  return call("gsub", substitute, s, p, replacement, kind, limit)
end

return pattern
