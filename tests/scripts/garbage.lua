-- Every function of the API with random nonsense, at load and inside systems: errors are fine, crashes and damage are
-- not. The seed is the test's; what is left afterwards must still work.
local ecs, t, nonsense = require "ecs", require "harness", require "nonsense"
local random, value_from = nonsense.random, nonsense.draw
local C, world = ecs.components, ecs.world

local P = ecs.prefab("P", { C.Position, C.Health })
local alive = world:spawn(C.Position { x = 3 }, C.Look, C.Health, C.Shield, C.Stunned, C.Bounds, C.Team { id = 3 })
local dead = world:spawn()
world:destroy(dead)

local some = ecs.query { read = { C.Position }, shared = C.Team { id = 3 } }
local nobody = ecs.query { read = { C.Look, C.Room } }

local function objects(extra)
  local list = {
    C.Position, C.Health, C.Frozen, C.Wave, C.Bag, C.Position {}, C.Look { name = "x" }, P, alive, dead, world, C, ecs,
    ecs.struct { { "x", "f32" } }, ecs.enum { "a" }, ecs.flags { "a" }, ecs.string(3), ecs.array("f32", 2),
    C.Team, C.Team { id = 3 }, C.Bounds, C.Bounds {}, C.Shield, C.Shield {}, C.Stunned, C.Voice, C.Voice {}, C.Destroyed,
    C.Room { number = 1 }, some, nobody, true, { C.Shield, C.Team { id = 1 } }, { C.Marked },
  }
  for _, value in ipairs(extra) do list[#list + 1] = value end
  return list
end

local function assault(functions, selves, list, times)
  for _ = 1, times do
    local f = functions[random(#functions)]
    local a, b, c, d = value_from(list), value_from(list), value_from(list), value_from(list)
    if random(3) > 1 then a = selves[random(#selves)] end
    local ok, message = pcall(f, a, b, c, d)
    if not ok and type(message) == "string" then
      t.is_true(not message:find("perigee/", 1, true), "an error of the library itself: " .. message)
    end
  end
end

local function methods(object, names)
  local list = {}
  for name in names:gmatch("[%w_]+") do list[#list + 1] = object[name] end
  return list
end

local function access(list)
  return {
    function(a, b) return a[b] end, function(a, b, c) a[b] = c end, function(a, b) return a[b][b] end,
    function(a, b, c) a[b][c] = b end, function(a) return #a end, function(a, b) return a(b) end,
    function(a, b) return a == b end, function(a) return tostring(a) end, function(a) return string.format("%s", a) end,
    function(a, b) return C[a](b) end, function(a, b) return next(a, b) end,
    function(a) for _ in pairs(a) do break end end,
  }, list
end

local library = methods(ecs, "prefab struct enum flags string array query")
local world_functions = methods(world, "spawn destroy add remove set get has is_alive resource entity_count " ..
  "chunk_count enable is_enabled change clone add_all remove_all set_all enable_all destroy_all stats shared_values")
for _, f in ipairs(world_functions) do library[#library + 1] = f end

assault(library, { world, "Name", 5 }, objects {}, 6000)
assault(access(objects {}), objects {}, objects {}, 6000)

local steps = 0
ecs.system("assault", {
  query = { write = { C.Position, C.Health } , optional = { write = { C.Shield, C.Stunned, C.Bounds }, read = { C.Look, C.Team } } },
  access = { write = { C.Wave }, read = { C.Numbers } },
  run = function(chunk, ctx)
    local list = objects {
      chunk, ctx, ctx.commands, ctx.random, chunk.Position, chunk.Position.x, chunk.Health.current, chunk.Position[1],
      chunk.Team or 1, chunk.Bounds or 1, chunk.Shield or 1, chunk.Shield and chunk.Shield.enabled or 1, chunk.Stunned or 1,
      (chunk:runs()),
      chunk.entity, chunk.entity[1], ctx:resource(C.Wave), ctx:try_get(chunk.entity[1], C.Health),
    }
    local functions = access(list)
    for _, f in ipairs(methods(ctx.commands, "spawn destroy add remove set spawn_many enable change clone add_all " ..
        "remove_all set_all enable_all destroy_all")) do functions[#functions + 1] = f end
    for _, f in ipairs(methods(ctx, "try_get has is_alive resource is_enabled entity_count chunk_count")) do functions[#functions + 1] = f end
    for _, f in ipairs(methods(ctx.random, "unit range integer chance pick")) do functions[#functions + 1] = f end
    for _, f in ipairs(world_functions) do functions[#functions + 1] = f end
    assault(functions, { ctx.commands, ctx, ctx.random, chunk, chunk.Position, chunk.Position.x }, list, 1500)
  end,
})

ecs.system("still works", {
  after = "assault", access = { write = { C.Position } },
  run = function(_, ctx)
    steps = steps + 1
    local e = ctx.commands:spawn(P, C.Position { x = steps })
    t.is_true(e > 0)
    t.equal(ctx:is_alive(dead), false)
    if steps == 3 then finished = true end
  end,
})
