-- The order in which tools show the entries of a table. Stateless; it changes no table.
local next, rawget, type, sort = next, rawget, type, table.sort

local table_entries = {}

local function by_text(a, b) return a.text < b.text end

--- Calls add(value) for each element of the list, then add(value, text) for each other entry, ordered by
--- text = key_text(key). Calls no metamethods.
function table_entries.each(t, key_text, add)
  local count = 0
  while rawget(t, count + 1) ~= nil do
    count = count + 1
    add(rawget(t, count))
  end
  local named = {}
  for key, value in next, t do
    local is_listed = type(key) == "number" and key >= 1 and key <= count and key % 1 == 0
    if not is_listed then named[#named + 1] = { text = key_text(key), value = value } end
  end
  sort(named, by_text)
  for i = 1, #named do add(named[i].value, named[i].text) end
end

return table_entries
