-- `state`: the table in which a sketch keeps what shall survive saving its file. At the end of each step its content is
-- written into the world as text, so it is hashed, recorded and compared like the world.
-- Invariant: what is kept follows from the content alone. Files that run again get a copy of what was kept; when they
-- cannot run, the table of before is as it was.
-- Not here: the text (plain.lua).
local rt = ...
local rawget, rawset, type, next = rawget, rawset, type, next
local fail, plain = rt.fail, rt.plain

local state = {}
local kMostBytes = 65536  -- of a text in the world
local kResource, kSystem = "(state)", "keep state"

local kLast = { group = "transforms" }  -- behind all of simulation

local text       -- of the last step
local given      -- the table that the files that run now got
local handle     -- of the resource
local told = false

--- The global `state`, when it is first asked for.
function state.of(env)
  given = text and plain.table_of(text) or {}
  rawset(env, "state", given)
  return given
end

local function keep(_, ctx)
  local t = rawget(rt.env, "state")
  if type(t) ~= "table" then return end  -- a variable of the game's own
  local now = plain.text_of(t, kMostBytes, "state", "state", true)
  if not now then
    fail.raise("state: holds more than " .. kMostBytes .. " bytes of text; keep what there are many of as entities")
  end
  if now == text then return end
  text = now
  ctx:resource(handle).text = now
end

--- Behind main.lua, where anything names `state`. A table that main.lua itself assigned is what it begins with: what
--- was kept goes before it.
function state.declare(env)
  local own = rawget(env, "state")
  if type(own) == "table" and own ~= given and text then
    for key, value in next, plain.table_of(text) do own[key] = value end
  end
  given = nil
  if not told then
    handle = rt.schema.resource(kResource, { { "text", "text", doc = "the table 'state'" } })
    told = true
  end
  rt.system.declare_as(kSystem, { access = { write = { handle } }, run = keep }, "system '" .. kSystem .. "'", nil,
    kLast)
end

return state
