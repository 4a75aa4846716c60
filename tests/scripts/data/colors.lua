-- Colours are numbers, and texts wherever a value is written.
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local e = world:spawn(C.Look { tint = "#102030" }, C.Team { tint = "orange" })
t.equal(world:get(e, C.Look).tint, 0x102030ff)
t.equal(world:get(e, C.Team).tint, 0xff9628ff)
world:get(e, C.Look).tint = "#abc8"
t.equal(world:get(e, C.Look).tint, 0xaabbcc88)
world:set(e, C.Look { tint = "transparent" })
t.equal(world:get(e, C.Look).tint, 0)
local Painted = ecs.prefab("Painted", { C.Look { tint = "white" } })
t.equal(world:get(world:spawn(Painted), C.Look).tint, 0xffffffff)
t.equal(world:get(world:spawn(Painted, C.Look { tint = "sky" }), C.Look).tint, 0x78beffff)

local names = { "red", "#00ff00", 0x0000ffff }
ecs.system("paint", { query = { write = { C.Look } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Look.tint[i] = names[i % 3 + 1] end
end })
for i = 1, 200 do world:spawn(C.Look) end
ecs.system("see", { query = { read = { C.Look } }, after = { "paint" }, run = function(chunk)
  for i = 1, chunk.count do
    t.equal(chunk.Look.tint[i], ({ 0xe63232ff, 0x00ff00ff, 0x0000ffff })[i % 3 + 1])
    t.equal(chunk.Look.tint.a[i], 255)
  end
  finished = true
end })

t.fails("'tint': 'orang' is not a colour; did you mean 'orange'?; write \"#rrggbb\" or a name like \"red\"",
  function() return (C.Look { tint = "orang" }) end)
t.fails("expected a colour (0xRRGGBBAA, \"#rrggbb\" or a name like \"red\"), got true",
  function() return (C.Look { tint = true }) end)
t.fails("expected color (0 to 4294967295), got -1", function() return (C.Look { tint = -1 }) end)
t.fails("expected color (0 to 4294967295), got nan", function() return (C.Look { tint = 0 / 0 }) end)
