-- The sparks, the flashes and the shaking of Breakout.
-- Presets of particles are data; a burst shows one of them at a place.
local ecs, gfx = require "ecs", require "gfx"
local C = ecs.components

local WIDTH, HEIGHT = gfx.size()
local SHARDS = {
  [50] = { "#ff3c5f", "#ff8c32" }, [40] = { "#ff8c32", "#ffd23c" }, [30] = { "#ffd23c", "#3cdc8c" },
  [20] = { "#3cdc8c", "#3cb4ff" }, [10] = { "#3cb4ff", "#8c64ff" },
}

local shards = {}
for points, colors in pairs(SHARDS) do
  shards[points] = gfx.particles("shards" .. points, {
    shape = "rectangle", count = 26, lifetime = { min = 0.3, max = 0.9 }, speed = { min = 60, max = 320 },
    gravity = 700, drag = 0.6, radius = 26, size = { 11, 8, 2 }, spin = { min = -9, max = 9 },
    color = { colors[1], colors[2], colors[2] .. "00" },
  })
end
local glow = gfx.particles("glow", {
  count = 1, lifetime = 0.25, speed = 0, size = { 60, 150 }, color = { "#fff0c840", "#fff0c800" }, blend = "add",
})
local spark = gfx.particles("spark", {
  count = 10, lifetime = { min = 0.1, max = 0.35 }, speed = { min = 80, max = 260 }, size = { 5, 1 },
  color = { "#fff0c8", "#ffc85a00" }, blend = "add",
})
local splash = gfx.particles("splash", {
  count = 60, lifetime = { min = 0.4, max = 1.1 }, speed = { min = 200, max = 620 },
  direction = -math.pi / 2, spread = 1, gravity = 900,
  size = { 9, 2 }, color = { "#ff3c5f", "#8c64ff", "#8c64ff00" }, blend = "add",
})

ecs.system("calm down", {
  after = "break bricks",
  query = { write = { C.Box } },
  run = function(chunk, ctx)
    local flash = chunk.Box.flash
    for i = 1, chunk.count do flash[i] = math.max(0, flash[i] - 4 * ctx.dt) end
  end,
})

ecs.system("shake", {
  after = "calm down",
  access = { write = { C.Match, gfx.Camera } },
  run = function(_, ctx)
    local match, camera = ctx:resource(C.Match), ctx:resource(gfx.Camera)
    match.shake = math.max(0, match.shake - 2.5 * ctx.dt)
    local reach = 9 * match.shake * match.shake
    camera.x = WIDTH / 2 + reach * math.sin(47 * ctx.time)
    camera.y = HEIGHT / 2 + reach * math.sin(61 * ctx.time + 1)
  end,
})

local effects = {}

function effects.shatter(x, y, points)
  gfx.burst(shards[points], x, y)
  gfx.burst(glow, x, y)
end

function effects.touch(x, y) gfx.burst(spark, x, y) end

function effects.lose(x) gfx.burst(splash, x, HEIGHT) end

return effects
