-- Side worlds: ecs.side_world makes one or finds it, and its methods step it, talk to it and draw it. In a side world,
-- ecs.outside talks to its maker.
-- Invariant: only plain values and entities cross, and an entity crosses by moving: the receiver gets the id that it
-- has there. A handle of a world that was destroyed is an error in each of its methods but is_alive.
-- Not here: the worlds (scripting/mods/side_world.h), and what may be sent (scripting/host/internal/service_call.cpp).
local need = ...
local host, fail, phase, constants = need "host", need "fail", need "phase", need "constants"
local layout, order, words, component = need "layout", need "order", need "words", need "component"
local spend = need "fuel".spend
local type, rawget, next, floor = type, rawget, next, math.floor
local setmetatable, format = setmetatable, string.format
local kMaxSteps, kStepsPerCall = constants.max_side_steps, 20

local side_world = {}
local numbers = setmetatable({}, { __mode = "k" })  -- handle -> number of the world
local names = setmetatable({}, { __mode = "k" })
local handles = setmetatable({}, { __mode = "v" })  -- by number
local methods = {}

-- The number of a handle's world; a name in messages.
local function expect(self, name, may_be_gone)
  local number = numbers[self]
  if not number then fail.raise("call it as a method: world:" .. name .. "(…)") end
  spend(kStepsPerCall)
  if not may_be_gone and not host.side_exists(number) then
    fail.raise(format("world:%s: the side world '%s' does not exist any more; ecs.side_world makes it again", name,
      names[self]))
  end
  return number
end

local function expect_done(what, done, message)
  if done == nil then fail.raise(what .. ": " .. message) end
  return done
end

local function finite(value, what)
  if not fail.is_finite(value) then
    fail.raise(what .. ", expected a finite number, got " .. fail.shown(value))
  end
  return value
end

