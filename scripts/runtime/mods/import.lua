-- ecs.import: access to another mod's declarations, by that mod's own names.
-- Invariant: everything here is read-only and looked up on use, so that the other mod's main.lua may run before or
-- after. mod.json lists the mods that may be imported: depends and optional; the game is always allowed.
local need = ...
local order, phase, prefab, host, fail = need "order", need "phase", need "prefab", need "host", need "fail"
local component = need "component"
local type, format, setmetatable = type, string.format, setmetatable

local import = {}

-- A table that calls `find` once for each name.
local function lookup(what, find)
  local known = {}
  return setmetatable({}, {
    __index = function(_, name)
      local entry = known[name]
      if entry ~= nil then return entry end
      if type(name) ~= "string" then fail.raise(format("%s: names are strings, got %s", what, fail.shown(name))) end
      entry = find(name)
      known[name] = entry
      return entry
    end,
    __newindex = function() fail.raise(what .. " of another mod cannot be changed") end,
    __metatable = false,
  })
end

local function finder(mod, word, kind)
  return function(name)
    local handle, nearest = component.find(mod .. ":" .. name)
    local found = handle and component.of_handle(handle).kind
    local is_component = found and found ~= "event" and found ~= "resource" and found ~= "blob"
    if found and (found == kind or kind == nil and is_component) then return handle end
    local hint
    if found then
      hint = "; it is " .. (is_component and "a component" or found == "event" and "an event" or "a " .. found)
    else
      hint = fail.did_you_mean(nearest)
    end
    fail.raise(format("mod '%s' has no %s %s%s", mod, word, fail.shown(name), hint))
  end
end

local function served(ok, ...)
  if ok then return ... end
  fail.raise((...))
end

function import.service_of(mod, name)
  return function(...) return served(host.call_service(mod, name, ...)) end
end

local function import_from(mod)
  local parts = {
    id = mod,
    components = lookup("components", finder(mod, "component")),
    events = lookup("events", finder(mod, "event", "event")),
    resources = lookup("resources", finder(mod, "resource", "resource")),
    services = lookup("services", function(name)
      local found, known = host.has_service(mod, name)
      if not found then
        fail.raise(format("mod '%s' has no service %s%s", mod, fail.shown(name), fail.suggestion(name, known)))
      end
      return import.service_of(mod, name)
    end),
    prefabs = lookup("prefabs", function(name)
      local handle = prefab.find(mod .. ":" .. name)
      if handle then return handle end
      fail.raise(format("mod '%s' has no prefab %s", mod, fail.shown(name)))
    end),
  }
  return setmetatable({}, {
    __index = function(_, key)
      local part = parts[key]
      if part ~= nil then return part end
      fail.raise("an imported mod has no entry " .. fail.shown(key) .. fail.suggestion(key, order.names(parts)))
    end,
    __newindex = function() fail.raise("an imported mod cannot be changed") end,
    __tostring = function() return "mod " .. mod end,
    __metatable = false,
  })
end

local imported = {}

--- ecs.import(mod): its components, events, resources and prefabs; nil for a missing optional mod.
function import.import(mod)
  if type(mod) ~= "string" then fail.raise("ecs.import: expected the id of a mod, got " .. fail.shown(mod)) end
  local known = imported[mod]
  if known then return known end
  local is_there, message = host.import(mod)
  if is_there == nil then fail.raise("ecs.import: " .. message) end
  if not is_there then return nil end
  imported[mod] = import_from(mod)
  return imported[mod]
end

--- ecs.service(name, f): other mods may call f by value: arguments and results are copied.
function import.service(name, f)
  fail.check_name(name, "ecs.service")
  local what = format("service '%s'", name)
  phase.expect_loading(what)
  if type(f) ~= "function" then fail.raise(what .. ": expected a function, got " .. fail.shown(f)) end
  local done, message = host.add_service(name, f)
  if not done then fail.raise(message) end
end

--- The player's value of a setting: require("settings").name.
function import.setting(name)
  local entry = host.settings[name]
  if entry ~= nil then return entry end
  fail.raise("mod.json declares no setting " .. fail.shown(name) ..
    fail.suggestion(name, order.names(host.settings)))
end

--- Called by C++ when the player or the mod's author has changed them.
function import.set_settings(settings) host.settings = settings end

return import
