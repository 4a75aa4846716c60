-- Ships, enemies, shots, gems and flashes, with a bloom: what glows is also drawn into a small canvas that forgets
-- slowly, and the canvas is drawn over the floor, enlarged.
local ecs = require "ecs"
local gfx = require "gfx"
local arena = require "arena"
local kinds = require "kinds"
local layers = require "layers"
local prefabs = require "prefabs"
local shapes = require "shapes"
local view = require "view"
local C = ecs.components
local fade, glow, floor = shapes.fade, shapes.glow, math.floor

local kScale = 8            -- world pixels of a pixel of the bloom
local bloom = gfx.canvas(arena.width / kScale, arena.height / kScale, { filter = "linear" })

--- Draws into the bloom: place, radius and colour in the world. Call open_bloom before, and gfx.set_canvas() after.
local function open_bloom()
  gfx.set_scissor()
  gfx.set_canvas(bloom)
  gfx.set_layer(1)
  gfx.set_blend("add")
end
local function light_up(x, y, radius, color) glow(x / kScale, y / kScale, radius / kScale, color) end

ecs.system("bloom", {
  group = "presentation", after = "lights", access = { read = { C.View, gfx.Camera } },
  run = function(_, ctx)
    local now, camera = ctx:resource(C.View), ctx:resource(gfx.Camera)
    gfx.set_scissor()
    gfx.set_canvas(bloom)
    gfx.set_layer(0)
    gfx.set_blend("subtract")
    gfx.rectangle("fill", 0, 0, bloom.width, bloom.height, 0x121014FF)
    gfx.set_canvas()
    for k = 1, now.count do
      view.open(k, now, camera, layers.bloom)
      gfx.set_blend("add")
      gfx.sprite(bloom, 0, arena.width / 2, arena.height / 2, kScale, kScale)
    end
  end,
})

-- One outline with its halo. Layers: halo below line.
local function draw_shape(name, x, y, radius, angle, color, line_color)
  local scale = radius / shapes.unit
  gfx.sprite(shapes.halos[name], 0, x, y, scale, scale, angle, color)
  gfx.sprite(shapes.lines[name], 0, x, y, scale, scale, angle, line_color)
end

-- Half way to white.
local function pale(color)
  local r, g, b = floor(color / 0x1000000), floor(color / 0x10000) % 256, floor(color / 0x100) % 256
  return floor((r + 255) / 2) * 0x1000000 + floor((g + 255) / 2) * 0x10000 + floor((b + 255) / 2) * 0x100 + 255
end
for _, kind in ipairs(kinds) do kind.pale = pale(kind.color) end

local function draw_enemies(chunk, kind, back, time)
  local pos, vel, enemy, arrival = chunk.Position, chunk.Velocity, chunk.Enemy, kinds.arrival
  for i = 1, chunk.count do
    local vx, vy, age = vel.x[i], vel.y[i], enemy.age[i]
    local x, y = pos.x[i] + vx * back, pos.y[i] + vy * back
    local angle = kind.spin and time * kind.spin + i or math.atan2(vy, vx)
    if kind.move == "ram" then angle = enemy.heading[i] end
    if age < arrival then
      -- It arrives: a ring closes in on it.
      local left = 1 - age / arrival
      gfx.circle("line", x, y, kind.radius * (1 + 3 * left), fade(kind.color, 1 - left))
      draw_shape(kind.name, x, y, kind.radius * (1 + left), angle, fade(kind.color, 0.6 - 0.6 * left),
        fade(kind.color, 0.8 - 0.8 * left))
    elseif enemy.flash[i] > 0 then
      draw_shape(kind.name, x, y, kind.radius * 1.15, angle, 0xFFFFFFFF, 0xFFFFFFFF)
    else
      local beat = 1 + 0.06 * math.sin(time * 7 + i)
      draw_shape(kind.name, x, y, kind.radius * beat, angle, kind.color, kind.pale)
    end
  end
end

