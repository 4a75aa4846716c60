-- load and require for mods: source text only, only files of the mod, always in the mod's environment.
-- Not here: bytecode (no VM checks it), files outside the mod's folder, and the stock loaders.
local need = ...
local module, order, running, host = need "module", need "order", need "running", need "host"
local mod, kMaxSourceBytes = host.mod, need "constants".max_source_bytes
local type, error, pcall, concat = type, error, pcall, table.concat
local find, gsub, sub = string.find, string.gsub, string.sub

-- `env` is set by sandbox.lua; `hash_env`, of the running hash function, by object.lua.
local loader = { env = nil, hash_env = nil }

--- load(chunk [, name [, mode [, env]]]) as in Lua 5.2, text only.
function loader.load(chunk, name, mode, env)
  if type(chunk) == "function" then
    local pieces, count, bytes = {}, 0, 0
    while true do
      local piece = chunk()
      if piece == nil or piece == "" then break end
      if type(piece) ~= "string" then return nil, "reader function must return a string" end
      count, bytes = count + 1, bytes + #piece
      pieces[count] = piece
      if bytes > kMaxSourceBytes then break end  -- the compiler reports it
    end
    chunk = concat(pieces)
  end
  if type(chunk) ~= "string" then
    error("bad argument #1 to 'load' (string or function expected, got " .. type(chunk) .. ")", 2)
  end
  if mode ~= nil and (type(mode) ~= "string" or not find(mode, "t", 1, true)) then
    return nil, "only source text can be loaded"
  end
  if env ~= nil and type(env) ~= "table" then
    error("bad argument #4 to 'load' (table expected, got " .. type(env) .. ")", 2)
  end
  -- The name is restricted to the mod: messages and tracebacks trust it.
  name = type(name) == "string" and gsub(sub(name, 1, 100), "[^%w_./ -]", "") or "load"
  if env == nil then env = running.hash_call() ~= 0 and loader.hash_env or loader.env end
  return host.compile(chunk, "@" .. mod .. "/" .. name, env)
end

local loaded, loading, chain = {}, {}, {}
local looked_at = {}  -- module name -> the error for a mod's file with this name, or false

local function path_of(name)
  local path = gsub(name, "%.lua$", "")
  if find(path, "[^%w_.%-/]") or find(path, "..", 1, true) or find(path, "^[./]") or find(path, "[./]$") or
      find(path, "//", 1, true) then
    return nil
  end
  return gsub(path, "%.", "/") .. ".lua"
end

local full_lua = { debug = true, ffi = true, io = true, jit = true, os = true, package = true }

local function not_found(name, path, reason)
  local message = "module '" .. name .. "' not found: no engine module of this name, and " ..
    (path and ("file '" .. mod .. "/" .. path .. "' " .. reason) or "not a path inside the mod")
  local known = order.names(module.loaded)
  for i = 1, #host.module_names do known[#known + 1] = host.module_names[i] end
  local nearest = host.nearest(name, known)
  if full_lua[name] then message = message .. "; it is for games that are run with --trusted" end
  if nearest ~= "" then message = message .. "; did you mean '" .. nearest .. "'?" end
  error(message, 3)
end

--- require "ecs" returns an engine module; require "lib.util" or "lib/util" runs the mod's file lib/util.lua once.
function loader.require(name)
  if type(name) ~= "string" then
    error("bad argument #1 to 'require' (string expected, got " .. type(name) .. ")", 2)
  end
  local found = module.loaded[name] or module.open(name)
  if found ~= nil then
    if looked_at[name] == nil then looked_at[name] = host.reserved_file(name) or false end
    if looked_at[name] then error(looked_at[name], 2) end
    return found
  end
  local path = path_of(name)
  if not path then not_found(name) end
  local value = loaded[path]
  if value ~= nil then return value end
  if running.leaves_nothing() then
    local who = running.is_presentation() and "a presentation system" or "a hash function"
    error("file '" .. mod .. "/" .. path .. "' is not loaded yet, and " .. who .. " may not be the first to " ..
      "load it: require it where main.lua runs", 2)
  end
  if loading[path] then
    error("files require each other in a cycle: " .. concat(chain, " -> ") .. " -> " .. path, 2)
  end

  local source, reason = host.read_file(path)
  if not source then not_found(name, path, reason) end
  local chunk, message = host.compile(source, "@" .. mod .. "/" .. path, loader.env)
  if not chunk then error(message, 0) end

  loading[path] = true
  chain[#chain + 1] = path
  local ok, result = pcall(chunk, name)
  chain[#chain] = nil
  loading[path] = nil
  if not ok then error(result, 0) end
  if result == nil then result = true end
  loaded[path] = result
  return result
end

return loader
