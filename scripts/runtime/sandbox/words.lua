-- The names in opaque tables, for consoles.
local next, setmetatable, type = next, setmetatable, type

local words = { of = setmetatable({}, { __mode = "k" }) }  -- table -> a function that lists its names

--- A function that lists the names in `t`.
function words.keys_of(t)
  return function()
    local list, _ = {}, t[""]  -- all steps of a growing table
    for name in next, t do
      if type(name) == "string" then list[#list + 1] = name end
    end
    return list
  end
end

return words
