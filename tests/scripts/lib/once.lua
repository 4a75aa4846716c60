-- Counts how often it ran.
runs_of_once = (runs_of_once or 0) + 1
global_of_once = "set by lib/once.lua"
return { count = runs_of_once }
