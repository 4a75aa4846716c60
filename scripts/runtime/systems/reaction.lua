-- ecs.on, ecs.on_added, ecs.on_removed, ecs.on_changed, ecs.on_destroyed: functions that run on events and component
-- changes. Invariant: a reaction is a system without rows and without a group; it declares its accesses like a system.
local need = ...
local phase, query, fail, component = need "phase", need "query", need "fail", need "component"
local event, system, declared = need "event", need "system", need "declared"
local type, format, gsub = type, string.format, string.gsub

local reaction = {}

-- "on Damage", "on Damage 2", …: in the order of declaration.
local function name_for(kind, description)
  local base = (kind == "event" and "on " or kind .. " ") .. gsub(description.short, ":", ".")
  local name, number = base, 1
  while declared.reactions[name] do
    number = number + 1
    name = base .. " " .. number
  end
  return name
end

local known_keys = { name = true, access = true, after = true, before = true, run_if = true }

local function declare(kind, word, handle, options, run)
  if type(options) == "function" and run == nil then options, run = {}, options end
  local description = component.expect(handle, word)
  local what = format("%s(C.%s)", word, description.short)
  phase.expect_loading(what)
  query.check_table(options == nil and {} or options, known_keys, what)
  options = options or {}
  if type(run) ~= "function" then
    fail.raise(format("%s: expected a function(%s, ctx), got %s", what, kind == "event" and "events" or "batch",
      fail.shown(run)))
  end
  local name = options.name
  if name == nil then name = name_for(kind, description) end
  fail.check_name(name, what)
  declared.reactions[name] = true
  system.declare_reaction(kind, name, description, options, run, what, function(cell, views, chunk_address)
    if kind == "event" then return (event.batch_of(cell, description)) end
    local has_values = kind ~= "added" and component.has_value(description)
    return (event.observed(chunk_address, views, description, has_values, what))
  end)
end

--- ecs.on(C.Damage, { access =, after =, before =, name =, run_if = }, function(events, ctx) … end)
function reaction.on(handle, options, run)
  local description = component.of_handle(handle)
  if description and description.kind ~= "event" then
    fail.raise(format("ecs.on: '%s' is a %s, not an event; use ecs.on_added, ecs.on_removed, ecs.on_changed or " ..
      "ecs.on_destroyed", description.name, description.kind))
  end
  declare("event", "ecs.on", handle, options, run)
end

--- ecs.on_added(C.Health, { … }, function(batch, ctx) … end), and the same for the others.
function reaction.on_added(handle, options, run) declare("added", "ecs.on_added", handle, options, run) end
function reaction.on_removed(handle, options, run) declare("removed", "ecs.on_removed", handle, options, run) end
function reaction.on_changed(handle, options, run) declare("changed", "ecs.on_changed", handle, options, run) end
function reaction.on_destroyed(handle, options, run) declare("destroyed", "ecs.on_destroyed", handle, options, run) end

return reaction
