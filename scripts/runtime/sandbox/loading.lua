-- How the compiler and the garbage collector are set while the files of a mod run, and afterwards.
local need = ...
local parts = need "parts"
local set_options, collect = require("jit").opt.start, collectgarbage

local loading = { instead = nil }  -- called at the end in place of forgetting; set by ecs.lua

--- While files load, code that runs a few dozen times is not worth a trace, and garbage is collected early: the memory
--- of both would stay for the life of the state, and there may be a hundred mods.
function loading.begin()
  set_options("hotloop=500")
  collect("setpause", 110)
  collect("setstepmul", 1000)
end

--- From here on mostly systems run.
function loading.finish()
  set_options("hotloop=28")
  collect("setpause", 130)  -- state.cpp continues
  collect("setstepmul", 200)
  if loading.instead then return loading.instead() end
  parts.forget()
end

return loading
