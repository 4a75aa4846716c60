-- What exists for a mod, and that nothing else does.
local t = require "harness"

for _, name in ipairs {
  "debug", "jit", "ffi", "package", "io", "os", "loadfile", "dofile", "loadstring", "module", "gcinfo", "getfenv",
  "setfenv", "newproxy", "collectgarbage", "_G", "arg",
} do
  t.equal(load("return " .. name)(), nil, name)
end
t.equal(string.dump, nil)
t.equal(table.foreach, nil)
t.equal(table.foreachi, nil)
t.equal(table.new, nil)
t.equal(string.buffer, nil)

for _, name in ipairs {
  "assert", "error", "ipairs", "next", "pairs", "pcall", "rawequal", "rawget", "rawset", "select", "setmetatable",
  "tonumber", "type", "unpack", "getmetatable", "tostring", "print", "xpcall", "load", "require",
} do
  t.equal(load("return type(" .. name .. ")")(), "function", name)
end
for name, functions in pairs {
  math = "abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp ldexp log log10 max min modf pow rad random " ..
    "randomseed sin sinh sqrt tan tanh",
  string = "byte char find format gmatch gsub len lower match rep reverse sub upper",
  table = "concat insert maxn move remove sort",
  coroutine = "create resume running status wrap yield",
  bit = "arshift band bnot bor bswap bxor lshift rol ror rshift tobit tohex",
} do
  local library = load("return " .. name)()
  for word in functions:gmatch("%w+") do t.equal(type(library[word]), "function", name .. "." .. word) end
end

-- engine libraries are gone for require as well
for _, name in ipairs { "ffi", "jit", "debug", "io", "os", "package", "jit.util", "string.buffer", "table.new" } do
  t.fails("not found", require, name)
end
t.equal(require "string", string)
