-- What runs now: presentation, whose side effects never reach simulation, or a hash function.
-- Not here: what code may do then (phase.lua). A state without a world has neither.
local need = ...
local later = need "parts".later
local fail = later "fail"

-- `cell` and `is_hash` are set by ecs.lua; `hash_calls` counts the calls of hash functions, in object.lua.
local running = { cell = nil, is_hash = nil, hash_calls = 0 }

--- True while a presentation system runs. Simulation must not depend on how often those run, so none of their side
--- effects may reach it: random numbers, object numbers, loaded files (docs/decisions/0022). Set by C++.
function running.is_presentation() return running.cell ~= nil and running.cell.is_presentation ~= 0 end

--- True while code runs whose execution must not be observable by simulation: presentation, or a hash function.
function running.leaves_nothing()
  return running.is_presentation() or running.is_hash ~= nil and running.is_hash()
end

--- Number of the running hash function's call; 0 while none runs.
function running.hash_call() return running.is_hash ~= nil and running.is_hash() and running.hash_calls or 0 end

--- For library objects with a position: a hash function may advance only those that it created. `made_in`: hash_call()
--- at their creation.
function running.expect_own(made_in, what)
  local now = running.hash_call()
  if now == 0 or made_in == now then return end
  fail.raise(what .. ": it was created outside of this hash function, which cannot advance it")
end

return running
