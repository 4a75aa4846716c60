-- What the players want, and what their ships do about it.
local ecs, gfx, input, arena = require "ecs", require "gfx", require "input", require "arena"
local prefabs, sound = require "prefabs", require "sound"
local C = ecs.components

-- One player has everything. Of two, the first has keyboard and mouse; the second the gamepad, or i j k l and arrows.
local sides = { left = "x-", right = "x+", up = "y-", down = "y+" }
local keys = { left = "a", right = "d", up = "w", down = "s" }
local second_keys = { left = "j", right = "l", up = "i", down = "k" }
for side, half in pairs(sides) do
  local pad = { "left_" .. half, "dpad_" .. side }
  input.action(side .. " 0", { keys = { keys[side] }, pad = pad })
  input.action(side .. " 1", { keys = { keys[side] } })
  input.action(side .. " 2", { keys = { second_keys[side] }, pad = pad })
  input.action("aim " .. side, { keys = { side }, pad = { "right_" .. half } })
end
input.action("fire", { mouse = { "left" } })
input.action("bomb 0", { keys = { "space" }, mouse = { "right" }, pad = { "left_trigger", "right_trigger" } })
input.action("bomb 1", { keys = { "space" }, mouse = { "right" } })
input.action("bomb 2", { keys = { "enter" }, pad = { "left_trigger", "right_trigger" } })

local kSpeed, kThrust = 330, 9
local kShotSpeed, kFireEvery = 880, 0.085
local kFan = { -0.045, 0.02, 0.05, -0.02, 0 }

local function aim(ship, x, y)
  local length = math.sqrt(x * x + y * y)
  if length > 0.3 then ship.aim_x, ship.aim_y, ship.firing = x / length, y / length, true end
end

ecs.system("read keys", {
  group = "play", after = "gather", query = { read = { C.Position }, write = { C.Ship } },
  access = { read = { C.Game } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    if game.demo then return end
    for i = 1, chunk.count do
      local ship, pos = chunk.Ship[i], chunk.Position[i]
      local set = game.players == 1 and 0 or ship.player
      ship.move_x, ship.move_y = input.vector("left " .. set, "right " .. set, "up " .. set, "down " .. set)
      ship.bomb, ship.firing = input.pressed("bomb " .. set), false
      if set ~= 1 then aim(ship, input.vector("aim left", "aim right", "aim up", "aim down")) end
      if set ~= 2 and input.down("fire") then
        local x, y = gfx.to_world(input.mouse())
        aim(ship, x - pos.x, y - pos.y)
      end
    end
  end,
})

local function fire(ctx, ship, x, y)
  ship.wait, ship.barrel = kFireEvery, ship.barrel % #kFan + 1
  local heading = math.atan2(ship.aim_y, ship.aim_x) + kFan[ship.barrel]
  for side = -1, 1, 2 do                      -- two barrels, side by side
    local angle = heading + side * 0.02
    local c, s = math.cos(angle), math.sin(angle)
    ctx.commands:spawn(prefabs["shot " .. ship.player],
      C.Position { x = x + c * 16 - s * side * 6, y = y + s * 16 + c * side * 6 },
      C.Velocity { x = c * kShotSpeed, y = s * kShotSpeed }, C.Shot { player = ship.player }, prefabs.bolt(angle))
  end
  sound("shot", ctx.random:range(0.9, 1.1))
end

-- How a ship looks: it blinks while it is safe, and is dark while it is down.
local function pose(chunk, i, ship)
  local sprite, part = chunk.Sprite[i], ship.down > 0 and 0 or 1 - math.floor(ship.safe * 12) % 2
  sprite.rotation, sprite.color = math.atan2(ship.aim_y, ship.aim_x), prefabs.fade(0xFFFFFFFF, part)
  chunk.Light.intensity[i] = ship.down > 0 and 0 or 1
end

--- Ships thrust, turn their jets, fire, and come back after they were shot down.
ecs.system("control", {
  group = "play", after = { "read keys", "pilot" }, access = { read = { C.Game } },
  query = { read = { C.Position }, write = { C.Ship, C.Velocity, gfx.Emitter, gfx.Sprite, gfx.Light } },
  run = function(chunk, ctx)
    local game, dt = ctx:resource(C.Game), ctx.dt
    for i = 1, chunk.count do
      local ship, vel, x, y = chunk.Ship[i], chunk.Velocity[i], chunk.Position.x[i], chunk.Position.y[i]
      local is_up, is_playing = ship.down <= 0, game.phase == "playing"
      if not is_up or not is_playing then ship.move_x, ship.move_y, ship.firing = 0, 0, false end
      vel.x = vel.x + (ship.move_x * kSpeed - vel.x) * kThrust * dt
      vel.y = vel.y + (ship.move_y * kSpeed - vel.y) * kThrust * dt
      ship.wait, ship.safe = math.max(0, ship.wait - dt), math.max(0, ship.safe - dt)
      chunk.Emitter.active[i] = is_up and ship.move_x * ship.move_x + ship.move_y * ship.move_y > 0.05
      chunk.Emitter.rotation[i] = math.atan2(-ship.move_y, -ship.move_x)
      if ship.firing and ship.wait <= 0 then fire(ctx, ship, x, y) end
      if not is_up and game.lives > 0 and is_playing then
        ship.down = math.max(0, ship.down - dt)
        if ship.down == 0 then
          ship.safe = 2.5
          prefabs.flare(ctx, x, y, prefabs.player_colors[ship.player], 420, 0.9, true)
        end
      end
      pose(chunk, i, ship)
    end
  end,
})

ecs.system("move", {
  group = "play", after = { "steer", "control" }, query = { write = { C.Position, C.Velocity }, read = { C.Body } },
  run = function(chunk, ctx)
    local pos, vel, radius, dt, push = chunk.Position, chunk.Velocity, chunk.Body.radius, ctx.dt, arena.push
    for i = 1, chunk.count do
      local vx, vy = vel.x[i], vel.y[i]
      local x, y, nx, ny = push(pos.x[i] + vx * dt, pos.y[i] + vy * dt, radius[i])
      pos.x[i], pos.y[i] = x, y
      local into = vx * nx + vy * ny
      if into < 0 then vel.x[i], vel.y[i] = vx - 1.6 * into * nx, vy - 1.6 * into * ny end
    end
  end,
})
