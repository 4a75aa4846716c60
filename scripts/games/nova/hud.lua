-- Score, lives, banners and menus. Large words glow: they are also drawn into a small canvas, enlarged over the screen.
local ecs = require "ecs"
local gfx = require "gfx"
local layers = require "layers"
local phases = require "phases"
local prefabs = require "prefabs"
local shapes = require "shapes"
local view = require "view"
local C = ecs.components
local fade = shapes.fade

local kWidth, kHeight = view.width, view.height
local kSmall = 8
local words = gfx.canvas(kWidth / kSmall, kHeight / kSmall, { filter = "linear" })

-- Text with a glow around it.
local function neon(text, y, size, color, x, align)
  local options = { size = size, width = kWidth - 2 * (x or 0), align = align or "center", color = color }
  gfx.set_canvas(words)
  gfx.push()
  gfx.scale(1 / kSmall)
  gfx.print(text, x or 0, y, options)
  gfx.pop()
  gfx.set_canvas()
  gfx.print(text, x or 0, y, options)
end

local function plain(text, y, size, color, x, align)
  gfx.print(text, x or 0, y, { size = size, width = kWidth - 2 * (x or 0), align = align or "center", color = color })
end

-- 1234567 -> "1 234 567"
local function grouped(number)
  local text = ("%d"):format(number):reverse():gsub("(%d%d%d)", "%1 "):reverse()
  return (text:gsub("^ ", ""))
end

local function draw_counts(game)
  for k = 1, game.lives do
    gfx.sprite(shapes.lines.ship, 0, kWidth - 20 - k * 34, 40, 0.55, 0.55, -math.pi / 2, prefabs.player_colors[1])
  end
  for k = 1, game.bombs do
    shapes.glow(kWidth - 20 - k * 34, 78, 15, 0xFFB05AFF)
    gfx.circle("fill", kWidth - 20 - k * 34, 78, 5, 0xFFF0D0FF)
  end
end

local function draw_score(game)
  neon(grouped(game.score), 22, 40, 0xFFFFFFFF, 30, "left")
  neon("x" .. game.multiplier, 68, 28, 0x8CFF6AFF, 30, "left")
  gfx.rectangle("fill", 32, 106, 120, 4, 0xFFFFFF28)
  gfx.rectangle("fill", 32, 106, 120 * game.gems / 8, 4, 0x8CFF6AFF)
  plain("BEST  " .. grouped(math.max(game.best, game.demo and 0 or game.score)), 26, 18, 0xC3CBE0FF)
end

local function draw_title(game)
  gfx.rectangle("fill", 0, 0, kWidth, kHeight, 0x05060D90)
  local beat = 0.5 + 0.5 * math.sin(game.since * 2.4)
  neon("N O V A", 190, 132, 0x7FE9FFFF)
  plain("a shooter of light", 352, 26, 0xD8C4FFFF)
  neon("press  ENTER  or  A", 452, 30, fade(0xFFFFFFFF, 0.45 + 0.55 * beat))
  plain("2: two players        f: full screen        q: quit", 506, 20, 0xC3CBE0FF)
  plain("fly with w a s d, aim and fire with the mouse or the arrow keys, space: bomb\n"
    .. "or with both sticks of a gamepad", 590, 18, 0x8C95B4FF)
end

local function draw_end(game)
  gfx.rectangle("fill", 0, 0, kWidth, kHeight, 0x05060DA0)
  neon("GAME OVER", 200, 92, 0xFF6FA8FF)
  neon(grouped(game.score), 326, 64, 0xFFFFFFFF)
  plain(game.record and "a new best score" or grouped(game.kills) .. " destroyed", 412, 26, 0xFFE14AFF)
  if game.since > 1.2 and not game.demo then plain("ENTER: again        ESC: title", 482, 22, 0xC3CBE0FF) end
end

local function draw_words(game, director)
  if game.phase == phases.title then return draw_title(game) end
  draw_score(game)
  if game.phase == phases.over then return draw_end(game) end
  if director.banner > 0 then
    neon("WAVE " .. director.wave, 150, 56, fade(0xFFFFFFFF, math.min(1, director.banner, (2.6 - director.banner) * 4)))
  end
  if game.phase == phases.paused then
    gfx.rectangle("fill", 0, 0, kWidth, kHeight, 0x05060DA0)
    neon("PAUSED", 270, 72, 0x7FE9FFFF)
    plain("P: go on        Q: title", 372, 22, 0xC3CBE0FF)
  elseif game.demo then
    plain("DEMONSTRATION    press a key", kHeight - 46, 20, fade(0xFFFFFFFF, 0.5 + 0.3 * math.sin(game.since * 3)))
  end
end

ecs.system("hud", {
  group = "presentation", after = { "ships", "flashes of light", "shots", "gems", "spits" },
  access = { read = { C.Game, C.Director, C.View } },
  run = function(_, ctx)
    local game, now = ctx:resource(C.Game), ctx:resource(C.View)
    view.screen(layers.hud)
    if now.count == 2 then
      gfx.gradient(kWidth / 2 - 3, 0, 6, kHeight, 0x52E5FFFF, 0xFF6FA8FF)
    end
    gfx.sprite(shapes.vignette, 0, kWidth / 2, kHeight / 2, 20, 20)
    if now.hurt > 0 then
      gfx.set_line_width(26)
      gfx.rectangle("line", 0, 0, kWidth, kHeight, fade(0xFF3B5CC0, now.hurt))
    end
    gfx.clear_canvas(words, 0x000000FF)
    draw_words(game, ctx:resource(C.Director))
    if game.phase ~= phases.title then draw_counts(game) end
    gfx.set_layer(layers.menu)
    gfx.set_blend("add")
    gfx.sprite(words, 0, kWidth / 2, kHeight / 2, kSmall, kSmall)
  end,
})
