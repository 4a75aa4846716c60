-- Perigee Swarm: survive five minutes on the moon. Start reading at game.lua (the course of a run), timeline.lua
-- (what happens when) and weapons.lua (what fires). `after` and `before` of a system say where it runs in a step:
--
--   menus, choose, sweep, begin                  initialization: keys, phases, the new run
--   pilot, walk, weapons, director, special enemies     simulation: who wants what
--   flock, motion, strike                        native: steering, moving, who hits whom
--   wounds, impacts, pickups, levels, camera     simulation: the consequences
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
