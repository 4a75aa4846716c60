-- What the mod has declared in its schemas, and the mistakes it made: kept while schema.lua, which fills it, comes and
-- goes.
local rt = ...
local ipairs, setmetatable, concat = ipairs, setmetatable, table.concat

local declared = {
  mistakes = {},
  places = {},  -- where each name was declared first
  migrations = {},  -- by number of the type: functions by version
  reactions = {},  -- names that are used
  pending = {},  -- the migrations of schemas that may be about to change
  compound = setmetatable({}, { __mode = "k" }),  -- what ecs.struct and its like return -> what it means
}

local exchanged = { "places", "migrations", "reactions" }

--- What this mod declared counts from zero from here on, or again what this call once gave; gives what counted before.
function declared.exchange(other)
  local before = {}
  for _, name in ipairs(exchanged) do before[name], declared[name] = declared[name], other and other[name] or {} end
  return before
end

--- All mistakes since the last call, one per line; nil when there were none.
function declared.take_mistakes()
  local mistakes = declared.mistakes
  if #mistakes == 0 then return nil end
  local all = concat(mistakes, "\n")
  for i = #mistakes, 1, -1 do mistakes[i] = nil end
  return all
end

rt.declared = declared
