-- A dark room with lights of three colours, a cone, and casters of shadows.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
local function at(x, y) return C.Position { x = x, y = y } end

local lighting = world:resource(gfx.Lighting)
lighting.ambient, lighting.layer = gfx.color("#202838"), 5

world:spawn(at(120, 68), gfx.Shape { width = 240, height = 136, color = gfx.color("#c0b090"), layer = -1 })
for i = 0, 3 do
  world:spawn(at(50 + 45 * i, 40 + 18 * (i % 2)), gfx.Shape { width = 16, height = 16, color = gfx.color("#808898") },
    gfx.ShadowCaster { width = 16, height = 16 })
end
world:spawn(at(120, 105), gfx.Shape { kind = "circle", width = 20, height = 20, color = gfx.color("#a07050") },
  gfx.ShadowCaster { radius = 10 })
world:spawn(at(30, 75), gfx.Light { radius = 110, color = gfx.color("#ffb060"), softness = 4 })
world:spawn(at(150, 80), gfx.Light { radius = 90, color = gfx.color("#60a0ff"), intensity = 0.9 })
world:spawn(at(225, 120), gfx.Light { radius = 150, color = gfx.color("#ffffc0"), rotation = -2.6, cone = 0.7 })
world:spawn(at(220, 15), gfx.Shape { width = 24, height = 10, color = gfx.color("#40ff80"), layer = 6 })
