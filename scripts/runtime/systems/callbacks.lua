-- The functions that a system may declare, in the order of SystemWord (scripting/mods/script_system.h).
return { "run", "run_if", "on_create", "on_start", "on_stop", "on_destroy" }
