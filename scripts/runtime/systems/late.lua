-- Declarations that running systems ask for: types, prefabs, queries and systems that exist from the next step on.
-- Invariant: a declaration is carried out when the step has ended, in the order in which systems ran and asked, by the
-- same function as while a file is loaded. Its errors are those of the system, at the line that asked. Until then its
-- handle names nothing, and every use of the handle is an error.
-- Not here: which code may ask (phase.lua), when the step ends (Schedule::at_step_end).
local need = ...
local callers, host, fail = need "callers", need "host", need "fail"
local component, prefab, query_handle, declared =
  need "component", need "prefab", need "query_handle", need "declared"
local ffi = require("ffi")
local select, type, format, next, unpack, error = select, type, string.format, next, unpack, error
local innermost, spend = callers.innermost, need "fuel".spend

local kStepsPerDeclaration = 1000  -- of fuel: what waits takes memory that is not counted elsewhere

local late = {}

-- Handles of what does not exist yet: kind -> their type and the number of the last one. No type and no prefab has such
-- a number; those of queries are null. Number -> the name in errors.
local of_component = { ctype = component.handle_type, last = 2 ^ 16 - 1 }
local of_prefab = { ctype = prefab.handle_type, last = 2 ^ 31 - 1 }
local of_query = { ctype = query_handle.handle_type }
local kinds = {
  component = of_component, resource = of_component, event = of_component, blob = of_component, prefab = of_prefab,
  query = of_query,
}
local pending = {}

local function new_handle(kind, what)
  if not kind.last then return ffi.new(kind.ctype, nil) end
  kind.last = kind.last + 1
  pending[kind.last] = what
  return kind == of_prefab and ffi.new(kind.ctype, kind.last) or ffi.new(kind.ctype, kind.last, 0)
end

-- From now on it means the same as `other`.
local function settle(kind, handle, other)
  local word = kind.last and "uint32_t *" or "void **"
  local at = ffi.cast(word, handle)
  if kind.last then pending[at[0]] = nil end
  at[0] = ffi.cast(word, other)[0]
end

--- Raised when a handle is used before the declaration has taken effect; without a number, that of a query.
function late.not_yet(number)
  fail.raise((pending[number] or "ecs.query") .. ": it exists from the next step on, since a system declares it; it " ..
    "never does if the system or the declaration fails")
end

local waiting, last = {}, 0  -- by number

-- C++ drops those of a run that fails. What on_create asks for waits for the end of the next step.
local function forget_dropped(tick)
  for number, one in next, waiting do
    if one.tick > tick or one.tick < tick - 1 then waiting[number] = nil end
  end
end

--- ecs.<name>(…) in a system; `declare` is its function for files. Returns a handle for the next steps.
function late.ask(name, declare, ...)
  spend(kStepsPerDeclaration)
  local first = ...
  local what = type(first) == "string" and format("ecs.%s '%s'", name, first) or "ecs." .. name
  local tick, message = host.at_step_end(last + 1)
  if not tick then fail.raise(what .. ": " .. message) end
  forget_dropped(tick)
  last = last + 1
  local kind = kinds[name]
  local handle = kind and new_handle(kind, what) or nil
  waiting[last] = { declare = declare, info = innermost("Sl"), kind = kind, handle = handle, tick = tick,
    count = select("#", ...), ... }
  return handle
end

--- Called by C++, protected, when the step has ended. Unknown numbers are those of an earlier state of the mod.
function late.run(number)
  local one = waiting[number]
  if not one then return end
  waiting[number] = nil
  callers.standing_for = one.info
  local result = one.declare(unpack(one, 1, one.count))
  local mistakes = declared.take_mistakes()
  if mistakes then error(mistakes, 0) end
  if one.kind then settle(one.kind, one.handle, result) end
end

--- Called by C++ after it, also if it failed.
function late.finish()
  callers.standing_for = nil
  declared.take_mistakes()
end

return late
