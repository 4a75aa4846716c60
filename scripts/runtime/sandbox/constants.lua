-- Limits, kinds and lists of words that C++ owns (scripting/base/script_constant.h), by name: constants.max_flags.
-- Files read them while they load and keep them as locals, since each access is a call.
-- Invariant: an unknown name is an error. A list is a new table at each access.
-- Not here: any value.
local need = ...
local host = need "host"
local setmetatable = setmetatable

local function constants_of(module)
  return setmetatable({}, { __index = function(_, name) return (host.constant(name, module)) end })
end

local constants = constants_of()

--- Those of a module of the engine.
constants.of = constants_of

return constants
