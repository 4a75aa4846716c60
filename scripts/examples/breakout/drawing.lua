-- The pictures of Breakout. Presentation systems read the finished world and change nothing.
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components

local WIDTH, HEIGHT = gfx.size()
local TITLES = { serve = "space serves", lost = "game over", won = "well done" }

gfx.set_background("#101020")

ecs.system("draw boxes", {
  group = "presentation",
  query = { read = { C.Box } },
  run = function(chunk)
    local box = chunk.Box
    for i = 1, chunk.count do
      local width, height = box.width[i], box.height[i]
      gfx.rectangle("fill", box.x[i] - width / 2, box.y[i] - height / 2, width, height, box.color[i])
    end
  end,
})

ecs.system("draw text", {
  group = "presentation", after = "draw boxes",
  access = { read = { C.Match } },
  run = function(_, ctx)
    local match = ctx:resource(C.Match)
    gfx.print("points " .. match.points, 20, 20, { size = 28 })
    gfx.print("lives " .. match.lives, 0, 20, { size = 28, width = WIDTH - 20, align = "right" })

    local title = match.is_demo and "breakout" or TITLES[match.state]
    if not title then return end
    gfx.print(title, 0, HEIGHT / 2 - 20, { size = 48, width = WIDTH, align = "center" })
    local hint = "arrows or A and D move, space starts, R starts again"
    gfx.print(hint, 0, HEIGHT / 2 + 44, { size = 20, width = WIDTH, align = "center", color = "silver" })
  end,
})
