-- Particles: an emitter that keeps as many alive as the scene says. Each lives for a second, like those of love.lua.
local ecs, parameters = require "ecs", require "parameters"

gfx.sheet("assets/atlas.png", 16, 16)
local preset = gfx.particles("bench", {
  image = "assets/atlas.png", rate = parameters.count, lifetime = 1, speed = { min = 100, max = 300 }, gravity = 60,
  size = { 16, 3.2 }, color = { "#ffcc33", "#ff1a0000" },
})
ecs.world:spawn(ecs.components.Position { x = 640, y = 360 }, gfx.Emitter { preset = preset })
