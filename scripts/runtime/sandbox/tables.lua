-- What the stock library lacks for tables and numbers.
local type = type

local tables = {}

--- True for a number without a fraction in these limits.
function tables.is_whole(n, least, most) return type(n) == "number" and n >= least and n <= most and n % 1 == 0 end

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
