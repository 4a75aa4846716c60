-- Who hits whom, and what follows: sparks, gems, score, lives, bombs.
local ecs, gfx, arena, course, kinds = require "ecs", require "gfx", require "arena", require "game", require "kinds"
local lists, prefabs, sound = require "gather", require "prefabs", require "sound"
local C = ecs.components

local kGemsForMore = 8      -- gems for each step of the multiplier
local kBombReach = 620      -- px

-- Particles, a light, a sound, and the screen shakes.
local function explode(ctx, x, y, sparks, count, color, radius, life, trauma, name)
  local scene = ctx:resource(C.Scene)
  gfx.burst(sparks, x, y, count)
  prefabs.flare(ctx, x, y, color, radius, life, trauma > 0.5)
  scene.trauma = math.min(1, scene.trauma + trauma)
  sound(name, ctx.random:range(0.85, 1.2))
end

-- Enemy `k` of the list ends: score, sparks, a light, a gem; a mother leaves her young.
local function destroy(ctx, k, gives_gem)
  local game, kind, x, y = ctx:resource(C.Game), kinds[lists.enemies.kind[k]], lists.enemies.x[k], lists.enemies.y[k]
  game.score, game.kills = math.min(4e9, game.score + kind.score * game.multiplier), game.kills + 1
  ctx.commands:destroy(lists.enemies.entity[k])
  lists.enemies.kind[k] = 0
  explode(ctx, x, y, kind.sparks, math.floor(kind.radius * 4), kind.color, 90 + kind.radius * 7,
    0.35 + kind.radius * 0.01, kind.radius * 0.004, kind.radius > 18 and "boom" or "pop")
  if gives_gem and ctx.random:chance(0.75) then
    ctx.commands:spawn(prefabs.gem, C.Position { x = x, y = y },
      C.Velocity { x = ctx.random:range(-80, 80), y = ctx.random:range(-80, 80) })
  end
  for n = 1, kind.young or 0 do
    local c, s = math.cos(n * 2 * math.pi / kind.young), math.sin(n * 2 * math.pi / kind.young)
    ctx.commands:spawn(kinds.by_name.bit.prefab, C.Enemy { age = kinds.arrival },
      C.Position { x = x + 14 * c, y = y + 14 * s }, C.Velocity { x = 330 * c, y = 330 * s })
  end
end

-- Each enemy takes the first shot that touches it and has hit nothing yet.
local function strike(ctx)
  local enemies, shots = lists.enemies, lists.shots
  for k = 1, enemies.count do
    for shot in lists.near(shots, enemies.x[k], enemies.y[k], enemies.radius[k] + 2) do
      if shots.kind[shot] == 0 then
        local enemy = ctx:try_get(enemies.entity[k], C.Enemy)
        shots.kind[shot] = 1                  -- it is spent
        ctx.commands:destroy(shots.entity[shot])
        enemy.health, enemy.flash = enemy.health - 1, 0.08
        gfx.burst(prefabs.sparks_of_shots, shots.x[shot], shots.y[shot])
        if enemy.health <= 0 then destroy(ctx, k, true) end
        break
      end
    end
  end
end

-- Whether a spit, or an enemy that has arrived, touches a ship.
local function is_touched(ctx, x, y)
  for _, list in ipairs { lists.spits, lists.enemies } do
    for k in lists.near(list, x, y, 7) do
      local enemy = ctx:try_get(list.entity[k], C.Enemy)
      if not enemy or enemy.age > kinds.arrival and enemy.health > 0 then return true end
    end
  end
  return false
end

-- A ship is wrecked: the multiplier is lost, and so is a life.
local function wreck(ctx, ship, x, y)
  local game = ctx:resource(C.Game)
  ship.down, game.lives, game.multiplier, game.gems = 1.6, math.max(0, game.lives - 1), 1, 0
  explode(ctx, x, y, prefabs.wreck, 1500, prefabs.player_colors[ship.player], 900, 1.1, 0.9, "wreck")
  if game.lives == 0 then course.finish(game) end
end

local function bomb(ctx, ship, x, y)
  local game = ctx:resource(C.Game)
  game.bombs, ship.safe = game.bombs - 1, math.max(ship.safe, 1)
  explode(ctx, x, y, prefabs.bomb, 5000, 0xFFD9A0FF, 1300, 1.2, 0.8, "wreck")
  for k in lists.near(lists.spits, x, y, kBombReach) do ctx.commands:destroy(lists.spits.entity[k]) end
  for k in lists.near(lists.enemies, x, y, kBombReach) do
    if lists.enemies.kind[k] > 0 then destroy(ctx, k) end
  end