-- A list of entities, from one entity, a list or nothing.
local function entity_list(entities, what)
  if entities == nil then return {} end
  if type(entities) == "number" then return { entities } end
  if type(entities) ~= "table" then
    fail.raise(what .. ": expected an entity or a list of entities, got " .. fail.shown(entities))
  end
  fail.expect_whole(entities, what .. ": the list of entities")
  local list = {}
  while true do
    local entity = rawget(entities, #list + 1)
    if entity == nil then break end
    if type(entity) ~= "number" then
      fail.raise(format("%s: entry %d of the list of entities: expected an entity, got %s", what, #list + 1,
        fail.shown(entity)))
    end
    list[#list + 1] = entity
  end
  for key in next, entities do
    if type(key) ~= "number" then fail.raise(what .. ": the list of entities has the key " .. fail.shown(key)) end
  end
  return list
end

local function send(number, message, entities, what)
  if message == nil then fail.raise(what .. ": expected a message: a number, text, boolean or table") end
  local list = entity_list(entities, what)
  expect_done(what, host.send_to_side(number, message, list))
end

--- step([steps]): runs it for so many steps, 1 without a number. False if a system of it failed meanwhile.
function methods.step(self, steps)
  local number = expect(self, "step")
  phase.expect_exclusive("world:step")
  if steps == nil then steps = 1 end
  if type(steps) ~= "number" or not (steps >= 0 and steps <= kMaxSteps) or steps ~= floor(steps) then
    fail.raise("world:step: expected a number of steps, 0 to " .. kMaxSteps .. ", got " .. fail.shown(steps))
  end
  return expect_done("world:step", host.step_side(number, steps))
end

--- send(message [, entities]): a plain value for ecs.outside:receive(); the entities move there with it.
function methods.send(self, message, entities)
  local number = expect(self, "send")
  phase.expect_exclusive("world:send")
  send(number, message, entities, "world:send")
end

--- receive(): the oldest message that it sent, and a list of the entities that came with it; nil when there is none.
function methods.receive(self)
  local number = expect(self, "receive")
  phase.expect_exclusive("world:receive")
  return host.receive_from_side(number)
end

--- draw([x, y [, scale]]): runs its draw() and presentation systems; their picture is placed there.
function methods.draw(self, x, y, scale)
  local number = expect(self, "draw")
  if layout.cell.is_presentation == 0 then
    fail.raise("world:draw: draw in draw() and in presentation systems only")
  end
  x, y = x == nil and 0 or finite(x, "world:draw: x"), y == nil and 0 or finite(y, "world:draw: y")
  scale = scale == nil and 1 or finite(scale, "world:draw: scale")
  if scale <= 0 then fail.raise("world:draw: scale, expected a number above 0, got " .. fail.shown(scale)) end
  expect_done("world:draw", host.draw_side(number, x, y, scale))
end

--- destroy(): ends it with everything in it. What waits in its mail is lost.
function methods.destroy(self)
  local number = expect(self, "destroy", true)
  phase.expect_exclusive("world:destroy")
  host.destroy_side(number)
end

function methods.is_alive(self) return host.side_exists(expect(self, "is_alive", true)) end

--- stats(): { steps =, entities = }.
function methods.stats(self)
  local number = expect(self, "stats")
  phase.expect_exclusive("world:stats", true)
  local steps, entities = host.side_stats(number)
  return { steps = steps, entities = entities }
end

local meta = {
  __index = function(self, key)
    if key == "name" then return names[self] end
    if methods[key] then return methods[key] end
    if key == component.id_name then return nil end  -- queried by value.lua
    fail.raise("a side world has no method " .. fail.shown(key) .. fail.suggestion(key, order.names(methods)))
  end,
  __newindex = function() fail.raise("a side world cannot be changed; send it a message") end,
  __tostring = function(self) return "side world '" .. names[self] .. "'" end,
  __metatable = false,
}

local function handle_of(number, name)
  local handle = handles[number]
  if not handle then
    handle = setmetatable({}, meta)
    numbers[handle], names[handle], handles[number] = number, name, handle
    words.of[handle] = words.keys_of(methods)
  end
  return handle
end

--- ecs.side_world(name, file [, { seed = }]): the side world of this name, made from the file if there is none. In
--- presentation nil if there is none.
function side_world.make(name, file, options)
  fail.check_name(name, "ecs.side_world")
  local what = format("ecs.side_world: '%s'", name)
  if host.is_side then fail.raise(what .. ": a side world makes no side worlds") end
  local only_finds = layout.cell.is_presentation ~= 0 and layout.cell.phase == layout.phases.system
  if not only_finds then phase.expect_exclusive(what, true) end
  if type(file) ~= "string" then fail.raise(what .. ": expected a file of the mod, got " .. fail.shown(file)) end
  if options ~= nil and type(options) ~= "table" then
    fail.raise(what .. ": expected options, a table, got " .. fail.shown(options))
  end
  local mistake = options and fail.unknown_keys(options, { seed = true }, what)
  if mistake then fail.raise(mistake) end
  local seed = options and options.seed
  if seed ~= nil then finite(seed, what .. ": seed") end
  if only_finds then
    spend(kStepsPerCall)
    local found = host.find_side(name)
    return found and handle_of(found, name)
  end
  return handle_of(expect_done(what, host.make_side(name, file, seed)), name)
end

-- ---- inside a side world ----------------------------------------------------------------------------------------

local outside = {}

--- send(message [, entities]): a plain value for world:receive() of the maker; the entities move there with it.
function outside.send(_, message, entities)
  phase.expect_exclusive("ecs.outside:send")
  spend(kStepsPerCall)
  send(0, message, entities, "ecs.outside:send")
end

--- receive(): the oldest message of the maker, and a list of the entities that came with it; nil when there is none.
function outside.receive()
  phase.expect_exclusive("ecs.outside:receive")
  spend(kStepsPerCall)
  return host.receive_from_side(0)
end

side_world.outside = host.is_side and fail.close_module("ecs.outside", outside) or nil

return side_world
