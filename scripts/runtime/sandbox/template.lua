-- Text from templates with named slots, for generated code: fill("k < $count", { count = "n" }) is "k < n".
-- Invariant: each slot of a template has a value and each value a slot; anything else is an error with the name. Values
-- are not searched for slots. A slot ends with its letters, so a suffix is part of the value: "24ULL".
local error, find, gsub, next, setmetatable, sub = error, string.find, string.gsub, next, setmetatable, string.sub

local template = {}

local function place(text) return " in the template '" .. sub(text, 1, 60) .. "'" end

--- The template with the values of its slots, which are texts or numbers.
function template.fill(text, slots)
  for name in next, slots do
    if not find(text, "%$" .. name .. "%f[^%a_]") then error("no slot $" .. name .. place(text), 2) end
  end
  setmetatable(slots, {
    __index = function(_, name) error("no value for $" .. name .. place(text), 4) end,
  })
  return (gsub(text, "%$([%a_]+)", slots))
end

return template
