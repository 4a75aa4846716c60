-- Breakout: a ball, a paddle, a wall of bricks, three lives. Run it with: ./run scripts/examples/breakout
-- The rules are here, the pictures in drawing.lua, the sparks in effects.lua.
-- A match goes through the states of the resource Match:
-- new -> serve -> play -> serve (a ball was lost) ... -> lost or won, and back to new when a player starts again.
local ecs, gfx, input = require "ecs", require "gfx", require "input"
local C = ecs.components
local effects = require "effects"
require "drawing"

local WIDTH, HEIGHT = gfx.size()
local BALL_SPEED, PADDLE_SPEED = 480, 720
local COLUMNS = 12
local ROWS = {
  { color = "#ff3c5f", points = 50 },
  { color = "#ff8c32", points = 40 },
  { color = "#ffd23c", points = 30 },
  { color = "#3cdc8c", points = 20 },
  { color = "#3cb4ff", points = 10 },
}

input.action("serve", { keys = { "space" }, mouse = { "left" }, pad = { "a" } })
input.action("restart", { keys = { "r" }, pad = { "start" } })
input.action("left", { keys = { "left", "a" }, pad = { "dpad_left", "left_x-" } })
input.action("right", { keys = { "right", "d" }, pad = { "dpad_right", "left_x+" } })

local Brick = ecs.prefab("Brick", { C.Brick, C.Position, C.Box })
local paddle = ecs.world:spawn(C.Paddle, C.Position { x = WIDTH / 2, y = HEIGHT - 50 },
  C.Box { width = 130, height = 16, color = "#c8d2ff" })
local ball = ecs.world:spawn(C.Ball, C.Velocity, C.Position { y = HEIGHT - 70 }, C.Box { color = "#fff0c8" },
  gfx.Trail {
    color = "#ffc85a90", end_color = "#ff3c5f00", width = 14, length = 24,
    blend = "add", layer = -1,
  })

-- ---- the match ----------------------------------------------------------------------------------------------

ecs.system("start", {
  access = { write = { C.Match } },
  run = function(_, ctx)
    local match = ctx:resource(C.Match)
    local has_ended = match.state == "lost" or match.state == "won"
    local is_asked = input.pressed("restart") or (input.pressed("serve") and (match.is_demo or has_ended))
    if is_asked then match.is_demo = false end
    if is_asked or (match.is_demo and has_ended) then match.state = "new" end
  end,
})

-- Runs once per chunk of bricks, and not at all when there are none. Destroyed bricks are gone when the group ends.
ecs.system("clear wall", {
  after = "start",
  query = { read = { C.Brick } }, access = { read = { C.Match } },
  run = function(chunk, ctx)
    if ctx:resource(C.Match).state ~= "new" then return end
    for i = 1, chunk.count do ctx.commands:destroy(chunk.entity[i]) end
  end,
})

ecs.system("build wall", {
  after = "clear wall",
  access = { write = { C.Match } },
  run = function(_, ctx)
    local match = ctx:resource(C.Match)
    if match.state ~= "new" then return end
    match.state, match.points, match.lives, match.bricks = "serve", 0, 3, #ROWS * COLUMNS
    local step = WIDTH / COLUMNS
    for row, kind in ipairs(ROWS) do
      for column = 1, COLUMNS do
        ctx.commands:spawn(Brick, C.Brick { points = kind.points },
          C.Position { x = (column - 0.5) * step, y = 80 + row * 34 },
          C.Box { width = step - 8, height = 26, color = kind.color })
      end
    end
  end,
})

-- ---- paddle and ball ----------------------------------------------------------------------------------------

ecs.system("steer", {
  after = "build wall",
  query = { write = { C.Position }, read = { C.Box, C.Paddle } }, access = { read = { C.Match } },
  run = function(chunk, ctx)
    local at, box, step = chunk.Position, chunk.Box, PADDLE_SPEED * ctx.dt
    local match = ctx:resource(C.Match)
    local aim = ctx:try_get(ball, C.Position).x + (math.floor(ctx.time) % 7 - 3) * 16  -- the demo hits it off-centre
    for i = 1, chunk.count do
      local way = input.axis("left", "right") * step
      if match.is_demo then way = math.max(-step, math.min(step, aim - at.x[i])) end
      local half = box.width[i] / 2
      at.x[i] = math.max(half, math.min(WIDTH - half, at.x[i] + way))
    end
  end,
})

