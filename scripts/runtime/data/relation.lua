-- Relations seen from the target: the entities whose component points at one.
-- Invariant: it only adds methods to ctx and ecs.world; C++ keeps the index (ecs/query/relation_index.h). Access is
-- checked against the system's declaration, as for try_get. Not here: the filter `related` of queries (query.lua).
local need = ...
local api, host, fail, component = need "api", need "host", need "fail", need "component"
local spend = need "fuel".spend
local ffi = require("ffi")
local format = string.format

local relation = {}
local kStepsPerSource = 2
local world_handle = host.world

--- The description of a relation, or an error.
function relation.expect(handle, what)
  local description = component.expect(handle, what)
  if not description.index then
    fail.raise(format("%s: '%s' is not a relation; declare it with index = true", what, description.name))
  end
  return description
end

-- The work is charged as if all rows were read: what changed since the last look-up may differ between runs.
local function list_of(entity, id, what)
  spend(api.relation_steps(world_handle, id))
  local list = {}
  if entity == nil then return list end
  local count = api.world_source_count(world_handle, entity, id)
  if count < 0 then fail.raise(what .. ": there is no memory left") end
  spend(kStepsPerSource * count)
  local numbers = ffi.new("double[?]", count)
  if not api.world_sources(world_handle, entity, id, numbers) then fail.raise(what .. ": there is no memory left") end
  for i = 1, count do list[i] = numbers[i - 1] end
  return list
end

--- ctx: `allowed` has the declared access by number.
function relation.extend_context(methods, allowed, check_running, check_entity)
  --- sources(entity, C.Likes): a list of the entities whose C.Likes points at the entity.
  function methods.sources(self, entity, handle)
    check_running("sources", self)
    local description = relation.expect(handle, "ctx:sources")
    if allowed[description.id] == nil then fail.undeclared(description.root.where) end
    if entity ~= nil then check_entity(entity, "sources") end
    return list_of(entity, description.id, "ctx:sources")
  end
end

--- Adds the methods to ecs.world.
function relation.extend_world(methods, expect_outside, check_entity)
  function methods.sources(self, entity, handle)
    expect_outside(self, "sources")
    local description = relation.expect(handle, "ecs.world:sources")
    if entity ~= nil then check_entity(entity, "sources") end
    return list_of(entity, description.id, "ecs.world:sources")
  end
end

return relation
