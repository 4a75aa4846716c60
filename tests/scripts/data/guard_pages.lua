-- Odd indices at a column that lies between two pages which must not be touched. `column` comes from C++, with
-- `rows` rows. Whatever is accepted must be a whole row; everything else must be an error, not a fault.
local fields = { "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "bool" }
local state = 12345
local function random(n)
  state = (state * 1103515245 + 12345) % 2147483648
  return state % n
end

local odd = {
  function() return random(rows) + 1 end,
  function() return random(rows * 4) - rows end,
  function() return rows + 1 end,
  function() return 0 end,
  function() return -random(1e9) end,
  function() return random(2 ^ 31) * random(2 ^ 31) end,
  function() return 2 ^ random(1100) end,
  function() return -2 ^ random(70) end,
  function() return random(rows) + random(1000) / 1000 end,
  function() return -random(1000) / 1000 end,
  function() return 0 / 0 end,
  function() return 1 / 0 end,
  function() return -1 / 0 end,
  function() return 2 ^ 64 + random(5) * 4096 end,
  function() return 2 ^ 63 + random(5) * 2048 end,
  function() return 2 ^ 32 + random(rows) end,
  function() return tostring(random(rows)) end,
  function() return {} end,
  function() return 1LL * random(rows) end,
  function() return setmetatable({}, { __sub = function() return 5LL end, __add = function() return 1 end }) end,
}

local accepted, refused = 0, 0
for _, name in ipairs(fields) do
  local values = column[name]
  local value = name == "bool" and true or 1
  local function touch(i)
    local old = values[i]
    values[i] = value
    return old
  end
  for _ = 1, 100 do touch(random(rows) + 1) end  -- compiled by now
  for _ = 1, 4000 do
    local i = odd[random(#odd) + 1]()
    if pcall(touch, i) then
      accepted = accepted + 1
      if type(i) ~= "number" or i ~= i or i < 1 or i >= rows + 1 then error("accepted " .. tostring(i)) end
    else
      refused = refused + 1
      if type(i) == "number" and i >= 1 and i <= rows and i % 1 == 0 then error("refused " .. tostring(i)) end
    end
  end
end
assert(accepted > 1000 and refused > 1000)
