-- Ships, enemies, shots, gems and flashes, with a bloom: what glows is also drawn into a small canvas that forgets
-- slowly, and the canvas is drawn over the floor, enlarged.
local ecs, gfx, arena, camera = require "ecs", require "gfx", require "arena", require "camera"
local kinds, layers, prefabs, shapes = require "kinds", require "layers", require "prefabs", require "shapes"
local C = ecs.components
local fade, glow, sin, cos, floor = shapes.fade, shapes.glow, math.sin, math.cos, math.floor

local kScale = 8            -- world pixels of a pixel of the bloom
local bloom = gfx.canvas(arena.width / kScale, arena.height / kScale, { filter = "linear" })

-- Functions that draw the rows of a chunk onto the screen, and into the bloom.
local draw, shine = {}, {}

local function light_up(x, y, radius, color, part) glow(x / kScale, y / kScale, radius / kScale, fade(color, part)) end

-- Half way to white.
for _, kind in ipairs(kinds) do
  local r, g, b = floor(kind.color / 0x1000000), floor(kind.color / 0x10000) % 256, floor(kind.color / 0x100) % 256
  kind.pale = gfx.color(0.5 + r / 510, 0.5 + g / 510, 0.5 + b / 510)
end

function draw.enemies(chunk, back, time)
  local kind, pos, vel, enemy = kinds[chunk.Kind.id], chunk.Position, chunk.Velocity, chunk.Enemy
  gfx.set_line_width(2)
  for i = 1, chunk.count do
    local x, y, age = pos.x[i] + vel.x[i] * back, pos.y[i] + vel.y[i] * back, enemy.age[i]
    if camera.shows(x, y) then
      local angle = kind.move == "ram" and enemy.heading[i] or kind.spin and time * kind.spin + i
        or math.atan2(vel.y[i], vel.x[i])
      if age < kinds.arrival then              -- a ring closes in on it
        local left = 1 - age / kinds.arrival
        local color = fade(kind.color, 0.7 - 0.7 * left)
        gfx.circle("line", x, y, kind.radius * (1 + 3 * left), fade(kind.color, 1 - left))
        shapes.draw(kind.name, x, y, kind.radius * (1 + left), angle, color, color)
      elseif enemy.flash[i] > 0 then
        shapes.draw(kind.name, x, y, kind.radius * 1.15, angle, 0xFFFFFFFF, 0xFFFFFFFF)
      else
        shapes.draw(kind.name, x, y, kind.radius * (1 + 0.06 * sin(time * 7 + i)), angle, kind.color, kind.pale)
      end
    end
  end
end

function shine.enemies(chunk)
  local kind, pos, age = kinds[chunk.Kind.id], chunk.Position, chunk.Enemy.age
  for i = 1, chunk.count do
    if age[i] > kinds.arrival then light_up(pos.x[i], pos.y[i], kind.radius * 4.6, kind.color, 0.04) end
  end
end

function draw.shots(chunk, back, time)
  local pos, vel, player, colors = chunk.Position, chunk.Velocity, chunk.Shot.player, prefabs.player_colors
  gfx.set_line_cap("round")
  for i = 1, chunk.count do
    local vx, vy = vel.x[i], vel.y[i]
    local x, y = pos.x[i] + vx * back, pos.y[i] + vy * back
    if player[i] == 0 then
      glow(x, y, 22 + 6 * sin(time * 18 + i), 0xFF5A3CFF)
      gfx.circle("fill", x, y, 5, 0xFFF0C0FF)
    else
      gfx.set_line_width(8)
      gfx.line(x - vx * 0.016, y - vy * 0.016, x, y, fade(colors[player[i]], 0.35))
      gfx.set_line_width(3.5)
      gfx.line(x - vx * 0.016, y - vy * 0.016, x, y, 0xFFFFFFFF)
    end
  end
end

