-- What the game spawns, how it looks, and the particles that fly when something ends. The pictures are in assets.
local ecs, gfx, arena, kinds, layers = require "ecs", require "gfx", require "arena", require "kinds", require "layers"
local C = ecs.components

local kShapes, kSpark = "assets/shapes.png", "assets/spark.png"
gfx.sheet(kShapes, 80, 80)
gfx.set_default_filter("linear")

local prefabs = { player_colors = { 0x52E5FFFF, 0xFF6FA8FF }, white = 10, unit = 25 }  -- pixels of a radius in kShapes
local kinds_before_ships, kGem = #kinds, #kinds + 2

--- Colour with a part of its opacity.
function prefabs.fade(color, part)
  return color - color % 256 + math.floor(color % 256 * math.max(0, math.min(1, part)))
end

-- A preset that shines: of the colours of its life, the last one fades out.
local function sparks(name, colors, options)
  colors[#colors] = colors[#colors] - 0xFF
  options.color, options.image, options.blend, options.layer = colors, kSpark, "add", layers.particle
  return gfx.particles(name, options)
end

local function trail(color, width, length)
  return gfx.Trail { color = color, width = width, length = length, layer = layers.trail, blend = "add" }
end

local function shape(frame, radius, layer)
  local scale = radius / prefabs.unit
  return gfx.Sprite { image = kShapes, frame = frame, layer = layer, blend = "add", scale_x = scale, scale_y = scale }
end

local function spark(color, scale, layer)
  return gfx.Sprite { image = kSpark, color = color, layer = layer, blend = "add", scale_x = scale, scale_y = scale }
end

function prefabs.bolt(rotation)
  return gfx.Shape { kind = "capsule", width = 16, height = 3.5, origin_x = 1, rotation = rotation,
    layer = layers.shots, blend = "add" }
end

prefabs.sparks_of_shots = sparks("sparks of a shot", { 0xFFFFFFFF, 0x9FE8FFFF, 0x9FE8FFFF }, {
  count = 5, lifetime = { min = 0.1, max = 0.3 }, speed = { min = 40, max = 220 }, size = { 12, 6 } })
prefabs.shine = sparks("shine", { 0xE9FFD0FF, 0x8CFF6AFF }, {
  count = 4, lifetime = 0.35, speed = { min = 30, max = 120 }, size = { 14, 6 } })
prefabs.wreck = sparks("wreck", { 0xFFFFFFFF, 0x8FF0FFFF, 0x3A7BFFFF, 0x7A2BFFFF }, { count = 1500,
  lifetime = { min = 0.6, max = 2.4 }, speed = { min = 20, max = 900 }, drag = 0.85, size = { 24, 16, 6 } })
prefabs.bomb = sparks("bomb", { 0xFFE9A0FF, 0xFFB85AFF, 0xFF8A3CFF, 0xFF2B6AFF }, { count = 5000,
  lifetime = { min = 0.8, max = 2.2 }, speed = { min = 200, max = 1500 }, drag = 0.8, size = { 18, 13, 6 } })

for player, color in ipairs(prefabs.player_colors) do
  prefabs[player] = ecs.prefab("Ship " .. player, {
    C.Position, C.Velocity, C.Body { radius = 13 }, C.Ship { player = player }, trail(color - 0x60, 15, 26),
    shape(kinds_before_ships + player - 1, 19, layers.ships),
    gfx.Light { radius = 560, color = color, softness = 8 },
    gfx.Emitter { preset = sparks("jet " .. player, { 0xFFFFFFFF, color, color }, {
      rate = 170, lifetime = { min = 0.2, max = 0.55 }, speed = { min = 90, max = 220 }, spread = 0.55, drag = 0.6,
      size = { 16, 10, 3 }, radius = 4 }) },
  })
  prefabs["shot " .. player] = ecs.prefab("Shot " .. player, {
    C.Position, C.Velocity, C.Shot { player = player }, trail(color - 0x50, 8, 4), prefabs.bolt(0),
  })
end
for id, kind in ipairs(kinds) do
  kind.sparks = sparks("sparks of a " .. kind.name, { 0xFFFFFFFF, kind.color, kind.color, kind.color }, {
    lifetime = { min = 0.25, max = 0.95 }, speed = { min = 40, max = 460 }, drag = 0.9, size = { 17, 12, 5 },
    radius = kind.radius / 2 })
  local parts = { C.Position, C.Velocity, C.Body { radius = kind.radius }, C.Kind { id = id },
    C.Enemy { health = kind.health }, shape(id - 1, kind.radius, layers.enemies),
    gfx.Light { radius = kind.radius * 7, intensity = 0, color = kind.color, shadows = false } }
  if kind.trail then parts[#parts + 1] = trail(kind.color - 0x90, kind.radius * 0.8, kind.trail) end
  kind.prefab = ecs.prefab("Enemy " .. kind.name, parts)
end
prefabs.dust = ecs.prefab("Dust", { C.Position, C.Velocity, gfx.Emitter { preset = sparks("dust", { 0x9AC4FFFF,
  0xB58CFFFF }, { rate = 450, lifetime = { min = 3, max = 7 }, speed = 20, radius = 1450, size = { 0, 7, 7, 0 } }) } })
prefabs.spit = ecs.prefab("Spit", { C.Position, C.Velocity, C.Shot { left = 6, player = 0 }, trail(0xFF5A3C80, 9, 10),
  spark(0xFF7A4CFF, 1.4, layers.shots) })
prefabs.gem = ecs.prefab("Gem", { C.Position, C.Velocity, C.Gem, shape(kGem, 9, layers.gems) })
prefabs.flash = ecs.prefab("Flash", { C.Position, C.Velocity, C.Flash, spark(0, 0, layers.flashes),
  gfx.Shape { kind = "circle", width = 0, layer = layers.flashes, blend = "add" }, gfx.Light { softness = 8 } })
prefabs.wall = ecs.prefab("Wall", { C.Position, gfx.ShadowCaster })

--- A light that flares up; `ring` is a blast that spreads and bends the grid.
function prefabs.flare(ctx, x, y, color, radius, life, is_blast)
  ctx.commands:spawn(prefabs.flash, C.Position { x = x, y = y },
    C.Flash { color = color, radius = radius, life = life, ring = is_blast or false })
end

for _, wall in ipairs(arena.walls) do
  ecs.world:spawn(prefabs.wall, C.Position { x = (wall.left + wall.right) / 2, y = (wall.top + wall.bottom) / 2 },
    gfx.ShadowCaster { width = wall.right - wall.left, height = wall.bottom - wall.top })
end

return prefabs
