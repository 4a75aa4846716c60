-- Systems that note in the resource Trace that they ran, in the order in which they did.
local ecs = require "ecs"
local C = ecs.components

local function note(ctx, letter)
  local trace = ctx:resource(C.Trace)
  trace.steps = trace.steps .. letter
end

local Ship = ecs.prefab("Ship", { C.Position { x = 1 }, C.Health { current = 10 } })
ecs.prefab("Fleet", { C.Position, children = { { Ship, name = "first" } } })

ecs.system("start", {
  group = "initialization", access = { write = { C.Trace } },
  run = function(_, ctx) ctx:resource(C.Trace).steps = "" end,
})
ecs.system("move", { access = { write = { C.Trace } }, run = function(_, ctx) note(ctx, "m") end })
ecs.system("score", {
  after = "move", access = { write = { C.Trace, C.Score } },
  run = function(_, ctx)
    note(ctx, "s")
    ctx:resource(C.Score).points = ctx:resource(C.Score).points + 1
  end,
})
ecs.system("last", { after = "score", access = { write = { C.Trace } }, run = function(_, ctx) note(ctx, "l") end })
