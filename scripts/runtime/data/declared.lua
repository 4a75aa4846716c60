-- The declarations of the mod's schemas, and their errors: kept while schema.lua, which fills it, is loaded and
-- unloaded.
local ipairs, setmetatable, concat = ipairs, setmetatable, table.concat

local declared = {
  mistakes = {},
  places = {},  -- position of the first declaration of each name
  migrations = {},  -- by number of the type: functions by version
  reactions = {},  -- names in use
  late = {},  -- names of types that a running system declared
  pending = {},  -- the migrations of schemas that may change
  compound = setmetatable({}, { __mode = "k" }),  -- results of ecs.struct etc. -> their meaning
}

local exchanged = { "places", "migrations", "reactions", "late" }

--- Replaces the declarations by `other`, or by empty ones; returns the previous ones.
function declared.exchange(other)
  local before = {}
  for _, name in ipairs(exchanged) do before[name], declared[name] = declared[name], other and other[name] or {} end
  return before
end

--- All errors since the last call, one per line; nil if there were none.
function declared.take_mistakes()
  local mistakes = declared.mistakes
  if #mistakes == 0 then return nil end
  local all = concat(mistakes, "\n")
  for i = #mistakes, 1, -1 do mistakes[i] = nil end
  return all
end

return declared
