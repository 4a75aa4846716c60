-- The part of the module "gfx" that defines animation clips: gfx.clip and gfx.aseprite, for the component Animation.
-- Invariant: a clip is a text, its name, so it can be written to a field, saved and compared. Clips are defined while
-- files load. Not here: the advance of animations (engine/extract/animation.h).
local need = ...
local phase, fail, fuel = need "phase", need "fail", need "fuel"
local type, rawget, tostring, next = type, rawget, tostring, next
local ffi_string = require("ffi").string
local raise, shown = fail.raise, fail.shown
local kStepsPerFrame = 20  -- of fuel: a clip takes memory that is not counted elsewhere
local kMaxFrames, kMaxNameBytes, kDefaultFps = 1024, 255, 12

local gfx_animation = {}

local loops = { loop = 0, once = 1, ["ping-pong"] = 2 }
local loop_names = { "loop", "once", "ping-pong" }
local clip_options = {
  name = true, frames = true, from = true, to = true, fps = true, durations = true, loop = true, events = true,
}
local sheet_options = { events = true }

local function whole(value, what, expected)
  if type(value) ~= "number" or value < 0 or value > 65535 or value % 1 ~= 0 then
    raise(what .. ": expected " .. expected .. ", got " .. shown(value))
  end
  return value
end

local function positive(value, what)
  if type(value) ~= "number" or not (value > 0 and value < 1 / 0) then
    raise(what .. ": expected a number above 0, got " .. shown(value))
  end
  return value
end

