-- Perigee Nova: a twin-stick shooter of light. Start reading at game.lua (the course of a run), kinds.lua (the enemies)
-- and lights.lua (the picture's best trick). The order in a step:
--
--   menus, sweep, begin                                   initialization: keys, phases, the new run
--   gather ships, gather shots, gather enemies            simulation: lists for what follows
--   pilot, control, director, steer                       who wants what
--   move, fly, drift                                      motion, walls
--   strike, touch, hurt, collect, blast, flashes, camera  the consequences
--   floor, lights, things, hud                            presentation: the picture
require "game"
require "ships"
require "pilot"
require "director"
require "enemies"
require "motion"
require "combat"
require "camera"
require "floor"
require "lights"
require "things"
require "hud"
