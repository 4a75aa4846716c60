-- The first trusted file of a state: loads the others in order and returns the table that C++ keeps.
-- Invariant: trusted files capture every library function they use as locals while they load, before any mod code runs;
-- afterwards mods cannot change the functions that they call. `rt` never reaches mod code.
local host = ...
local jit, ffi = require("jit"), require("ffi")
local next, rawget, rawset, setmetatable, type = next, rawget, rawset, setmetatable, type
local get_meta = debug.getmetatable

-- Many small systems with side traces exceed LuaJIT's defaults and flush its whole cache repeatedly. A system with
-- twenty columns needs more constants and snapshots than the defaults allow, and would be interpreted: 80 times slower,
-- measured.
jit.opt.start("maxtrace=16000", "maxmcode=65536", "sizemcode=256", "maxrecord=16000", "maxside=400", "maxirconst=4000",
  "maxsnap=2000")

-- Machine code is in no budget, so a mod has little room for it: 8 MB. What needs more compiles again, as it is used.
if host.is_mod then jit.opt.start("maxmcode=8192") end

-- Before August 2024 LuaJIT leaves out bounds checks of Lua arrays that it needs (its issue 1194), and compiled code
-- reads and writes outside them. For such a LuaJIT we enable checks of every access: loops over Lua arrays take 1.2 to
-- 1.5 times as long, loops over views are unaffected.
if (tonumber(string.match(jit.version, "^LuaJIT 2%.1%.(%d+)$")) or 0) < 1723680000 then jit.opt.start("-abc") end

local rt = { host = host, mod = host.mod, modules = {} }

local set_options, collect, forgetting = jit.opt.start, collectgarbage, {}

