-- What the game spawns, and the particles that fly when something ends.
local ecs = require "ecs"
local gfx = require "gfx"
local kinds = require "kinds"
local layers = require "layers"
local C = ecs.components

local prefabs = { player_colors = { 0x52E5FFFF, 0xFF6FA8FF } }

-- A colour through life: white at first, then itself, then nothing.
local function embers(color) return { 0xFFFFFFFF, color, color, color - 0xFF } end

for _, kind in ipairs(kinds) do
  kind.sparks = gfx.particles("sparks of a " .. kind.name, {
    count = 26, lifetime = { min = 0.25, max = 0.95 }, speed = { min = 40, max = 460 }, drag = 0.9,
    size = { 6, 4.5, 2 }, color = embers(kind.color), blend = "add", layer = layers.particle, radius = kind.radius / 2,
  })
end

prefabs.sparks_of_shots = gfx.particles("sparks of a shot", {
  count = 5, lifetime = { min = 0.1, max = 0.3 }, speed = { min = 40, max = 220 }, size = { 4, 2 },
  color = { 0xFFFFFFFF, 0x9FE8FFFF, 0x9FE8FF00 }, blend = "add", layer = layers.particle,
})
prefabs.wreck = gfx.particles("wreck", {
  count = 1500, lifetime = { min = 0.6, max = 2.4 }, speed = { min = 20, max = 900 }, drag = 0.85, size = { 9, 6, 2 },
  color = { 0xFFFFFFFF, 0x8FF0FFFF, 0x3A7BFFFF, 0x7A2BFF00 }, blend = "add", layer = layers.particle,
})
prefabs.bomb = gfx.particles("bomb", {
  count = 5000, lifetime = { min = 0.8, max = 2.2 }, speed = { min = 200, max = 1500 }, drag = 0.8, size = { 7, 5, 2 },
  color = { 0xFFFFFFFF, 0xFFE9A0FF, 0xFF8A3CFF, 0xFF2B6A00 }, blend = "add", layer = layers.particle,
})
prefabs.shine = gfx.particles("shine", {
  count = 4, lifetime = 0.35, speed = { min = 30, max = 120 }, size = { 5, 2 }, color = { 0xE9FFD0FF, 0x8CFF6A00 },
  blend = "add", layer = layers.particle,
})
local dust = gfx.particles("dust", {
  rate = 620, lifetime = { min = 3, max = 7 }, speed = { min = 3, max = 22 }, radius = 1450, size = { 0, 2.6, 2.6, 0 },
  color = { 0x6FA8FF00, 0x9AC4FF70, 0xB58CFF70, 0x6FA8FF00 }, blend = "add", layer = layers.particle,
})
for player, color in ipairs(prefabs.player_colors) do
  prefabs[player] = ecs.prefab("Ship " .. player, {
    C.Position, C.Velocity, C.Body { radius = 13 }, C.Ship { player = player },
    gfx.Trail { color = color - 0x60, width = 15, end_width = 1, length = 26, layer = layers.trail, blend = "add" },
    gfx.Emitter { preset = gfx.particles("jet " .. player, {
      rate = 170, lifetime = { min = 0.2, max = 0.55 }, speed = { min = 90, max = 220 }, spread = 0.55, drag = 0.6,
      size = { 6, 4, 1 }, color = embers(color), blend = "add", layer = layers.particle, radius = 4,
    }) },
  })
end
prefabs.dust = ecs.prefab("Dust", { C.Position, gfx.Emitter { preset = dust } })
prefabs.shot = ecs.prefab("Shot", {
  C.Position, C.Velocity, C.Shot,
  gfx.Trail { color = 0xBFF4FFB0, width = 6, length = 5, layer = layers.trail, blend = "add" },
})
prefabs.spit = ecs.prefab("Spit", { C.Position, C.Velocity, C.Spit })
prefabs.gem = ecs.prefab("Gem", { C.Position, C.Velocity, C.Gem })
prefabs.flash = ecs.prefab("Flash", { C.Position, C.Flash })

local trailed = { hunter = 12, ram = 22, bit = 8 }
for _, kind in ipairs(kinds) do
  local parts = { C.Position, C.Velocity, C.Body { radius = kind.radius }, C.Kind { id = kind.id },
    C.Enemy { health = kind.health } }
  if trailed[kind.name] then
    parts[#parts + 1] = gfx.Trail { color = kind.color - 0x90, width = kind.radius * 0.8, length = trailed[kind.name],
      layer = layers.trail, blend = "add" }
  end
  kind.prefab = ecs.prefab("Enemy " .. kind.name, parts)
end

--- A light that flares up; `ring` is a blast that spreads and bends the grid.
function prefabs.flare(ctx, x, y, color, radius, life, ring)
  ctx.commands:spawn(prefabs.flash, C.Position { x = x, y = y }, C.Flash {
    color = color, radius = radius, life = life, seed = ctx.random:integer(0, 60000), ring = ring or false })
end

return prefabs
