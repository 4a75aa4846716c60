-- Small functions that the stock library lacks, for tables and numbers.
local type = type

local tables = {}

--- True for a number without a fraction in these limits.
function tables.is_whole(n, min, max) return type(n) == "number" and n >= min and n <= max and n % 1 == 0 end

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
