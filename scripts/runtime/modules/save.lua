-- The module "save": tables that a game or mod stores for the player across runs, and whole worlds that the game saves
-- and loads. Invariant: data read is part of a recording, so simulation may use it. Presentation may not, since the
-- number of frames is not recorded. Failures of the program or the disk return nil and a message; errors of a script
-- raise. A world is saved and loaded at the end of the step.
local need, native, context = ...
local phase, running, fail, serialise = need "phase", need "running", need "fail", need "serialise"
local spend, constants = need "fuel".spend, need "constants".of("save")
local type = type
local ffi_string = require("ffi").string
local raise, shown = fail.raise, fail.shown

local save = {}
local kMaxBytes, kMaxNameBytes = constants.max_bytes, constants.max_name_bytes
local kIsLoad, kAreWorlds = true, true
local kStepsPerCall, kStepsPerWrite, kBytesPerStep = 50, 2000, 16

local function expect_open(what)
  phase.expect_open(what)
  if running.is_presentation() then
    raise(what .. ": not in draw() or a presentation system; what is kept belongs to the simulation")
  end
  spend(kStepsPerCall)
end

local function expect_name(name, what)
  if type(name) ~= "string" then raise(what .. ": expected a name, got " .. shown(name)) end
  if #name > kMaxNameBytes then
    raise(what .. ": a name has at most " .. kMaxNameBytes .. " bytes, this one has " .. #name)
  end
  if not native.is_name(context, name, #name) then
    raise(what .. ": " .. shown(name) .. " is not a name: letters, digits, '-', '_' and '.', which is not the first")
  end
end

local function message(name)
  return "'" .. name .. "' " .. ffi_string(native.error(context))
end

local function previous_version(name) return "'" .. name .. "' is damaged or gone: this is the version before it" end

--- save.write(name, table): true, or nil and the reason.
function save.write(name, value)
  expect_open("save.write")
  expect_name(name, "save.write")
  if type(value) ~= "table" then
    raise("save.write: expected a table such as { score = 5 }, got " .. shown(value))
  end
  local text = serialise.to_text(value, kMaxBytes, "save.write", name)
  if not text then return nil, "'" .. name .. "' cannot be written: a file has at most " .. kMaxBytes .. " bytes" end
  spend(kStepsPerWrite)
  if native.write(context, name, #name, text, #text) then return true end
  return nil, message(name)
end

local function content_of(name, previous)
  local found = native.read(context, name, #name, previous)
  if found <= 0 then return nil, found end
  local length = native.content_length(context)
  spend(length / kBytesPerStep)
  local text = ffi_string(native.content(context), length)
  native.forget(context)
  return serialise.to_table(text), found
end

--- save.read(name): the table, a new one each time; nil if there is none; nil and a message if it cannot be read. If
--- the newest version is damaged, the previous one and a message.
function save.read(name)
  expect_open("save.read")
  expect_name(name, "save.read")
  local value, found = content_of(name, false)
  if found == 0 then return nil end
  if found < 0 then return nil, message(name) end
  if value and found == 1 then return value end
  -- An intact file may still contain text not written by this module.
  if not value and found == 1 then value = content_of(name, true) end
  if not value then return nil, "'" .. name .. "' is damaged, and there is no previous version" end
  return value, previous_version(name)
end

local function list(are_worlds)
  local count = native.list(context, are_worlds)
  if count < 0 then return nil, ffi_string(native.error(context)) end
  local names = {}
  for i = 1, count do names[i] = ffi_string(native.name(context, are_worlds, i - 1)) end
  spend(count)
  return names
end

--- save.list(): the names of all files, in order; nil and a message when they cannot be listed.
function save.list()
  expect_open("save.list")
  return list(not kAreWorlds)
end

local function delete(name, are_worlds)
  local removed = native.remove(context, are_worlds, name, #name)
  if removed < 0 then return nil, message(name) end
  if removed == 1 then spend(kStepsPerWrite) end
  return removed == 1
end

--- save.delete(name): true; false when there is none; nil and a message when it cannot be deleted.
function save.delete(name)
  expect_open("save.delete")
  expect_name(name, "save.delete")
  return delete(name, not kAreWorlds)
end

-- ---- worlds -----------------------------------------------------------------------------------------------------

local function expect_game(what)
  expect_open(what)
  if not native.is_game(context) then
    raise(what .. ": the world belongs to the game; a mod can send it an event that asks for this")
  end
end

local function ask(name, what, is_load)
  expect_game(what)
  expect_name(name, what)
  spend(kStepsPerWrite)
  if native.ask_world(context, name, #name, is_load) then return true end
  return nil, message(name)
end

--- save.write_world(name): saves the world at the end of this step. True; nil and a message when the game saves too
--- often. save.world_result() tells what became of it.
function save.write_world(name) return ask(name, "save.write_world", not kIsLoad) end

--- save.load_world(name): replaces the world at the end of this step, as save.write_world.
function save.load_world(name) return ask(name, "save.load_world", kIsLoad) end

--- save.world_result(): the oldest result that was not taken yet: { action = "save" or "load", name =, ok =, message =
--- if there is one }; nil when there is no result.
function save.world_result()
  expect_game("save.world_result")
  local found = native.take_result(context)
  if found == 0 then return nil end
  local name = ffi_string(native.result_name(context))
  local text = found == 2 and previous_version(name) or found == 3 and message(name) or nil
  return { action = native.result_is_load(context) and "load" or "save", name = name, ok = found ~= 3, message = text }
end

--- save.worlds(): the names of all saved worlds, in order; nil and a message when they cannot be listed.
function save.worlds()
  expect_game("save.worlds")
  return list(kAreWorlds)
end

--- save.delete_world(name): as save.delete, for a saved world.
function save.delete_world(name)
  expect_game("save.delete_world")
  expect_name(name, "save.delete_world")
  return delete(name, kAreWorlds)
end

return fail.close_module("save", save)
