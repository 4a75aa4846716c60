-- The module "audio": sounds and one piece of music. Works at any time; audio state cannot be queried.
local need, native, context = ...
local fail, find_handles = need "fail", need "asset_handles".finder
local refuse_hash = need "phase".refuse_hash
local type, rawget = type, rawget
local raise, shown, is_finite = fail.raise, fail.shown, fail.is_finite

local audio = {}

local handle_of = find_handles("audio", native, context, function(path, name)
  raise("audio." .. name .. ": expected the path of a sound, got " .. shown(path))
end)

local function number(value, default, what, name)
  if value == nil then return default end
  if not is_finite(value) then fail.finite(value, "audio." .. name .. ", " .. what) end
  return value
end

local function check_options(options, known, name)
  if type(options) ~= "table" then
    raise("audio." .. name .. ": expected a table of options, got " .. shown(options))
  end
  local message = fail.unknown_keys(options, known, "audio." .. name)
  if message then raise(message) end
end

local play_options = { volume = true, pan = true, pitch = true, priority = true }

--- audio.play(path [, volume or { volume = 0 .. 1, pan = -1 .. 1, pitch = 0.25 .. 4, priority = -100 .. 100 }])
--- The same sound twice in a frame is played once, as loud as the louder one.
function audio.play(path, options)
  refuse_hash("audio.play")
  local handle = handle_of(path, "play")
  if options == nil or type(options) == "number" then
    native.play(context, handle, number(options, 1, "volume", "play"), 0, 1, 0)
    return
  end
  check_options(options, play_options, "play")
  native.play(context, handle, number(rawget(options, "volume"), 1, "volume", "play"),
    number(rawget(options, "pan"), 0, "pan", "play"), number(rawget(options, "pitch"), 1, "pitch", "play"),
    number(rawget(options, "priority"), 0, "priority", "play"))
end

local music_options = { volume = true, loop = true, fade = true }

--- audio.music(path [, { volume = 1, loop = true, fade = seconds }]): replaces the music that plays.
function audio.music(path, options)
  refuse_hash("audio.music")
  local handle = handle_of(path, "music")
  options = options == nil and {} or options
  check_options(options, music_options, "music")
  native.play_music(context, handle, number(rawget(options, "volume"), 1, "volume", "music"),
    rawget(options, "loop") ~= false, number(rawget(options, "fade"), 0, "fade", "music"))
end

function audio.stop_music(fade)
  refuse_hash("audio.stop_music")
  native.stop_music(context, number(fade, 0, "fade", "stop_music"))
end

function audio.set_music_volume(volume)
  refuse_hash("audio.set_music_volume")
  native.set_music_volume(context, number(volume, 1, "volume", "set_music_volume"))
end

--- Volume of everything, 0 .. 1.
function audio.set_volume(volume)
  refuse_hash("audio.set_volume")
  native.set_volume(context, number(volume, 1, "volume", "set_volume"))
end

return fail.close_module("audio", audio)
