-- Goes through calls.lua wherever code of a mod runs: `outcomes[where]["world.spawn"]` is "" where the call answered, and
-- what it refused with elsewhere. `names_listed` is filled by the test with what an object says that it has.
local ecs, calls = require "ecs", require "phases.calls"
local C, world = ecs.components, ecs.world

outcomes, kept, armed = {}, {}, nil
local number = 0

kept.prefab = ecs.prefab("Rock", { C.Position })
kept.query = ecs.query { read = { C.Position } }
kept.none = ecs.query { read = { C.Position, C.Frozen, C.Team, C.Path }, without = { C.Health } }

--- All calls; those of ctx and what hangs on it only where there was a ctx before.
function attempt(where, ctx)
  local found = outcomes[where] or {}
  outcomes[where] = found
  local own = ctx or kept.ctx
  local objects = { ecs = ecs, world = world, ctx = own, commands = kept.commands, random = kept.random, kept = kept,
    side = kept.side }
  for _, object in ipairs { "ecs", "world", "kept", "side", "ctx", "commands", "random" } do
    for name, call in pairs(calls[object]) do
      if objects[object] and (object ~= "kept" or kept[name:match "^%a+"]) then
        number = number + 1
        kept.number = number
        local ok, message = pcall(call, objects[object], kept)
        found[object .. "." .. name] = ok and "" or message
      end
    end
  end
end

--- Something to lose; kept as long as it lives.
function fill()
  if not (kept.entity and world:is_alive(kept.entity)) then
    kept.entity = world:spawn(C.Position, C.Health, C.Shield, C.Team, C.Path { { x = 1 } }, C.Brain)
    world:set_object(kept.entity, C.Brain, { mood = 1 })
  end
  kept.spare = world:spawn(C.Team)
  kept.value, kept.buffer = world:get(kept.entity, C.Position), world:buffer(kept.entity, C.Path)
  kept.resource = world:resource(C.Score)
end

function hash_of(v)
  if armed == "hash" then attempt("hash") end
  return v.mood
end

local everything = { read = { C.Ping, C.Path, C.Shield, C.Score, C.Brain, C.Position, C.Health }, write = { C.Ping, C.Path,
  C.Score, C.Brain, C.Position } }

kept.side = ecs.side_world("side", "phases/side.lua")

local function words(where)
  return function(ctx)
    if armed ~= where then return where == "run_if" end
    kept.ctx, kept.commands, kept.random = ctx, ctx.commands, ctx.random
    attempt(where, ctx)
    return true
  end
end

ecs.system("sys", {
  query = { read = { C.Position } }, access = { read = everything.read, write = { C.Ping, C.Path, C.Score, C.Brain } },
  queries = { all = { read = { C.Position } } },
  run_if = words "run_if", on_create = words "on_create", on_start = words "on_start", on_stop = words "on_stop",
  on_destroy = words "on_destroy",
  run = function(chunk, ctx)
    kept.ctx, kept.commands, kept.random, kept.chunk, kept.events = ctx, ctx.commands, ctx.random, chunk, ctx:events(C.Ping)
    kept.column, kept.located = chunk.Position.x, ctx:try_get(chunk.entity[1], C.Position)
    for other in ctx.queries.all:chunks() do kept.queried = other end
    if armed == "system" then attempt("system", ctx) end
    if armed == "names" then names_of_all(ctx) end
    if armed == "initialiser" then
      armed = nil
      ctx.commands:spawn_many(kept.prefab, 2, function() attempt "initialiser" end)
    end
    if armed == "coroutine" then
      local ok, message = coroutine.resume(coroutine.create(attempt), "coroutine", ctx)
      if not ok then error(message) end
    end
  end,
})

ecs.system("picture", { group = "presentation", access = { read = everything.read }, run = function(_, ctx)
  if armed == "presentation" then attempt("presentation", ctx) end
end })

ecs.group("idle group", { enabled = false })
ecs.system("idle", { enabled = false, run = function() end })
ecs.system("exclusive", {
  exclusive = true, access = everything,
  run = function(_, ctx) if armed == "exclusive" then attempt("exclusive", ctx) end end,
})

