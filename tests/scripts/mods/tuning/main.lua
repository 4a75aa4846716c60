-- What a mod can do with others: import, order, replace, wrap, patch, call; and the messages when it cannot.
local ecs, t = require "ecs", require "harness"
local settings = require "settings"
local game, weather = ecs.import("game"), ecs.import("weather")
local C = game.components

-- ---- import
t.equal(weather, ecs.import("weather"))
t.equal(weather.id, "weather")
t.equal(tostring(weather), "mod weather")
t.equal(tostring(weather.components.Rain), "component weather:Rain")
t.equal(tostring(weather.resources.Sky), "component weather:Sky")
t.equal(weather.components.Rain, ecs.components["weather:Rain"])
t.equal(ecs.import("absent"), nil)
t.fails("'stranger' is not named in 'depends' or 'optional' of mod.json", ecs.import, "stranger")
t.fails("ecs.import: expected the id of a mod, got 5", ecs.import, 5)
t.fails("mod 'weather' has no component 'Ran'; did you mean 'weather:Rain'?", function() return weather.components.Ran end)
t.fails("mod 'weather' has no component 'Storm'; it is an event", function() return weather.components.Storm end)
t.fails("mod 'weather' has no event 'Rain'; it is a component", function() return weather.events.Rain end)
t.fails("mod 'weather' has no prefab 'Clod'", function() return weather.prefabs.Clod end)
t.fails("names are strings, got 1", function() return weather.components[1] end)
t.fails("an imported mod has no entry 'component'; did you mean 'components'?", function() return weather.component end)
t.fails("an imported mod cannot be changed", function() weather.components = {} end)
t.fails("components of another mod cannot be changed", function() weather.components.Rain = 1 end)
t.equal(getmetatable(weather), false)

local cloud = ecs.world:spawn(weather.prefabs.Cloud)
t.equal(ecs.world:get(cloud, weather.components.Rain).amount, 7)
t.equal(ecs.world:resource(weather.resources.Sky).clouds, 2)
ecs.world:send(weather.events.Storm, { power = 4 })

-- ---- settings
t.equal(settings.speed, 2.5)
t.equal(settings.name, "Bob")
t.equal(settings.blood, false)
t.fails("mod.json declares no setting 'sped'; did you mean 'speed'?", function() return settings.sped end)
t.fails("settings are the player's; a mod cannot change them", function() settings.speed = 3 end)

-- ---- services, by value
local forecast, count = weather.services.forecast(3, "hills")
t.equal(forecast.day, 3)
t.equal(forecast.where[1], "hills")
t.equal(forecast.rain[3], 3)
t.equal(count, 1)
t.equal(select("#", weather.services.echo(nil, nil)), 2)
t.equal(select("#", weather.services.echo()), 0)
local given = { deep = { { "x" }, [true] = false, [2.5] = "half" } }
local back = weather.services.echo(given)
t.is_true(back ~= given and back.deep ~= given.deep)
t.equal(back.deep[1][1], "x")
t.equal(back.deep[true], false)
t.equal(back.deep[2.5], "half")
t.equal(weather.services.echo(0 / 0) ~= 0, true)
t.fails("mod 'weather' has no service 'forcast'; did you mean 'forecast'?", function() return weather.services.forcast end)
local message = t.fails("service 'weather:fail': weather/", weather.services.fail)
t.is_true(message:find("no weather today", 1, true) ~= nil, message)
t.fails("service 'weather:echo', arguments: a value of type function cannot be passed to another mod", weather.services.echo, print)
t.fails("a value of type cdata cannot be passed to another mod", weather.services.echo, { weather.components.Rain })
t.fails("service 'weather:handle', results: a value of type cdata", weather.services.handle)
t.fails("a table with a metatable cannot be passed to another mod", weather.services.echo, setmetatable({}, {}))
t.fails("service 'weather:forever', results: a table with a metatable", weather.services.forever)
local loop = {}
loop.loop = loop
t.fails("tables are nested more than 16 deep, or contain themselves", weather.services.echo, loop)
t.fails("more than 1048576 bytes cannot be passed to another mod", weather.services.echo, ("x"):rep(1048577))
local long = {}
for i = 1, 20 do long[i] = ("x"):rep(60000) end
t.fails("more than 1048576 bytes cannot be passed to another mod", weather.services.echo, long)
t.fails("ecs.world:spawn", weather.services.world)
t.fails("ecs.service: expected a name, got nil", ecs.service)
t.fails("service 'x': expected a function, got 1", ecs.service, "x", 1)
ecs.service("once", print)
t.fails("service 'once' already exists", ecs.service, "once", print)
-- In a coroutine as well.
t.equal(coroutine.wrap(function() return weather.services.echo(5) end)(), 5)