ecs.system("enemies", {
  group = "presentation", after = "bloom", query = { read = { C.Position, C.Velocity, C.Enemy, C.Kind } },
  access = { read = { C.View, C.Game, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, kind = ctx:resource(C.View), ctx:resource(gfx.Camera), kinds[chunk.Kind.id]
    open_bloom()
    local pos, age, faint = chunk.Position, chunk.Enemy.age, fade(kind.color, 0.12)
    for i = 1, chunk.count do
      if age[i] > kinds.arrival then light_up(pos.x[i], pos.y[i], kind.radius * 4.2, faint) end
    end
    gfx.set_canvas()
    for k = 1, now.count do
      view.open(k, now, camera, layers.thing)
      gfx.set_line_width(2)
      draw_enemies(chunk, kind, (ctx.alpha - 1) / 60, ctx.time)
    end
  end,
})

ecs.system("shots", {
  group = "presentation", after = "bloom", query = { read = { C.Position, C.Velocity, C.Shot } },
  access = { read = { C.View, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, pos, vel, player = ctx:resource(C.View), ctx:resource(gfx.Camera), chunk.Position,
      chunk.Velocity, chunk.Shot.player
    open_bloom()
    for i = 1, chunk.count do
      light_up(pos.x[i], pos.y[i], 42, fade(prefabs.player_colors[player[i]], 0.1))
    end
    gfx.set_canvas()
    local back = (ctx.alpha - 1) / 60
    for k = 1, now.count do
      view.open(k, now, camera, layers.shot)
      gfx.set_line_cap("round")
      for i = 1, chunk.count do
        local x, y = pos.x[i] + vel.x[i] * back, pos.y[i] + vel.y[i] * back
        local tail_x, tail_y = x - vel.x[i] * 0.016, y - vel.y[i] * 0.016
        gfx.set_line_width(8)
        gfx.line(tail_x, tail_y, x, y, fade(prefabs.player_colors[player[i]], 0.35))
        gfx.set_line_width(3.5)
        gfx.line(tail_x, tail_y, x, y, 0xFFFFFFFF)
      end
    end
  end,
})

ecs.system("spits", {
  group = "presentation", after = "bloom", query = { read = { C.Position, C.Velocity, C.Spit } },
  access = { read = { C.View, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, pos = ctx:resource(C.View), ctx:resource(gfx.Camera), chunk.Position
    local beat = 1 + 0.25 * math.sin(ctx.time * 18)
    for k = 1, now.count do
      view.open(k, now, camera, layers.shot)
      gfx.set_blend("add")
      for i = 1, chunk.count do
        glow(pos.x[i], pos.y[i], 22 * beat, 0xFF5A3CFF)
        gfx.circle("fill", pos.x[i], pos.y[i], 5, 0xFFF0C0FF)
      end
    end
  end,
})

ecs.system("gems", {
  group = "presentation", after = "bloom", query = { read = { C.Position, C.Gem } },
  access = { read = { C.View, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, pos, gem = ctx:resource(C.View), ctx:resource(gfx.Camera), chunk.Position, chunk.Gem
    for k = 1, now.count do
      view.open(k, now, camera, layers.glow)
      gfx.set_blend("add")
      for i = 1, chunk.count do
        local share = gem.left[i] < 2 and 0.5 + 0.5 * math.sin(gem.left[i] * 20) or 1
        draw_shape("gem", pos.x[i], pos.y[i], 8, gem.spin[i], fade(0x8CFF6AFF, share), fade(0xE4FFD0FF, share))
      end
    end
  end,
})

-- A flash: light that fades, sparks that fly, and for blasts a ring.
local function draw_flash(x, y, radius, left, color, seed, is_ring)
  glow(x, y, radius * 0.34 * (1.2 - 0.4 * left), fade(color, left * left))
  glow(x, y, radius * 0.13, fade(0xFFFFFFFF, left * left))
  local out = 1 - left * left
  gfx.set_line_width(2)
  for k = 1, 9 do
    local angle, reach = (seed * 7 + k * 137) % 628 / 100, radius * (0.16 + (seed + k * 61) % 40 / 150)
    local c, s = math.cos(angle), math.sin(angle)
    local from, to = reach * out, reach * math.min(1, out + 0.22 * left)
    gfx.line(x + c * from, y + s * from, x + c * to, y + s * to, fade(color, left * 1.5))
  end
  if is_ring then
    gfx.set_line_width(2 + 14 * left)
    gfx.circle("line", x, y, radius * out, fade(color, left * 0.55))
    gfx.set_line_width(2)
    gfx.circle("line", x, y, radius * out, fade(0xFFFFFFFF, left * 0.8))
  end
end

ecs.system("flashes of light", {
  group = "presentation", after = "bloom", query = { read = { C.Position, C.Flash } },
  access = { read = { C.View, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, pos, flash = ctx:resource(C.View), ctx:resource(gfx.Camera), chunk.Position, chunk.Flash
    open_bloom()
    for i = 1, chunk.count do
      local left = 1 - flash.age[i] / flash.life[i]
      light_up(pos.x[i], pos.y[i], flash.radius[i] * 0.6, fade(flash.color[i], 0.16 * left))
    end
    gfx.set_canvas()
    for k = 1, now.count do
      view.open(k, now, camera, layers.flash)
      gfx.set_blend("add")
      for i = 1, chunk.count do
        draw_flash(pos.x[i], pos.y[i], flash.radius[i], 1 - flash.age[i] / flash.life[i], flash.color[i], flash.seed[i],
          flash.ring[i])
      end
    end
  end,
})

ecs.system("ships", {
  group = "presentation", after = "enemies", query = { read = { C.Position, C.Velocity, C.Ship } },
  access = { read = { C.View, gfx.Camera } },
  run = function(chunk, ctx)
    local now, camera, pos, vel, ship = ctx:resource(C.View), ctx:resource(gfx.Camera), chunk.Position, chunk.Velocity,
      chunk.Ship
    local back = (ctx.alpha - 1) / 60
    for k = 1, now.count do
      view.open(k, now, camera, layers.shot)
      gfx.set_blend("add")
      for i = 1, chunk.count do
        local x, y = pos.x[i] + vel.x[i] * back, pos.y[i] + vel.y[i] * back
        local color = prefabs.player_colors[ship.player[i]]
        local is_seen = ship.down[i] <= 0 and (ship.safe[i] <= 0 or floor(ship.safe[i] * 12) % 2 == 0)
        if is_seen then
          glow(x, y, 70, fade(color, 0.5))
          draw_shape("ship", x, y, 19, math.atan2(ship.aim_y[i], ship.aim_x[i]), color, 0xFFFFFFFF)
        end
        if ship.down[i] <= 0 and ship.safe[i] > 0 then
          gfx.set_line_width(2)
          gfx.circle("line", x, y, 30, fade(color, ship.safe[i]))
        end
      end
    end
  end,
})
