-- require "ecs": the module for mods, assembled from its parts. Parts that few mods need load on first use; so do
-- entries of the module.
-- Not here: the implementation of any part.
local rt = ...
local match = string.match

rt.layout = rt.include("layout")
rt.cell = rt.layout.cell
rt.fail = rt.include("fail")
rt.phase = rt.include("phase")
-- For running systems.
for _, name in ipairs {
  "blob", "buffer", "changes", "commands", "console", "context", "event", "hierarchy", "import", "library", "object",
  "owned", "plain", "proxy", "query_handle", "random", "reload", "sketch", "state",
} do
  rt[name] = rt.include_later(name)
end
-- For declaring them.
for _, name in ipairs {
  "chunk", "codec", "describe", "instructions", "keeps", "query", "reaction", "row_column", "schema", "system",
  "value_make", "view", "world_methods",
} do
  rt[name] = rt.include_for_load(name)
end
rt.component = rt.include("component")
rt.value = rt.include("value")
rt.prefab = rt.include("prefab")
rt.world = rt.include("world")
rt.made = rt.include("made")
rt.include("declared")

local ecs, constant = {}, { components = rt.component.components, world = rt.world.object }
-- Part and function of everything else.
local entries = {
  component = "schema component", resource = "schema resource", event = "schema event", struct = "schema struct",
  enum = "schema enum", flags = "schema flags", string = "schema string", array = "schema array",
  blob = "schema blob", build_blob = "blob build", prefab = "prefab declare", load_prefabs = "prefab load",
  patch_prefab = "prefab patch", system = "system declare", group = "system declare_group",
  replace_system = "system replace", wrap_system = "system wrap", query = "query make", import = "import import",
  service = "import service", on = "reaction on", on_added = "reaction on_added", on_removed = "reaction on_removed",
  on_changed = "reaction on_changed", on_destroyed = "reaction on_destroyed",
}

local function names()
  local list = rt.order.names(entries)
  list[#list + 1], list[#list + 2] = "components", "world"
  return list
end

rt.modules.settings = setmetatable({}, { __index = function(_, name) return rt.import.setting(name) end,
  __newindex = function() rt.fail.raise("settings are the player's; a mod cannot change them") end,
  __metatable = false })

-- When declarations are only inspected, wrapped parts stay loaded.
if rt.host.note_system then
  for name, entry in next, entries do
    local part, word = match(entry, "(%S+) (%S+)")
    ecs[name] = rt[part][word]
  end
  rt.include("check").extend(ecs)
else
  rt.after_load(function()
    for name in next, ecs do ecs[name] = nil end
  end)
end

-- Mods see it through a read-only table that suggests the nearest name.
rt.modules.ecs = setmetatable({}, {
  __index = function(_, key)
    local entry = ecs[key] or constant[key]
    if entry ~= nil then return entry end
    if entries[key] then
      local part, word = match(entries[key], "(%S+) (%S+)")
      ecs[key] = rt[part][word]
      return ecs[key]
    end
    rt.fail.raise("ecs has no entry " .. rt.fail.shown(key) .. rt.fail.suggestion(key, names()))
  end,
  __newindex = function() rt.fail.raise("ecs cannot be changed") end,
  __metatable = false,
})
rt.words[rt.modules.ecs] = names

if rt.host.note_system or rt.host.checks_presentation then rt.sharing = rt.include("sharing") end
