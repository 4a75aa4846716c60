-- What the players want, and what their ships do about it.
local ecs = require "ecs"
local gfx = require "gfx"
local input = require "input"
local arena = require "arena"
local phases = require "phases"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

input.action("left", { keys = { "a" }, pad = { "left_x-", "dpad_left" } })
input.action("right", { keys = { "d" }, pad = { "left_x+", "dpad_right" } })
input.action("up", { keys = { "w" }, pad = { "left_y-", "dpad_up" } })
input.action("down", { keys = { "s" }, pad = { "left_y+", "dpad_down" } })
input.action("aim left", { keys = { "left" }, pad = { "right_x-" } })
input.action("aim right", { keys = { "right" }, pad = { "right_x+" } })
input.action("aim up", { keys = { "up" }, pad = { "right_y-" } })
input.action("aim down", { keys = { "down" }, pad = { "right_y+" } })
input.action("fire", { mouse = { "left" } })
input.action("bomb", { keys = { "space" }, mouse = { "right" }, pad = { "left_trigger", "right_trigger" } })
-- With two players the keyboard and mouse are the first one's, and the gamepad the second one's; or i j k l and arrows.
input.action("left 1", { keys = { "a" } })
input.action("right 1", { keys = { "d" } })
input.action("up 1", { keys = { "w" } })
input.action("down 1", { keys = { "s" } })
input.action("bomb 1", { keys = { "space" }, mouse = { "right" } })
input.action("left 2", { keys = { "j" }, pad = { "left_x-", "dpad_left" } })
input.action("right 2", { keys = { "l" }, pad = { "left_x+", "dpad_right" } })
input.action("up 2", { keys = { "i" }, pad = { "left_y-", "dpad_up" } })
input.action("down 2", { keys = { "k" }, pad = { "left_y+", "dpad_down" } })
input.action("bomb 2", { keys = { "enter" }, pad = { "left_trigger", "right_trigger" } })

local kSpeed, kThrust = 330, 9
local kShotSpeed, kFireEvery = 880, 0.085
local kSpread = { -0.045, 0.02, 0.05, -0.02, 0 }

local function aim(ship, x, y)
  local length = math.sqrt(x * x + y * y)
  if length < 0.3 then return false end
  ship.aim_x, ship.aim_y = x / length, y / length
  return true
end

-- Where the mouse is in the world, for the first player's view.
local function mouse_in_world(view)
  local x, y = input.mouse()
  local left = view.count == 2 and 320 or 640
  return view.x[1] + (x - left) / view.zoom, view.y[1] + (y - 360) / view.zoom
end

local function read_keys(ship, pos, players, view)
  local suffix = players == 1 and "" or " " .. ship.player
  ship.move_x, ship.move_y = input.vector("left" .. suffix, "right" .. suffix, "up" .. suffix, "down" .. suffix)
  ship.bomb = input.pressed("bomb" .. suffix)
  ship.firing = false
  if players == 1 or ship.player == 2 then
    ship.firing = aim(ship, input.vector("aim left", "aim right", "aim up", "aim down"))
  end
  if ship.player == 1 and input.down("fire") then
    local x, y = mouse_in_world(view)
    ship.firing = aim(ship, x - pos.x, y - pos.y)
  end
end

ecs.system("read keys", {
  after = "gather ships", before = "control",
  query = { read = { C.Position }, write = { C.Ship } }, access = { read = { C.Game, C.View } },
  run = function(chunk, ctx)
    local game = ctx:resource(C.Game)
    if game.demo or game.phase ~= phases.playing then return end
    for i = 1, chunk.count do read_keys(chunk.Ship[i], chunk.Position[i], game.players, ctx:resource(C.View)) end
  end,
})

local function fire(ctx, ship, x, y)
  ship.wait = kFireEvery
  ship.spread = ship.spread % #kSpread + 1
  local angle = math.atan2(ship.aim_y, ship.aim_x) + kSpread[ship.spread]
  -- Two barrels, side by side.
  for side = -1, 1, 2 do
    local c, s = math.cos(angle + side * 0.02), math.sin(angle + side * 0.02)
    local from_x, from_y = x + c * 16 - s * side * 6, y + s * 16 + c * side * 6
    if not arena.is_solid(from_x, from_y) then
      ctx.commands:spawn(prefabs.shot, C.Position { x = from_x, y = from_y },
        C.Velocity { x = c * kShotSpeed, y = s * kShotSpeed }, C.Shot { player = ship.player })
    end
  end
  sound.play("shot", ctx.random:range(0.9, 1.1))
end

--- Ships thrust, turn their jets, fire, and come back after they were shot down.
ecs.system("control", {
  after = { "pilot", "gather ships" },
  query = { read = { C.Position }, write = { C.Ship, C.Velocity, gfx.Emitter } }, access = { write = { C.Game } },
  run = function(chunk, ctx)
    local game, dt = ctx:resource(C.Game), ctx.dt
    if not phases.moves(ctx) then return end
    for i = 1, chunk.count do
      local ship, vel, x, y = chunk.Ship[i], chunk.Velocity[i], chunk.Position.x[i], chunk.Position.y[i]
      local is_up = ship.down <= 0
      local share = math.min(1, kThrust * dt)
      if not is_up or game.phase ~= phases.playing then ship.move_x, ship.move_y, ship.firing = 0, 0, false end
      vel.x = vel.x + (ship.move_x * kSpeed - vel.x) * share
      vel.y = vel.y + (ship.move_y * kSpeed - vel.y) * share
      ship.wait, ship.safe = math.max(0, ship.wait - dt), math.max(0, ship.safe - dt)
      chunk.Emitter.active[i] = is_up and ship.move_x * ship.move_x + ship.move_y * ship.move_y > 0.05
      chunk.Emitter.rotation[i] = math.atan2(-ship.move_y, -ship.move_x)
      if ship.firing and ship.wait <= 0 then fire(ctx, ship, x, y) end
      if not is_up and game.lives > 0 and game.phase == phases.playing then
        ship.down = ship.down - dt
        if ship.down <= 0 then
          ship.down, ship.safe = 0, 2.5
          prefabs.flare(ctx, x, y, prefabs.player_colors[ship.player], 420, 0.9, true)
        end
      end
    end
  end,
})
