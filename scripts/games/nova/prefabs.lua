-- What the game spawns, and the particles that fly when something ends.
local ecs, gfx, kinds, layers = require "ecs", require "gfx", require "kinds", require "layers"
local C = ecs.components

local prefabs = { player_colors = { 0x52E5FFFF, 0xFF6FA8FF } }

-- A preset that shines: of the colours of its life, the last one fades out.
local function sparks(name, colors, options)
  colors[#colors] = colors[#colors] - 0xFF
  options.color, options.image, options.blend, options.layer = colors, "assets/spark.png", "add", layers.particle
  return gfx.particles(name, options)
end

local function trail(color, width, length)
  return gfx.Trail { color = color, width = width, length = length, layer = layers.trail, blend = "add" }
end

prefabs.sparks_of_shots = sparks("sparks of a shot", { 0xFFFFFFFF, 0x9FE8FFFF, 0x9FE8FFFF }, {
  count = 5, lifetime = { min = 0.1, max = 0.3 }, speed = { min = 40, max = 220 }, size = { 12, 6 } })
prefabs.shine = sparks("shine", { 0xE9FFD0FF, 0x8CFF6AFF }, {
  count = 4, lifetime = 0.35, speed = { min = 30, max = 120 }, size = { 14, 6 } })
prefabs.wreck = sparks("wreck", { 0xFFFFFFFF, 0x8FF0FFFF, 0x3A7BFFFF, 0x7A2BFFFF }, {
  count = 1500, lifetime = { min = 0.6, max = 2.4 }, speed = { min = 20, max = 900 }, drag = 0.85,
  size = { 24, 16, 6 } })
prefabs.bomb = sparks("bomb", { 0xFFE9A0FF, 0xFFB85AFF, 0xFF8A3CFF, 0xFF2B6AFF }, {
  count = 5000, lifetime = { min = 0.8, max = 2.2 }, speed = { min = 200, max = 1500 }, drag = 0.8,
  size = { 18, 13, 6 } })

for player, color in ipairs(prefabs.player_colors) do
  prefabs[player] = ecs.prefab("Ship " .. player, {
    C.Position, C.Velocity, C.Body { radius = 13 }, C.Ship { player = player }, trail(color - 0x60, 15, 26),
    gfx.Emitter { preset = sparks("jet " .. player, { 0xFFFFFFFF, color, color }, {
      rate = 170, lifetime = { min = 0.2, max = 0.55 }, speed = { min = 90, max = 220 }, spread = 0.55, drag = 0.6,
      size = { 16, 10, 3 }, radius = 4 }) },
  })
end
for _, kind in ipairs(kinds) do
  kind.sparks = sparks("sparks of a " .. kind.name, { 0xFFFFFFFF, kind.color, kind.color, kind.color }, {
    lifetime = { min = 0.25, max = 0.95 }, speed = { min = 40, max = 460 }, drag = 0.9, size = { 17, 12, 5 },
    radius = kind.radius / 2 })
  local parts = { C.Position, C.Velocity, C.Body { radius = kind.radius }, C.Kind { id = kind.id },
    C.Enemy { health = kind.health } }
  if kind.trail then parts[#parts + 1] = trail(kind.color - 0x90, kind.radius * 0.8, kind.trail) end
  kind.prefab = ecs.prefab("Enemy " .. kind.name, parts)
end
prefabs.dust = ecs.prefab("Dust", { C.Position, gfx.Emitter { preset = sparks("dust", { 0x9AC4FFFF, 0xB58CFFFF }, {
  rate = 450, lifetime = { min = 3, max = 7 },
  speed = { min = 3, max = 22 }, radius = 1450, size = { 0, 7, 7, 0 } }) } })
prefabs.shot = ecs.prefab("Shot", { C.Position, C.Velocity, C.Shot, trail(0xBFF4FFB0, 6, 5) })
prefabs.spit = ecs.prefab("Spit", { C.Position, C.Velocity, C.Shot { left = 6, player = 0 }, trail(0xFF5A3C80, 9, 10) })
prefabs.gem = ecs.prefab("Gem", { C.Position, C.Velocity, C.Gem })
prefabs.flash = ecs.prefab("Flash", { C.Position, C.Velocity, C.Flash })

--- A light that flares up; `ring` is a blast that spreads and bends the grid.
function prefabs.flare(ctx, x, y, color, radius, life, ring)
  ctx.commands:spawn(prefabs.flash, C.Position { x = x, y = y }, C.Flash {
    color = color, radius = radius, life = life, seed = ctx.random:integer(0, 60000), ring = ring or false })
end

return prefabs
