-- Every function that a mod is given, with every kind of wrong value in every place. Whatever happens must be a result
-- or an error that a mod's author understands: no engine file, no hidden field name, and nothing half done.
local ecs = require "ecs"
local C, world = ecs.components, ecs.world

local function raises() error("a metamethod ran") end
local hot = setmetatable({}, {
  __index = function() return "evil" end, __len = function() return 5 end, __call = function() return 1 end,
  __eq = function() return true end, __lt = function() return true end, __le = function() return true end,
  __tostring = raises, __concat = raises, __add = raises, __sub = function() return -5 end, __unm = raises,
})
local listed = setmetatable({ 1, 2, 3 }, { __index = hot })
local evil = {
  hot, 0 / 0, 1 / 0, -1 / 0, -1, 0.5, 2 ^ 31, 2 ^ 53, 2 ^ 63, 1e308, "x", "", "\0", "a\nb", ("x"):rep(70000), "\255\254", true,
  false, print, coroutine.create(print), 5ULL, -5LL, 2i, C.Health, C.Frozen, C.Wave, C.Health {}, ecs.prefab("p", { C.Position }),
  ecs.components, ecs, world, {}, { hot }, { {} }, listed,
}

local tried, refused = 0, 0
local function check(what, ok, message)
  tried = tried + 1
  if ok then return end
  refused = refused + 1
  if type(message) ~= "string" then return end
  local hidden = message:find("perigee/", 1, true) or message:find("f%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x%x")
  if hidden then error(what .. ": " .. message:sub(1, 200)) end
end

local function all(what, f)
  for i = 1, #evil do check(what .. ", value " .. i, pcall(f, evil[i])) end
end

local serial = 0
local function name()
  serial = serial + 1
  return "made" .. serial
end

-- declarations
all("ecs.prefab name", function(v) ecs.prefab(v, { C.Position }) end)
all("ecs.prefab list", function(v) ecs.prefab(name(), v) end)
all("ecs.prefab entry", function(v) ecs.prefab(name(), { v }) end)
all("ecs.system name", function(v) ecs.system(v, { run = function() end }) end)
all("ecs.system description", function(v) ecs.system(name(), v) end)
for _, key in ipairs { "group", "query", "access", "every", "run", "unknown", 1 } do
  all("ecs.system " .. key, function(v) ecs.system(name(), { run = function() end, [key] = v }) end)
end
for _, key in ipairs { "write", "read", "without", "any", "optional" } do
  all("query." .. key, function(v) ecs.system(name(), { run = function() end, query = { [key] = v } }) end)
  all("query." .. key .. " entry", function(v) ecs.system(name(), { run = function() end, query = { [key] = { v } } }) end)
  all("query." .. key .. " parts", function(v)
    ecs.system(name(), { run = function() end, query = { [key] = { read = v, write = v } } })
  end)
  all("access." .. key, function(v) ecs.system(name(), { run = function() end, access = { [key] = v } }) end)
end

-- values and rows
local components = { "Health", "Numbers", "Body", "Look", "Bag", "Strict", "Frozen", "Wave" }
local fields = {
  "current", "i8", "u64", "f64", "bool", "velocity", "at", "tint", "mood", "state", "name", "image", "target", "slots",
  "spots", "level",
}
local entity = world:spawn(C.Health, C.Numbers, C.Body, C.Look, C.Bag, C.Strict)
for _, component in ipairs(components) do
  local handle = C[component]
  local what = "C." .. component
  all(what, function(v) return handle(v) end)
  all(what .. " key", function(v) return handle { [v] = 1 } end)
  for _, field in ipairs(fields) do
    all(what .. " " .. field, function(v) return handle { [field] = v } end)
    all(what .. " " .. field .. " parts", function(v) return handle { [field] = { v, x = v } } end)
    if component ~= "Frozen" and component ~= "Wave" then
      local row = world:get(entity, handle)
      all("row of " .. component, function(v) row[field] = v end)
      all("row of " .. component, function(v) row[v] = v end)
      all("row of " .. component, function(v) return row[v] end)
      all("row of " .. component, function(v) row[field] = { v, x = v } end)
      all("row of " .. component, function(v) row[field].x = v end)
      all("row of " .. component, function(v) row[field][v] = v end)
      all("row of " .. component, function(v) row[field][1] = v end)
    end
  end
end
all("ecs.components", function(v) return C[v] end)
all("ecs.components assigned", function(v) C[v] = v end)

