-- ecs.world in update() and draw() of a sketch, which have no declarations: update reads and writes values at once and
-- makes structural changes through its commands; draw reads, and writes presentation data only.
-- Invariant: update runs alone, so no other system reads at the same time. Objects from ecs.world end with the run. Not
-- here: the methods (world_methods.lua, commands.lua).
local need = ...
local phase, fail, component, proxy = need "phase", need "fail", need "component", need "proxy"
local world = need "world"
local cell = need "layout".cell
local next, tonumber = next, tonumber

local sketch = {}

-- Names in ecs.world that are commands here.
local commands = {
  spawn = true, destroy = true, add = true, remove = true, set = true, change = true, enable = true, clone = true,
  set_parent = true, set_name = true, set_object = true, add_all = true, remove_all = true, set_all = true,
  enable_all = true, destroy_all = true, enable_system = true, run_group = true,
}
local looks = {
  get = true, has = true, is_alive = true, is_enabled = true, parent = true, children = true, name = true, find = true,
  entities = true, entity_count = true, chunk_count = true, stats = true, resource = true, shared_values = true,
  schema_json = true, sources = true, system_state = true, archetype = true,
}
local in_update_too = { buffer = true, object = true }

local context, epoch, draws = nil, 0, false

local function now() return tonumber(cell.outside_epoch) end

--- Called before update(dt) or draw(); applies until the end of its run.
function sketch.enter(ctx, is_draw)
  context, epoch, draws = ctx, now(), is_draw
  phase.has_sketch = true
end
function sketch.leave() context = nil end

-- A run that failed did not call leave, so the epoch decides.
local function is_running() return context ~= nil and epoch == now() end

--- True if ecs.world:name may be called in the running function.
function sketch.may(name)
  return is_running() and (looks[name] or not draws and in_update_too[name]) or false
end

local methods = {}
for name in next, commands do
  methods[name] = function(self, ...)
    if self ~= world.object then fail.raise("call it as a method: ecs.world:" .. name .. "(…)") end
    if not is_running() then return world.methods[name](self, ...) end
    if draws then
      fail.raise("ecs.world:" .. name .. ": draw() cannot change the world, since it runs once per frame; do it in " ..
        "update()")
    end
    local list = context.commands
    return list[name](list, ...)
  end
end

local makers = {}

-- Only presentation data can be written.
local function seen_by_draw(v, what, kind)
  local description = component.expect(v, what)
  makers[description.id] = makers[description.id] or proxy[kind == "resource" and "resource_maker" or
    "entity_maker"](description, description.presentation or false, world.epoch)
  return makers[description.id]
end

local drawn = {}

function drawn.get(self, entity, v)
  local found = world.methods.get(self, entity, v)  -- which checks its arguments
  return found and seen_by_draw(v, "ecs.world:get")(entity)
end

function drawn.resource(self, v)
  world.methods.resource(self, v)
  return seen_by_draw(v, "ecs.world:resource", "resource")()
end

--- The method of this name for the running function; nil: the usual one.
function sketch.method(name)
  if not is_running() then return nil end
  return draws and drawn[name] or methods[name]
end

--- Called when layouts have changed.
function sketch.forget_layouts() makers = {} end

return sketch
