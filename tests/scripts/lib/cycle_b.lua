-- The other half of the circle.
return require "lib.circle_a"
