-- Perigee Nova: a twin-stick shooter of light. Start reading at game.lua (the course of a run), kinds.lua (the enemies)
-- and lights.lua (shadows without shaders). The order in a step:
--
--   menus, sweep, begin                          initialization: keys, phases, the new run
--   gather                                       play: what is where
--   read keys or pilot, control, director, steer       who wants what
--   move, fly, drift, combat, flashes, camera    motion, hits, and what follows
--   floor, lights, things, hud                   presentation: the picture
require "game"
require "gather"
require "ships"
require "bot"
require "director"
require "enemies"
require "combat"
require "camera"
require "floor"
require "lights"
require "things"
require "hud"