local function list_of(value, what, expected)
  if type(value) ~= "table" then raise(what .. ": expected " .. expected .. ", got " .. shown(value)) end
  fail.expect_whole(value, what)
  if #value > kMaxFrames then
    raise(what .. ": a clip has at most " .. kMaxFrames .. " frames, this one has " .. #value)
  end
  return value
end

-- Calls visit(position from 0, name) for each event { [frame of the clip, from 1] = name }, by position.
local function each_event(events, count, what, visit)
  if events == nil then return end
  if type(events) ~= "table" then raise(what .. ": expected { [3] = \"step\" }, got " .. shown(events)) end
  local left = 0
  for position, name in next, events do
    if type(position) ~= "number" or position % 1 ~= 0 or position < 1 or position > count then
      raise(what .. ": expected a frame of the clip from 1 to " .. count .. ", got " .. shown(position))
    end
    if type(name) ~= "string" or name == "" or #name > kMaxNameBytes then
      raise(what .. ", frame " .. position .. ": expected a name, got " .. shown(name))
    end
    left = left + 1
  end
  for position = 1, count do
    if left == 0 then return end
    local name = rawget(events, position)
    if name ~= nil then
      visit(position - 1, name)
      left = left - 1
    end
  end
end

-- The frames that the options name; all frames of the image without any. And a name for them.
local function frames_of(options, count, what)
  local frames, from, to = rawget(options, "frames"), rawget(options, "from"), rawget(options, "to")
  if frames ~= nil and (from ~= nil or to ~= nil) then raise(what .. ": 'frames' and 'from' exclude each other") end
  if frames ~= nil then
    list_of(frames, what .. ", frames", "a list of frames")
    local list = {}
    for i = 1, #frames do list[i] = whole(frames[i], what .. ", frames[" .. i .. "]", "a frame from 0") end
    return list, #list > 0 and list[1] .. "-" .. list[#list] or ""
  end
  from = from == nil and 0 or whole(from, what .. ", from", "a frame from 0")
  to = to == nil and count - 1 or whole(to, what .. ", to", "a frame from 0")
  if to - from >= kMaxFrames then
    raise(what .. ": a clip has at most " .. kMaxFrames .. " frames, this one has " .. to - from + 1)
  end
  local list = {}
  for frame = from, to do list[#list + 1] = frame end
  return list, from .. "-" .. to
end

local function seconds_of(options, count, what)
  local durations, fps = rawget(options, "durations"), rawget(options, "fps")
  local seconds = {}
  if durations == nil then
    local each = 1 / (fps == nil and kDefaultFps or positive(fps, what .. ", fps"))
    for i = 1, count do seconds[i] = each end
    return seconds
  end
  if fps ~= nil then raise(what .. ": 'fps' and 'durations' exclude each other") end
  list_of(durations, what .. ", durations", "a list of seconds")
  if #durations ~= count then
    raise(what .. ", durations: there are " .. count .. " frames and " .. #durations .. " durations")
  end
  for i = 1, count do seconds[i] = positive(durations[i], what .. ", durations[" .. i .. "]") end
  return seconds
end

--- Adds its functions to the module. `handle_of(path, name)`: the handle of an image.
function gfx_animation.extend(gfx, native, context, handle_of)
  local function check(ok, what)
    if not ok then raise(what .. ": " .. ffi_string(native.error(context))) end
  end

  --- gfx.clip("assets/hero.png", { name = "walk", frames = { 0, 1, 2 } or from = 0, to = 2, fps = 12 or durations =
  --- { 0.1, 0.1, 0.3 }, loop = "loop", "once" or "ping-pong", events = { [2] = "step" } }): returns the clip's name.
  function gfx.clip(path, options)
    phase.expect_declaring("gfx.clip")
    local handle = handle_of(path, "clip")
    options = options == nil and {} or options
    if type(options) ~= "table" then raise("gfx.clip: expected a table of options, got " .. shown(options)) end
    local message = fail.unknown_keys(options, clip_options, "gfx.clip")
    if message then raise(message) end
    local frames, usual = frames_of(options, native.frame_count(context, handle), "gfx.clip")
    if #frames == 0 then raise("gfx.clip: '" .. path .. "' is missing, or the clip has no frames") end
    local name = rawget(options, "name")
    if name == nil then name = usual end
    if type(name) ~= "string" or name == "" or #name > kMaxNameBytes then
      raise("gfx.clip, name: expected a text, got " .. shown(name))
    end
    local loop = rawget(options, "loop")
    loop = loop == nil and "loop" or loop
    if not loops[loop] then
      raise("gfx.clip, loop: expected \"loop\", \"once\" or \"ping-pong\", got " .. shown(loop) ..
        fail.suggestion(loop, loop_names))
    end
    local seconds = seconds_of(options, #frames, "gfx.clip")
    fuel.spend(kStepsPerFrame * #frames)
    native.clip_begin(context, handle)
    for i = 1, #frames do check(native.clip_frame(context, frames[i], seconds[i]), "gfx.clip") end
    each_event(rawget(options, "events"), #frames, "gfx.clip, events", function(position, event)
      check(native.clip_event(context, position, event, #event), "gfx.clip")
    end)
    check(native.clip_end(context, name, #name, loops[loop]), "gfx.clip")
    return ffi_string(native.clip_name(context))
  end

  --- gfx.aseprite("assets/hero.json" [, { events = { walk = { [2] = "step" } } }]): cuts the image beside the file into
  --- its frames, and defines a clip for each tag. Returns { walk = name of the clip, … }.
  function gfx.aseprite(path, options)
    phase.expect_declaring("gfx.aseprite")
    if type(path) ~= "string" then raise("gfx.aseprite: expected the path of a file, *.json, got " .. shown(path)) end
    options = options == nil and {} or options
    if type(options) ~= "table" then raise("gfx.aseprite: expected a table of options, got " .. shown(options)) end
    local message = fail.unknown_keys(options, sheet_options, "gfx.aseprite")
    if message then raise(message) end
    native.sheet_event(context, "", 0, -1, "", 0)
    local events = rawget(options, "events")
    if events ~= nil and type(events) ~= "table" then
      raise("gfx.aseprite, events: expected { tag = { [2] = \"step\" } }, got " .. shown(events))
    end
    for tag, of_tag in next, events or {} do
      each_event(of_tag, kMaxFrames, "gfx.aseprite, events." .. tostring(tag), function(position, event)
        tag = tostring(tag)
        check(native.sheet_event(context, tag, #tag, position, event, #event), "gfx.aseprite")
      end)
    end
    check(native.aseprite(context, path, #path), "gfx.aseprite")
    local clips = {}
    for i = 0, native.tag_count(context) - 1 do
      fuel.spend(kStepsPerFrame)
      clips[ffi_string(native.tag_name(context, i))] = ffi_string(native.tag_clip(context, i))
    end
    return clips
  end
end

return gfx_animation
