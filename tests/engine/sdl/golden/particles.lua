-- Particles of an emitter and of bursts, and a trail: with the same seed always the same.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world
ecs.component("Position", { { "x", "f32" }, { "y", "f32" } })
local fire = gfx.particles("fire", {
  rate = 90, lifetime = { min = 0.3, max = 0.8 }, speed = { min = 20, max = 60 }, direction = -math.pi / 2,
  spread = 0.7, size = { 12, 8, 1 }, color = { "#fff080", "#ff6020", "#60000000" }, blend = "add",
})
local bits = gfx.particles("bits", {
  shape = "rectangle", count = 40, lifetime = 1.5, speed = { min = 20, max = 90 }, gravity = 60, size = 6,
  rotation = { min = 0, max = 3 }, spin = 2, color = { "#60c0ff", "#8040ff" },
})
world:spawn(C.Position { x = 60, y = 100 }, gfx.Emitter { preset = fire })
local comet = world:spawn(C.Position { x = 20, y = 20 },
  gfx.Trail { color = gfx.color("#ffd0a0"), width = 10, length = 30 })
gfx.set_background("#0c0c14")

local steps = 0
function update()
  steps = steps + 1
  local at = world:get(comet, C.Position)
  at.x, at.y = 120 + 90 * math.sin(steps / 12), 40 + 24 * math.cos(steps / 7)
  if steps == 20 then gfx.burst(bits, 170, 70) end
end
