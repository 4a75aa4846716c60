-- Score, lives, banners and menus. Large words glow: they are also drawn into what shines.
local ecs, gfx, layers, prefabs = require "ecs", require "gfx", require "layers", require "prefabs"
local shining = require("camera").shining
local C = ecs.components
local fade = prefabs.fade

local kWidth, kHeight = gfx.size()

local function plain(text, y, size, color, x, align)
  gfx.print(text, x or 0, y, { size = size, width = kWidth - 2 * (x or 0), align = align or "center", color = color })
end

-- Text with a glow around it.
local function neon(text, y, size, color, x, align)
  gfx.set_canvas(shining)
  gfx.push()
  gfx.scale(shining.width / kWidth)
  plain(text, y, size, color, x, align)
  gfx.pop()
  gfx.set_canvas()
  plain(text, y, size, color, x, align)
end

local function dim(alpha) gfx.rectangle("fill", 0, 0, kWidth, kHeight, 0x05060D00 + alpha) end

local function draw_counts(game, director)
  neon(game.score, 22, 40, 0xFFFFFFFF, 30, "left")
  neon("x" .. game.multiplier, 68, 28, 0x8CFF6AFF, 30, "left")
  gfx.rectangle("fill", 32, 106, 120, 4, 0xFFFFFF28)
  gfx.rectangle("fill", 32, 106, 120 * game.gems / 8, 4, 0x8CFF6AFF)
  plain("WAVE " .. director.wave .. (game.best > 0 and "     BEST " .. game.best or ""), 26, 18, 0xC3CBE0FF)
  local function right(k) return kWidth - 20 - k * 34 end
  for k = 1, game.lives do gfx.sprite("assets/shapes.png", 7, right(k), 40, 0.55, 0.55, -math.pi / 2) end
  for k = 1, game.bombs do gfx.sprite("assets/spark.png", 0, right(k), 78, 1, 1, 0, 0xFFB05AFF) end
end

local screens = {
  title = function(game)
    dim(0x70)
    neon("N O V A", 180, 140, 0x7FE9FFFF)
    plain("a shooter of light", 352, 26, 0xD8C4FFFF)
    neon("press  ENTER  or  A", 452, 30, fade(0xFFFFFFFF, 0.7 + 0.3 * math.sin(game.since * 4)))
    plain("2: two players        f: full screen        q: quit", 506, 20, 0xC3CBE0FF)
    plain("fly with w a s d, aim and fire with the mouse or the arrow keys, space: bomb\n"
      .. "or with both sticks and the triggers of a gamepad", 600, 18, 0x8C95B4FF)
  end,
  playing = function(game, director)
    local part = math.min(1, director.banner, (2.6 - director.banner) * 4)
    if part > 0 then neon("WAVE " .. director.wave, 150, 56, fade(0xFFFFFFFF, part)) end
    if game.demo then
      plain("DEMONSTRATION     press a key", kHeight - 46, 20, fade(0xFFFFFFFF, 0.5 + 0.3 * math.sin(game.since * 3)))
    end
  end,
  paused = function()
    dim(0xA0)
    neon("PAUSED", 270, 72, 0x7FE9FFFF)
    plain("P: go on        Q: title", 380, 22, 0xC3CBE0FF)
  end,
  over = function(game)
    dim(0xA0)
    neon("GAME OVER", 190, 92, 0xFF6FA8FF)
    neon(game.score, 320, 64, 0xFFFFFFFF)
    plain(game.record and "a new best score" or game.kills .. " destroyed", 412, 26, 0xFFE14AFF)
    if game.since > 1.2 and not game.demo then plain("ENTER: again        ESC: title", 482, 22, 0xC3CBE0FF) end
  end,
}

ecs.system("hud", {
  group = "presentation", before = "glow", access = { read = { C.Game, C.Director, C.Scene } },
  run = function(_, ctx)
    local game, scene, director = ctx:resource(C.Game), ctx:resource(C.Scene), ctx:resource(C.Director)
    gfx.set_space("screen")
    gfx.set_layer(layers.hud)
    gfx.gradient(0, 0, 300, kHeight, 0x00000080, 0x00000000)
    gfx.gradient(kWidth - 300, 0, 300, kHeight, 0x00000000, 0x00000080)
    if scene.count == 2 then gfx.gradient(kWidth / 2 - 2, 0, 4, kHeight, 0x52E5FFFF, 0xFF6FA8FF) end
    if game.phase ~= "title" then draw_counts(game, director) end
    screens[game.phase](game, director)
  end,
})
