-- Half of a cycle.
return require "lib.cycle_b"
