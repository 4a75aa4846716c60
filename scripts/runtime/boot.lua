-- The first trusted file of a state: loads the parts that every state has, and returns the table of all parts, which
-- C++ keeps.
-- Invariant: trusted files capture every library function they use as locals while they load, before any mod code runs;
-- afterwards mods cannot change the functions that they call. The parts never reach mod code.
local host = ...
local jit, ffi = require("jit"), require("ffi")

-- Many small systems with side traces exceed LuaJIT's defaults and flush its whole cache repeatedly. A system with
-- twenty columns needs more constants and snapshots than the defaults allow, and would be interpreted: 80 times slower,
-- measured.
jit.opt.start("maxtrace=16000", "maxmcode=65536", "sizemcode=256", "maxrecord=16000", "maxside=400", "maxirconst=4000",
  "maxsnap=2000")

-- Machine code counts towards no budget, so a mod gets little room for it: 8 MB. When that is full, LuaJIT discards all
-- of it and compiles again what still runs.
if host.is_mod then jit.opt.start("maxmcode=8192") end

-- Before August 2024 LuaJIT leaves out bounds checks of Lua arrays that it needs (its issue 1194), and compiled code
-- reads and writes outside them. For such a LuaJIT we enable checks of every access: loops over Lua arrays take 1.2 to
-- 1.5 times as long, loops over views are unaffected.
if (tonumber(string.match(jit.version, "^LuaJIT 2%.1%.(%d+)$")) or 0) < 1723680000 then jit.opt.start("-abc") end

local parts = host.runtime_file("parts")(host.runtime_file)
local need = parts.need
parts.provide("parts", parts)
parts.provide("host", host)

-- Addresses as typed pointers: compiled code cannot pass light userdata to C functions.
local void_pointer = ffi.typeof("void *")
host.random = ffi.cast(void_pointer, host.random)
if host.world then host.world = ffi.cast(void_pointer, host.world) end

local loading, module = need "loading", need "module"
loading.begin()
parts.provide("api", need "native".bind())
module.env = need "sandbox"
if host.world then need "ecs" end
if host.test_start then module.loaded.test = need "test".module end
setmetatable(module.env, module.env_meta)
if not host.world then loading.finish() end

return parts.all
