-- Who hits whom, and what follows: sparks, gems, score, lives, bombs.
local ecs = require "ecs"
local gfx = require "gfx"
local course = require "game"
local kinds = require "kinds"
local phases = require "phases"
local prefabs = require "prefabs"
local senses = require "senses"
local sound = require "sound"
local C = ecs.components

local kGemsForMore = 8      -- gems for each step of the multiplier
local kMaxMultiplier = 99
local kBombReach = 620      -- px

local function shake(ctx, trauma)
  local view = ctx:resource(C.View)
  view.trauma = math.min(1, view.trauma + trauma)
end

-- An enemy ends: score, sparks, a light, a gem; a mother leaves her young.
local function destroy(ctx, entity, kind, x, y, gives_gem)
  local game = ctx:resource(C.Game)
  game.score = math.min(4e9, game.score + kind.score * game.multiplier)
  game.kills = game.kills + 1
  ctx.commands:destroy(entity)
  gfx.burst(kind.sparks, x, y, math.floor(kind.radius * 2.6))
  prefabs.flare(ctx, x, y, kind.color, 90 + kind.radius * 7, 0.35 + kind.radius * 0.01)
  shake(ctx, kind.radius * 0.004)
  sound.play(kind.radius > 18 and "boom" or "pop", ctx.random:range(0.85, 1.2))
  if gives_gem and ctx.random:chance(0.75) then
    ctx.commands:spawn(prefabs.gem, C.Position { x = x, y = y },
      C.Velocity { x = ctx.random:range(-80, 80), y = ctx.random:range(-80, 80) })
  end
  for k = 1, kind.young or 0 do
    local angle = k * 6.2832 / kind.young
    ctx.commands:spawn(kinds.by_name.bit.prefab, C.Enemy { age = kinds.arrival },
      C.Position { x = x + 14 * math.cos(angle), y = y + 14 * math.sin(angle) },
      C.Velocity { x = 330 * math.cos(angle), y = 330 * math.sin(angle) })
  end
end

-- The shot that touches a place and has not hit anything yet.
local function shot_at(x, y, radius)
  local grid, used = senses.shots, senses.used
  local center = senses.cell_of(x, y)
  for row = -senses.columns, senses.columns, senses.columns do
    for cell = center + row - 1, center + row + 1 do
      local k = grid.first[cell] or 0
      while k > 0 do
        local dx, dy = grid.x[k] - x, grid.y[k] - y
        local reach = radius + 7
        if not used[k] and dx * dx + dy * dy < reach * reach then return k end
        k = grid.next[k]
      end
    end
  end
end

--- Enemies find the shots that hit them.
ecs.system("strike", {
  after = { "move", "gather shots", "gather enemies" },
  query = { read = { C.Position, C.Kind }, write = { C.Enemy } },
  access = { read = { C.Crowd }, write = { C.Game, C.View } },
  run = function(chunk, ctx)
    if ctx:resource(C.Crowd).shots == 0 then return end
    local kind, pos, health, flash = kinds[chunk.Kind.id], chunk.Position, chunk.Enemy.health, chunk.Enemy.flash
    for i = 1, chunk.count do
      local x, y = pos.x[i], pos.y[i]
      local shot = shot_at(x, y, kind.radius)
      if shot and chunk.Enemy.age[i] > kinds.arrival / 2 then
        senses.used[shot] = true
        health[i], flash[i] = health[i] - 1, 0.08
        if health[i] <= 0 then
          destroy(ctx, chunk.entity[i], kind, x, y, true)
        else
          gfx.burst(prefabs.sparks_of_shots, senses.shots.x[shot], senses.shots.y[shot])
        end
      end
    end
  end,
})

