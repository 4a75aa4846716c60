-- A side world with a system, for the calls of calls.lua.
local ecs = require "ecs"
local C = ecs.components
ecs.system("move", { query = { write = { C.Position } }, run = function(chunk)
  for i = 1, chunk.count do chunk.Position.x[i] = chunk.Position.x[i] + 1 end
end })
