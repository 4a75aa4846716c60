-- What the player sees while playing: experience, health, time, score, weapons, banners, and where the boss is.
local ecs = require "ecs"
local gfx = require "gfx"
local art = require "art"
local hero = require "hero"
local kinds = require "kinds"
local phases = require "phases"
local timeline = require "timeline"
local ui = require "ui"
local upgrades = require "upgrades"
local C = ecs.components
local layers = art.layers

local kWidth, kHeight = gfx.size()
local kBannerSeconds = 3.5

local function draw_top(stats, game, clock)
  ui.bar(12, 10, kWidth - 24, 22, stats.xp / stats.next_xp, ui.cyan)
  ui.text("Level " .. stats.level, 12, 9, 16, ui.white, "center", kWidth - 24)
  gfx.rectangle("fill", kWidth / 2 - 66, 36, 132, 46, 0x0A0A1690)
  gfx.rectangle("fill", 12, 40, 134, 36, 0x0A0A1690)
  local best = game.crowd > 0 and game.best_crowd or game.best
  gfx.rectangle("fill", kWidth - 262, 40, 250, best > 0 and 58 or 36, 0x0A0A1690)
  ui.text(ui.clock(clock.time), 0, 40, 34, clock.time >= 300 and ui.red or ui.white, "center", kWidth)
  ui.icon("skull", 32, 58)
  ui.text(tostring(game.kills), 52, 45, 22)
  ui.text("Score " .. game.score, kWidth - 324, 45, 22, ui.cream, "right", 304)
  if best > 0 then
    ui.text((game.crowd > 0 and "Most kills " or "Best ") .. best, kWidth - 324, 74, 16, ui.ash, "right", 304)
  end
end

local function draw_health(stats)
  local x, y, w = kWidth / 2 - 150, kHeight - 44, 300
  local share = stats.health / stats.max_health
  ui.bar(x, y, w, 26, share, share < 0.3 and ui.red or share < 0.6 and ui.amber or ui.lime)
  ui.text(("%d / %d"):format(math.ceil(stats.health), stats.max_health), x, y + 2, 18, ui.white, "center", w)
  ui.icon("heart", x - 20, y + 13)
end

local function draw_arsenal(arsenal)
  local x, y = 34, kHeight - 34
  for number, upgrade in ipairs(upgrades.list) do
    local level = arsenal.level[number]
    if level > 0 then
      gfx.rectangle("fill", x - 21, y - 21, 42, 42, 0x0A0A16A0)
      ui.icon(upgrade.icon, x, y, 0.75 * upgrade.zoom)
      ui.text(tostring(level), x + 7, y + 2, 15, ui.cream)
      x = x + 44
      if x > kWidth / 2 - 210 then x, y = 34, y - 46 end
    end
  end
end

local function draw_banner(director)
  local event = timeline[director.banner]
  if not event or director.banner_left <= 0 then return end
  local left = director.banner_left
  local alpha = math.min(1, left / 0.5, (kBannerSeconds - left) / 0.2)
  gfx.rectangle("fill", 0, 128, kWidth, 92, ui.fade(event.warning and 0x571236C0 or 0x13142AB0, alpha))
  ui.text(event.text, 0, 132, 44, ui.fade(event.warning and ui.red or ui.amber, alpha), "center", kWidth)
  ui.text(event.hint, 0, 186, 20, ui.fade(ui.white, alpha), "center", kWidth)
end

ecs.system("hud", {
  group = "presentation",
  access = { read = { C.Stats, C.Game, C.Clock, C.Arsenal, C.Director, C.View, C.Senses } },
  run = function(_, ctx)
    local game, stats = ctx:resource(C.Game), ctx:resource(C.Stats)
    if game.phase == phases.title then return end
    gfx.set_space("screen")
    gfx.set_layer(layers.hud)
    draw_top(stats, game, ctx:resource(C.Clock))
    draw_health(stats)
    draw_arsenal(ctx:resource(C.Arsenal))
    -- Cards and results cover the banner. Its clock stands still meanwhile, so it is shown afterwards.
    if game.phase == phases.playing or game.phase == phases.dying then draw_banner(ctx:resource(C.Director)) end
    if game.crowd > 0 then
      local left = ui.clock(math.max(0, math.ceil(hero.kCrowdSeconds - ctx:resource(C.Clock).time)))
      local text = ctx:resource(C.Senses).enemies .. " in the crowd, " .. left .. " to go"
      gfx.rectangle("fill", kWidth / 2 - 180, 84, 360, 28, 0x0A0A1690)
      ui.text(text, 0, 85, 20, ui.cyan, "center", kWidth)
    end
    local flash = ctx:resource(C.View).flash
    if flash > 0 then gfx.rectangle("fill", 0, 0, kWidth, kHeight, ui.fade(0xFFFFFF90, flash)) end
    -- The edge of the screen glows red while the hero is hurt.
    if stats.hurt > 0 and game.phase == phases.playing then
      gfx.set_line_width(18)
      gfx.rectangle("line", 9, 9, kWidth - 18, kHeight - 18, ui.fade(0xF2485CA0, stats.hurt * 4))
    end
  end,
})

-- An arrow at the edge of the screen towards something off screen.
local function point_to(dx, dy, color)
  if math.abs(dx) < 310 and math.abs(dy) < 165 then return end
  local shrink = math.min(300 / math.max(1, math.abs(dx)), 150 / math.max(1, math.abs(dy)))
  gfx.sprite(art.path, art.first.arrow, kWidth / 2 + dx * shrink * 2, kHeight / 2 + dy * shrink * 2, 2, 2,
    math.atan2(dy, dx), color)
end

ecs.system("arrows to chests", {
  group = "presentation", query = { read = { C.Position, C.Pickup } }, access = { read = { gfx.Camera } },
  run = function(chunk, ctx)
    local camera = ctx:resource(gfx.Camera)
    gfx.set_space("screen")
    gfx.set_layer(layers.hud)
    for i = 1, chunk.count do
      if chunk.Pickup.kind[i] == 5 then
        point_to(chunk.Position.x[i] - camera.x, chunk.Position.y[i] - camera.y, ui.amber)
      end
    end
  end,
})

ecs.system("boss health", {
  group = "presentation", query = { read = { C.Position, C.Boss, C.Health, C.Enemy } },
  access = { read = { gfx.Camera } },
  run = function(chunk, ctx)
    local camera = ctx:resource(gfx.Camera)
    gfx.set_space("screen")
    gfx.set_layer(layers.hud)
    for i = 1, chunk.count do
      local is_last = kinds.list[chunk.Enemy.kind[i]] == kinds.by_name.last_boss
      ui.bar(kWidth / 2 - 260, kHeight - 78, 520, 20, chunk.Health.current[i] / chunk.Health.max[i], ui.red)
      ui.text(is_last and "The Maw's Mother" or "The Maw", 0, kHeight - 80, 16, ui.white, "center", kWidth)
      point_to(chunk.Position.x[i] - camera.x, chunk.Position.y[i] - camera.y, ui.red)
    end
  end,
})
