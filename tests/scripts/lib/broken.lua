-- Does not parse.
local x = = 1
