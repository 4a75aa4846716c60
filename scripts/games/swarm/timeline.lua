-- The five minutes, as data: what happens when, and what the banner says. Something new at least every thirty seconds.
-- The director reads the list from the top; `act(ctx, at, time)` records the spawns.
local formations = require "formations"
local kinds = require("kinds").by_name

local kTau = 6.283185307

local function ring(kind, count, radius)
  return function(ctx, at, time) formations.ring(ctx, at, kinds[kind], count, time, radius or 330) end
end

local function cloud(kind, count)
  return function(ctx, at, time) formations.cloud(ctx, at, kinds[kind], count, time, ctx.random:range(0, kTau)) end
end

local function stampede(kind, rows, columns, speed, sides)
  return function(ctx, at, time)
    local angle = ctx.random:integer(0, 3) * kTau / 4
    for side = 0, (sides or 1) - 1 do
      formations.stampede(ctx, at, kinds[kind], time,
        { angle = angle + side * kTau / 2, rows = rows, columns = columns, speed = speed, gap = true })
    end
  end
end

local function elite(kind, count)
  return function(ctx, at, time)
    local angle = ctx.random:range(0, kTau)
    for i = 1, count do formations.elite(ctx, at, kinds[kind], time, angle + i * kTau / count) end
  end
end

local function meteors(seconds)
  return function(_, _, _, director) director.meteors_left = seconds end
end

local function supplies(ctx, at) formations.supplies(ctx, at) end

return {
  { time = 1, text = "Survive five minutes", hint = "Your weapons fire by themselves. Keep moving." },
  { time = 12, text = "Crawlers", hint = "Collect the crystals they drop." },
  { time = 26, text = "The ring closes", hint = "Shoot a way out.", act = ring("mite", 44) },
  { time = 42, text = "Moths", hint = "Fast, and never straight.", act = cloud("moth", 14) },
  { time = 58, text = "A stalker hunts you", hint = "It carries a chest.", act = elite("stalker", 1) },
  { time = 76, text = "Meteor shower", hint = "Leave the red marks.", act = meteors(9), warning = true },
  { time = 94, text = "Stampede", hint = "Find the gap.", act = stampede("crawler", 26, 4, 105), warning = true },
  { time = 112, text = "Bombers", hint = "Let them blow up among their own.", act = cloud("bomber", 12) },
  { time = 130, text = "Supply drop", hint = "Fetch it.", act = supplies },
  { time = 150, text = "THE MAW", hint = "Orbs, dashes, broods.", act = elite("boss", 1), warning = true },
  { time = 172, text = "Spitters", hint = "They keep away. You should not.", act = cloud("spitter", 14) },
  { time = 190, text = "Pincers", hint = "From both sides.", act = stampede("mite", 30, 5, 120, 2), warning = true },
  { time = 206, text = "Brutes", hint = "Slow, and hard to stop.", act = ring("brute", 16, 360) },
  { time = 222, text = "Three stalkers", hint = "Three chests.", act = elite("stalker", 3), warning = true },
  { time = 238, text = "Meteor storm", hint = "Do not stand still.", act = meteors(14), warning = true },
  { time = 254, text = "Supply drop", hint = "The last one.", act = supplies },
  { time = 268, text = "The great ring", hint = "Break through.", act = ring("crawler", 110, 350) },
  { time = 284, text = "Moth storm", hint = "They come as one.", act = cloud("moth", 120), warning = true },
  { time = 300, text = "THE MAW'S MOTHER", hint = "Kill her, and the night is over.", warning = true,
    act = elite("last_boss", 1) },
  -- She does not come alone, and does not stay for ever.
  { time = 322, text = "Stampede", hint = "All at once.", act = stampede("brute", 26, 3, 110), warning = true },
  { time = 345, text = "Meteor storm", hint = "The sky falls.", act = meteors(20), warning = true },
  { time = 370, text = "The last ring", hint = "Now or never.", act = ring("stalker", 14, 340), warning = true },
  { time = 395, text = "Perigee", hint = "The swarm has no end.", act = ring("brute", 90, 360), warning = true },
}
