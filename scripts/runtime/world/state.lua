-- `state`: the table of a sketch that survives reloading its file. At the end of each step its content is written into
-- the world as text, so it is hashed, recorded and compared like the world.
-- Invariant: the stored text depends only on the content. Reloaded files get a copy of the stored content; if they
-- fail, the old table is unchanged. After a world was loaded, the table has the content that is stored there.
-- Not here: the text (serialise.lua).
local need = ...
local module, schema, fail, serialise = need "module", need "schema", need "fail", need "serialise"
local later = need "parts".later
local system, world = later "system", later "world"
local spend = need "fuel".spend
local constants = need "constants"
local rawget, rawset, type, next, get_meta = rawget, rawset, type, next, debug.getmetatable

local state = {}
local kMaxBytes = constants.max_text_bytes
local kStepsPerEntry = 2
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

-- Gives `t` the content of `from`. Tables at the same place stay the same, so variables that refer to them go on to
-- work; one that is at several places stays at the first.
local function become(t, from, seen)
  seen[t] = true
  local gone, count = {}, 0
  for key in next, t do
    if from[key] == nil then
      count = count + 1
      gone[count] = key
    end
    spend(kStepsPerEntry)
  end
  for i = 1, count do t[gone[i]] = nil end
  for key, value in next, from do
    local own = rawget(t, key)
    if type(value) == "table" and type(own) == "table" and get_meta(own) == nil and not seen[own] then
      become(own, value, seen)
    else
      rawset(t, key, value)
    end
    spend(kStepsPerEntry)
  end
end

--- Gives the table the content that the world has. Called by C++ between steps, when the world was replaced. A world
--- that was saved without a `state` leaves the table as it is.
function state.restore()
  local t = rawget(module.env, "state")
  if not is_declared or type(t) ~= "table" then return end
  local stored = world.object:resource(handle).text
  local content = stored ~= "" and serialise.to_table(stored)
  if not content then return end
  become(t, content, {})
  text = stored
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
