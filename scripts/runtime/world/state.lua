-- `state`: the table of a sketch that survives reloading its file. At the end of each step its content is written into
-- the world as text, so it is hashed, recorded and compared like the world.
-- Invariant: the stored text depends only on the content. Reloaded files get a copy of the stored content; if they
-- fail, the old table is unchanged.
-- Not here: the text (serialise.lua).
local need = ...
local module, schema, fail, serialise = need "module", need "schema", need "fail", need "serialise"
local later = need "parts".later
local system = later "system"
local constants = need "constants"
local rawget, rawset, type, next = rawget, rawset, type, next

local state = {}
local kMaxBytes = constants.max_text_bytes
local kResource, kSystem = "(state)", "keep state"

local kLast = { group = "transforms" }  -- after all of simulation

local text       -- of the last step
local given      -- the table passed to the files being run
local handle     -- of the resource
local is_declared = false

--- The global `state`, created on first access.
function state.of(env)
  given = text and serialise.to_table(text) or {}
  rawset(env, "state", given)
  return given
end

local function keep(_, ctx)
  local t = rawget(module.env, "state")
  if type(t) ~= "table" then return end  -- the game's own variable
  local now = serialise.to_text(t, kMaxBytes, "state", "state", true)
  if not now then
    fail.raise("state: holds more than " .. kMaxBytes .. " bytes of text; keep what there are many of as entities")
  end
  if now == text then return end
  text = now
  ctx:resource(handle).text = now
end

--- Called after main.lua if any code names `state`. A table assigned by main.lua is the initial content; stored content
--- takes precedence.
function state.declare(env)
  local own = rawget(env, "state")
  if type(own) == "table" and own ~= given and text then
    for key, value in next, serialise.to_table(text) do own[key] = value end
  end
  given = nil
  if not is_declared then
    handle = schema.resource(kResource, { { "text", "text", doc = "the table 'state'" } })
    is_declared = true
  end
  system.declare_as(kSystem, { access = { write = { handle } }, run = keep }, "system '" .. kSystem .. "'", nil,
    kLast)
end

return state
