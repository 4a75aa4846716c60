-- What the stock library lacks for tables.
local tables = {}

--- t[key], a table created on first access.
function tables.inner(t, key)
  local found = t[key]
  if not found then
    found = {}
    t[key] = found
  end
  return found
end

return tables
