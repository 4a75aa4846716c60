-- The environment of mod code, built from an allowlist: names not listed here do not exist for a mod. Never subtract
-- from the stock globals: anything forgotten would stay. Each mod has its own copy of each library.
-- Not here, ever: debug, jit, ffi, package, io, os, getfenv, setfenv, newproxy, collectgarbage, loaders of files,
-- string.dump, _G.
local need = ...
local bits, load, module, call_depth = need "bits", need "load", need "module", need "call_depth"
local numbers, order, pattern, charged = need "numbers", need "order", need "pattern", need "charged"
local positions, text, host = need "positions", need "text", need "host"
local spend, is_runtime = need "fuel".spend, need "callers".is_runtime
local placed = call_depth.placed
local type, rawget, pcall, error = type, rawget, pcall, error
local select = select
local raw_getmetatable, getinfo = debug.getmetatable, debug.getinfo

local function copy(from, names)
  local to = {}
  for i = 1, #names do to[names[i]] = from[names[i]] end
  return to
end

local env = copy(_G, {
  "assert", "error", "ipairs", "rawequal", "rawget", "rawset", "select", "setmetatable", "type",
  "_VERSION",
})
env.tonumber, env.unpack = charged.tonumber, charged.unpack

--- As stock, but a Lua function, which checks for stack space. pcall itself does not (LuaJIT issue 1048), so
--- pcall(pcall, pcall, …) and metamethods that are pcall write past the end of the stack. Passing arguments costs fuel.
function env.pcall(...)
  spend(1 + select("#", ...) / 8)
  return placed(nil, pcall(...))
end

--- As stock, but skips the engine's own functions, which do not count as callers for mods.
function env.error(message, level, ...)
  if type(level) == "number" and level >= 2 then
    local info = getinfo(level + 1, "S")
    while info and is_runtime(info.source) do
      level = level + 1
      info = getinfo(level + 1, "S")
    end
    if not info then level = 0 end
  end
  return error(message, level, ...)
end

env.bit = copy(bits, {
  "arshift", "band", "bnot", "bor", "bswap", "bxor", "lshift", "rol", "ror", "rshift", "tobit", "tohex",
})
env.coroutine = copy(coroutine, { "isyieldable", "running", "status", "yield" })
for _, name in ipairs { "create", "resume", "wrap" } do env.coroutine[name] = call_depth[name] end
env.math = numbers
env.string = copy(string, {
  "char", "len",
})
for _, name in ipairs { "byte", "sub" } do env.string[name] = positions[name] end
for _, name in ipairs { "find", "gmatch", "gsub", "match" } do env.string[name] = pattern[name] end
for _, name in ipairs { "lower", "rep", "reverse", "upper" } do env.string[name] = charged[name] end
env.string.format = text.format
env.table = {}
for _, name in ipairs { "concat", "insert", "maxn", "move", "remove" } do env.table[name] = charged[name] end
env.table.sort = call_depth.sort

env.pairs = order.pairs
env.next = order.next
env.tostring = text.tostring
env.load = load.load
env.require = load.require

--- For metatables of tables only; a protected one shows its __metatable field, as in stock Lua.
function env.getmetatable(value)
  local kind = type(value)
  if kind == "table" then
    local meta = raw_getmetatable(value)
    local shown = meta and rawget(meta, "__metatable")
    if shown ~= nil then return shown end
    return meta
  end
  if kind == "nil" or kind == "number" or kind == "boolean" then return nil end
  return false
end

local function handled(handler, ok, ...)
  if ok then return true, ... end
  local _, result = pcall(handler, (...))
  return false, result
end

--- As stock, but the handler runs after unwinding, where a watchdog can still reach it.
function env.xpcall(f, handler, ...)
  if type(handler) ~= "function" then
    error("bad argument #2 to 'xpcall' (function expected, got " .. type(handler) .. ")", 2)
  end
  return handled(handler, placed(nil, pcall(f, ...)))
end

function env.print(...)
  host.log("info", text.joined(...))
end

-- ("x"):rep(3) uses the mod's own string table, and nothing can reach or replace the metatable itself.
local string_meta = raw_getmetatable("")
string_meta.__index = env.string
string_meta.__metatable = false

-- A game that the player trusts gets the rest as well; the replacements above stay.
if host.is_trusted then
  for name, value in next, _G do
    if env[name] == nil then env[name] = value end
  end
  env._G, env.string.dump = env, string.dump
  for _, name in ipairs { "debug", "ffi", "io", "jit", "os", "package" } do module.loaded[name] = require(name) end
end

load.env = env
for name in next, { bit = 1, coroutine = 1, math = 1, string = 1, table = 1 } do module.loaded[name] = env[name] end
return env