-- ---- systems of others
local function note(ctx, letter)
  local trace = ctx:resource(game.resources.Trace)
  trace.steps = trace.steps .. letter
end
local traced = { write = { game.resources.Trace } }

ecs.replace_system("game:move", { access = traced, run = function(_, ctx) note(ctx, "M") end })
ecs.wrap_system("game:score", {
  before = { access = traced, run = function(_, ctx) note(ctx, "b") end },
  after = { access = traced, run = function(_, ctx) note(ctx, "a") end },
})
t.fails("there is no system 'move'; did you mean 'game:move'?", ecs.replace_system, "move", { run = print })
t.fails("there is no system 'game:mve'; did you mean 'game:move'?", ecs.replace_system, "game:mve", { run = print })
t.fails("there is no system 'zzzzzzzz:qqqqqq'", ecs.replace_system, "zzzzzzzz:qqqqqq", { run = print })
t.fails("'group' is that of the system itself", ecs.replace_system, "game:move", { group = "presentation", run = print })
t.fails("expected a function 'run'", ecs.replace_system, "game:move", {})
t.fails("'game:simulation' is a group of systems", ecs.wrap_system, "game:simulation", { before = print })
t.fails("expected 'before' or 'after'", ecs.wrap_system, "game:move", {})

-- ---- prefabs of others, from when this mod has loaded
ecs.patch_prefab("game:Ship", { { C.Health, current = 80 }, weather.components.Rain { amount = 1 }, C.Frozen })
t.equal(ecs.world:get(ecs.world:spawn(game.prefabs.Ship), C.Health).current, 10)
t.fails("there is no prefab 'game:Shp'", ecs.patch_prefab, "game:Shp", {})
t.fails("a patch has no base", ecs.patch_prefab, "game:Ship", { base = weather.prefabs.Cloud })

local ticks, asked = 0, 0
ecs.system("look", {
  after = { "game:last", "absent:anything" },
  access = { read = { game.resources.Trace, weather.events.Storm, C.Health }, services = { "weather:forecast" } },
  run = function(_, ctx)
    t.equal(ctx:resource(game.resources.Trace).steps, "Mbrsla")
    for i = 1, ctx:events(weather.events.Storm).count do t.equal(ctx:events(weather.events.Storm).power[i], 4) end
    local day = weather.services.forecast(ctx.tick, "here")
    t.equal(day.day, ctx.tick)
    t.fails("service 'weather:echo' is not declared; add access = { services = { \"weather:echo\" } }",
      weather.services.echo, 1)
    asked = asked + 1
  end,
})
ecs.system("count", {
  query = { read = { C.Health, C.Frozen, weather.components.Rain } },
  run = function(chunk) ticks = ticks + chunk.count end,
})
t.fails("a presentation system may not call services", ecs.system, "p",
  { group = "presentation", access = { services = { "weather:echo" } }, run = print })

--- Called by the test when all has run.
function check()
  t.equal(asked, 3)
  local ship = ecs.world:spawn(game.prefabs.Ship)
  t.equal(ecs.world:get(ship, C.Health).current, 80)
  t.equal(ecs.world:get(ship, C.Position).x, 1)
  t.equal(ecs.world:has(ship, C.Frozen), true)
  -- What was derived before stays as it was.
  local fleet = ecs.world:spawn(game.prefabs.Fleet)
  t.equal(ecs.world:get(ecs.world:children(fleet)[1], C.Health).current, 10)
  finished = true
end
