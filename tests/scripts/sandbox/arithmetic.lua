-- Numbers from many operations, in loops long enough to be compiled. The C++ side runs it with and without compiling
-- and compares what is printed.
local function at(i) return math.sin(i * 12.9898) * 43.5453 end

local operations = {
  function(x, y) return x ^ 2 + y ^ 2 end,
  function(x, y) return x ^ 3 - y ^ 4 end,
  function(x, y) return math.abs(x) ^ 0.5 + math.abs(y) ^ 1.7 end,
  function(x, y) return 2 ^ x + x ^ -1 end,
  function(x, y) return x % y end,
  function(x, y) return math.sin(x) * math.cos(y) + math.tan(x) end,
  function(x, y) return math.exp(x / 9) + math.log(math.abs(y) + 1) end,
  function(x, y) return math.atan2(x, y) + math.sqrt(math.abs(x)) end,
  function(x, y) return math.floor(x) + math.ceil(y) + math.fmod(x, 3) end,
  function(x, y) return math.min(x, y) - math.max(x, y, 1) end,
  function(x, y) return math.min(x, 0 / 0) end,
  function(x, y) return math.max(0 / 0, y) end,
  function(x, y) return bit.band(x * 1e6, y * 1e6) + bit.rshift(x * 1e9, 3) end,
  function(x, y) return tonumber(string.format("%.9g", x)) + #tostring(y) end,
  function(x, y) return math.random() * x + math.random(1, 100) end,
}

for number, operation in ipairs(operations) do
  local digest = 0
  local sample
  for i = 1, 20000 do
    local value = operation(at(i), at(i + 0.5))
    if value == value then digest = (digest * 31 + value) % 1e9 end
    if i == 12345 then sample = value end
  end
  print(number, string.format("%.17g %.17g", digest, sample))
end
