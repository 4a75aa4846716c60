-- The loudness of every sound, so that the mix is in one place.
local audio = require "audio"

local volumes = {
  ["shoot.wav"] = 0.35, ["hit.wav"] = 0.3, ["enemy_die_1.wav"] = 0.5, ["enemy_die_2.wav"] = 0.5, ["gem_1.wav"] = 0.6,
  ["gem_2.wav"] = 0.6, ["gem_3.wav"] = 0.6, ["gem_4.wav"] = 0.6, ["level_up.ogg"] = 0.9, ["powerup.ogg"] = 0.9,
  ["heal.ogg"] = 0.9, ["player_hurt.ogg"] = 1, ["click.wav"] = 0.8, ["select.wav"] = 0.8, ["explosion.ogg"] = 0.7,
  ["shockwave.ogg"] = 0.7, ["boss_warning.ogg"] = 1, ["game_over.ogg"] = 1,
}

-- What the player must hear, whatever else is loud.
local priorities = { ["player_hurt.ogg"] = 2, ["game_over.ogg"] = 2, ["boss_warning.ogg"] = 1, ["level_up.ogg"] = 1 }

local sound = {}

--- Plays a sound of assets/sounds; loudness 0 .. 1 and pitch multiply its own.
function sound.play(file, loudness, pitch)
  local volume = volumes[file] * (loudness or 1)
  local priority = priorities[file]
  if pitch or priority then
    audio.play("assets/sounds/" .. file, { volume = volume, pitch = pitch, priority = priority })
  else
    audio.play("assets/sounds/" .. file, volume)
  end
end

function sound.music(volume) audio.music("assets/sounds/music.ogg", { volume = volume, fade = 0.5 }) end

function sound.quieter(volume) audio.set_music_volume(volume) end

--- The volume of everything: the demonstration is quieter than a game.
function sound.all(volume) audio.set_volume(volume) end

return sound