-- The ball's velocity when it leaves the paddle: `side` is 0 for straight up, -1 and 1 for flat to the left and right.
local function up(side) return BALL_SPEED * side, -BALL_SPEED * math.sqrt(1 - side * side) end

-- How far two boxes lie over each other, along x and y. They touch when both are positive.
local function overlap(at, box, other_at, other)
  return (box.width + other.width) / 2 - math.abs(at.x - other_at.x),
    (box.height + other.height) / 2 - math.abs(at.y - other_at.y)
end

local function bounce_off_walls(at, speed)
  local x, y = speed.x, speed.y
  if at.x < 8 then speed.x = math.abs(x) end
  if at.x > WIDTH - 8 then speed.x = -math.abs(x) end
  if at.y < 8 then speed.y = math.abs(y) end
  if speed.x ~= x or speed.y ~= y then effects.touch(at.x, at.y) end
end

ecs.system("move ball", {
  after = "steer",
  query = { write = { C.Position, C.Velocity }, read = { C.Ball, C.Box } },
  access = { write = { C.Match, C.Box }, read = { C.Position } },
  run = function(chunk, ctx)
    local match, bat_at, bat = ctx:resource(C.Match), ctx:try_get(paddle, C.Position), ctx:try_get(paddle, C.Box)
    for i = 1, chunk.count do
      local at, speed = chunk.Position[i], chunk.Velocity[i]
      if match.state == "serve" then
        at.x, at.y = bat_at.x, bat_at.y - 20
        if match.is_demo or input.pressed("serve") then
          match.state = "play"
          speed.x, speed.y = up(ctx.random:range(-0.5, 0.5))
        end
      elseif match.state == "play" then
        at.x, at.y = at.x + speed.x * ctx.dt, at.y + speed.y * ctx.dt
        bounce_off_walls(at, speed)
        local over_x, over_y = overlap(at, chunk.Box[i], bat_at, bat)
        if speed.y > 0 and over_x > 0 and over_y > 0 then
          speed.x, speed.y = up(1.5 * (at.x - bat_at.x) / bat.width)
          bat.flash = 1
          effects.touch(at.x, at.y)
        end
        if at.y > HEIGHT + 20 then
          match.lives, match.shake = match.lives - 1, 1
          match.state = match.lives > 0 and "serve" or "lost"
          effects.lose(at.x)
        end
      end
    end
  end,
})

-- The rows of this system are bricks; the ball is another entity, so it is declared under `access` and looked up.
ecs.system("break bricks", {
  after = "move ball",
  query = { read = { C.Position, C.Box, C.Brick } }, access = { write = { C.Velocity, C.Match } },
  run = function(chunk, ctx)
    local match = ctx:resource(C.Match)
    local at, box, speed = ctx:try_get(ball, C.Position), ctx:try_get(ball, C.Box), ctx:try_get(ball, C.Velocity)
    if match.state ~= "play" then return end
    for i = 1, chunk.count do
      local brick_at, brick = chunk.Position[i], chunk.Box[i]
      local over_x, over_y = overlap(at, box, brick_at, brick)
      if over_x > 0 and over_y > 0 then
        if over_x < over_y then
          speed.x = at.x < brick_at.x and -math.abs(speed.x) or math.abs(speed.x)
        else
          speed.y = at.y < brick_at.y and -math.abs(speed.y) or math.abs(speed.y)
        end
        match.points, match.bricks = match.points + chunk.Brick.points[i], match.bricks - 1
        match.shake = math.min(1, match.shake + 0.25)
        if match.bricks == 0 then match.state = "won" end
        effects.shatter(brick_at.x, brick_at.y, chunk.Brick.points[i])
        ctx.commands:destroy(chunk.entity[i])
      end
    end
  end,
})