--- Calls `forget` whenever the mod's files have run.
function rt.after_load(forget) forgetting[#forgetting + 1] = forget end

--- While files load, code that runs a few dozen times is not worth a trace, and garbage is collected early: the memory
--- of both would stay for the life of the state, and there may be a hundred mods.
function rt.begin_load()
  set_options("hotloop=500")
  collect("setpause", 110)
  collect("setstepmul", 1000)
end

--- From here on mostly systems run.
function rt.end_load()
  set_options("hotloop=28")
  collect("setpause", 130)  -- state.cpp continues
  collect("setstepmul", 200)
  if host.note_system then return rt.sharing.tell() end
  for i = 1, #forgetting do forgetting[i]() end
end

rt.begin_load()

--- True while a presentation system runs. Simulation must not depend on how often those run, so none of their side
--- effects may reach it: random numbers, object numbers, loaded files (docs/decisions/0022). Set by C++; a state
--- without a world has no such systems.
function rt.is_presentation() return rt.cell ~= nil and rt.cell.is_presentation ~= 0 end

--- True while code runs whose execution must not be observable by simulation: presentation, or a hash function.
function rt.leaves_nothing() return rt.is_presentation() or rt.phase ~= nil and rt.phase.is_hash() end

--- Number of the running hash function's call; 0 while none runs. Counted by object.lua.
rt.hash_calls = 0
function rt.hash_call() return rt.phase ~= nil and rt.phase.is_hash() and rt.hash_calls or 0 end

--- For library objects with a position: a hash function moves on only those that it made itself. `made_in`: hash_call()
--- when it was made.
function rt.expect_own(made_in, what)
  local now = rt.hash_call()
  if now == 0 or made_in == now then return end
  rt.fail.raise(what .. ": it was made outside of this hash function, which leaves it as it is")
end

local getinfo, sub, match, gsub, error = debug.getinfo, string.sub, string.match, string.gsub, error

--- True if this source (from debug.getinfo) is that of a runtime function, which does not count as a caller for mods.
function rt.is_runtime(source) return sub(source, 1, 9) == "=perigee/" end

local is_runtime = rt.is_runtime
local running = coroutine.running

-- Coroutine -> the coroutine that resumed it last; none for the main one. Filled by nested.lua.
rt.resumers = setmetatable({}, { __mode = "kv" })

-- A coroutine may contain no mod code except below its main function, which is the library's.
local function innermost_above(co, what)
  while co do
    local above, level = rt.resumers[co], 0
    local info = above and getinfo(above, level, what)
    while info do
      if info.what ~= "C" and not is_runtime(info.source) then return info end
      level = level + 1
      info = getinfo(above, level, what)
    end
    co = above
  end
end

--- The result of debug.getinfo for the innermost function of mod code (`what` as there), and its level relative to the
--- caller of this function (nil for a function of another coroutine). nil if there is no mod code below.
function rt.innermost(what)
  local level = 2
  while true do
    local info = getinfo(level, what)
    if not info then return (innermost_above(running(), what)) end
    if info.what ~= "C" and not is_runtime(info.source) then return info, level - 1 end
    level = level + 1
  end
end

--- Raises an argument error in the words of the stock library; `level` as for `error` at this call.
function rt.refuse_argument(position, name, expected, value, level)
  error("bad argument #" .. position .. " to '" .. name .. "' (" .. expected .. " expected, got " ..
    (value == nil and "no value" or type(value)) .. ")", level + 1)
end

--- t[key], a table created on first access.
function rt.inner(t, key)
  local found = t[key]
  if not found then
    found = {}
    t[key] = found
  end
  return found
end

-- Functions that list the names of opaque tables: for consoles.
rt.words = setmetatable({}, { __mode = "k" })
function rt.keys_of(t)
  return function()
    local list, _ = {}, t[""]  -- all parts of a growing table
    for name in next, t do
      if type(name) == "string" then list[#list + 1] = name end
    end
    return list
  end
end

-- Names and paths are short: longer texts are charged by the byte before C++ reads them. By argument position.
local kFreeBytes = 256
local charged_text = {
  function(f)
    return function(text, length, ...)
      if length > kFreeBytes then rt.fuel.spend(length) end
      return f(text, length, ...)
    end
  end,
  function(f)
    return function(a, text, length, ...)
      if length > kFreeBytes then rt.fuel.spend(length) end
      return f(a, text, length, ...)
    end
  end,
  function(f)
    return function(a, b, text, length, ...)
      if length > kFreeBytes then rt.fuel.spend(length) end
      return f(a, b, text, length, ...)
    end
  end,
}

local function charged(f, ctype)
  local before = match(ctype, "%(%*%)%((.-)const char %*, double")
  if not before then return f end
  local _, arguments = gsub(before, ",", "")
  return charged_text[arguments + 1](f)
end

--- The C functions of an engine module, or of the library itself, each bound on first use. Module functions that take a
--- text and its length charge fuel for it.
function rt.bind(module)
  return setmetatable({}, {
    __index = function(bound, name)
      local ctype, address = host.native(name, module)
      if not ctype then return nil end
      local f = ffi.cast(ctype, address)
      rawset(bound, name, module and charged(f, ctype) or f)
      return bound[name]
    end,
  })
end

function rt.include(name) return host.runtime_file(name)(rt) end

--- A part that loads on first use: most mods use only some parts, and there may be a hundred mods. Trusted files see
--- the stock globals whenever they load.
function rt.include_later(name)
  return setmetatable({}, {
    __index = function(part, key)
      local loaded = rt.include(name)
      setmetatable(part, get_meta(loaded))
      for word, entry in next, loaded do part[word] = entry end
      return part[key]
    end,
  })
end

local parts_for_load = {}

--- A part that is unloaded when the mod's files have run. It loads again on demand and keeps no state.
function rt.include_for_load(name)
  local part = rt.include_later(name)
  local unloaded = get_meta(part)
  parts_for_load[#parts_for_load + 1] = part
  rt.after_load(function()
    for key in next, part do part[key] = nil end
    setmetatable(part, unloaded)
  end)
  return part
end

--- Loads all such parts together, so that their memory is freed as a whole.
function rt.prepare_load()
  for _, part in next, parts_for_load do
    local _ = part[""]
  end
end

--- A table to which these functions add entries, one after the other, when a missing entry is accessed.
function rt.grow(t, ...)
  local parts, added = { ... }, 0
  return setmetatable(t, {
    __index = function(self, key)
      while added < #parts do
        parts[added + 1](self)
        added = added + 1
        local entry = rawget(self, key)
        if entry ~= nil then return entry end
      end
    end,
  })
end

rt.api = rt.bind()

-- Addresses as typed pointers: compiled code cannot pass light userdata to C functions.
local void_pointer = ffi.typeof("void *")
host.random = ffi.cast(void_pointer, host.random)
if host.world then host.world = ffi.cast(void_pointer, host.world) end
rt.fuel = rt.include("fuel")
rt.merge = rt.include("merge")
rt.order = rt.include("order")
rt.text = rt.include("text")
rt.whole = rt.include("whole")
rt.nested = rt.include("nested")
rt.pattern = rt.include("pattern")
rt.sized = rt.include("sized")
rt.numbers = rt.include("numbers")
rt.bits = rt.include("bits")
rt.load = rt.include("load")
rt.env = rt.include("sandbox")
if host.world then rt.include("ecs") end
if host.test_start then rt.modules.test = rt.include("test") end

-- Opens an engine module when a mod first requires it or uses it as a global: the wrapper is trusted, its result goes
-- to the mod.
function rt.open_module(name)
  local context = host.modules[name]
  if context == nil then return nil end
  rt.modules[name] = host.runtime_file(name)(rt, rt.bind(name), ffi.cast(void_pointer, context))
  return rt.modules[name]
end

rt.env_meta = {
  __index = function(env, name)
    local module = rt.open_module(name)
    if module ~= nil then rawset(env, name, module) end
    if module == nil and name == "state" and rt.state then return rt.state.of(env) end
    return module
  end,
  __metatable = false,
}
setmetatable(rt.env, rt.env_meta)
if not host.world then rt.end_load() end

return rt
