-- Text from templates with named slots, for generated code: fill("k < $count", { count = "n" }) is "k < n".
-- Invariant: each slot of a template has a value, and each value a slot when the template is first filled; anything
-- else is an error with the name. Values are not searched for slots. A slot ends with its letters, so a suffix is part
-- of the value: "24ULL".
local need = ...
local after_load = need "parts".after_load
local error, next, unpack, format, gsub, sub = error, next, unpack, string.format, string.gsub, string.sub

local template = {}

-- By template: its format, and the names of its slots in order. While files load, the same few are filled often.
local formats, names_of, values = {}, {}, {}

local function refuse(text, what, name)
  error(what .. " $" .. name .. " in the template '" .. sub(text, 1, 60) .. "'", 3)
end

local function read(text, slots)
  local names, known = {}, {}
  formats[text] = gsub(gsub(text, "%%", "%%%%"), "%$([%a_]+)", function(name)
    names[#names + 1], known[name] = name, true
    return "%s"
  end)
  for name in next, slots do
    if not known[name] then refuse(text, "no slot", name) end
  end
  names_of[text] = names
  return names
end

--- The template with the values of its slots, which are texts or numbers.
local function fill(text, slots)
  local names = names_of[text] or read(text, slots)
  local count = #names
  for i = 1, count do
    local value = slots[names[i]]
    if value == nil then refuse(text, "no value for", names[i]) end
    values[i] = value
  end
  return (format(formats[text], unpack(values, 1, count)))
end

-- When compiled, string.format writes before its buffer if a format has many parts (LuaJIT issue 1203).
jit.off(fill)
template.fill = fill

after_load(function() formats, names_of, values = {}, {}, {} end)

return template
