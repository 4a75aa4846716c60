-- require "ecs": the module that mods see, put together from its parts.
-- Not here: what any of it does.
local rt = ...

rt.layout = rt.include("layout")
rt.cell = rt.layout.cell
rt.fail = rt.include("fail")
rt.codec = rt.include("codec")
rt.component = rt.include("component")
rt.value = rt.include("value")
rt.proxy = rt.include("proxy")
rt.buffer = rt.include_later("buffer")
rt.object = rt.include("object")
rt.owned = rt.include("owned")
rt.view = rt.include("view")
rt.blob = rt.include("blob")
rt.chunk = rt.include("chunk")
rt.random = rt.include("random")
rt.prefab = rt.include("prefab")
rt.changes = rt.include("changes")
rt.query = rt.include("query")
rt.commands = rt.include("commands")
rt.world = rt.include("world")
rt.hierarchy = rt.include("hierarchy")
rt.event = rt.include("event")
rt.schema = rt.include("schema")
rt.system = rt.include("system")
rt.reaction = rt.include_later("reaction")
rt.import = rt.include("import")
rt.reload = rt.include("reload")

local ecs = {
  component = rt.schema.component, resource = rt.schema.resource, event = rt.schema.event,
  struct = rt.schema.struct, enum = rt.schema.enum, flags = rt.schema.flags, string = rt.schema.string,
  array = rt.schema.array, blob = rt.schema.blob, build_blob = rt.blob.build,
  components = rt.component.components, prefab = rt.prefab.declare, load_prefabs = rt.prefab.load,
  system = rt.system.declare,
  group = rt.system.declare_group, replace_system = rt.system.replace, wrap_system = rt.system.wrap,
  import = rt.import.import, service = rt.import.service, patch_prefab = rt.prefab.patch,
  query = rt.query.make, world = rt.world.object,
}

for _, name in ipairs { "on", "on_added", "on_removed", "on_changed", "on_destroyed" } do
  ecs[name] = function(...) return rt.reaction[name](...) end
end
if rt.host.note_system then rt.include("check").extend(ecs) end

-- Mods see it through a table that cannot be changed and knows what was probably meant.
rt.modules.ecs = setmetatable({}, {
  __index = function(_, key)
    local entry = ecs[key]
    if entry ~= nil then return entry end
    local list = {}
    for name in next, ecs do list[#list + 1] = name end
    rt.fail.raise("ecs has no entry " .. rt.fail.shown(key) .. rt.fail.suggestion(key, list))
  end,
  __newindex = function() rt.fail.raise("ecs cannot be changed") end,
  __metatable = false,
})
rt.words[rt.modules.ecs] = rt.keys_of(ecs)
rt.console = rt.include_later("console")