--- Removes the shots that hit. The rows are those of "gather shots", in the same order.
ecs.system("spend shots", {
  after = "strike", query = { read = { C.Shot } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      if senses.used[chunk.first_row + i - 1] then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})

local hit = {}  -- scratch: by player, whether something touched the ship in this step

local function touch(x, y, radius)
  for _, ship in ipairs(senses.ships) do
    local dx, dy = ship.x - x, ship.y - y
    local reach = radius + 10
    if dx * dx + dy * dy < reach * reach then hit[ship.player] = true end
  end
end

ecs.system("touch", {
  after = "move", query = { read = { C.Position, C.Enemy, C.Kind } },
  run = function(chunk)
    if chunk.index == 1 then hit = {} end
    local pos, age, radius = chunk.Position, chunk.Enemy.age, kinds[chunk.Kind.id].radius * 0.8
    for i = 1, chunk.count do
      if age[i] > kinds.arrival then touch(pos.x[i], pos.y[i], radius) end
    end
  end,
})

ecs.system("touch of spits", {
  after = "touch", query = { read = { C.Position, C.Spit } },
  run = function(chunk)
    for i = 1, chunk.count do touch(chunk.Position.x[i], chunk.Position.y[i], 5) end
  end,
})

--- Ships that were touched are wrecked: the multiplier is lost, and so is a life.
ecs.system("hurt", {
  after = "touch of spits", query = { read = { C.Position }, write = { C.Ship } },
  access = { write = { C.Game, C.View } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    for i = 1, chunk.count do
      local ship, x, y = chunk.Ship[i], chunk.Position.x[i], chunk.Position.y[i]
      if hit[ship.player] and ship.down <= 0 and ship.safe <= 0 and game.phase == phases.playing then
        ship.down = 1.6
        game.lives, game.multiplier, game.gems = math.max(0, game.lives - 1), 1, 0
        ctx:resource(C.View).hurt = 1
        gfx.burst(prefabs.wreck, x, y)
        prefabs.flare(ctx, x, y, prefabs.player_colors[ship.player], 900, 1.1, true)
        shake(ctx, 0.9)
        sound.play("wreck", 1)
        if game.lives == 0 then course.finish(ctx) end
      end
    end
    hit = {}
  end,
})

ecs.system("collect", {
  after = "drift", query = { read = { C.Position, C.Gem } }, access = { write = { C.Game } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    for i = 1, chunk.count do
      local x, y = chunk.Position.x[i], chunk.Position.y[i]
      local _, gap = senses.nearest_ship(x, y)
      if gap < 24 then
        ctx.commands:destroy(chunk.entity[i])
        gfx.burst(prefabs.shine, x, y)
        game.score, game.gems = game.score + 5 * game.multiplier, game.gems + 1
        if game.gems >= kGemsForMore then
          game.gems, game.multiplier = 0, math.min(kMaxMultiplier, game.multiplier + 1)
        end
        sound.play("gem", 0.9 + 0.06 * game.gems)
      end
    end
  end,
})

local bombs = {}  -- scratch: where bombs went off in this step

ecs.system("bomb", {
  after = { "control", "hurt" }, query = { read = { C.Position }, write = { C.Ship } },
  access = { write = { C.Game, C.View } },
  run = function(chunk, ctx)
    if chunk.index == 1 then bombs = {} end
    local game = ctx:resource(C.Game)
    for i = 1, chunk.count do
      local ship, x, y = chunk.Ship[i], chunk.Position.x[i], chunk.Position.y[i]
      if ship.bomb and ship.down <= 0 and game.bombs > 0 and game.phase == phases.playing then
        game.bombs = game.bombs - 1
        bombs[#bombs + 1] = { x = x, y = y }
        ship.safe = math.max(ship.safe, 1)
        gfx.burst(prefabs.bomb, x, y)
        prefabs.flare(ctx, x, y, 0xFFD9A0FF, 1300, 1.2, true)
        shake(ctx, 0.8)
        sound.play("wreck", 0.7)
      end
      ship.bomb = false
    end
  end,
})

local function is_in_blast(x, y)
  for _, bomb in ipairs(bombs) do
    local dx, dy = bomb.x - x, bomb.y - y
    if dx * dx + dy * dy < kBombReach * kBombReach then return true end
  end
  return false
end

ecs.system("blast", {
  after = { "bomb", "strike" }, query = { read = { C.Position, C.Enemy, C.Kind } },
  access = { write = { C.Game, C.View } },
  run = function(chunk, ctx)
    if #bombs == 0 then return end
    local pos, kind = chunk.Position, kinds[chunk.Kind.id]
    for i = 1, chunk.count do
      if chunk.Enemy.health[i] > 0 and is_in_blast(pos.x[i], pos.y[i]) then
        destroy(ctx, chunk.entity[i], kind, pos.x[i], pos.y[i], false)
      end
    end
  end,
})

ecs.system("blast of spits", {
  after = "bomb", query = { read = { C.Position, C.Spit } },
  run = function(chunk, ctx)
    for i = 1, chunk.count do
      if is_in_blast(chunk.Position.x[i], chunk.Position.y[i]) then ctx.commands:destroy(chunk.entity[i]) end
    end
  end,
})
