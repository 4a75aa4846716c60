-- The Maw, at half time and at the end: rings of orbs, dashes, and broods of mites, in turn.
local ecs = require "ecs"
local enemies = require "enemies"
local kinds = require "kinds"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local kStraight, kChase = 2, 0
local kDash, kWarn = 0.9, 0.5  -- seconds

local turns = {}

turns[0] = function(ctx, x, y, is_last)  -- a ring of orbs
  local orbs, offset = is_last and 22 or 14, ctx.random:range(0, 6.2832)
  for i = 1, orbs do enemies.spit(ctx, x, y, offset + i * 6.2832 / orbs, is_last and 105 or 90) end
  sound.play("shockwave.ogg", 0.7, 0.7)
  return 1.6
end

turns[1] = function(ctx, x, y)  -- a dash: first the warning
  ctx.commands:spawn(prefabs.ring, C.Position { x = x, y = y })
  sound.play("boss_warning.ogg", 0.5, 1.6)
  return kWarn + kDash + 0.6, kWarn + kDash
end

turns[2] = function(ctx, x, y, is_last)  -- a brood
  ctx.commands:spawn_many(kinds.by_name.mite.prefab, is_last and 40 or 20, function(chunk, first, last)
    for i = first, last do
      local angle = ctx.random:range(0, 6.2832)
      chunk.Position.x[i], chunk.Position.y[i] = x + math.cos(angle) * 30, y + math.sin(angle) * 30
      chunk.Velocity.x[i], chunk.Velocity.y[i] = math.cos(angle) * 200, math.sin(angle) * 200
    end
  end)
  ctx.commands:spawn(prefabs.wave, C.Position { x = x, y = y })
  return 2.2
end

turns[3] = function(ctx, x, y, is_last, at)  -- a fan at the hero
  local angle = math.atan2(at.y - y, at.x - x)
  for i = -3, 3 do enemies.spit(ctx, x, y, angle + i * 0.16, is_last and 150 or 125) end
  return is_last and 1.2 or 1.8
end

--- The boss takes its turns; a dash goes straight to where the hero was.
ecs.system("bosses", {
  group = "simulation", before = "flock",
  query = { write = { C.Boss, C.Flock, C.Enemy }, read = { C.Position } },
  access = { read = { C.Hero, C.Clock } },
  run = function(chunk, ctx)
    if not ctx:resource(C.Clock).running then return end
    local at, dt = ctx:resource(C.Hero), ctx.dt
    local pos, boss, flock = chunk.Position, chunk.Boss, chunk.Flock
    for i = 1, chunk.count do
      local x, y, kind = pos.x[i], pos.y[i], kinds.list[chunk.Enemy.kind[i]]
      boss.wait[i] = boss.wait[i] - dt
      if boss.dash[i] > 0 then
        boss.dash[i] = boss.dash[i] - dt
        if boss.dash[i] > kDash then
          chunk.Enemy.flash[i], flock.speed[i] = 0.05, 5
        elseif flock.mode[i] ~= kStraight then
          local dx, dy = at.x - x, at.y - y
          local length = math.max(1, math.sqrt(dx * dx + dy * dy))
          flock.mode[i], flock.speed[i], flock.turn[i] = kStraight, kind.speed * 5, 6
          flock.heading_x[i], flock.heading_y[i] = dx / length, dy / length
        end
      elseif flock.mode[i] ~= kChase then
        flock.mode[i], flock.speed[i], flock.turn[i] = kChase, kind.speed, 2
      elseif boss.wait[i] <= 0 then
        local wait, dash = turns[boss.turn[i]](ctx, x, y, boss.last[i], at)
        boss.wait[i], boss.dash[i], boss.turn[i] = wait, dash or 0, (boss.turn[i] + 1) % 4
      end
    end
  end,
})
