-- What a mod's code may do in each phase: one table for everything that is allowed at some times and refused at others.
-- Invariant: while C++ works on the world (it hashes, changes layouts, fills new rows) or another mod waits for an
-- answer, ecs.world is closed and nothing is declared. C++ sets the phase (scripting/mods/internal/phase_scope.h); its
-- meaning and the messages are here.
-- Side worlds are made where ecs.world is open, and step and get messages there too, but not in main.lua.
-- "next step" applies to ecs.component, resource, event, blob, prefab, query and system (late.lua).
-- Not here: ctx, which is valid for one run and checks that itself (context.lua, commands.lua, random.lua).
--
--   phase                   ecs.component …   ecs.system, ecs.prefab …   ecs.world   services of others   app, save
--   schema.lua              open                                                     open
--   main.lua                open              open                       open        open                 open
--   between runs, console   open              open                       open        open                 open
--   system, reaction        next step         next step                              declared ones        open
--   update of a sketch      next step         next step                  as commands  declared ones        open
--   draw of a sketch                                                     looks                             app
--   exclusive system        next step         next step                  open        declared ones        open
--   presentation system                                                                                   app
--   initialiser
--   service                                                                          open, no cycles
--   hash
--   migrate
local need = ...
local fail, layout = need "fail", need "layout"
local cell, phases = layout.cell, layout.phases

local phase = {}

-- The running code, as named after "inside" in messages, and the alternative to ecs.world there.
local closed = {
  [phases.system] = { "a system", "use ctx.commands for changes and ctx:try_get for values" },
  [phases.exclusive] = { "an exclusive system", "it changes the world" },
  [phases.playback] = { "an initialiser of spawn_many", "it fills the rows that its chunk shows" },
  [phases.service] = { "a service", "it works on its arguments, and the caller carries out what it answers" },
  [phases.hash] = { "a hash function", "it works on the value that it gets, while the world is being read" },
  [phases.migrate] = { "'migrate'", "it works on the fields that it gets, while the world changes its layout" },
}

local open = { [phases.schema] = true, [phases.main] = true, [phases.idle] = true }

--- For types: raises while no type may be declared.
function phase.expect_declaring(what)
  if open[cell.phase] then return end
  fail.raise(what .. ": declare it while the file is loaded, not inside " .. closed[cell.phase][1])
end

--- For systems, prefabs and other declarations that use types.
function phase.expect_loading(what)
  if cell.phase == phases.schema then
    fail.raise(what .. ": there is no world yet in schema.lua; move this to main.lua")
  end
  phase.expect_declaring(what)
end

--- True if ecs.world is open.
function phase.has_world()
  local now = cell.phase
  return now == phases.idle or now == phases.main or now == phases.exclusive
end

--- For side worlds: raises unless ecs.world is open. `may_load`: also while main.lua loads.
function phase.expect_exclusive(what, may_load)
  local now = cell.phase
  if now == phases.idle or now == phases.exclusive or now == phases.main and may_load then return end
  if now == phases.main then
    fail.raise(what .. ": not while a file is loaded, which may happen again; do it in an exclusive system")
  end
  if now == phases.schema then phase.expect_loading(what) end
  fail.raise(what .. ": not inside " .. closed[now][1] .. "; a system with exclusive = true can do it")
end

--- True in systems of the simulation and reactions: what they declare exists from the next step on (late.lua).
function phase.is_step()
  return cell.phase == phases.exclusive or cell.phase == phases.system and cell.is_presentation == 0
end

--- True in the run of an exclusive system.
function phase.is_exclusive() return cell.phase == phases.exclusive end

--- For app, save and ecs.build_blob, which work while main.lua loads and in systems.
function phase.expect_open(what)
  local now = cell.phase
  if now == phases.system or now == phases.exclusive or open[now] and now ~= phases.schema then return end
  if now == phases.schema then phase.expect_loading(what) end
  fail.raise(what .. ": not inside " .. closed[now][1] .. "; " .. closed[now][2])
end

--- True if update() or draw() of a sketch may be running; see sketch.lua.
phase.has_sketch = false
function phase.is_sketch() return phase.has_sketch and cell.phase == phases.system end

function phase.is_hash() return cell.phase == phases.hash end

--- For changes to the game outside the world, such as a new action or sound: they must not depend on whether a hash is
--- taken.
function phase.refuse_hash(what)
  if cell.phase ~= phases.hash then return end
  fail.raise(what .. ": not inside " .. closed[cell.phase][1] .. "; " .. closed[cell.phase][2])
end

--- Raises why ecs.world is not open.
function phase.refuse_world(what)
  if cell.phase == phases.schema then phase.expect_loading(what) end
  local now = closed[cell.phase]
  fail.raise(what .. ": not inside " .. now[1] .. "; " .. now[2])
end

return phase
