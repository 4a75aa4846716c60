-- The other half of the cycle.
return require "lib.cycle_a"
