-- Lifecycle callbacks, conditions and groups. Ends with the runtime, which logs it.
-- [Q7] [Q8]
local ecs, t = require "ecs", require "harness"
local C, world = ecs.components, ecs.world

local happened = {}
local function note(what) happened[#happened + 1] = what end
local function took(...)
  t.equal(table.concat(happened, " "), table.concat({ ... }, " "))
  happened = {}
end

-- ---- groups

ecs.group("physics", { after = { "steer" } })
ecs.group("contacts", { group = "physics", every = 2 / 60 })
ecs.group("rarely", { access = { read = { C.Wave } }, run_if = function(ctx)
  t.fails("used outside", function() ctx.commands:spawn() end)
  return ctx:resource(C.Wave).number == 4
end })
for _, declared in ipairs { { "steer", "simulation" }, { "move", "physics" }, { "touch", "contacts" },
    { "seldom", "rarely" } } do
  ecs.system(declared[1], { group = declared[2], run = function() note(declared[1]) end })
end

t.fails("unknown group 'phisics'; groups are initialization, simulation, presentation, contacts, physics, rarely; " ..
  "did you mean 'physics'", ecs.system, "x", { group = "phisics", run = note })
t.fails("group 'x': unknown group 'stap'; groups are initialization, simulation, presentation, contacts, physics, " ..
  "rarely, step; did you mean 'step'", ecs.group, "x", { group = "stap" })
t.fails("group 'x': unknown group 'transforms'", ecs.group, "x", { group = "transforms" })
t.fails("ecs.group: expected a name, got nil", ecs.group)
t.fails("group 'x': expected a function 'run_if', got 1", ecs.group, "x", { run_if = 1 })
t.fails("group 'x': unknown key 'query'", ecs.group, "x", { query = {} })
t.fails("physics", ecs.group, "physics", {})
ecs.group("hud", { group = "presentation" })
t.fails("may not write 'Wave'", ecs.system, "x", { group = "hud", access = { write = { C.Wave } }, run = note })

-- ---- life

local created
ecs.system("alive", {
  access = { write = { C.Wave } },
  on_create = function(ctx)
    note("create")
    created = ctx.commands:spawn(C.Position { x = 4 })
    ctx:resource(C.Wave).number = 1
  end,
  on_start = function(ctx)
    t.is_true(ctx:is_alive(created))
    note("start")
  end,
  run = function(_, ctx)
    note("update")
    local wave = ctx:resource(C.Wave)
    wave.number = wave.number + 1
  end,
  on_stop = function() print("stop") end,
  on_destroy = function(ctx) print("destroy " .. ctx:resource(C.Wave).number) end,
})
took("create")
t.is_true(world:is_alive(created))
t.equal(world:get(created, C.Position).x, 4)

t.fails("system 'bad', on_create:", ecs.system, "bad", { on_create = function() error("no file") end, run = note })
for _, word in ipairs { "run_if", "on_create", "on_start", "on_stop", "on_destroy" } do
  t.fails("system 'x': expected a function '" .. word .. "', got 'no'", ecs.system, "x", { run = note, [word] = "no" })
end
t.fails("outside of coroutines", function()
  local co = coroutine.create(function() ecs.system("x", { run = note, on_create = note }) end)
  local ok, message = coroutine.resume(co)
  if not ok then error(message, 0) end
end)

ecs.system("rows", {
  query = { read = { C.Position } },
  on_start = function(ctx) note("rows start " .. ctx:entity_count()) end,
  run = function(chunk) note("rows " .. chunk.count) end,
  on_stop = function() print("rows stop") end,
})

-- A condition that fails suspends its system; the others go on.
ecs.system("doubtful", { run_if = function() error("no idea") end, run = note })

local checks = {
  "start update rows start 1 rows 1 steer move",
  "update rows 1 steer touch move",
  "update seldom rows 1 steer move",
  "update rows 1 steer touch move",
}
local step = 0
ecs.system("check", { group = "presentation", run = function()
  step = step + 1
  took(checks[step])
  finished = step == #checks
end })

local many = {}
for i = 1, 257 do many[i] = "s" .. i end
t.fails("system 'x', after: expected at most 256 names of systems, got 257", ecs.system, "x", { after = many, run = note })