end

ecs.system("combat", {
  group = "play", after = "move", query = { read = { C.Position }, write = { C.Ship } },
  access = { write = { C.Enemy, C.Game, C.Scene } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    if chunk.index == 1 then strike(ctx) end
    for i = 1, chunk.count do
      local ship, x, y = chunk.Ship[i], chunk.Position.x[i], chunk.Position.y[i]
      if ship.down <= 0 and game.phase == "playing" then
        if ship.bomb and game.bombs > 0 then bomb(ctx, ship, x, y) end
        if ship.safe <= 0 and is_touched(ctx, x, y) then wreck(ctx, ship, x, y) end
      end
      ship.bomb = false
    end
  end,
})

--- Shots and spits end at walls.
ecs.system("fly", {
  group = "play", after = { "steer", "control" }, query = { write = { C.Position, C.Shot }, read = { C.Velocity } },
  run = function(chunk, ctx)
    local pos, vel, shot, dt = chunk.Position, chunk.Velocity, chunk.Shot, ctx.dt
    for i = 1, chunk.count do
      local x, y = pos.x[i], pos.y[i]
      pos.x[i], pos.y[i], shot.left[i] = x + vel.x[i] * dt, y + vel.y[i] * dt, shot.left[i] - dt
      local is_in_wall = arena.is_solid(pos.x[i], pos.y[i])
      if is_in_wall then gfx.burst(prefabs.sparks_of_shots, x, y) end
      if is_in_wall or shot.left[i] <= 0 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

--- Gems drift to a ship that is near, and are collected there.
ecs.system("drift", {
  group = "play", after = { "gather", "control" }, query = { write = { C.Position, C.Velocity, C.Gem, gfx.Sprite } },
  access = { write = { C.Game } },
  run = function(chunk, ctx)
    local pos, vel, gem, dt, game = chunk.Position, chunk.Velocity, chunk.Gem, ctx.dt, ctx:resource(C.Game)
    for i = 1, chunk.count do
      local x, y, vx, vy = pos.x[i], pos.y[i], vel.x[i] * (1 - 2 * dt), vel.y[i] * (1 - 2 * dt)
      local ship, gap = lists.nearest_ship(x, y)
      if ship and gap < 170 then
        local pull = 2600 * dt / math.max(20, gap) * (1.6 - gap / 170)
        vx, vy = vx + (ship.x - x) * pull, vy + (ship.y - y) * pull
      end
      vel.x[i], vel.y[i] = vx, vy
      pos.x[i], pos.y[i] = arena.push(x + vx * dt, y + vy * dt, 6)
      gem.left[i], chunk.Sprite.rotation[i] = gem.left[i] - dt, 3 * gem.left[i]
      chunk.Sprite.color[i] = prefabs.fade(0xFFFFFFFF, gem.left[i] < 2 and 0.5 + 0.5 * math.sin(gem.left[i] * 20) or 1)
      if gap < 26 then
        gfx.burst(prefabs.shine, x, y)
        game.score, game.gems = math.min(4e9, game.score + 5 * game.multiplier), game.gems + 1
        if game.gems >= kGemsForMore then game.gems, game.multiplier = 0, math.min(99, game.multiplier + 1) end
        sound("gem", 0.9 + 0.06 * game.gems)
      end
      if gap < 26 or gem.left[i] <= 0 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

--- Flashes flare up and fade; blasts spread as rings.
ecs.system("flashes", {
  group = "play", query = { write = { C.Flash, gfx.Sprite, gfx.Shape, gfx.Light } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      local flash, sprite, shape, light = chunk.Flash[i], chunk.Sprite[i], chunk.Shape[i], chunk.Light[i]
      flash.age = flash.age + ctx.dt
      local left = math.max(0, 1 - flash.age / flash.life)
      local size = flash.radius * (0.7 + 0.5 * left) / 32
      sprite.scale_x, sprite.scale_y, sprite.color = size, size, prefabs.fade(flash.color, left * left)
      light.radius, light.intensity, light.color = flash.radius * 1.3, left * 1.2, flash.color
      if flash.ring then
        shape.width = flash.radius * 2 * (1 - left * left)
        shape.height, shape.stroke, shape.color = shape.width, 2 + 14 * left, prefabs.fade(flash.color, left * 0.7)
      end
      if left == 0 then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})
