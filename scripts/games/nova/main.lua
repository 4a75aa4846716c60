-- Perigee Nova: a twin-stick shooter of light. Start reading at game.lua (the course of a run), kinds.lua (the enemies)
-- and prefabs.lua (how everything looks). The order in a step:
--
--   menus, begin                                 initialization: keys, phases, the new run
--   gather                                       play: what is where
--   read keys or pilot, control, director, steer       who wants what
--   move, fly, drift, combat                     motion, hits, and what follows
--   pose, flashes, camera, eyes                  how it looks
--   floor, glow, hud                             presentation: what no entity shows
for _, name in ipairs { "game", "gather", "ships", "bot", "director", "enemies", "combat", "camera", "floor", "hud" } do
  require(name)
end
