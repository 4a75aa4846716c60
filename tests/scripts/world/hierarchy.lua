-- Parents, children and names: ecs.world at once, ctx.commands at playback.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local ship, turret, barrel = world:spawn(C.Position), world:spawn(C.Position), world:spawn()
t.equal(world:parent(turret), nil)
t.equal(#world:children(ship), 0)
t.equal(world:find("turret"), nil)
world:set_parent(turret, ship)
world:set_parent(barrel, turret)
t.equal(world:parent(turret), ship)
t.equal(world:children(ship)[1], turret)
world:set_name(ship, "ship")
world:set_name(turret, "turret")
t.equal(world:name(turret), "turret")
t.equal(world:name(barrel), nil)
t.equal(world:find("ship/turret"), turret)
t.fails("an entity cannot be below itself", world.set_parent, world, ship, barrel)
t.fails("expected an entity, got 'x'", world.set_parent, world, ship, "x")
t.fails("expected a name, got 5", world.set_name, world, ship, 5)
t.fails("expected a name without '/'", world.set_name, world, ship, "a/b")
t.fails("is not alive", world.set_name, world, 12345, "a")
t.fails("call it as a method", world.find, "ship")
local copy = world:clone_tree(ship)
t.equal(#world:children(copy), 1)
local copied_turret = world:children(copy)[1]
t.is_true(copied_turret ~= turret)
t.equal(world:name(copied_turret), "turret")
t.equal(#world:children(copied_turret), 1)
t.equal(world:parent(copy), nil)
t.fails("the entity is not alive", world.clone_tree, world, 12345)
t.fails("expected an entity, got nil", world.clone_tree, world)
world:destroy(copy)
t.fails("without control characters", world.set_name, world, ship, "a\nb")
world:set_parent(barrel, nil)
t.equal(world:parent(barrel), nil)

local made
ecs.system("attach", {
  run = function(_, ctx)
    if made then return end
    made = ctx.commands:spawn(C.Position)
    ctx.commands:set_parent(made, ship)
    ctx.commands:set_name(made, "flag")
    ctx.commands:set_name(ship, "big ship")
    t.fails("expected a name without '/'", function() ctx.commands:set_name(made, "a/b") end)
    t.fails("expected an entity, got ", function() ctx.commands:set_parent(made, {}) end)
    t.fails("not inside a system", function() world:find("ship") end)
  end,
})

function finished()  -- called after the first step
  t.equal(world:find("big ship/flag"), made)
  t.equal(world:find("ship"), nil)
  t.equal(#world:children(ship), 2)
  t.equal(world:children(ship)[2], made)
  world:destroy(ship)
  t.equal(world:is_alive(turret), false)
  t.equal(world:find("flag"), nil)
end
