-- Breakout: a ball, a paddle, a wall of bricks, three lives. Run it with: ./run scripts/examples/breakout
-- The rules are here, the pictures in drawing.lua. A match goes through the states of the resource Match:
-- new -> serve -> play -> serve (a ball was lost) ... -> lost or won, and back to new when a player starts again.
local ecs, gfx, input = require "ecs", require "gfx", require "input"
local C = ecs.components
require "drawing"

local WIDTH, HEIGHT = gfx.size()
local BALL_SPEED, PADDLE_SPEED = 480, 720
local COLUMNS = 12
local ROWS = {
  { color = gfx.color("red"), points = 50 },
  { color = gfx.color("orange"), points = 40 },
  { color = gfx.color("yellow"), points = 30 },
  { color = gfx.color("green"), points = 20 },
  { color = gfx.color("sky"), points = 10 },
}

input.action("serve", { keys = { "space" }, mouse = { "left" }, pad = { "a" } })
input.action("restart", { keys = { "r" }, pad = { "start" } })
input.action("left", { keys = { "left", "a" }, pad = { "dpad_left", "left_x-" } })
input.action("right", { keys = { "right", "d" }, pad = { "dpad_right", "left_x+" } })

local Brick = ecs.prefab("Brick", { C.Brick, C.Box })
local paddle = ecs.world:spawn(C.Paddle, C.Box { x = WIDTH / 2, y = HEIGHT - 50, width = 130, height = 16 })
local ball = ecs.world:spawn(C.Ball, C.Velocity, C.Box { y = HEIGHT - 70, color = gfx.color("yellow") })

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
          C.Box { x = (column - 0.5) * step, y = 80 + row * 34, width = step - 8, height = 26, color = kind.color })
      end
    end
  end,
})

-- ---- paddle and ball ----------------------------------------------------------------------------------------

ecs.system("steer", {
  after = "build wall",
  query = { write = { C.Box }, read = { C.Paddle } }, access = { read = { C.Match } },
  run = function(chunk, ctx)
    local box, step = chunk.Box, PADDLE_SPEED * ctx.dt
    local match = ctx:resource(C.Match)
    local aim = ctx:try_get(ball, C.Box).x + (math.floor(ctx.time) % 7 - 3) * 16  -- the demo hits it off-centre
    for i = 1, chunk.count do
      local way = input.axis("left", "right") * step
      if match.is_demo then way = math.max(-step, math.min(step, aim - box.x[i])) end
      local half = box.width[i] / 2
      box.x[i] = math.max(half, math.min(WIDTH - half, box.x[i] + way))
    end
  end,
})

-- The ball's velocity when it leaves the paddle: `side` is 0 for straight up, -1 and 1 for flat to the left and right.
local function up(side) return BALL_SPEED * side, -BALL_SPEED * math.sqrt(1 - side * side) end

-- How far two boxes lie over each other, along x and y. They touch when both are positive.
local function overlap(a, b)
  return (a.width + b.width) / 2 - math.abs(a.x - b.x), (a.height + b.height) / 2 - math.abs(a.y - b.y)
end

ecs.system("move ball", {
  after = "steer",
  query = { write = { C.Box, C.Velocity }, read = { C.Ball } }, access = { write = { C.Match } },
  run = function(chunk, ctx)
    local match, bat = ctx:resource(C.Match), ctx:try_get(paddle, C.Box)
    for i = 1, chunk.count do
      local box, speed = chunk.Box[i], chunk.Velocity[i]
      if match.state == "serve" then
        box.x, box.y = bat.x, bat.y - 20
        if match.is_demo or input.pressed("serve") then
          match.state = "play"
          speed.x, speed.y = up(ctx.random:range(-0.5, 0.5))
        end
      elseif match.state == "play" then
        box.x, box.y = box.x + speed.x * ctx.dt, box.y + speed.y * ctx.dt
        if box.x < 8 then speed.x = math.abs(speed.x) end
        if box.x > WIDTH - 8 then speed.x = -math.abs(speed.x) end
        if box.y < 8 then speed.y = math.abs(speed.y) end
        local over_x, over_y = overlap(box, bat)
        if speed.y > 0 and over_x > 0 and over_y > 0 then speed.x, speed.y = up(1.5 * (box.x - bat.x) / bat.width) end
        if box.y > HEIGHT + 20 then
          match.lives = match.lives - 1
          match.state = match.lives > 0 and "serve" or "lost"
        end
      end
    end
  end,
})

-- The rows of this system are bricks; the ball is another entity, so it is declared under `access` and looked up.
ecs.system("break bricks", {
  after = "move ball",
  query = { read = { C.Box, C.Brick } }, access = { write = { C.Velocity, C.Match } },
  run = function(chunk, ctx)
    local match, box, speed = ctx:resource(C.Match), ctx:try_get(ball, C.Box), ctx:try_get(ball, C.Velocity)
    if match.state ~= "play" then return end
    for i = 1, chunk.count do
      local brick = chunk.Box[i]
      local over_x, over_y = overlap(box, brick)
      if over_x > 0 and over_y > 0 then
        if over_x < over_y then
          speed.x = box.x < brick.x and -math.abs(speed.x) or math.abs(speed.x)
        else
          speed.y = box.y < brick.y and -math.abs(speed.y) or math.abs(speed.y)
        end
        match.points, match.bricks = match.points + chunk.Brick.points[i], match.bricks - 1
        if match.bricks == 0 then match.state = "won" end
        ctx.commands:destroy(chunk.entity[i])
      end
    end
  end,
})