-- the world: a spawn that fails leaves nothing behind
all("world:spawn", function(v)
  local before = world:entity_count()
  local ok, message = pcall(world.spawn, world, C.Health, v)
  if not ok then
    assert(world:entity_count() == before, "half an entity was left behind")
    error(message, 0)
  end
end)
for _, method in ipairs { "spawn", "add", "remove", "set", "get", "has", "is_alive", "resource", "entity_count" } do
  all("world:" .. method, function(v) return world[method](world, v) end)
  all("world:" .. method, function(v) return world[method](world, entity, v) end)
  all("world." .. method, function(v) return world[method](v, entity, C.Health) end)
  all("world:" .. method, function(v) return world[method](world, v, v) end)
end
all("world:destroy", function(v) return world:destroy(v) end)
assert(world:is_alive(entity))
entity = world:spawn(C.Health, C.Numbers)

-- the libraries; those that would only take long with a large count are left out
for _, library in ipairs { string, table, math, bit, coroutine } do
  for key, f in pairs(library) do
    if key ~= "rep" and key ~= "move" and key ~= "concat" and key ~= "insert" and key ~= "remove" then
      all(key, function(v) return f(v) end)
      all(key, function(v) return f(v, v) end)
      all(key, function(v) return f("abc", v, 1) end)
      all(key, function(v) return f({ 3, 1, 2 }, v) end)
    end
  end
end
for _, f in ipairs {
  assert, error, ipairs, next, pairs, pcall, rawequal, rawget, rawset, select, setmetatable, tonumber, type, unpack, tostring,
  getmetatable, xpcall, load, require,
} do
  for i = 1, #evil do
    local v = evil[i]
    pcall(f)
    pcall(f, v)
    pcall(f, v, v)
    pcall(f, {}, v, v)
    pcall(f, "return 1", v, v, v)
    pcall(f, "return 1", "name", "t", v)
  end
end
local step, state = pairs { a = 1 }
for i = 1, #evil do  -- what a loop keeps to itself: no damage is enough
  pcall(step, evil[i], evil[i])
  state.t, state.keys, state.i = evil[i], evil[i], 1
  pcall(step, state)
end

-- what a system is given
ecs.system("given", {
  query = { write = { C.Health, C.Numbers }, optional = { C.Frozen } },
  run = function(chunk, ctx)
    local commands, random = ctx.commands, ctx.random
    for _, method in ipairs { "spawn", "add", "remove", "set", "spawn_many", "destroy" } do
      all("commands:" .. method, function(v) if v ~= 2 ^ 31 then commands[method](commands, v) end end)
      all("commands:" .. method, function(v) commands[method](v, entity, C.Health) end)
      all("commands:" .. method, function(v) if method ~= "destroy" then commands[method](commands, entity, v) end end)
      all("commands:" .. method, function(v) commands[method](commands, v, C.Marked) end)
      all("commands." .. method, function(v) return commands[v] end)
    end
    for _, method in ipairs { "unit", "range", "integer", "chance", "pick" } do
      all("random:" .. method, function(v) return random[method](random, v) end)
      all("random:" .. method, function(v) return random[method](random, v, v) end)
      all("random:" .. method, function(v) return random[method](random, -v, v) end)
      all("random." .. method, function(v) return random[method](v, 1, 2) end)
    end
    for _, method in ipairs { "try_get", "has", "is_alive", "resource", "log" } do
      if method ~= "log" then
        all("ctx:" .. method, function(v) return ctx[method](ctx, v) end)
        all("ctx:" .. method, function(v) return ctx[method](ctx, v, C.Health) end)
        all("ctx:" .. method, function(v) return ctx[method](ctx, entity, v) end)
      end
      all("ctx." .. method, function(v) return ctx[v] end)
      all("ctx." .. method, function(v) ctx[method] = v end)
    end
    all("chunk", function(v) return chunk[v] end)
    all("chunk", function(v) chunk[v] = v end)
    all("chunk.Health", function(v) return chunk.Health[v] end)
    all("chunk.Health", function(v) chunk.Health[v] = v end)
    for _, column in ipairs { chunk.Health.current, chunk.Numbers.i8, chunk.Numbers.u64, chunk.Numbers.bool, chunk.entity } do
      all("column", function(v) return column[v] end)
      all("column", function(v) column[v] = 1 end)
      all("column", function(v) column[1] = v end)
      all("column, compiled", function(v) for i = 1, 200 do column[i < 190 and 1 or v] = column[i < 190 and 1 or v] end end)
    end
    assert(refused > 1000 and refused < tried, refused .. " of " .. tried .. " were refused")
    finished = true
  end,
})
