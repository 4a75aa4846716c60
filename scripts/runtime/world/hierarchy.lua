-- Methods for parents, children and names, for ctx.commands and ecs.world. Invariant: the methods are added to both on
-- first use; C++ stores the tree.
local need = ...
local fuel, host, fail, api = need "fuel", need "host", need "fail", need "api"
local constants = need "constants"
local type = type
local select, gsub, format = select, string.gsub, string.format
-- Each entity of the last name may cost a walk along the whole path.
local kMaxPathNames = constants.max_child_levels

local hierarchy = {}

local function check_name(name, what)
  if type(name) ~= "string" then fail.raise(what .. ": expected a name, got " .. fail.shown(name)) end
end

--- Adds the methods to ctx.commands.
function hierarchy.extend_commands(methods, system_of, check_command)
  local command_set_parent, command_set_name = api.command_set_parent, api.command_set_name

  --- set_parent(child, parent): the last child of the parent from playback on; nil for none.
  function methods.set_parent(self, child, parent)
    local system = system_of(self, "set_parent")
    check_command(child, "set_parent")
    if parent ~= nil then check_command(parent, "set_parent") end
    command_set_parent(system, child, parent or 0)
  end

  --- set_name(entity, "turret"): "" removes the name.
  function methods.set_name(self, entity, name)
    local system = system_of(self, "set_name")
    check_command(entity, "set_name")
    check_name(name, "commands:set_name")
    local is_good, message = host.check_name(name)
    if not is_good then fail.raise(message) end
    if not command_set_name(system, entity, name, #name) then
      fail.raise("commands:set_name: " .. host.refusal_of_world())
    end
  end
end

--- Adds the methods to ecs.world.
function hierarchy.extend_world(methods, expect_outside, check_direct)
  function methods.set_parent(self, child, parent)
    expect_outside(self, "set_parent")
    check_direct(child, "set_parent")
    if parent ~= nil then check_direct(parent, "set_parent") end
    local done, message = host.set_parent(child, parent or 0)
    if not done then fail.raise(message) end
  end

  function methods.set_name(self, entity, name)
    expect_outside(self, "set_name")
    check_direct(entity, "set_name")
    check_name(name, "ecs.world:set_name")
    local done, message = host.set_name(entity, name)
    if not done then fail.raise(message) end
  end

  --- clone_tree(entity): clones it with its descendants; references among them point to the clones.
  function methods.clone_tree(self, entity)
    expect_outside(self, "clone_tree")
    check_direct(entity, "clone_tree")
    local made, message = host.clone_tree(entity)
    if not made then
      fail.raise("ecs.world:clone_tree: " .. (message or "the entity is not alive, or the world is full"))
    end
    return made
  end

  --- parent(entity): nil for roots and the dead.
  function methods.parent(self, entity)
    expect_outside(self, "parent")
    check_direct(entity, "parent")
    return (host.parent(entity))
  end

  --- children(entity): a list, in order of attachment.
  function methods.children(self, entity)
    expect_outside(self, "children")
    check_direct(entity, "children")
    return (host.list_children(entity))
  end

  --- name(entity): nil without one.
  function methods.name(self, entity)
    expect_outside(self, "name")
    check_direct(entity, "name")
    return (host.name(entity))
  end

  --- find("ship/turret"): the entity named turret whose parent is named ship; nil if there is none.
  function methods.find(self, path)
    expect_outside(self, "find")
    check_name(path, "ecs.world:find")
    fuel.spend(#path / 16)
    local names = select(2, gsub(path, "/", "")) + 1
    if names > kMaxPathNames then
      fail.raise(format("ecs.world:find: a path has at most %d names, this one has %d", kMaxPathNames, names))
    end
    return (host.find(path))
  end
end

return hierarchy