ecs.on(C.Ping, { access = { read = { C.Path, C.Shield, C.Score, C.Brain, C.Position } } }, function(_, ctx)
  if armed == "event" then attempt("event", ctx) end
end)

local function reaction(word)
  ecs[word](C.Health, { access = { read = { C.Path, C.Shield, C.Score, C.Brain, C.Position } } }, function(batch, ctx)
    reacted = { entities = ctx:entity_count(), chunks = ctx:chunk_count(), batch = batch.count }
    if armed == "reaction" then attempt(word, ctx) end
  end)
end
reaction "on_added" reaction "on_removed" reaction "on_changed" reaction "on_destroyed"

ecs.service("asked", function() attempt "service" end)

fill()
attempt "main"

-- ---- what the test asks ------------------------------------------------------------------------------------------

local objects = {}
function names_of_all(ctx)
  objects = { ecs = ecs, world = world, ctx = ctx, commands = ctx.commands, random = ctx.random, side = kept.side }
  for object, of in pairs(objects) do
    names_listed = nil
    pcall(function() return of.nothing_of_that_name end)
    assert(names_listed and #names_listed > 3, object .. " does not say what it has")
    for _, name in ipairs(names_listed) do
      if not calls[object][name] then error(object .. "." .. name .. " has no line in phases/calls.lua") end
    end
    for name in pairs(calls[object]) do
      local is_there = false
      for _, other in ipairs(names_listed) do is_there = is_there or other == name end
      if not is_there then error(object .. " has no " .. name .. ", but phases/calls.lua calls it") end
    end
  end
end

-- Answered wherever code runs: they look at nothing and keep nothing.
local open = {
  ["ecs.components"] = true, ["ecs.world"] = true, ["ecs.import"] = true, ["ecs.array"] = true, ["ecs.enum"] = true,
  ["ecs.list"] = true, ["ecs.outside"] = true, ["ecs.flags"] = true, ["ecs.string"] = true, ["ecs.struct"] = true,
  ["kept.service"] = true,
}
-- Systems of the simulation declare these for the steps to come.
local later = { component = true, resource = true, event = true, blob = true, prefab = true, query = true, system = true }
local no_step = { presentation = true, run_if = "run_if decides whether a system runs and declares nothing" }
local timeless = { alpha = true, dt = true, tick = true, time = true, log = true, commands = true, random = true }

--- Each call works or is refused with a message that names a line of the mod. With `inside`, a part of the messages, each
--- call that could reach or change the world is refused.
function check(where, inside, has_ctx)
  local count = 0
  for name, message in pairs(outcomes[where] or error("no code ran in " .. where)) do
    count = count + 1
    local object, word = name:match "(%w+)%.(.+)"
    local said = where .. ", " .. name .. ": " .. tostring(message)
    if message ~= "" then
      if type(message) ~= "string" or not message:find("game/phases/%w+%.lua:%d+: ") then error(said) end
      if message:find "attempt to" or message:find "perigee/" then error(said) end
    end
    local is_open = open[name] or name == "ecs.build_blob" and inside == "a system"  -- presentation refuses it
    is_open = is_open or name == "ecs.side_world" and where == "presentation"  -- it finds it
    local is_later = inside == "a system" and object == "ecs" and later[word]
    if is_later and no_step[where] ~= true then
      if not message:find(no_step[where] or "^$") then error(said .. " (expected a declaration for the next step)") end
    elseif inside and (object == "ecs" or object == "world") and not is_open then
      if not message:find("not inside " .. inside, 1, true) then error(said .. " (expected a refusal)") end
    end
    if inside and object == "side" and word ~= "is_alive" and message == "" then error(said .. " (expected a refusal)") end
    -- Its own, of this very run.
    local is_lent = has_ctx and (name:find "^kept%.chunk" or name == "kept.events" or name == "kept.located")
    if inside and object == "kept" and not open[name] and not is_lent and message == "" then error(said .. " (expected a refusal)") end
    if not has_ctx and not timeless[word] and message == "" and
        (object == "ctx" or object == "commands" or object == "random" and where ~= "initialiser") then
      error(said .. " (ctx answered outside of its run)")
    end
  end
  if count < 60 then error(where .. ": only " .. count .. " calls") end
end