function shine.shots(chunk)
  local pos, player = chunk.Position, chunk.Shot.player
  for i = 1, chunk.count do light_up(pos.x[i], pos.y[i], 46, prefabs.player_colors[player[i]] or 0xFF5A3CFF, 0.05) end
end

function draw.gems(chunk)
  local pos, gem = chunk.Position, chunk.Gem
  for i = 1, chunk.count do
    local part = gem.left[i] < 2 and 0.5 + 0.5 * sin(gem.left[i] * 20) or 1
    shapes.draw("gem", pos.x[i], pos.y[i], 9, gem.spin[i], fade(0x8CFF6AFF, part), fade(0xE4FFD0FF, part))
  end
end

-- Light that fades, sparks that fly, and for blasts a ring.
function draw.flashes(chunk)
  local pos, all = chunk.Position, chunk.Flash
  for i = 1, chunk.count do
    local x, y, left, radius = pos.x[i], pos.y[i], 1 - all.age[i] / all.life[i], all.radius[i]
    local out, color, seed = 1 - left * left, all.color[i], all.seed[i]
    glow(x, y, radius * 0.3 * (1.2 - 0.4 * left), fade(color, 0.8 * left * left))
    glow(x, y, radius * 0.09, fade(0xFFFFFFFF, left * left))
    gfx.set_line_width(2)
    for k = 1, 9 do
      local angle, reach = (seed * 7 + k * 137) % 628 / 100, radius * (0.16 + (seed + k * 61) % 40 / 150)
      local c, s, from, to = cos(angle), sin(angle), reach * out, reach * math.min(1, out + 0.22 * left)
      gfx.line(x + c * from, y + s * from, x + c * to, y + s * to, fade(color, left * 1.5))
    end
    if all.ring[i] then
      gfx.circle("line", x, y, radius * out, fade(0xFFFFFFFF, left * 0.8))
      gfx.set_line_width(2 + 14 * left)
      gfx.circle("line", x, y, radius * out, fade(color, left * 0.55))
    end
  end
end

function shine.flashes(chunk)
  local pos, all = chunk.Position, chunk.Flash
  for i = 1, chunk.count do
    light_up(pos.x[i], pos.y[i], all.radius[i] * 0.7, all.color[i], 0.07 * (1 - all.age[i] / all.life[i]))
  end
end

function draw.ships(chunk, back)
  for i = 1, chunk.count do
    local ship, pos, vel, color = chunk.Ship[i], chunk.Position[i], chunk.Velocity[i],
      prefabs.player_colors[chunk.Ship.player[i]]
    local x, y = pos.x + vel.x * back, pos.y + vel.y * back
    if ship.down <= 0 then
      gfx.set_line_width(2)
      if ship.safe > 0 then gfx.circle("line", x, y, 30, fade(color, ship.safe)) end
      if floor(ship.safe * 12) % 2 == 0 then
        glow(x, y, 70, fade(color, 0.5))
        shapes.draw("ship", x, y, 19, math.atan2(ship.aim_y, ship.aim_x), color, 0xFFFFFFFF)
      end
    end
  end
end

local order = { "enemies", "gems", "shots", "ships", "flashes" }

local function draw_bloom() gfx.sprite(bloom, 0, arena.width / 2, arena.height / 2, kScale, kScale) end

local function query(...) return { read = { C.Position, C.Velocity, ... } } end

ecs.system("things", {
  group = "presentation", after = "lights", access = { read = { C.View } },
  queries = { enemies = query(C.Enemy, C.Kind), gems = query(C.Gem), shots = query(C.Shot), ships = query(C.Ship),
    flashes = query(C.Flash) },
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
      if shine[name] then
        for chunk in ctx.queries[name]:chunks() do shine[name](chunk) end
      end
    end
    gfx.set_canvas()
    camera.each(view, layers.bloom, "add", draw_bloom)
    for _, name in ipairs(order) do
      for chunk in ctx.queries[name]:chunks() do
        camera.each(view, layers[name], "add", draw[name], chunk, back, time)
      end
    end
  end,
})
