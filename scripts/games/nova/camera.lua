-- Where the players look: one view while they are near each other, else one half of the screen for each.
local ecs, gfx, settings, arena = require "ecs", require "gfx", require "settings", require "arena"
local layers, lists = require "layers", require "gather"
local C = ecs.components

local kWidth, kHeight = gfx.size()
local kZoom, kFarZoom, kSplitZoom, kMargin, kShake = 0.9, 0.7, 0.8, 60, 26
local camera, shown = {}, {}  -- shown: scratch, what the view that is drawn shows

-- Keeps a view inside the arena, but for a margin of the darkness outside.
local function keep(at, half, size) return math.min(math.max(at, half - kMargin), size + kMargin - half) end

-- Whether two ships do not fit on one screen. It splits late and joins early, so it does not flicker.
local function is_split(view, dx, dy)
  local slack = (view.count == 2 and 0.8 or 0.95) / kFarZoom
  return dx > kWidth * slack or dy > kHeight * slack
end

ecs.system("camera", {
  group = "play", after = { "combat", "move" }, access = { write = { C.View, gfx.Camera } },
  run = function(_, ctx)
    local view, engine, share = ctx:resource(C.View), ctx:resource(gfx.Camera), 6 * ctx.dt
    local at, one, two, zoom = {}, lists.ships[1], lists.ships[2], kZoom
    if one and two then
      if one.player > two.player then one, two = two, one end
      local dx, dy = math.abs(one.x - two.x) + 300, math.abs(one.y - two.y) + 240
      local count = is_split(view, dx, dy) and 2 or 1
      zoom = count == 2 and kSplitZoom or math.max(kFarZoom, math.min(kZoom, kWidth / (dx + 200), kHeight / (dy + 140)))
      at = count == 2 and { one, two } or { { x = (one.x + two.x) / 2, y = (one.y + two.y) / 2 } }
      if count ~= view.count then
        for k = 1, count do view.x[k], view.y[k] = at[k].x, at[k].y end
        view.count, view.zoom = count, zoom
      end
    elseif view.count == 2 then                -- the half of a ship that is down stays where it is
      if one then at[one.player] = one end
      zoom = kSplitZoom
    elseif one then
      at[1] = { x = one.x + one.vx * 0.25, y = one.y + one.vy * 0.25 }
    elseif view.x[1] == 0 then
      view.x[1], view.y[1] = arena.width / 2, arena.height / 2
    end
    view.zoom = view.zoom + (zoom - view.zoom) * share
    for k = 1, view.count do
      local to = at[k] or { x = view.x[k], y = view.y[k] }
      view.x[k] = keep(view.x[k] + (to.x - view.x[k]) * share, kWidth / 2 / view.count / view.zoom, arena.width)
      view.y[k] = keep(view.y[k] + (to.y - view.y[k]) * share, kHeight / 2 / view.zoom, arena.height)
    end
    view.trauma, view.hurt = math.max(0, view.trauma - 1.5 * ctx.dt), math.max(0, view.hurt - 1.2 * ctx.dt)
    local strength = settings.shake and kShake * view.trauma * view.trauma or 0
    view.shake_x, view.shake_y = strength * math.sin(ctx.tick * 1.9), strength * math.sin(ctx.tick * 2.3 + 1)
    -- The engine's camera shows trails and particles: those of the left half, when the screen is split.
    engine.zoom, engine.x, engine.y = view.zoom, view.x[1] + view.shake_x, view.y[1] + view.shake_y
    if view.count == 2 then engine.x = engine.x + kWidth / 4 / view.zoom end
  end,
})

--- Calls draw(a, b, c) for each view, with drawing sent there. The right half lies as a whole over the left one.
function camera.each(view, layer, blend, draw, a, b, c)
  gfx.set_space("world")
  for k = 1, view.count do
    gfx.set_layer(layer + (k - 1) * layers.split)
    gfx.set_blend(blend)
    if view.count == 2 then
      gfx.set_scissor((k - 1) * kWidth / 2, 0, kWidth / 2, kHeight)
      local aside = (k == 1 and 1 or -1) * kWidth / 4 / view.zoom
      gfx.set_camera(view.x[k] + aside + view.shake_x, view.y[k] + view.shake_y, view.zoom)
    end
    shown.x, shown.y = view.x[k], view.y[k]
    shown.reach_x, shown.reach_y = kWidth / 2 / view.count / view.zoom + 80, kHeight / 2 / view.zoom + 80
    draw(a, b, c)
  end
  gfx.set_scissor()
end

--- Whether the view that is drawn shows a place.
function camera.shows(x, y)
  return math.abs(x - shown.x) < shown.reach_x and math.abs(y - shown.y) < shown.reach_y
end

return camera
