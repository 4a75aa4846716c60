-- Where things are and how they look: the same in both programs, whichever random numbers they have of their own.
local numbers = {}

--- A function that returns random numbers from low to high, always in the same order.
function numbers.stream(seed)
  local state = seed
  return function(low, high)
    state = state * 16807 % 2147483647
    return low + (high - low) * (state / 2147483647)
  end
end

--- A list of sprites with all that a scene may want to know of them. Units: pixels, pixels a second, radians; red,
--- green and blue are whole numbers from 64 to 255, color is 0xRRGGBBAA. Places keep 20 pixels away from the edges.
function numbers.sprites(count)
  local random, list = numbers.stream(4711), {}
  for i = 1, count do
    local red, green, blue = math.floor(random(64, 255)), math.floor(random(64, 255)), math.floor(random(64, 255))
    list[i] = {
      x = random(20, 1260), y = random(20, 700), vx = random(-90, 90), vy = random(-90, 90),
      rotation = random(0, 2 * math.pi), scale = random(0.75, 1.5), frame = math.floor(random(0, 255.99)),
      red = red, green = green, blue = blue, color = ((red * 256 + green) * 256 + blue) * 256 + 255,
      width = random(8, 40), height = random(8, 40),
    }
  end
  return list
end

--- Line i of a page in five columns: 40 characters, 32 of them no spaces, with a number that changes; and its place.
function numbers.line(i, changing)
  return ("%03d: %06d pack my box with jugs of ale"):format(i, changing)
end
function numbers.line_place(i)
  return 4 + (i - 1) % 5 * 256, 2 + math.floor((i - 1) / 5) * 18
end

return numbers
