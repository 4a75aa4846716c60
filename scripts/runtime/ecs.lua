-- require "ecs": the module for mods, assembled from its parts. Parts that few mods need load on first use; so do
-- entries of the module.
-- Not here: the implementation of any part.
local need = ...
local parts, host, order = need "parts", need "host", need "order"
local running, module, loading, words = need "running", need "module", need "loading", need "words"
local match = string.match

-- For running systems.
for _, name in ipairs {
  "blob", "buffer", "changes", "commands", "console", "context", "event", "hierarchy", "import", "library", "object",
  "kind_methods", "late", "proxy", "query_handle", "random", "relation", "reload", "serialise", "side_world", "sketch",
  "state", "switches",
} do
  parts.load_on_use(name)
end
-- For declaring them.
for _, name in ipairs {
  "chunk", "codec", "describe", "instructions", "keeps", "queries", "query", "reaction", "row_column", "schema",
  "system", "value_make", "view", "world_methods",
} do
  parts.load_for_files(name)
end
running.cell = need "layout".cell
local fail = need "fail"
running.is_hash = need "phase".is_hash
local component, state, import = need "component", need "state", need "import"
need "value"
need "prefab"
local world = need "world"
need "load_results"
need "declared"
module.state_of = function(env) return state.of(env) end

local ecs, constant = {}, { components = component.components, world = world.object }
-- Part and function of everything else, and "step" for what running systems declare too.
local entries = {
  component = "schema component step", resource = "schema resource step", event = "schema event step",
  struct = "schema struct", enum = "schema enum", flags = "schema flags", string = "schema string",
  array = "schema array", list = "schema list",
  blob = "schema blob step", build_blob = "blob build", prefab = "prefab declare step", load_prefabs = "prefab load",
  patch_prefab = "prefab patch", system = "system declare step", group = "system declare_group",
  replace_system = "system replace", wrap_system = "system wrap", query = "query make step",
  import = "import import", service = "import service", on = "reaction on", on_added = "reaction on_added",
  on_removed = "reaction on_removed",
  on_changed = "reaction on_changed", on_destroyed = "reaction on_destroyed", side_world = "side_world make",
}

local late, phase = need "late", need "phase"

-- The function of a part; with "step", running systems call it for the steps to come.
local function function_of(name)
  local part, word, step = match(entries[name], "(%S+) (%S+) ?(%S*)")
  local declare = need(part)[word]
  if step == "" or host.note_system then return declare end
  return function(...)
    if phase.is_step() then return late.ask(name, declare, ...) end
    return declare(...)
  end
end

local function names()
  local list = order.names(entries)
  list[#list + 1], list[#list + 2], list[#list + 3] = "components", "outside", "world"
  return list
end

module.loaded.settings = setmetatable({}, { __index = function(_, name) return import.setting(name) end,
  __newindex = function() fail.raise("settings are the player's; a mod cannot change them") end,
  __metatable = false })

-- When declarations are only inspected, wrapped parts stay loaded.
if host.note_system then
  for name in next, entries do ecs[name] = function_of(name) end
  need "check".extend(ecs)
else
  parts.after_load(function()
    for name in next, ecs do ecs[name] = nil end
  end)
end

-- Mods see it through a read-only table that suggests the nearest name.
module.loaded.ecs = setmetatable({}, {
  __index = function(_, key)
    local entry = ecs[key] or constant[key]
    if entry ~= nil then return entry end
    if entries[key] then
      ecs[key] = function_of(key)
      return ecs[key]
    end
    if key == "outside" then return host.is_side and need "side_world".outside or nil end
    fail.raise("ecs has no entry " .. fail.shown(key) .. fail.suggestion(key, names()))
  end,
  __newindex = function() fail.raise("ecs cannot be changed") end,
  __metatable = false,
})
words.of[module.loaded.ecs] = names

if host.note_system or host.checks_presentation then
  local sharing = need "sharing"
  if host.note_system then loading.instead = sharing.report end
end

return module.loaded.ecs
