-- Each operation of the language that yields a number, a string or a comparison, over random inputs: all magnitudes,
-- zeros of both signs, infinities, NaN, halves, whole numbers at the edges of what converts. Each has a loop of its own,
-- so each is compiled on its own. The C++ side runs this with and without compiling and compares `results` bit by bit.
local inputs = 1500

local special = {
  0, -0, 1, -1, 2, -2, 3, 10, 0.5, -0.5, 1.5, 2.5, -1.5, 1 / 0, -1 / 0, 0 / 0, -(0 / 0), 5e-324, -5e-324, 2.2250738585072014e-308,
  1.7976931348623157e308, 2 ^ 31, 2 ^ 31 - 1, -2 ^ 31, -2 ^ 31 - 1, 2 ^ 31 + 0.5, 2 ^ 32, 2 ^ 32 - 1, 2 ^ 51, 2 ^ 52 + 0.5,
  2 ^ 53, 2 ^ 53 - 1, -2 ^ 53, 2 ^ 63, -2 ^ 63, 2 ^ 64, 1e15, 1e16, 1e21, 0.1, 1e-5, 1e100, 127, 128, 255, 256, 65535,
}
local random, ldexp = math.random, math.ldexp

local function any_number()
  local kind = random(1, 6)
  if kind == 1 then return special[random(1, #special)] end
  if kind == 2 then return random(-20, 20) end
  if kind == 3 then return random(-2 ^ 33, 2 ^ 33) end
  if kind == 4 then return (random() - 0.5) * 100 end
  if kind == 5 then return (random() - 0.5) * 4294967296 end
  return ldexp(random() - 0.5, random(-1074, 1024))
end

local xs, ys, is, ss = {}, {}, {}, {}
local pieces = { "0", "1", "7", "9", ".", "e", "-", "+", "0x", "f", " ", "p", "inf", "nan", "1e3", "12345678901234567890", "\t" }
for i = 1, inputs do
  xs[i], ys[i], is[i] = any_number(), any_number(), random(-9, 9)
  local s = ""
  for _ = 1, random(0, 4) do s = s .. pieces[random(1, #pieces)] end
  ss[i] = random(1, 3) == 1 and s or string.format("%.17g", random() * 10 ^ random(-5, 20))
end

local expressions = {
  -- arithmetic, also with constants, which compilers fold
  "x + y", "x - y", "x * y", "x / y", "x % y", "x ^ y", "-x", "-(x - y)", "0 - x", "x + 0", "x - 0", "0 + x", "x * 1",
  "x * -1", "x * 0", "x * 2", "x / 2", "x / 3", "x / -1", "1 / x", "x - x", "x / x", "x + x", "(x + y) - y", "x * y + x",
  "x % 1", "x % 2", "x % -3", "x % 0.1", "x % 0", "5 % x", "-5 % x", "x % 4294967296", "x % (1/0)",
  "x ^ 0", "x ^ 1", "x ^ 2", "x ^ 3", "x ^ 4", "x ^ -1", "x ^ -2", "x ^ 0.5", "x ^ -0.5", "x ^ 1.5", "x ^ (1/3)", "2 ^ x",
  "10 ^ x", "(-2) ^ x", "x ^ i", "i ^ x", "(x * x) ^ 0.5", "x ^ 65536", "x ^ (1/0)", "i + x", "i * i - i", "i % 3", "i / 0",
  "-i", "1 / -i", "i % 0", "-(i - i)", "1 / (i * 0)", "1 / (-(i - i))",
  -- comparisons
  "x < y", "x <= y", "x > y", "x >= y", "x == y", "x ~= y", "not (x < y)", "not (x >= y)", "x == x", "x < 0", "0 < x",
  "x == 0", "x and y", "x < y and x or y", "x ~= 0 and 1 / x",
  -- math
  "math.abs(x)", "math.floor(x)", "math.ceil(x)", "1 / math.ceil(x)", "1 / math.floor(x)", "math.sqrt(x)", "math.exp(x)",
  "math.log(x)", "math.log(x, 2)", "math.log(x, 10)", "math.log(x, y)", "math.log10(x)", "math.sin(x)", "math.cos(x)",
  "math.tan(x)", "math.asin(x)", "math.acos(x)", "math.atan(x)", "math.atan2(x, y)", "math.atan2(y, 0)", "math.sinh(x)",
  "math.cosh(x)", "math.tanh(x)", "math.fmod(x, y)", "math.fmod(x, 3)", "math.pow(x, y)", "math.pow(x, 2)", "math.pow(x, 0.5)",
  "math.ldexp(x, i)", "math.ldexp(x, 1100)", "math.ldexp(x, -1100)", "math.frexp(x)", "select(2, math.frexp(x))",
  "math.modf(x)", "select(2, math.modf(x))", "math.deg(x)", "math.rad(x)", "math.min(x, y)", "math.max(x, y)",
  "math.min(x, 0)", "math.max(0, x)", "math.min(x, y, i)", "math.max(i, y, x)", "math.max(x)", "1 / math.max(x, y)",
  "math.floor(x + 0.5)", "math.floor(x / y)", "math.min(math.max(x, -100), 100)", "x - math.floor(x)", "math.random(1, 6) + x",
  -- bits
  "bit.tobit(x)", "bit.bnot(x)", "bit.band(x, y)", "bit.bor(x, y)", "bit.bxor(x, y)", "bit.lshift(x, y)", "bit.rshift(x, y)",
  "bit.arshift(x, y)", "bit.rol(x, y)", "bit.ror(x, y)", "bit.bswap(x)", "bit.lshift(x, 3)", "bit.rshift(x, i)", "bit.band(x, 255)",
  "bit.tohex(x)", "bit.tohex(x, i)", "bit.lshift(1, y)", "bit.band(x, -1)", "bit.rol(x, 35)",
  -- text
  "tostring(x)", "x .. ''", "x .. ',' .. y", "-x .. ''", "tostring(x + y)", "(x - y) .. ''", "(x * y) .. 'z'", "tostring(-x)",
  "tostring(x / y)", "tostring(math.sqrt(x))", "tostring(math.log(x))", "tostring(math.max(x, y))", "(y + x) .. ''",
  "table.concat({ x, y, i }, ' ')", "string.format('%d', i)", "string.format('%5.1f', i)",
  "pcall(string.format, '%d', x) and string.format('%d', x)", "string.format('%x', i)", "string.format('%g', x)",
  "string.format('%.17g', x)", "string.format('%.3f', x)", "string.format('%e', y)", "string.format('%a', x)",
  "string.format('%s %s', x, y)", "string.format('%q', s)", "string.format('%s', x - y)", "string.format('%5s|%-8s', x, i)",
  "string.format('%i', i)", "string.format('%u', i * i)", "string.format('%c', i * i)", "string.format('%X', i * i)",
  "string.format('%o', i * i)", "string.format('%+d', i)", "string.format('%.0f', x)", "string.format('%G', x)",
  "#tostring(x)", "tostring(i)", "tostring(x < y)", "tostring(nil)", "tostring(i == 3 and x or nil)",
  "tonumber(s)", "tonumber(tostring(x))", "tonumber(string.format('%.17g', x))", "tonumber(x)", "tonumber(s, 16)",
  "tonumber(s, 10)", "tonumber(i * i, 36)", "tonumber(s) and s + 1", "tonumber(s) and s * y", "tonumber(s) and -s",
  "tonumber(s) and s .. 1", "tonumber(s) and math.floor(s)", "tonumber(s) and s % 7", "tonumber(s) and s ^ 2", "s == '7'",
  "s < 'a'", "s <= tostring(x)", "s .. x", "#s", "('abcdef'):sub(x, y)", "('abcdef'):sub(i)", "('abcdef'):sub(i, -2)",
  "('abcdef'):byte(i)", "('abcdef'):byte(x)", "#('ab'):rep(i)", "s:upper()", "s:lower() .. s:reverse()", "s:find('1', 1, true)",
  "s:find('%d+')", "s:match('e(.*)')", "(s:gsub('%d', 'n'))", "string.char(i * i)", "s:len() + x", "s:byte(-1)",
  -- tables, calls, loops
  "({ 10, 20, 30 })[x]", "({ 10, 20, 30 })[i]", "({ [0] = 5, [-1] = 6, [0.5] = 7 })[x]", "({ [-0] = 5 })[x * 0]",
  "(function() local t = {} t[x == x and x or 1] = y return t[x] end)()", "select('#', x, y)", "pcall(select, i, x, y)",
  "(function() local n = 0 for k = i, 9, 3 do n = n + k end return n end)()",
  "(function() local n = 0 for k = 1, 2, 0.1 do n = n + k * x end return n end)()",
  "(function() local n = 0 for k = -i, i do n = n - k end return 1 / n end)()",
  "(function() local n = 0 for _ = 1, math.min(x, 12) do n = n + 1 end return n end)()",
  "(function() local n = 0 for _ = 12, math.max(x, 1), -1 do n = n + 1 end return n end)()",
  "(function() local n = 0 for _ = 1, x do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = x, 3 do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = x, y, 0 do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = x, y, -0 do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = i, 3, x * 0 do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = x, y, i do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = 0 for _ = 1, 3, x do n = n + 1 if n > 9 then break end end return n end)()",
  "(function() local n = x for _ = 1, 20 do n = n * 0.9 + y end return n end)()",
  "(function() local a, b = 0, 1 for _ = 1, 40 do a, b = b, (a + b * i) % 1000003 end return b end)()",
  "('abcdef'):find('c', x, true)", "('abcdef'):find('c', x)", "('abcdef'):match('c.', x)", "('abcdef'):sub(x)", "('abcdef'):sub(s)",
  "select('#', ('abcdef'):byte(x, y))", "('abcdef'):byte(x, x + 2)", "#('ab'):rep(math.min(x, 1000))", "#(''):rep(x)",
  "table.concat({ 1, 2, 3 }, ',', i)", "select(2, pcall(table.concat, { 1, 2, 3 }, ',', x, y))", "select(2, pcall(unpack, { 1, 2 }, x, y))",
  "select(2, pcall(unpack, { 1, 2 }, i, x))", "select(2, pcall(select, x, 7, 8, 9))", "select(2, pcall(select, i, x, y))",
  "select(2, pcall(string.char, x))", "select(2, pcall(string.format, '%c', x))", "select(2, pcall(string.format, '%x', x))",
  "select(2, pcall(string.format, '%d', x))", "select(2, pcall(string.format, '%u', x))", "select(2, pcall(string.format, '%.3d', x))",
  "math.ldexp(x, y)", "math.ldexp(1, x)", "bit.tohex(x, y)", "select(2, pcall(tonumber, 'z', x))", "select(2, pcall(tonumber, '1', i))",
  "(s:gsub('.', 'n', x))", "select(2, pcall(table.remove, { 1, 2, 3 }, x))", "select(2, pcall(table.insert, {}, x, 1))",
  "select(2, pcall(table.insert, { 1, 2 }, i, 5))", "select(2, pcall(math.random, x, y)) ~= nil", "#{ x, y, i }", "rawequal(x, y)", "type(x)", "math.type", "x == 1 and 'one' or x", "unpack({ i, x }, 2)",
}

results = {}
for number, expression in ipairs(expressions) do
  local run = assert(load("local xs, ys, is, ss, out = ...\nfor n = 1, #xs do\n" ..
    "  local x, y, i, s = xs[n], ys[n], is[n], ss[n]\n  out[n] = " .. expression .. "\nend"))
  local out = {}
  local ok, message = pcall(run, xs, ys, is, ss, out)
  results[number] = { expression, xs, ys, is, ss, out, ok or message }
end
