-- Shots, drops and effects: one prefab each, and helpers that spawn them.
local ecs = require "ecs"
local art = require "art"
local C = ecs.components
local layers = art.layers

local prefabs = {}

local function animation(name, rate, more)
  more = more or {}
  more.first, more.count, more.rate = art.first[name], art.count[name], rate
  return C.Animation(more)
end

-- ---- the hero and his shots -----------------------------------------------------------------------------------------

prefabs.hero = ecs.prefab("hero", {
  C.Astronaut, C.Position, C.Velocity,
  C.Animation { first = art.first.player, flash = art.first.player_flash, count = 4, rate = 0, mirror = true },
  C.Shadow { size = 2, drop = 10 }, art.sprite("player", layers.creature),
})

prefabs.bolt = ecs.prefab("bolt", {
  C.Position, C.Velocity, C.Strike { radius = 4, push = 40 }, C.Lifetime { left = 0.8 }, animation("bolt", 12),
  art.sprite("bolt", layers.shot),
})
prefabs.missile = ecs.prefab("missile", {
  C.Position, C.Velocity, C.Strike { radius = 5 }, C.Lifetime { left = 3 }, C.Homing, C.Blast,
  animation("missile", 12), art.sprite("missile", layers.shot),
})
prefabs.boomerang = ecs.prefab("boomerang", {
  C.Position, C.Velocity, C.Strike { radius = 9, push = 30, period = 8 }, C.Lifetime { left = 2.4 }, C.Returning,
  animation("boomerang", 20), art.sprite("boomerang", layers.shot),
})
prefabs.drone = ecs.prefab("drone", {
  C.Position, C.Strike { radius = 9, push = 60, period = 12 }, C.Orbit, animation("drone", 6),
  C.Shadow { size = 1, drop = 14 }, art.sprite("drone", layers.shot),
})
prefabs.aura = ecs.prefab("aura", {
  C.Aura, C.Position, C.Strike { radius = 48, push = 12, period = 20 },
  art.sprite("aura", layers.light, { color = 0xFFFFFFB0 }),
})
prefabs.grenade = ecs.prefab("grenade", {
  C.Position, C.Velocity, C.Lobbed, C.Blast, C.Shadow { size = 1, drop = 10 },
  animation("bomb", 10), art.sprite("bomb", layers.shot),
})

--- Damage of one step in a circle; the explosion is drawn separately.
prefabs.blow = ecs.prefab("blow", { C.Position, C.Strike { period = 1 }, C.Lifetime { left = 0 } })

-- ---- shots of the enemies -------------------------------------------------------------------------------------------

prefabs.spit = ecs.prefab("spit", {
  C.Position, C.Velocity, C.Spit { damage = 9, radius = 4 }, C.Lifetime { left = 4 }, animation("enemy_orb", 8),
  art.sprite("enemy_orb", layers.effect),
})
prefabs.meteor = ecs.prefab("meteor", {
  C.Position, C.Meteor, animation("warning", 6), art.sprite("warning", layers.mark, { scale_x = 2, scale_y = 2 }),
})

-- ---- pick-ups -------------------------------------------------------------------------------------------------------

local function pickup(name, kind, rate)
  return ecs.prefab(name, {
    C.Position, C.Velocity, C.Pickup { kind = kind }, animation(name, rate), art.sprite(name, layers.pickup),
    C.Shadow { size = 1, drop = 5 },
  })
end
--- Kinds of Pickup: 1 experience, 2 heart, 3 magnet, 4 bomb, 5 chest.
prefabs.gems = { pickup("gem_blue", 1, 8), pickup("gem_green", 1, 8), pickup("gem_red", 1, 8) }
prefabs.heart, prefabs.magnet = pickup("heart", 2, 4), pickup("magnet", 3, 4)
prefabs.bomb, prefabs.chest = pickup("bomb", 4, 4), pickup("chest", 5, 0)

-- ---- effects --------------------------------------------------------------------------------------------------------

-- `rate` 0: a still picture. `more`: { picture =, size =, fade =, alpha =, drift = { … }, sprite = { … } }
local function effect(name, layer, left, rate, more)
  more = more or {}
  local picture = more.picture or name
  local parts = {
    C.Position, C.Velocity, C.Lifetime { left = left, fade = more.fade or 0, alpha = more.alpha or 255 },
    C.Drift(more.drift or {}), art.sprite(picture, layer, more.sprite),
  }
  if rate > 0 then parts[#parts + 1] = animation(picture, rate, { size = more.size or 1 }) end
  return ecs.prefab(name, parts)
end
prefabs.explosion = effect("explosion", layers.effect, 7 / 18, 18)
prefabs.big_explosion = effect("big explosion", layers.effect, 7 / 14, 14, { picture = "explosion", size = 2 })
prefabs.spark = effect("hit", layers.effect, 4 / 24, 24)
prefabs.muzzle = effect("muzzle", layers.effect, 0.06, 0)
prefabs.smoke = effect("smoke", layers.effect, 4 / 8, 8)
prefabs.shard = effect("shard", layers.effect, 0.5, 0, { fade = 0.25, drift = { drag = 4, spin = 9 } })
prefabs.twinkle = effect("twinkle", layers.effect, 0.5, 8)
prefabs.splat = effect("splat", layers.decal, 9, 0, { fade = 3, alpha = 100, sprite = { color = 0xFFFFFF64 } })
prefabs.wave = effect("shockwave", layers.light, 0.45, 0,
  { fade = 0.35, drift = { grow = 4 }, sprite = { scale_x = 0.2, scale_y = 0.2 } })
prefabs.ring = effect("ring", layers.light, 0.5, 0,
  { fade = 0.4, drift = { grow = 4 }, sprite = { scale_x = 0.3, scale_y = 0.3, blend = "add" } })
prefabs.number = ecs.prefab("number", {
  C.Position, C.Velocity { y = -34 }, C.Lifetime { left = 0.55 }, C.Drift { drag = 3 }, C.Number,
})

-- ---- helpers --------------------------------------------------------------------------------------------------------

--- A circle of damage at x, y with its explosion.
function prefabs.explode(commands, x, y, damage, radius, push)
  commands:spawn(prefabs.blow, C.Position { x = x, y = y },
    C.Strike { period = 1, damage = damage, radius = radius, push = push or 120 })
  commands:spawn(radius > 60 and prefabs.big_explosion or prefabs.explosion, C.Position { x = x, y = y })
end

--- Shards that fly apart.
function prefabs.burst(ctx, x, y, count, color, speed)
  local sprite = art.sprite("shard", layers.effect, { color = color })
  for _ = 1, count do
    local angle, fast = ctx.random:range(0, 6.2832), ctx.random:range(0.3, 1) * speed
    ctx.commands:spawn(prefabs.shard, C.Position { x = x, y = y },
      C.Velocity { x = math.cos(angle) * fast, y = math.sin(angle) * fast }, sprite)
  end
end

return prefabs
