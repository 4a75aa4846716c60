-- Half of a circle.
return require "lib.circle_b"
