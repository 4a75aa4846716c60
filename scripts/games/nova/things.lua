-- Ships, enemies, shots, gems and flashes, with a bloom: what glows is also drawn into a small canvas that forgets
-- slowly, and the canvas is drawn over the floor, enlarged.
local ecs, gfx, arena, camera = require "ecs", require "gfx", require "arena", require "camera"
local kinds, layers, prefabs, shapes = require "kinds", require "layers", require "prefabs", require "shapes"
local C = ecs.components
local fade, glow, sin, cos, floor = shapes.fade, shapes.glow, math.sin, math.cos, math.floor

local kScale = 8            -- world pixels of a pixel of the bloom
local bloom = gfx.canvas(arena.width / kScale, arena.height / kScale, { filter = "linear" })

-- Functions that draw one row onto the screen, and into the bloom: its chunk, its number, its place, and the time.
local draw, shine = {}, {}

local function light_up(x, y, radius, color, part) glow(x / kScale, y / kScale, radius / kScale, fade(color, part)) end

-- Half way to white.
for _, kind in ipairs(kinds) do
  local r, g, b = floor(kind.color / 0x1000000), floor(kind.color / 0x10000) % 256, floor(kind.color / 0x100) % 256
  kind.pale = gfx.color(0.5 + r / 510, 0.5 + g / 510, 0.5 + b / 510)
end

function draw.enemies(chunk, i, x, y, time)
  local kind, age, vel = kinds[chunk.Kind.id], chunk.Enemy.age[i], chunk.Velocity
  local angle = kind.spin and time * kind.spin + i or math.atan2(vel.y[i], vel.x[i])
  if kind.move == "ram" then angle = chunk.Enemy.heading[i] end
  if age < kinds.arrival then                 -- a ring closes in on it
    local left = 1 - age / kinds.arrival
    gfx.set_line_width(2)
    gfx.circle("line", x, y, kind.radius * (1 + 3 * left), fade(kind.color, 1 - left))
    local color = fade(kind.color, 0.7 - 0.7 * left)
    shapes.draw(kind.name, x, y, kind.radius * (1 + left), angle, color, color)
  elseif chunk.Enemy.flash[i] > 0 then
    shapes.draw(kind.name, x, y, kind.radius * 1.15, angle, 0xFFFFFFFF, 0xFFFFFFFF)
  else
    shapes.draw(kind.name, x, y, kind.radius * (1 + 0.06 * sin(time * 7 + i)), angle, kind.color, kind.pale)
  end
end

function shine.enemies(chunk, i, x, y)
  local kind = kinds[chunk.Kind.id]
  if chunk.Enemy.age[i] > kinds.arrival then light_up(x, y, kind.radius * 4.6, kind.color, 0.04) end
end

function draw.shots(chunk, i, x, y, time)
  local player, tail_x, tail_y = chunk.Shot.player[i], chunk.Velocity.x[i] * 0.016, chunk.Velocity.y[i] * 0.016
  if player == 0 then
    glow(x, y, 22 + 6 * sin(time * 18 + i), 0xFF5A3CFF)
    return gfx.circle("fill", x, y, 5, 0xFFF0C0FF)
  end
  gfx.set_line_cap("round")
  gfx.set_line_width(8)
  gfx.line(x - tail_x, y - tail_y, x, y, fade(prefabs.player_colors[player], 0.35))
  gfx.set_line_width(3.5)
  gfx.line(x - tail_x, y - tail_y, x, y, 0xFFFFFFFF)
end

function shine.shots(chunk, i, x, y)
  light_up(x, y, 46, prefabs.player_colors[chunk.Shot.player[i]] or 0xFF5A3CFF, 0.05)
end

function draw.gems(chunk, i, x, y)
  local left = chunk.Gem.left[i]
  local part = left < 2 and 0.5 + 0.5 * sin(left * 20) or 1
  shapes.draw("gem", x, y, 9, chunk.Gem.spin[i], fade(0x8CFF6AFF, part), fade(0xE4FFD0FF, part))
end

