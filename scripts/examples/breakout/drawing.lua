-- The pictures of Breakout. Presentation systems read the finished world and change nothing.
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components

local WIDTH, HEIGHT = gfx.size()
local TITLES = { serve = "space serves", lost = "game over", won = "well done" }
local SHADOW, SHINE, SHADE = gfx.color("#00000060"), gfx.color("#ffffff50"), gfx.color("#00000030")

gfx.set_background("#0c0c1e")

ecs.system("draw field", {
  group = "presentation",
  run = function(_, ctx)
    gfx.set_layer(-3)
    gfx.gradient(-20, -20, WIDTH + 40, HEIGHT + 40, "#1c1440", "#08081a", math.pi / 2)
    gfx.set_blend("add")
    for i = 0, 16 do  -- bands of light that wander
      local y = (i * 61 + ctx.time * 9) % (HEIGHT + 80) - 40
      gfx.gradient(0, y, WIDTH, 24, "#28206000", i % 2 == 0 and "#2820603c" or "#1030502a")
    end
    gfx.set_blend("alpha")
  end,
})

ecs.system("draw bricks", {
  group = "presentation", after = "draw field",
  query = { read = { C.Position, C.Box, C.Brick } },
  run = function(chunk)
    gfx.set_layer(-2)
    local at, box = chunk.Position, chunk.Box
    for i = 1, chunk.count do
      local width, height = box.width[i], box.height[i]
      local x, y = at.x[i] - width / 2, at.y[i] - height / 2
      gfx.rounded_rectangle("fill", x + 4, y + 6, width, height, 6, SHADOW)
      gfx.rounded_rectangle("fill", x, y, width, height, 6, box.color[i])
      gfx.rounded_rectangle("fill", x + 5, y + 4, width - 10, 6, 3, SHINE)
      gfx.rounded_rectangle("fill", x + 5, y + height - 8, width - 10, 4, 2, SHADE)
    end
  end,
})

ecs.system("draw paddle", {
  group = "presentation", after = "draw bricks",
  query = { read = { C.Position, C.Box, C.Paddle } },
  run = function(chunk)
    gfx.set_layer(1)
    local at, box = chunk.Position, chunk.Box
    for i = 1, chunk.count do
      local flash = box.flash[i]  -- it squeezes when it is hit
      local width, height = box.width[i] * (1 + 0.12 * flash), box.height[i] * (1 - 0.3 * flash)
      local x, y = at.x[i] - width / 2, at.y[i] - height / 2 + 4 * flash
      gfx.rounded_rectangle("fill", x + 4, y + 6, width, height, 8, SHADOW)
      gfx.rounded_rectangle("fill", x, y, width, height, 8, box.color[i])
      gfx.rounded_rectangle("fill", x + 8, y + 3, width - 16, 4, 2, SHINE)
      gfx.rounded_rectangle("fill", x, y, width, height, 8, gfx.color(1, 0.8, 0.35, 0.8 * flash))
    end
  end,
})

ecs.system("draw ball", {
  group = "presentation", after = "draw paddle",
  query = { read = { C.Position, C.Box, C.Ball } },
  run = function(chunk)
    gfx.set_layer(1)
    local at, box = chunk.Position, chunk.Box
    for i = 1, chunk.count do
      local x, y = at.x[i], at.y[i]
      gfx.set_blend("add")
      for ring = 1, 4 do gfx.circle("fill", x, y, 8 + 5 * ring, "#ffb45a16") end
      gfx.set_blend("alpha")
      gfx.circle("fill", x, y, box.width[i] / 2 + 1, box.color[i])
    end
  end,
})

ecs.system("draw text", {
  group = "presentation", after = "draw ball",
  access = { read = { C.Match } },
  run = function(_, ctx)
    local match = ctx:resource(C.Match)
    gfx.set_space("screen")
    gfx.set_layer(2)
    gfx.print(match.points, 24, 16, { size = 34, color = "#ffd23c" })
    for life = 1, match.lives do gfx.circle("fill", WIDTH - 8 - 28 * life, 36, 9, "#ff3c5f") end

    local title = match.is_demo and "breakout" or TITLES[match.state]
    if not title then return end
    local y = HEIGHT / 2 + 10 + 6 * math.sin(ctx.time * 2)
    gfx.print(title, 3, y + 4, { size = 64, width = WIDTH, align = "center", color = "#00000080" })
    gfx.print(title, 0, y, { size = 64, width = WIDTH, align = "center", color = "#fff0c8" })
    local hint = "arrows or A and D move, space starts, R starts again"
    gfx.print(hint, 0, y + 84, { size = 20, width = WIDTH, align = "center", color = "silver" })
  end,
})
