-- The creatures: the properties of each, and its prefab.
-- Numbers are for the start of a game; the director makes later creatures tougher.
local ecs = require "ecs"
local art = require "art"
local C = ecs.components

local kChase, kKeepDistance, kWeave = 0, 1, 3

--- health, speed (px/s), bite, radius (px), mass, score; missing ones are 0 or a default.
local kinds = {
  { name = "mite", health = 6, speed = 60, bite = 4, radius = 5.5, score = 1, shadow = 1, drop = 5, rate = 10,
    blood = 0xA81F45FF },
  { name = "crawler", health = 15, speed = 46, bite = 7, radius = 8.5, score = 2, shadow = 2, drop = 8, rate = 7,
    blood = 0x25A05CFF },
  { name = "moth", health = 11, speed = 92, bite = 6, radius = 8, score = 2, shadow = 1, drop = 13, rate = 12,
    mode = kWeave, alignment = 0.3, turn = 2.5, blood = 0x2F80EAFF },
  { name = "bomber", health = 20, speed = 78, bite = 0, radius = 9, score = 3, shadow = 2, drop = 9, rate = 9,
    blood = 0xE8702AFF, more = { C.Fuse } },
  { name = "spitter", health = 24, speed = 62, bite = 5, radius = 9, score = 4, shadow = 2, drop = 9, rate = 6,
    mode = kKeepDistance, range = 150, blood = 0x8338C6FF, more = { C.Shooter } },
  { name = "brute", health = 110, speed = 36, bite = 14, radius = 13, mass = 5, score = 8, shadow = 3, drop = 12,
    rate = 5, blood = 0x5C6488FF },
  { name = "stalker", health = 420, speed = 70, bite = 16, radius = 13, mass = 6, score = 40, shadow = 3, drop = 13,
    rate = 9, blood = 0x571236FF },
  { name = "boss", health = 2600, speed = 52, bite = 22, radius = 26, mass = 60, score = 300, shadow = 4, drop = 26,
    rate = 6, turn = 2, blood = 0x571236FF, more = { C.Boss } },
  { name = "boss", health = 7500, speed = 58, bite = 28, radius = 38, mass = 90, score = 1500, shadow = 4, drop = 38,
    rate = 7, turn = 2, size = 1.5, blood = 0xA81F45FF, more = { C.Boss { last = true } }, prefab = "last boss",
    color = 0xFFA0A8FF },
}

local function prefab_of(kind, number)
  local name = kind.name
  local parts = {
    C.Position, C.Velocity, C.Body { radius = kind.radius },
    C.Flock { speed = kind.speed, turn = kind.turn or 5, alignment = kind.alignment or 0, range = kind.range or 0,
      mode = kind.mode or kChase },
    C.Health { current = kind.health, max = kind.health },
    C.Enemy { bite = kind.bite, mass = kind.mass or 1, score = kind.score, kind = number },
    C.Animation { first = art.first[name], flash = art.first[name .. "_flash"], count = art.count[name],
      rate = kind.rate, size = kind.size or 1, mirror = true },
    C.Shadow { size = kind.shadow, drop = kind.drop },
    art.sprite(name, art.layers.creature, { color = kind.color }),
  }
  for _, part in ipairs(kind.more or {}) do parts[#parts + 1] = part end
  return ecs.prefab(kind.prefab or name, parts)
end

local by_name = {}
for number, kind in ipairs(kinds) do
  kind.number, kind.prefab = number, prefab_of(kind, number)
  by_name[number == 9 and "last_boss" or kind.name] = kind
end

return { list = kinds, by_name = by_name }
