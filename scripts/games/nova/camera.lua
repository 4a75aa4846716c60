-- Where the players look: one view while they are near each other, else one half of the screen for each. And the glow:
-- a small canvas of all that shines, which is laid over the screen, and fades slowly.
local ecs, gfx, settings, arena = require "ecs", require "gfx", require "settings", require "arena"
local layers, lists = require "layers", require "gather"
local C = ecs.components

local kWidth, kHeight = gfx.size()
local kZoom, kFarZoom, kSplitZoom, kMargin = 0.9, 0.7, 0.8, 60
local kSmall = 8            -- pixels of the screen in one of the glow
local shining = gfx.canvas(kWidth / kSmall, kHeight / kSmall, { name = "shining", filter = "linear" })
local glow = gfx.canvas(kWidth / kSmall, kHeight / kSmall, { filter = "linear" })

gfx.set_shake(settings.shake and 1 or 0)
local lighting, first = ecs.world:resource(gfx.Lighting), ecs.world:resource(C.Scene)
lighting.ambient, lighting.layer = 0x2B2F4AFF, layers.grid
first.x[1], first.y[1] = arena.width / 2, arena.height / 2
for half = 1, 2 do
  ecs.world:spawn(C.Position, gfx.View, gfx.Shake { distance = 40 }, C.Eye { half = half })
  ecs.world:spawn(C.Position, gfx.View { canvas = "shining", layers = layers.glowing, background = 0x000000FF },
    gfx.Shake { distance = 40 / kSmall }, C.Eye { half = half, small = kSmall })
end

-- Keeps a view inside the arena, but for a margin of the darkness outside.
local function keep(at, half, size) return math.min(math.max(at, half - kMargin), size + kMargin - half) end

-- Where the eyes want to be, and the zoom. The screen splits late and joins early, so it does not flicker.
local function targets(scene, one, two)
  if one and two then
    if one.player > two.player then one, two = two, one end
    local dx, dy = math.abs(one.x - two.x) + 300, math.abs(one.y - two.y) + 240
    local slack = (scene.count == 2 and 0.8 or 0.95) / kFarZoom
    if dx > kWidth * slack or dy > kHeight * slack then return { one, two }, kSplitZoom, 2 end
    return { { x = (one.x + two.x) / 2, y = (one.y + two.y) / 2 } },
      math.max(kFarZoom, math.min(kZoom, kWidth / (dx + 200), kHeight / (dy + 140))), 1
  elseif scene.count == 2 then                 -- the half of a ship that is down stays where it is
    return one and { [one.player] = one } or {}, kSplitZoom, 2
  end
  return one and { { x = one.x + one.vx * 0.25, y = one.y + one.vy * 0.25 } } or {}, kZoom, 1
end

ecs.system("camera", {
  group = "play", after = { "combat", "move" }, access = { write = { C.Scene } },
  run = function(_, ctx)
    local scene, share = ctx:resource(C.Scene), 6 * ctx.dt
    local at, zoom, count = targets(scene, lists.ships[1], lists.ships[2])
    if count ~= scene.count then
      for k = 1, count do scene.x[k], scene.y[k] = at[k].x, at[k].y end
      scene.count, scene.zoom = count, zoom
    end
    scene.zoom = scene.zoom + (zoom - scene.zoom) * share
    for k = 1, count do
      local x, y = scene.x[k], scene.y[k]
      if at[k] then x, y = x + (at[k].x - x) * share, y + (at[k].y - y) * share end
      scene.x[k] = keep(x, kWidth / 2 / count / scene.zoom, arena.width)
      scene.y[k] = keep(y, kHeight / 2 / scene.zoom, arena.height)
    end
    scene.trauma = math.max(0, scene.trauma - 1.5 * ctx.dt)
  end,
})

ecs.system("eyes", {
  group = "play", after = "camera", access = { read = { C.Scene } },
  query = { read = { C.Eye }, write = { C.Position, gfx.View, gfx.Shake } },
  run = function(chunk, ctx)
    local scene, count = ctx:resource(C.Scene), ctx:resource(C.Scene).count
    for i = 1, chunk.count do
      local eye, view, k = chunk.Eye[i], chunk.View[i], math.min(chunk.Eye.half[i], count)
      chunk.Position.x[i], chunk.Position.y[i] = scene.x[k], scene.y[k]
      view.left, view.width, view.zoom = (k - 1) / count, eye.half <= count and 1 / count or 0, scene.zoom / eye.small
      chunk.Shake.trauma[i] = scene.trauma
    end
  end,
})

--- The glow fades by a part of itself, and by a little more, so that it ends.
ecs.system("glow", {
  group = "presentation",
  run = function()
    gfx.set_canvas(glow)
    gfx.rectangle("fill", 0, 0, glow.width, glow.height, 0x0000001C)
    gfx.set_blend("subtract")
    gfx.rectangle("fill", 0, 0, glow.width, glow.height, 0x020202FF)
    gfx.set_blend("add")
    gfx.set_shader(gfx.effect("blur"))
    gfx.sprite(shining, 0, glow.width / 2, glow.height / 2, 1, 1, 0, 0xFFFFFF38)
    gfx.set_canvas()
    gfx.reset()
    gfx.set_space("screen")
    gfx.set_layer(-1)
    gfx.set_blend("add")
    gfx.sprite(glow, 0, kWidth / 2, kHeight / 2, kSmall, kSmall)
  end,
})

return { shining = shining }
