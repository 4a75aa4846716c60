-- The module "input": named actions and the mouse, in the current step. `native` is engine/modules/input_module.cpp.
-- Invariant: nothing here reads a device; a replay gives the same results. A name that is a control ("space",
-- "mouse_left", "pad_a") and not an action becomes an action of that name on first use.
local need, native, context = ...
local fuel, phase, running, fail = need "fuel", need "phase", need "running", need "fail"
local constants = need "constants".of("input")
local type, ipairs = type, ipairs
local find, sub = string.find, string.sub
local sqrt = math.sqrt
local ffi_string = require("ffi").string
local raise, shown = fail.raise, fail.shown

local input = {}
local lists, prefixes = constants.device_lists, constants.device_prefixes  -- by number of the device, from 1
local devices = {}  -- list of an action -> number of the device for C++, from 0
for i, list in ipairs(lists) do devices[list] = i - 1 end

local function add_controls(names, device, list, what)
  if type(names) == "string" then names = { names } end
  if type(names) ~= "table" then raise(what .. ", " .. list .. ": expected a list of names, got " .. shown(names)) end
  fail.expect_whole(names, what .. ", " .. list)
  for _, name in ipairs(names) do
    if type(name) ~= "string" then raise(what .. ", " .. list .. ": expected a name, got " .. shown(name)) end
    if not native.add_control(context, device, name, #name) then
      raise(what .. ": " .. ffi_string(native.error(context)))
    end
  end
end

--- input.action("jump", { keys = { "space", "w" }, mouse = { "left" }, pad = { "a", "left_y-" } }). Declaring a
--- name again changes the controls of the action.
function input.action(name, controls)
  if type(name) ~= "string" then raise("input.action: expected a name, got " .. shown(name)) end
  local what = "input.action '" .. name .. "'"
  if running.is_presentation() then
    raise(what .. ": a presentation system cannot change controls, which belong to the simulation")
  end
  if type(controls) ~= "table" then
    raise(what .. ": expected { keys = …, mouse = …, pad = … }, got " .. shown(controls))
  end
  phase.refuse_hash(what)
  native.clear_controls(context)
  local message = fail.unknown_keys(controls, devices, what)
  if message then raise(message) end
  for _, list in ipairs(lists) do
    if controls[list] ~= nil then add_controls(controls[list], devices[list], list, what) end
  end
  if native.declare(context, name, #name) < 0 then raise(ffi_string(native.error(context))) end
end

-- Actions used only by presentation get another name, so that the time of their first use does not affect the
-- simulation.
local kOfPictures = "picture:"

-- An undeclared name that is a control: "space", "mouse_left", "pad_a". Else nil and the nearest control.
local function declare_control(name, action)
  local device, control, before = 0, name, ""
  for i = 2, #prefixes do
    if find(name, prefixes[i], 1, true) == 1 then
      device, control, before = i - 1, sub(name, #prefixes[i] + 1), prefixes[i]
    end
  end
  native.clear_controls(context)
  if not native.add_control(context, device, control, #control) then
    local near = ffi_string(native.nearest_control(context, device, control, #control))
    return nil, near ~= "" and before .. near or nil
  end
  phase.refuse_hash("input, first use of '" .. name .. "'")
  local id = native.declare(context, action, #action)
  if id < 0 then raise(ffi_string(native.error(context))) end
  return id
end

local function unknown(name, control)
  local known = {}
  for i = 0, native.action_count(context) - 1 do
    local action = ffi_string(native.action_name(context, i))
    if find(action, kOfPictures, 1, true) ~= 1 then known[#known + 1] = action end
  end
  known[#known + 1] = control
  local suggestion = fail.suggestion(name, known)
  raise("unknown action '" .. name .. "'" .. (suggestion ~= "" and suggestion or
    ": declare it with input.action, or use the name of a key, \"mouse_left\" or \"pad_a\""))
end

local ids = {}  -- name -> number of the action
local ids_of_pictures = {}

local function picture_id_of(name)
  local id = native.find(context, name, #name)
  if id >= 0 then return id end
  id = ids_of_pictures[name]
  local control
  if not id then
    id, control = declare_control(name, kOfPictures .. name)
    if not id then unknown(name, control) end
    ids_of_pictures[name] = id
  end
  return id
end

local function id_of(name)
  local id = ids[name]
  if id then return id end
  if type(name) ~= "string" then raise("input: expected the name of an action, got " .. shown(name)) end
  if running.is_presentation() then return picture_id_of(name) end
  id = find(name, kOfPictures, 1, true) == 1 and -1 or native.find(context, name, #name)
  local control
  if id < 0 then id, control = declare_control(name, name) end
  if not id then unknown(name, control) end
  ids[name] = id
  return id
end

--- True while one of the actions is down.
function input.down(name, other, ...)
  local one = native.down(context, id_of(name))
  if other == nil then return one end
  return input.down(other, ...) or one  -- asked in any case: an action answers from the step after the first on
end

--- True in the one step in which one of the actions went down.
function input.pressed(name, other, ...)
  local one = native.pressed(context, id_of(name))
  if other == nil then return one end
  return input.pressed(other, ...) or one
end

--- True in the one step in which one of them went up.
function input.released(name, other, ...)
  local one = native.released(context, id_of(name))
  if other == nil then return one end
  return input.released(other, ...) or one
end

--- 0 .. 1: how far a stick or trigger is pushed, 1 for a key that is down.
function input.value(name) return native.value(context, id_of(name)) end

--- -1 .. 1 from two actions.
function input.axis(negative, positive)
  return native.value(context, id_of(positive)) - native.value(context, id_of(negative))
end

--- x, y from four actions, never longer than 1: walking diagonally is not faster.
function input.vector(left, right, up, down)
  local x = native.value(context, id_of(right)) - native.value(context, id_of(left))
  local y = native.value(context, id_of(down)) - native.value(context, id_of(up))
  local length = sqrt(x * x + y * y)
  if length > 1 then return x / length, y / length end
  return x, y
end

--- Position of the mouse in pixels of the logical screen.
function input.mouse() return native.mouse_x(context), native.mouse_y(context) end

--- Notches that the wheel was turned since the last step; positive is away from the player.
function input.wheel() return native.wheel(context) end

--- Text typed since the last step.
function input.text() return ffi_string(native.text(context), native.text_length(context)) end

local event_kinds = constants.event_kinds
local kStepsPerEvent = 20  -- of fuel

--- The player's input since the last step, in order. Returns a new list of new tables at each call:
--- { type = "down", control = "a", is_repeat = false }, { type = "up", control = "mouse_left", x = 10, y = 20 },
--- { type = "text", text = "ä" }, { type = "wheel", notches = 1, x = 10, y = 20 }.
function input.events()
  if running.is_presentation() then
    raise("input.events: a presentation system runs once per frame, which would miss events or see them twice; "
      .. "ask in update() or in a system of the simulation")
  end
  local count = native.event_count(context)
  fuel.spend(kStepsPerEvent * count)
  local list, text, begun = {}, native.text(context), 0
  for i = 0, count - 1 do
    local kind = event_kinds[native.event_kind(context, i) + 1]
    local event = { type = kind == "repeat" and "down" or kind }
    if kind == "text" then
      local length = native.event_text_length(context, i)
      event.text = ffi_string(text + begun, length)
      begun = begun + length
    elseif kind == "wheel" then
      event.notches = native.event_notches(context, i)
    else
      event.control = prefixes[native.event_device(context, i) + 1] .. ffi_string(native.event_control(context, i))
      if event.type == "down" then event.is_repeat = kind == "repeat" end
    end
    if native.event_has_place(context, i) then
      event.x, event.y = native.event_x(context, i), native.event_y(context, i)
    end
    list[i + 1] = event
  end
  return list
end

return fail.close_module("input", input)