function shine.gems(_, _, x, y) light_up(x, y, 40, 0x8CFF6AFF, 0.03) end

-- Light that fades, sparks that fly, and for blasts a ring.
function draw.flashes(chunk, i, x, y)
  local flash = chunk.Flash[i]
  local left, radius, color, seed = 1 - flash.age / flash.life, flash.radius, flash.color, flash.seed
  local out = 1 - left * left
  glow(x, y, radius * 0.3 * (1.2 - 0.4 * left), fade(color, 0.8 * left * left))
  glow(x, y, radius * 0.09, fade(0xFFFFFFFF, left * left))
  gfx.set_line_width(2)
  for k = 1, 9 do
    local angle, reach = (seed * 7 + k * 137) % 628 / 100, radius * (0.16 + (seed + k * 61) % 40 / 150)
    local c, s, from, to = cos(angle), sin(angle), reach * out, reach * math.min(1, out + 0.22 * left)
    gfx.line(x + c * from, y + s * from, x + c * to, y + s * to, fade(color, left * 1.5))
  end
  if flash.ring then
    gfx.circle("line", x, y, radius * out, fade(0xFFFFFFFF, left * 0.8))
    gfx.set_line_width(2 + 14 * left)
    gfx.circle("line", x, y, radius * out, fade(color, left * 0.55))
  end
end

function shine.flashes(chunk, i, x, y)
  local flash = chunk.Flash[i]
  light_up(x, y, flash.radius * 0.7, flash.color, 0.07 * (1 - flash.age / flash.life))
end

function draw.ships(chunk, i, x, y)
  local ship, color = chunk.Ship[i], prefabs.player_colors[chunk.Ship.player[i]]
  if ship.down > 0 then return end
  gfx.set_line_width(2)
  if ship.safe > 0 then gfx.circle("line", x, y, 30, fade(color, ship.safe)) end
  if floor(ship.safe * 12) % 2 == 1 then return end
  glow(x, y, 70, fade(color, 0.5))
  shapes.draw("ship", x, y, 19, math.atan2(ship.aim_y, ship.aim_x), color, 0xFFFFFFFF)
end

-- Calls f for each row of a query, with its place between two steps.
local function each_row(query, back, time, f)
  for chunk in query:chunks() do
    local pos, vel = chunk.Position, chunk.Velocity
    for i = 1, chunk.count do
      f(chunk, i, pos.x[i] + vel.x[i] * back, pos.y[i] + vel.y[i] * back, time)
    end
  end
end

local function draw_bloom() gfx.sprite(bloom, 0, arena.width / 2, arena.height / 2, kScale, kScale) end

local order = { "enemies", "gems", "shots", "ships", "flashes" }

ecs.system("things", {
  group = "presentation", after = "lights", access = { read = { C.View } },
  queries = {
    enemies = { read = { C.Position, C.Velocity, C.Enemy, C.Kind } },
    gems = { read = { C.Position, C.Velocity, C.Gem } },
    shots = { read = { C.Position, C.Velocity, C.Shot } }, ships = { read = { C.Position, C.Velocity, C.Ship } },
    flashes = { read = { C.Position, C.Velocity, C.Flash } },
  },
  run = function(_, ctx)
    local view, back, time = ctx:resource(C.View), (ctx.alpha - 1) / 60, ctx.time
    gfx.set_canvas(bloom)
    gfx.set_layer(0)
    gfx.set_blend("alpha")
    gfx.rectangle("fill", 0, 0, bloom.width, bloom.height, 0x0000001C)
    gfx.set_blend("subtract")
    gfx.rectangle("fill", 0, 0, bloom.width, bloom.height, 0x020202FF)
    gfx.set_blend("add")
    for _, name in ipairs(order) do
      if shine[name] then each_row(ctx.queries[name], back, time, shine[name]) end
    end
    gfx.set_canvas()
    camera.each(view, layers.bloom, "add", draw_bloom)
    for _, name in ipairs(order) do
      camera.each(view, layers[name], "add", each_row, ctx.queries[name], back, time, draw[name])
    end
  end,
})
