-- Levels and the choice of three cards. Weapons and powers are one list; Arsenal.level counts how often each was taken.
local ecs = require "ecs"
local input = require "input"
local phases = require "phases"
local pilot = require "pilot"
local prefabs = require "prefabs"
local sound = require "sound"
local C = ecs.components

local upgrades = {}

--- Seconds until the selected card is taken. The swarm does not wait for ever, and it waits less for a player who let
--- the last choice pass too.
upgrades.kPatience, upgrades.kNoPatience = 12, 3
--- Seconds before a choice can be made: the player may still be pressing keys of the fight.
upgrades.kGrace = 0.25
--- The demonstration shows its cards for this long.
local kDemoChoice = 1.5

local function power(icon, name, most, text, take)
  return { icon = "icon_" .. icon, zoom = 1, name = name, most = most, text = text, take = take, weapon = false }
end
local function weapon(icon, name, most, text)
  return { icon = icon, zoom = icon == "bolt" and 1.6 or 1, name = name, most = most, text = text, weapon = true }
end

-- The first seven are weapons (weapons.lua knows them by number).
local list = {
  weapon("bolt", "Blaster", 5, "Faster, harder bolts at the nearest enemy"),
  weapon("icon_drones", "Drones", 5, "One more drone circles round you"),
  weapon("icon_aura", "Ion field", 5, "Burns all that comes close"),
  weapon("icon_missile", "Missiles", 5, "Homing missiles that explode"),
  weapon("icon_boomerang", "Boomerang", 5, "Flies through everything and comes back"),
  weapon("icon_bombs", "Cluster bombs", 5, "Lobs bombs into the crowd"),
  weapon("icon_shockwave", "Shockwave", 5, "A wave that throws the swarm back"),
  power("damage", "Power cells", 5, "+20 % damage of all weapons", function(s) s.damage = s.damage + 0.2 end),
  power("fire_rate", "Overclock", 5, "+15 % rate of fire", function(s) s.fire_rate = s.fire_rate + 0.15 end),
  power("count", "Twin barrels", 3, "One more bolt per shot", function(s) s.count = s.count + 1 end),
  power("pierce", "Piercing bolts", 3, "Bolts pass one more enemy", function(s) s.pierce = s.pierce + 1 end),
  power("speed", "Light boots", 4, "+9 % speed", function(s) s.speed = s.speed + 9 end),
  power("pickup", "Magnet coil", 4, "+40 % reach for crystals", function(s) s.reach = s.reach * 1.4 end),
  power("max_health", "Thick suit", 5, "+25 health, and heals 40", function(s)
    s.max_health = s.max_health + 25
    s.health = math.min(s.max_health, s.health + 40)
  end),
  power("regeneration", "Self repair", 4, "+0.7 health a second", function(s)
    s.regeneration = s.regeneration + 0.7
  end),
  power("armor", "Plating", 4, "Each wound is 2 smaller", function(s) s.armor = s.armor + 2 end),
  power("luck", "Lucky clover", 3, "More hearts, bombs and magnets", function(s) s.luck = s.luck + 1 end),
}
upgrades.list = list

-- Weapons that the player lacks appear more often, so that each run soon has its own style.
local function weight_of(number, level)
  if level >= list[number].most then return 0 end
  if list[number].weapon and level == 0 then return 3 end
  return 2
end

local function draw_cards(ctx, offer, arsenal)
  local weights, total = {}, 0
  for number = 1, #list do
    weights[number] = weight_of(number, arsenal.level[number])
    total = total + weights[number]
  end
  offer.count = 0
  for place = 1, 3 do
    if total <= 0 then return end
    local left = ctx.random:range(0, total)
    for number = 1, #list do
      left = left - weights[number]
      if left < 0 and weights[number] > 0 then
        offer.card[place], offer.count = number, place
        total, weights[number] = total - weights[number], 0
        break
      end
    end
  end
end

--- Experience needed for the next level.
function upgrades.next_xp(level) return math.floor(4 + level * 3 + level * level * 0.65) end

--- Turns experience into levels, and levels into choices.
ecs.system("levels", {
  group = "simulation", after = { "pickups", "wounds of the hero" },
  access = { read = { C.Hero, C.Arsenal }, write = { C.Stats, C.Offer, C.Game, C.Clock } },
  run = function(_, ctx)
    if ctx:resource(C.Game).phase ~= phases.playing or ctx:resource(C.Game).crowd > 0 then return end
    local stats, at = ctx:resource(C.Stats), ctx:resource(C.Hero)
    if stats.xp >= stats.next_xp then
      stats.xp, stats.level, stats.pending = stats.xp - stats.next_xp, stats.level + 1, stats.pending + 1
      stats.next_xp = upgrades.next_xp(stats.level)
      ctx.commands:spawn(prefabs.ring, C.Position { x = at.x, y = at.y })
      sound.play("level_up.ogg")
    end
    if stats.pending == 0 then return end
    stats.pending = stats.pending - 1
    local offer = ctx:resource(C.Offer)
    draw_cards(ctx, offer, ctx:resource(C.Arsenal))
    if offer.count == 0 then return end
    offer.selected, offer.left = 1, offer.missed > 0 and upgrades.kNoPatience or upgrades.kPatience
    phases.go(ctx, phases.choosing)
  end,
})

local function take(ctx, number)
  local arsenal, stats = ctx:resource(C.Arsenal), ctx:resource(C.Stats)
  arsenal.level[number] = arsenal.level[number] + 1
  if list[number].take then list[number].take(stats) end
  stats.safe = math.max(stats.safe, 0.7)
  sound.play("powerup.ogg")
  phases.go(ctx, phases.playing)
end

--- Left and right select a card; confirm or a number takes it.
ecs.system("choose", {
  group = "initialization", after = "menus",
  access = { write = { C.Offer, C.Arsenal, C.Stats, C.Game, C.Clock } },
  run = function(_, ctx)
    local game, offer = ctx:resource(C.Game), ctx:resource(C.Offer)
    if game.phase ~= phases.choosing then return end
    offer.left = offer.left - ctx.dt
    local before = offer.selected
    if input.pressed("left") then offer.selected = (before + offer.count - 2) % offer.count + 1 end
    if input.pressed("right") then offer.selected = before % offer.count + 1 end
    if offer.selected ~= before then
      sound.play("click.wav")
      offer.left, offer.missed = upgrades.kPatience, 0
    end
    if game.since < upgrades.kGrace then return end
    local chosen = 0
    if input.pressed("confirm") then chosen = offer.selected end
    if input.pressed("first") then chosen = 1 end
    if input.pressed("second") then chosen = 2 end
    if input.pressed("third") then chosen = 3 end
    if game.demo and game.since > kDemoChoice then chosen = pilot.card(offer, ctx:resource(C.Arsenal), list) end
    if chosen >= 1 and chosen <= offer.count then
      offer.missed = 0
      take(ctx, offer.card[chosen])
    elseif offer.left <= 0 then
      offer.missed = 1
      take(ctx, offer.card[offer.selected])
    end
  end,
})

return upgrades
