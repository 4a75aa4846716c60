-- Plays a sound. The loudness of all of them is here, so that the mix is in one place.
local audio = require "audio"

local volumes = { shot = 0.12, pop = 0.35, boom = 0.5, gem = 0.3, wreck = 0.8, wave = 0.5, arrive = 0.25 }

return function(name, pitch)
  local priority = name == "wreck" and 1 or 0
  audio.play("assets/" .. name .. ".wav", { volume = volumes[name], pitch = pitch, priority = priority })
end
