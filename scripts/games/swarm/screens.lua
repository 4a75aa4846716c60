-- The menus over the picture: title, three cards, pause, the end. game.lua and upgrades.lua handle their keys.
local ecs = require "ecs"
local gfx = require "gfx"
local art = require "art"
local phases = require "phases"
local ui = require "ui"
local upgrades = require "upgrades"
local C = ecs.components
local layers = art.layers

local kWidth, kHeight = gfx.size()
local screens = {}

local function shade(color) gfx.rectangle("fill", 0, 0, kWidth, kHeight, color or 0x0A0A16A0) end

-- Behind the title a swarm walks by; it depends on the time alone and is not part of the world.
local function draw_parade(time)
  local names = { "mite", "crawler", "mite", "moth", "bomber", "mite", "spitter", "brute", "crawler", "stalker" }
  for i = 1, 90 do
    local name = names[i % #names + 1]
    local lane = (i * 37) % 30
    local x = (i * 211 + time * (50 + (i * 13) % 50)) % (kWidth + 160) - 80
    local y = 100 + lane * 21
    gfx.sprite(art.path, art.first[name] + math.floor(time * 8 + i) % 4, x, y, 2, 2, 0, 0xFFFFFF70)
  end
end

local function draw_keys(x, y)
  local rows = {
    { "Move", "WASD, arrow keys or left stick" },
    { "Choose an upgrade", "left, right and Enter, or 1, 2, 3" },
    { "Pause", "P, Escape or Start" },
    { "Full screen, quit", "F, Q" },
  }
  for i, row in ipairs(rows) do
    ui.text(row[1], x, y + i * 30, 20, ui.amber, "right", 250)
    ui.text(row[2], x + 275, y + i * 30, 20, ui.white)
  end
end

screens[phases.title] = function(_, game)
  shade(0x0A0A16C0)
  draw_parade(game.since)
  gfx.image("assets/title.png", kWidth / 2, 170, { scale = 2, origin_x = 0.5, origin_y = 0.5 })
  ui.panel(kWidth / 2 - 400, 284, 800, 272)
  ui.text("Your weapons fire by themselves: keep moving, collect the crystals,\n" ..
    "choose well, and live for five minutes.", 0, 296, 22, ui.silver, "center", kWidth)
  draw_keys(kWidth / 2 - 370, 338)
  ui.text("T (or Y on a gamepad): two minutes in a crowd of 10,000", 0, 514, 18, ui.ash, "center", kWidth)
  if math.floor(game.since * 2) % 3 ~= 2 then
    ui.text("Press Enter, Space or A", 0, 580, 36, ui.cream, "center", kWidth)
  end
  local best = {}
  if game.best > 0 then best[#best + 1] = "Best score " .. game.best end
  if game.best_crowd > 0 then best[#best + 1] = "Most kills in the crowd " .. game.best_crowd end
  ui.text(table.concat(best, "      "), 0, 644, 24, ui.lime, "center", kWidth)
end

local function draw_demo_hint(game)
  if not game.demo then return end
  ui.text("Demonstration: press Enter to play", 0, 634, 24, ui.cream, "center", kWidth)
end

screens[phases.playing] = function(_, game) draw_demo_hint(game) end
screens[phases.dying] = screens[phases.playing]

local function draw_card(place, offer, arsenal, since)
  local upgrade = upgrades.list[offer.card[place]]
  local level = arsenal.level[offer.card[place]]
  local is_selected = offer.selected == place
  local w, h = 300, 300
  local x = kWidth / 2 + (place - (offer.count + 1) / 2) * (w + 24) - w / 2
  local y = 220 - (is_selected and 10 or 0) + math.max(0, 0.2 - since) * 400
  ui.panel(x, y, w, h, is_selected and ui.amber or 0x5C6488FF, is_selected and 0x272B49F8 or 0x13142AF4)
  ui.icon(upgrade.icon, x + w / 2, y + 66, 1.6 * upgrade.zoom)
  ui.text(upgrade.name, x, y + 118, 26, is_selected and ui.amber or ui.white, "center", w)
  ui.text(level == 0 and (upgrade.weapon and "new weapon" or "new") or ("level " .. level + 1), x, y + 156, 18,
    level == 0 and ui.lime or ui.cyan, "center", w)
  ui.text(upgrade.text, x + 24, y + 190, 20, ui.silver, "center", w - 48)
  ui.text(tostring(place), x, y + h - 38, 22, ui.ash, "center", w)
end

screens[phases.choosing] = function(ctx, game)
  local offer, arsenal = ctx:resource(C.Offer), ctx:resource(C.Arsenal)
  shade()
  gfx.set_layer(layers.card)
  ui.text("Level up", 0, 120, 46, ui.amber, "center", kWidth)
  for place = 1, offer.count do draw_card(place, offer, arsenal, game.since) end
  draw_demo_hint(game)
  if game.demo or game.since < upgrades.kGrace then return end  -- the cards are still coming up
  ui.text("left, right and Enter, or 1, 2, 3", 0, 556, 20, ui.silver, "center", kWidth)
  ui.bar(kWidth / 2 - 150, 592, 300, 12, offer.left / upgrades.kPatience, ui.ash)
end

screens[phases.paused] = function()
  shade()
  gfx.set_layer(layers.card)
  ui.panel(kWidth / 2 - 300, 220, 600, 260)
  ui.text("Pause", 0, 236, 46, ui.amber, "center", kWidth)
  ui.text("P or Enter: go on", 0, 304, 24, ui.white, "center", kWidth)
  ui.text("R: start again      T: title", 0, 340, 24, ui.white, "center", kWidth)
  ui.text("F: full screen      Q: quit", 0, 376, 24, ui.white, "center", kWidth)
  ui.text("WASD, arrow keys or left stick: move", 0, 428, 20, ui.ash, "center", kWidth)
end

local function draw_result(ctx, game, title, color)
  shade(0x0A0A16B4)
  gfx.set_layer(layers.card)
  ui.panel(kWidth / 2 - 320, 150, 640, 400, color)
  ui.text(title, 0, 170, 54, color, "center", kWidth)
  local rows = {
    { "Time", ui.clock(ctx:resource(C.Clock).time) }, { "Kills", tostring(game.kills) },
    { "Level", tostring(ctx:resource(C.Stats).level) }, { "Score", tostring(game.score) },
    { game.crowd > 0 and "Most kills" or "Best", tostring(game.crowd > 0 and game.best_crowd or game.best) },
  }
  for i, row in ipairs(rows) do
    ui.text(row[1], kWidth / 2 - 220, 226 + i * 36, 24, ui.silver)
    ui.text(row[2], kWidth / 2 - 80, 226 + i * 36, 24, ui.white, "right", 300)
  end
  if game.record then ui.text("A new best!", 0, 452, 28, ui.lime, "center", kWidth) end
  if game.since > 1.2 then
    ui.text("R, Enter or A: again      P: title      Q: quit", 0, 500, 24, ui.cream, "center", kWidth)
  end
end

screens[phases.over] = function(ctx, game) draw_result(ctx, game, "The swarm has you", ui.red) end
screens[phases.won] = function(ctx, game)
  draw_result(ctx, game, game.crowd > 0 and "You stood in the crowd" or "The night is over", ui.lime)
end

ecs.system("screens", {
  group = "presentation", after = "hud",
  access = { read = { C.Game, C.Stats, C.Clock, C.Offer, C.Arsenal } },
  run = function(_, ctx)
    local game = ctx:resource(C.Game)
    local draw = screens[game.phase]
    if not draw then return end
    gfx.set_space("screen")
    gfx.set_layer(layers.shade)
    draw(ctx, game)
  end,
})
