-- Every function that a script can call, with wrong arguments: see every_call.lua.
local ecs, every = require "ecs", require "every_call"
local C, world, lists = ecs.components, ecs.world, require "settings"

local P = ecs.prefab("P", { C.Position, C.Health })
local alive = world:spawn(C.Position, C.Health, C.Path, C.Brain, C.Shield, C.Team)
local dead = world:spawn()
world:destroy(dead)
local some = ecs.query { read = { C.Position } }
local hot = setmetatable({}, { __index = function() return 1 end, __tostring = function() error("hot") end })

local values = {
  0, 1, -1, 0.5, 0 / 0, 1 / 0, 2 ^ 31, "", "x", "Position", "a\nb", true, false, print, {}, { 1 }, { x = 1 }, hot,
  { kind = "tag" }, { { "x", "f32" } }, { hot }, coroutine.create(print), 5LL, C.Position, C.Position {}, C.Frozen, C.Wave,
  C.Hit, C.Path, C.Path { {} }, C.Brain, C.Shield, C.Team, C.Curve, C.Voice, P, alive, dead, some, world, ecs, C,
  function() end, { run = function() end }, { C.Position }, { C.Position, C.Position }, { read = { C.Wave } }, ("x"):rep(300),
}

local function entries(object, prefix, list)
  local found = {}
  for name in list:gmatch("[%w_]+") do found[#found + 1] = { prefix .. name, object[name] } end
  return found
end

-- What is wrong with a schema is noted with its line, and loading goes on: error_places_schema.lua.
local noted = " component resource event blob struct enum flags string array "
local raising = lists.ecs:gsub("[%w_]+ ?", function(name) return noted:find(" " .. name:match("%S+") .. " ", 1, true) and "" end)

every.call(entries(ecs, "ecs.", raising), { "made", C.Position, P }, values, 40)
every.call(entries(world, "ecs.world:", lists.world), { world }, values, 40)
every.call({
  { "ecs.components[]", function(v) return (C[v]) end }, { "a handle", function(v) return (C.Position(v)) end },
  { "a handle of texts", function(v) return (C.Look { name = v, mood = v, tint = v }) end },
  { "a value's field", function(v, w) return (C.Numbers { [w] = v }) end },
  { "ecs[]", function(v) return (ecs[v]) end }, { "world[]", function(v) return (world[v]) end },
  { "a row", function(v, w) world:get(alive, C.Health)[v] = w end },
  { "a row's field", function(v) return (world:get(alive, C.Health)[v]) end },
  { "settings", function(v) return (require "settings"[v]) end },
}, values, values, 40, true)
for _, name in ipairs { "string", "table", "math", "bit", "coroutine" } do
  local library = require(name)
  for key, f in pairs(library) do
    if type(f) == "function" and key ~= "yield" and key ~= "rep" then every.call({ { name .. "." .. key, f } }, { "abc", { 3, 1 }, 1 }, values, 40, true) end
  end
end
for name, f in pairs {
  assert = assert, ipairs = ipairs, next = next, pairs = pairs, rawget = rawget, select = select,
  setmetatable = setmetatable, tonumber = tonumber, tostring = tostring, unpack = unpack, getmetatable = getmetatable,
  xpcall = xpcall, load = load, require = require,
} do
  every.call({ { name, f } }, { "abc", { 3, 1 }, 1 }, values, 40, true)
end

steps = 0
-- What the calls above left is not known.
world:spawn(C.Position, C.Health, C.Path { {} }, C.Brain, C.Shield, C.Team)
ecs.system("every call", {
  query = { write = { C.Position, C.Health, C.Path, C.Shield, C.Brain }, read = { C.Team } },
  access = { write = { C.Wave, C.Hit } },
  run = function(chunk, ctx)
    values[#values + 1] = chunk
    values[#values + 1] = ctx
    every.call(entries(ctx.commands, "ctx.commands:", lists.commands), { ctx.commands }, values, 40)
    every.call(entries(ctx, "ctx:", lists.context), { ctx }, values, 40)
    every.call(entries(ctx.random, "ctx.random:", lists.random), { ctx.random }, values, 40)
    local buffer = chunk.Path[1]
    every.call(entries(buffer, "buffer:", lists.buffer), { buffer }, values, 40)
    every.call({
      { "chunk[]", function(v) return (chunk[v]) end }, { "chunk[] =", function(v, w) chunk[v] = w end },
      { "chunk.Health[]", function(v) return (chunk.Health[v]) end },
      { "chunk.Health[] =", function(v, w) chunk.Health[v] = w end },
      { "chunk.Health.current[]", function(v) return (chunk.Health.current[v]) end },
      { "chunk.Health.current[] =", function(v, w) chunk.Health.current[v] = w end },
      { "chunk.Path[]", function(v) return (chunk.Path[v]) end },
      { "chunk.Path[][]", function(v, w) return (chunk.Path[1][v][w]) end },
      { "chunk.Brain[]", function(v) return (chunk.Brain[v]) end },
      { "chunk.Brain[] =", function(v, w) chunk.Brain[v] = w end },
      { "chunk.Team.id", function(v, w) chunk.Team[v] = w end },
      { "chunk.Shield.enabled[] =", function(v, w) chunk.Shield.enabled[v] = w end },
      { "chunk.entity[]", function(v) return (chunk.entity[v]) end },
      { "ctx[]", function(v) return (ctx[v]) end }, { "ctx[] =", function(v, w) ctx[v] = w end },
      { "ctx.commands[]", function(v) return (ctx.commands[v]) end },
      { "chunk:runs()", function(v) return (chunk.runs(v)) end }, { "chunk:rows()", function(v) return (chunk.rows(v)) end },
    }, values, values, 40, true)
    steps = steps + 1
  end,
})
