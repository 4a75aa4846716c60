-- Perigee Swarm: survive five minutes on the moon. Start reading at game.lua (the course of a run), timeline.lua (what
-- comes when) and weapons.lua (what fires). Where a system runs within a step is said by its after and before:
--
--   menus, choose, sweep, begin                  initialization: keys, phases, the new run
--   pilot, walk, weapons, director, special enemies     simulation: who wants what
--   flock, motion, strike                        native: steering, moving, who hits whom
--   wounds, impacts, pickups, levels, camera     simulation: what follows from it
--   scenery, hud, screens                        presentation: the picture
require "game"
require "pilot"
require "hero"
require "upgrades"
require "weapons"
require "shots"
require "enemies"
require "boss"
require "director"
require "pickups"
require "effects"
require "scenery"
require "hud"
require "screens"
