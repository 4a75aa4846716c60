-- Switching systems and groups on and off, asking for their state, running groups once: the methods of ctx.commands,
-- ctx and ecs.world. Invariant: inside systems a switch is a command. C++ decides who may switch what
-- (scripting/host/internal/schedule_host.h).
local need = ...
local host, fail, layout = need "host", need "fail", need "layout"
local ffi = require("ffi")
local type, tonumber, coroutine_running = type, tonumber, coroutine.running

local switches = {}

local function check(name, flag, what, has_flag)
  if type(name) ~= "string" then
    fail.raise(what .. ": expected the name of a system or group, got " .. fail.shown(name))
  end
  if has_flag and type(flag) ~= "boolean" then
    fail.raise(what .. ": expected true or false, got " .. fail.shown(flag))
  end
end

local function expect(done, message, what)
  if not done then fail.raise(what .. ": " .. message) end
end

local function switch(address, name, flag, what)
  check(name, flag, what, true)
  local done, message = host.switch_system(address, name, flag)
  expect(done, message, what)
end

local function run(address, name, what)
  check(name, nil, what)
  local done, message = host.run_group(address, name)
  expect(done, message, what)
end

local function state(name, what)
  check(name, nil, what)
  local enabled, active, failed = host.system_state(name, layout.cell.is_presentation ~= 0)
  if enabled == nil then fail.raise(what .. ": " .. active) end
  return { enabled = enabled, active = active, failed = failed }
end

--- ctx.commands
function switches.extend_commands(methods, system_of)
  local function address_of(self, name) return tonumber(ffi.cast("uintptr_t", system_of(self, name))) end

  --- enable_system("mod:name", true or false): a system or group; at playback.
  function methods.enable_system(self, name, flag)
    switch(address_of(self, "enable_system"), name, flag, "commands:enable_system")
  end

  --- run_group("name"): once more, when the group of the engine that runs now has ended.
  function methods.run_group(self, name) run(address_of(self, "run_group"), name, "commands:run_group") end
end

--- ctx
function switches.extend_context(methods, check_running)
  --- system_state("name"): { enabled =, active =, failed = }.
  function methods.system_state(self, name)
    check_running("system_state", self)
    return state(name, "ctx:system_state")
  end
end

--- ecs.world: at once.
function switches.extend_world(methods, expect_outside)
  function methods.enable_system(self, name, flag)
    expect_outside(self, "enable_system")
    switch(0, name, flag, "ecs.world:enable_system")
  end

  function methods.run_group(self, name)
    expect_outside(self, "run_group")
    if coroutine_running() then fail.raise("ecs.world:run_group: call it outside of coroutines") end
    run(0, name, "ecs.world:run_group")
  end

  function methods.system_state(self, name)
    expect_outside(self, "system_state")
    return state(name, "ecs.world:system_state")
  end
end

return switches
