-- Where the players look: one view while they are near each other, else one half of the screen for each.
local ecs = require "ecs"
local gfx = require "gfx"
local settings = require "settings"
local arena = require "arena"
local phases = require "phases"
local senses = require "senses"
local C = ecs.components

local kWidth, kHeight = gfx.size()
local kZoom, kFarZoom, kSplitZoom = 1, 0.74, 0.8
local kMargin = 60        -- px of the darkness outside that can be seen
local kShake = 26         -- px

-- Keeps a view inside the arena.
local function keep(at, half, size)
  local least, most = half - kMargin, size + kMargin - half
  return least > most and size / 2 or math.min(math.max(at, least), most)
end

local function approach(view, k, x, y, share)
  view.x[k], view.y[k] = view.x[k] + (x - view.x[k]) * share, view.y[k] + (y - view.y[k]) * share
end

-- Two ships, and whether they fit on one screen. It splits late and joins early, so it does not flicker.
local function is_too_far(view, one, two)
  local slack = view.count == 2 and 0.8 or 0.95
  local dx, dy = math.abs(one.x - two.x) + 260, math.abs(one.y - two.y) + 200
  return dx > kWidth / kFarZoom * slack or dy > kHeight / kFarZoom * slack
end

local function follow(view, ships, share)
  local one, two = ships[1], ships[2]
  if one and two and one.player > two.player then one, two = two, one end
  local zoom = kZoom
  if not one then return zoom end
  if two and is_too_far(view, one, two) then
    if view.count == 1 then
      view.count, view.x[1], view.y[1], view.x[2], view.y[2] = 2, one.x, one.y, two.x, two.y
    end
    approach(view, 1, one.x, one.y, share)
    approach(view, 2, two.x, two.y, share)
    return kSplitZoom
  end
  if view.count == 2 then
    if not two then                            -- one is down: its half stays where it is
      approach(view, one.player, one.x, one.y, share)
      return kSplitZoom
    end
    view.count, view.x[1], view.y[1] = 1, (one.x + two.x) / 2, (one.y + two.y) / 2
  end
  if two then
    zoom = math.min(kWidth / (math.abs(one.x - two.x) + 520), kHeight / (math.abs(one.y - two.y) + 400))
    zoom = math.min(kZoom, math.max(kFarZoom, zoom))
    approach(view, 1, (one.x + two.x) / 2, (one.y + two.y) / 2, share)
  else
    approach(view, 1, one.x + one.vx * 0.25, one.y + one.vy * 0.25, share)
  end
  return zoom
end

ecs.system("camera", {
  after = { "gather ships", "hurt", "bomb", "blast", "begin" },
  access = { read = { C.Game }, write = { C.View, gfx.Camera } },
  run = function(_, ctx)
    local game, view, camera = ctx:resource(C.Game), ctx:resource(C.View), ctx:resource(gfx.Camera)
    if game.phase == phases.paused then return end
    local share = math.min(1, 6 * ctx.dt)
    local zoom = kZoom
    if game.phase == phases.title or game.time < 0.05 then
      view.count = 1
      approach(view, 1, arena.width / 2, arena.height / 2, view.zoom == 1 and view.x[1] == 0 and 1 or share)
    else
      zoom = follow(view, senses.ships, share)
    end
    view.zoom = view.count == 2 and zoom or view.zoom + (zoom - view.zoom) * share
    view.trauma, view.hurt = math.max(0, view.trauma - 1.5 * ctx.dt), math.max(0, view.hurt - 1.2 * ctx.dt)
    local half = kWidth / 2 / view.count / view.zoom
    local strength = settings.shake and kShake * view.trauma * view.trauma or 0
    for k = 1, view.count do
      view.x[k] = keep(view.x[k], half, arena.width)
      view.y[k] = keep(view.y[k], kHeight / 2 / view.zoom, arena.height)
    end
    -- The engine's camera shows trails and particles: those of the left half, when the screen is split.
    local left = view.count == 2 and kWidth / 4 / view.zoom or 0
    camera.zoom, camera.x = view.zoom, view.x[1] + left + strength * math.sin(ctx.tick * 1.9)
    camera.y = view.y[1] + strength * math.sin(ctx.tick * 2.3 + 1)
  end,
})
